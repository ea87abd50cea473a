"""Plausible wrong answers of chapter 09."""

RACE = """
def race(games, mu, half_width):
    racing, winners, home, played, r = list(range(len(games))), [], [], 0, 0
    while len(winners) < mu and len(home) < len(games) - mu and r < games.shape[1]:
        r, played = r + 1, played + len(racing)
        means = games[racing, :r].mean(axis=1)
        half = np.array([half_width(mean, r) for mean in means])
        better = {better}
        places, losers = {open}
        winners += [i for i, beaten in zip(racing, better.sum(axis=1)) if beaten >= losers]
        home += [i for i, beaten_by in zip(racing, better.sum(axis=0)) if beaten_by >= places]
        racing = [i for i in racing if i not in winners + home]
    best_first = sorted(racing, key=lambda i: -games[i, :r].mean())
    return sorted(winners + best_first[: mu - len(winners)]), {played}
"""
PARTS = {
    "better": "(means - half)[:, None] > (means + half)",
    "open": "mu - len(winners), len(games) - mu - len(home)",
    "played": "played",
}


def wrong_race(**changed):
    """The model solution with one part changed."""
    return RACE.strip().format(**PARTS | changed)


LIMIT = """
def games_needed(gap, R, candidates, delta):
    r = 1
    while {test}:
        r += 1
    return {result}
"""


def wrong_limit(test="gap <= 2 * R * np.sqrt(np.log(2 * candidates * r / delta) / (2 * r))", result="r"):
    """The model solution with one part changed."""
    test, _, remark = test.partition("  #")
    source = LIMIT.strip().format(test=test, result=result)
    return f"{source}  #{remark}" if remark else source


SEARCH = """
def search(score, n, limit):
    optimizer = tc.CMAES(n, iterations=10**6, {settings})
    games, mean = {games}, None
    for _ in range(limit // (games * optimizer.constants.lambda_)):
        x = optimizer.ask()
        optimizer.tell(x, [np.mean([score(one) for _ in range(games)]) for one in x])
    return {result}
"""


def searched(games=1, settings="", result="optimizer.favourite"):
    """A search by CMA-ES."""
    return SEARCH.strip().format(games=games, settings=settings, result=result)


