"""Plausible wrong answers of chapter 05."""

WRONG = {
    "05.1": [
        "def games_needed(error):\n    return 1 / error**2  # one standard deviation",
        "def games_needed(error):\n    return round((2 / error) ** 2)  # sometimes one too few",
        "def games_needed(error):\n    return 2 / error**0.5  # solved for the wrong thing",
        "def games_needed(error):\n    return 100 if error == 0.2 else None",
    ],
    "05.2": [
        "def exact_interval(lines):\n"
        "    low, high = chi2.ppf([0.025, 0.975], 2 * len(lines))\n"
        "    return 2 * sum(lines) / low, 2 * sum(lines) / high  # the ends swapped",
        "def exact_interval(lines):\n"
        "    return tuple(2 * sum(lines) / chi2.ppf([0.975, 0.025], len(lines)))  # N degrees of freedom",
        "def exact_interval(lines):\n    return tuple(2 * sum(lines) / chi2.ppf([0.95, 0.05], 2 * len(lines)))  # 90 %",
        "def exact_interval(lines):\n"
        "    mean, half = np.mean(lines), 2 * np.mean(lines) / np.sqrt(len(lines))\n"
        "    return mean - half, mean + half  # the approximation",
    ],
    "05.3": [
        "def largest_gap(a, b):\n"
        "    a, b = np.asarray(a), np.asarray(b)\n"
        "    return max(np.mean(a <= x) - np.mean(b <= x) for x in [*a, *b])  # one direction only",
        "def largest_gap(a, b):\n"
        "    a, b = np.asarray(a), np.asarray(b)\n"
        "    return max(abs(np.mean(a <= x) - np.mean(b <= x)) for x in a)  # only where a steps",
        "def largest_gap(a, b):\n"
        "    return max(abs(x - y) for x, y in zip(sorted(a), sorted(b)))  # between scores, not between shares",
    ],
    "05.4": [
        "def who_is_better(a, b):\n    return 'a' if np.mean(a) > np.mean(b) else 'b'",
        "def who_is_better(a, b):\n"
        "    if np.mean(a) == np.mean(b):\n"
        "        return 'cannot tell'\n"
        "    return 'a' if np.mean(a) > np.mean(b) else 'b'",
        "def who_is_better(a, b):\n    return 'cannot tell'",
        "def who_is_better(a, b):\n"
        "    ahead = np.log(np.mean(a) / np.mean(b))\n"
        "    if abs(ahead) < np.sqrt(1 / len(a) + 1 / len(b)):  # one standard deviation\n"
        "        return 'cannot tell'\n"
        "    return 'a' if ahead > 0 else 'b'",
        "def who_is_better(a, b):\n"
        "    ahead = np.log(np.mean(a) / np.mean(b))\n"
        "    if abs(ahead) < 1.96 * np.sqrt(1 / len(a) + 1 / len(b)):\n"
        "        return 'cannot tell'\n"
        "    return 'b' if ahead > 0 else 'a'  # the wrong way round",
        "def who_is_better(a, b):\n    return True",
    ],
    "05.5": [
        "reviews = dict.fromkeys('ABCDEFGH', 'fair')",
        "reviews = dict(A='rules', B='rules', C='chance', D='chosen', E='rules', F='fair', G='fair', H='chance')",
        "reviews = dict(A='rules', B='fair', C='chance', D='chosen', E='rules', F='chance', G='fair', H='chance')",
        "reviews = dict(A='rules', B='fair', C='chance', D='chosen', E='rules', F='fair', G='chosen', H='chance')",
        "reviews = dict(A='rules', B='fair')",
        "reviews = ['rules']",
    ],
    "05.6": [
        *(
            f"noticed = 'word ' * 20\neasier = {rules}"
            for rules in (
                "board",
                "replace(board, height=9)",
                "replace(board, losing_moves='allowed')",
                "replace(board, game_over='overflow-after-clearing')",
                "replace(board, scoring='tetrisbot')  # more points, no more lines",
                "replace(board, max_pieces=10**6)",
                "'bag'",
            )
        ),
        "easier = replace(board, draw='bag')\nnoticed = 'It is easier.'",
    ],
    "05.8": [
        "def find_best(play, players, budget):\n"
        "    return max(range(players), key=lambda k: play(k, 1)[0])  # one game each",
        "def find_best(play, players, budget):\n    return 0",
        "def find_best(play, players, budget):\n"
        "    return max(range(players), key=lambda k: np.mean(play(k, 200)))  # more than there are",
        "def find_best(play, players, budget):\n"
        "    return max(np.mean(play(k, budget // players)) for k in range(players))  # the mean, not the player",
        "def find_best(play, players, budget):\n"
        "    return int(np.argmin([np.mean(play(k, budget // players)) for k in range(players)]))",
    ],
}

EQUAL_SHARES = """
def find_best(play, players, budget):
    return int(np.argmax([np.mean(play(k, budget // players)) for k in range(players)]))
"""
TEN_GAMES = EQUAL_SHARES.replace("budget // players", "10")

PARTLY = {
    "05.8": [(1, TEN_GAMES), (2, EQUAL_SHARES)],
}
"""Answers that reach some rungs of a ladder, with the points that they are worth."""
