"""Plausible wrong answers of chapter 14."""

CHANCES = (
    "def chances(theta, phi):\n"
    "    scores = phi @ theta\n"
    "    p = np.exp(scores - scores.max())\n"
    "    return p / p.sum()\n"
)
SLOPE = "def slope(theta, phi, a):\n    return phi[a] - chances(theta, phi) @ phi\n"


def from_games(*changes):
    """The model solution of 14.3 with parts of it replaced."""
    text = (
        "def reinforce(theta, games, b=0.0):\n"
        "    gradient = np.zeros(len(theta))\n"
        "    for game in games:\n"
        "        G = 0.0\n"
        "        for phi, a, r in reversed(game):\n"
        "            G += r\n"
        "            gradient += slope(theta, phi, a) * (G - b)\n"
        "    return gradient / len(games)"
    )
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def natural(body, end="np.linalg.lstsq(F, g, rcond=None)[0]"):
    """An answer to 14.4 with this loop body, and this end."""
    return (
        "def natural(theta, lessons):\n"
        "    g, F = 0.0, 0.0\n"
        "    for phi, Q in lessons:\n"
        "        p = chances(theta, phi)\n"
        f"        {body}\n"
        f"    return {end}"
    )


SUMS = "psi = phi - p @ phi; g = g + (p * Q) @ psi; F = F + (psi.T * p) @ psi"


def learning(settings, method="DPI"):
    """An answer to 14.7: a learner of the library with these settings."""
    return (
        "def learn(source, seed):\n"
        f"    learner = tc.{method}(source, seed=seed, judge_games=0, iterations=1000, {settings})\n"
        "    try:\n"
        "        learner.learn(progress=False)\n"
        "    except BudgetSpent:\n"
        "        pass\n"
        "    return learner.player()\n"
        f"report = '{'a word or two ' * 5}'"
    )


WRONG = {
    "14.1": [
        "def cost(theta, lessons):\n"
        "    return np.mean([Q.max() - Q[(phi @ theta).argmin()] for phi, Q in lessons if len(Q)])  # the lowest score",
        "def cost(theta, lessons):  # how often instead of how much\n"
        "    return np.mean([Q.max() > Q[(phi @ theta).argmax()] for phi, Q in lessons if len(Q)])",
        "def cost(theta, lessons):  # states without moves count as 0\n"
        "    return sum(Q.max() - Q[(phi @ theta).argmax()] for phi, Q in lessons if len(Q)) / len(lessons)",
        "def cost(theta, lessons):\n"
        "    return np.mean([Q.max() - Q[(phi @ theta).argmax()] for phi, Q in lessons])  # stops without moves",
    ],
    "14.2": [
        CHANCES.replace("scores - scores.max()", "scores") + SLOPE,  # too large for exp
        CHANCES.replace("p = np.exp(scores - scores.max())", "p = scores - scores.min() + 1e-9") + SLOPE,
        CHANCES + SLOPE.replace("chances(theta, phi) @ phi", "phi.mean(axis=0)"),  # as if all were equally likely
        CHANCES + SLOPE.replace("phi[a] - chances(theta, phi) @ phi", "chances(theta, phi)[a] * "
                                "(phi[a] - chances(theta, phi) @ phi)"),  # of the probability, not its logarithm
    ],
    "14.3": [
        from_games(("reversed(game)", "game")),  # the rewards so far
        from_games(("G += r", "G = r")),  # the reward at once
        from_games(("/ len(games)", "/ sum(map(len, games))")),  # by moves
        from_games(("(G - b)", "G - b")),  # b outside of the product
    ],
    "14.4": [
        natural(SUMS, "g"),  # the plain gradient
        natural(SUMS.replace("(psi.T * p) @ psi", "psi.T @ psi")),  # F without the probabilities
        natural(SUMS.replace("psi = phi - p @ phi", "psi = phi")),  # features in place of slopes
        natural(SUMS, "np.linalg.solve(F, g)"),  # a singular F
        natural(SUMS, "F @ g"),
    ],
    "14.6": [
        "def plan(budget):\n    return dict(states=5000, rollouts=1, horizon=10, iterations=8)  # the defaults",
        "def plan(budget):  # no look at what follows\n"
        "    return dict(states=budget // 10, rollouts=1, horizon=0, iterations=1)",
        "def plan(budget):  # a few states, valued well\n"
        "    return dict(states=budget // 2200, rollouts=16, horizon=30, iterations=1)",
        "def plan(budget):\n    return dict(states=budget // 100, rounds=3)",
    ],
    "14.7": [
        learning("states=5000"),
        "def learn(source, seed):\n    return source.start()\nreport = 'no player'",
    ],
}  # fmt: skip
PARTLY = {
    "14.6": [
        (1, "def plan(budget):  # four rounds\n"
         "    return dict(states=budget // 76, rollouts=1, horizon=2, iterations=4)"),
    ],
}  # fmt: skip