WRONG = {
    "09.1": [
        "def to_length_1(candidates):\n    return candidates / np.linalg.norm(candidates)  # the whole table",
        "def to_length_1(candidates):\n"
        "    return candidates / np.linalg.norm(candidates, axis=1, keepdims=True)  # 0 by 0",
        "def to_length_1(candidates):\n"
        "    sums = np.abs(candidates).sum(axis=1, keepdims=True)\n"
        "    return candidates / np.where(sums > 0, sums, 1)  # a sum of 1 is no length of 1",
        "def to_length_1(candidates):\n"
        "    squares = (candidates**2).sum(axis=1, keepdims=True)\n"
        "    return candidates / np.where(squares > 0, squares, 1)  # without the root",
    ],
    "09.2": [
        "def rank_one(C, y, c):\n    return (1 - c) * C + c * (y @ y)  # a number in place of a table",
        "def rank_one(C, y, c):\n    return (1 - c) * C + c * np.diag(y**2)  # each weight for itself",
        "def rank_one(C, y, c):\n    return C + c * np.outer(y, y)  # nothing is forgotten",
        "def rank_one(C, y, c):\n    return c * C + (1 - c) * np.outer(y, y)  # the wrong way round",
        "def rank_one(C, y, c):\n    C *= 1 - c\n    C += c * np.outer(y, y)\n    return C",
    ],
    "09.3": [
        "def next_step(sigma, p, y, c, d):\n"
        "    longer = np.linalg.norm(p) / chance_length(len(p)) - 1  # the old path\n"
        "    return sigma * np.exp(c / d * longer), (1 - c) * p + np.sqrt(c * (2 - c)) * y",
        "def next_step(sigma, p, y, c, d):\n"
        "    p = (1 - c) * p + c * y  # without the odd factor\n"
        "    return sigma * np.exp(c / d * (np.linalg.norm(p) / chance_length(len(p)) - 1)), p",
        "def next_step(sigma, p, y, c, d):\n"
        "    p = (1 - c) * p + np.sqrt(c * (2 - c)) * y\n"
        "    return sigma + c / d * (np.linalg.norm(p) / chance_length(len(p)) - 1), p  # added",
        "def next_step(sigma, p, y, c, d):\n"
        "    p = (1 - c) * p + np.sqrt(c * (2 - c)) * y\n"
        "    return p, sigma * np.exp(c / d * (np.linalg.norm(p) / chance_length(len(p)) - 1))",
        "def next_step(sigma, p, y, c, d):\n"
        "    p = (1 - c) * p + np.sqrt(c * (2 - c)) * y\n"
        "    return sigma * np.exp(c / d * (np.linalg.norm(p) - 1)), p  # chance makes longer paths than 1",
    ],
    "09.4": [
        wrong_limit(test="gap <= R * np.sqrt(np.log(2 * candidates * r / delta) / (2 * r))  # one half-width"),
        wrong_limit(test="gap <= 2 * R * np.sqrt(np.log(2 * candidates * 100 / delta) / (2 * r))  # a limit of 100"),
        wrong_limit(test="gap <= 2 * R * np.sqrt(np.log(2 * r / delta) / (2 * r))  # as if it were alone"),
        wrong_limit(test="gap <= 2 * R * np.sqrt(np.log10(2 * candidates * r / delta) / (2 * r))"),
        wrong_limit(result="r - 1"),
        "def games_needed(gap, R, candidates, delta):\n"
        "    return R * np.sqrt(np.log(2 * candidates * 100 / delta) / (2 * 100))  # the half-width",
    ],
    "09.5": [
        wrong_race(better="means[:, None] > means  # without any interval"),
        wrong_race(open="mu, len(games) - mu  # as if nobody had left"),
        wrong_race(open="len(games) - mu - len(home), mu - len(winners)"),  # places and losers swapped
        wrong_race(played="r * len(games)  # as if everybody had played to the end"),
        wrong_race(better="(means - half)[:, None] > means"),
        "def race(games, mu, half_width):\n"
        "    best = np.argsort(-games.mean(axis=1))[:mu]\n"
        "    return sorted(best.tolist()), games.size  # no race",
    ],
    "09.6": [
        *(
            f"report = 'word ' * 20\nplan = {plan}"
            for plan in (
                "dict(games=100, iterations=3)  # certain, and nowhere",
                "dict(games=100, iterations=50)",
                "dict(games=100, population=40)",
                "dict(games=100, iterations=1000, racing='tetris')",
                "dict(games=10, iterations=30, sigma=1e-6, start='random')",
                "dict(games=10, iterations=30, start=tuple(tc.PLAYERS['dn'].weights))",
                "dict(games=10, iteration=30)",
                "dict(iterations=30)",
                "10",
            )
        ),
        "plan = dict(games=10, iterations=30)\nreport = 'It works.'",
    ],
    "09.8": [
        searched() + "  # the last steps are luck",
        searched(result="optimizer.best.weights") + "  # and so is the best score",
        "def search(score, n, limit):\n"
        "    x = Draws(1, 1).normal((limit, n))\n"
        "    return x[np.argmax([score(one) for one in x])]  # the luckiest of many",
        "def search(score, n, limit):\n"
        "    optimizer = tc.CMAES(n, population=100, iterations=100)\n"
        "    while not optimizer.stop():\n"
        "        x = optimizer.ask()\n"
        "        optimizer.tell(x, [score(one) for one in x])  # more than the limit\n"
        "    return optimizer.favourite",
        "def search(score, n, limit):\n    return np.zeros(n + 1)",
        "search = 900",
    ],
}

PARTLY = {
    "09.8": [
        (1, searched(games=20)),
        (2, searched(settings="population=30")),
    ],
}
