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
        "def hoeffding(R, r, n_b, delta):\n    return R * np.sqrt((np.log(2 * n_b) - np.log(delta)) / 2 * r)",
        "def hoeffding(R, r, n_b, delta):\n    return R * np.sqrt((np.log10(2 * n_b) - np.log10(delta)) / (2 * r))",
        "def hoeffding(R, r, n_b, delta):\n    return R * (np.log(2 * n_b) - np.log(delta)) / (2 * r)  # no root",
        "def hoeffding(R, r, n_b, delta):\n    return R * np.sqrt((np.log(2 * n_b) - delta) / (2 * r))",
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
}
