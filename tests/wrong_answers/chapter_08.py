"""Plausible wrong answers of chapter 08."""

WORDS = "my_reasons = 'word ' * 20\n"

WRONG = {
    "08.1": [
        "def elite_of(candidates, scores, rho):\n"
        "    return candidates[np.argsort(scores)[: max(1, int(rho * len(scores)))]]  # the worst",
        "def elite_of(candidates, scores, rho):\n"
        "    return candidates[np.argsort(-scores)[: int(rho * len(scores))]]  # sometimes nobody",
        "def elite_of(candidates, scores, rho):\n"
        "    return candidates[np.argsort(-scores)[: max(1, round(rho * len(scores)))]]  # rounded",
        "def elite_of(candidates, scores, rho):\n"
        "    return np.argsort(-scores)[: max(1, int(rho * len(scores)))]  # their numbers, not the rows",
        "def elite_of(candidates, scores, rho):\n    return candidates[scores >= rho * scores.max()]  # of the score",
    ],
    "08.2": [
        "def fit(elite, noise):\n    return elite.mean(axis=0), elite.std(axis=0) + noise  # sigma, not its square",
        "def fit(elite, noise):\n    return elite.mean(axis=0), elite.var(axis=0)  # the noise forgotten",
        "def fit(elite, noise):\n    return elite.mean(axis=0), (elite.std(axis=0) + noise) ** 2  # added to sigma",
        "def fit(elite, noise):\n    return elite.mean(), elite.var() + noise  # all weights thrown together",
        "def fit(elite, noise):\n"
        "    n = max(len(elite) - 1, 1)\n"
        "    mean = elite.mean(axis=0)\n"
        "    return mean, ((elite - mean) ** 2).sum(axis=0) / n + noise  # divided by one less",
        "def fit(elite, noise):\n    return elite.mean(axis=0), (elite**2).mean(axis=0) + noise  # not around the mean",
    ],
    "08.3": [
        "def reach(noise, rounds):\n"
        "    distance, variance = 0.0, 100.0\n"
        "    for t in range(1, rounds + 1):\n"
        "        variance = KEPT * variance + noise(t)\n"
        "        distance += PUSH * variance**0.5  # moved after the change\n"
        "    return distance",
        "def reach(noise, rounds):\n"
        "    distance, sigma = 0.0, 10.0\n"
        "    for t in range(1, rounds + 1):\n"
        "        distance += PUSH * sigma\n"
        "        sigma = KEPT * sigma + noise(t)  # sigma for the variance\n"
        "    return distance",
        "def reach(noise, rounds):\n"
        "    distance, variance = 0.0, 100.0\n"
        "    for t in range(rounds):\n"
        "        distance += PUSH * variance**0.5\n"
        "        variance = KEPT * variance + noise(t)  # counted from 0\n"
        "    return distance",
        "def reach(noise, rounds):\n    return 10 * PUSH / (1 - KEPT**0.5)  # without noise, forever",
    ],
    "08.4": [
        "def frozen_from(means, sigmas):\n"
        "    frozen = sigmas.max(axis=1) < np.linalg.norm(means, axis=1) / 100\n"
        "    return int(np.argmax(frozen)) + 1 if frozen.any() else 0  # the first, thawed or not",
        "def frozen_from(means, sigmas):\n"
        "    thawed = np.flatnonzero(sigmas.max(axis=1) >= np.linalg.norm(means, axis=1) / 100)\n"
        "    last = thawed[-1] + 1 if len(thawed) else 0\n"
        "    return last if last < len(means) else 0  # counted from 0",
        "def frozen_from(means, sigmas):\n"
        "    thawed = np.flatnonzero(sigmas.mean(axis=1) >= np.linalg.norm(means, axis=1) / 100)\n"
        "    last = thawed[-1] + 1 if len(thawed) else 0\n"
        "    return last + 1 if last < len(means) else 0  # the mean sigma",
        "def frozen_from(means, sigmas):\n"
        "    thawed = np.flatnonzero(sigmas.max(axis=1) >= 1)\n"
        "    last = thawed[-1] + 1 if len(thawed) else 0\n"
        "    return last + 1 if last < len(means) else 0  # whatever the length of the mean",
    ],
    "08.5": [
        *(
            f"{WORDS}def my_noise(t):\n    return {formula}"
            for formula in (
                "0",
                "4",
                "15  # reaches everything, and never settles",
                "max(5 - t / 10, 0)",
                "10 / t",
                "10 * 0.95**t",
                "100 * 0.7**t  # gone too soon",
                "20 - t  # negative in the end",
                "'much'",
                "None if t > 30 else 40",
                "30_000 if t == 1 else 0  # reaches the summits, and on Tetris is as good as none",
                "1000 if 24 <= t < 29 else 0  # too late for Tetris",
                "3000 if 28 <= t < 31 else 0",
            )
        ),
        "def my_noise(t):\n    return 50 * 0.5 ** max(0, t - 25)\nmy_reasons = 'It works.'",
    ],
    "08.7": [
        "def rare(score, limit, dimension):\n"
        "    return np.mean(score(Draws(1, 0).normal((6000, dimension))) >= limit)  # counted",
        "def rare(score, limit, dimension):\n    return 1e-4 * score(np.zeros((6001, dimension))).mean()  # too many",
        "def rare(score, limit, dimension):  # other weather, and no ratio\n"
        "    return np.mean(score(2 * Draws(1, 0).normal((6000, dimension))) >= limit)",
        "def rare(score, limit, dimension):\n    return 'hardly ever'",
    ],
}

ONE_SIDE = (
    "def rare(score, limit, dimension):  # as in the lecture\n"
    "    mu, level, t = np.zeros(dimension), -np.inf, 0\n"
    "    while level < limit and t < 6:\n"
    "        x = mu + Draws(7, t).normal((700, dimension))\n"
    "        scores = score(x)\n"
    "        level, t = min(limit, np.quantile(scores, 0.9)), t + 1\n"
    "        elite = x[scores >= level]\n"
    "        mu = np.average(elite, axis=0, weights=np.exp(mu @ mu / 2 - elite @ mu))\n"
    "    x = mu + Draws(7, t).normal((1500, dimension))\n"
    "    return np.mean(np.exp(mu @ mu / 2 - x @ mu) * (score(x) >= limit))"
)

PARTLY = {
    "08.7": [
        (1, ONE_SIDE.replace("return np.mean(", "return max(1e-5, np.mean(") + ")"),
        (2, ONE_SIDE),
    ],
}
