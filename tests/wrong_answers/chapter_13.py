"""Plausible wrong answers of chapter 13."""

WORTH = "def worth(tree):\n    if not isinstance(tree, tuple):\n        return tree\n    kind, branches = tree\n"
UNKNOWN = (
    "def choose_unknown(board, piece, value):\n"
    "    def prospect(move):\n"
    "        answers = [[value(answer) for answer in tc.moves(move.after, p)] for p in tc.PIECES.values()]\n"
)
TAKEN = "    return max(tc.moves(board, piece), key=prospect, default=None)"
DECIDE = (
    "def decide(roll, moves, budget):\n"
    "    games = budget // moves\n"
    "    return int(np.argmax([np.mean([roll(k, {seed}) for i in range(games)]) for k in range(moves)]))"
)
HALVING = (
    "def decide(roll, moves, budget):\n"
    "    left, lines, used = list(range(moves)), {k: [] for k in range(moves)}, 0\n"
    "    for _ in range(5):\n"
    "        games = budget // 5 // len(left)\n"
    "        for k in left:\n"
    "            lines[k] += [roll(k, (41 * k + seed) % 1000) for seed in range(used, used + games)]  # its own\n"
    "        used += games\n"
    "        left = sorted(left, key=lambda k: -np.mean(lines[k]))[: (len(left) + 1) // 2]\n"
    "    return left[0]"
)

WRONG: dict[str, list[str]] = {
    "13.1": [
        WORTH + "    if kind == 'mine':\n        return max(map(worth, branches))  # and where there is none?\n"
        "    return sum(p * worth(one) for p, one in branches)",
        WORTH + "    if kind == 'mine':\n        return max(map(worth, branches), default=0)\n"
        "    return sum(worth(one) for _, one in branches) / len(branches)  # all alike",
        WORTH + "    if kind == 'mine':\n        return max(map(worth, branches), default=0)\n"
        "    return max(p * worth(one) for p, one in branches)  # the best of chance",
        WORTH + "    values = [worth(one) if kind == 'mine' else worth(one[1]) for one in branches]\n"
        "    return max([*values, 0])  # never less than nothing",
    ],
    "13.2": [
        UNKNOWN
        + "        return value(move) + sum(max(v, default=0) for v in answers) / 7  # missing ones cost nothing\n"
        + TAKEN,
        UNKNOWN + "        missing = sum(not v for v in answers)\n"
        "        return -missing, sum(max(v, default=0) for v in answers)  # its own value forgotten\n" + TAKEN,
        UNKNOWN + "        missing = sum(not v for v in answers)\n"
        "        return -missing, value(move) + max(max(v, default=0) for v in answers)  # the kindest piece\n" + TAKEN,
        UNKNOWN + "        missing = sum(not v for v in answers)\n"
        "        return -missing, value(move) + sum(max(v, default=0) for v in answers)  # the sum, not the mean\n"
        + TAKEN,
        "def choose_unknown(board, piece, value):\n    return max(tc.moves(board, piece), key=value, default=None)",
    ],
    "13.3": [
        "def best_first(own, future, highest):  # everything is opened\n"
        "    totals = [a + future(k) for k, a in enumerate(own)]\n"
        "    return totals.index(max(totals))",
        "def best_first(own, future, highest):  # only the first\n"
        "    k = max(range(len(own)), key=lambda k: own[k])\n"
        "    future(k)\n"
        "    return k",
        "def best_first(own, future, highest):\n"
        "    best, found = -np.inf, None\n"
        "    for k in sorted(range(len(own)), key=lambda k: -own[k]):\n"
        "        if own[k] + highest <= best:  # level is left out\n"
        "            break\n"
        "        total = own[k] + future(k)\n"
        "        if total > best:\n"
        "            best, found = total, k\n"
        "    return found",
        "def best_first(own, future, highest):\n"
        "    best, found = -np.inf, None\n"
        "    for k in range(len(own)):  # not in the order of own values\n"
        "        if own[k] + highest >= best:\n"
        "            total = own[k] + future(k)\n"
        "            if total > best:\n"
        "                best, found = total, k\n"
        "    return found",
    ],
    "13.4": [
        "def improved(board, piece, known):  # what comes later is all that counts\n"
        "    return max(tc.moves(board, piece, rules), key=lambda m: known.value(m.after), default=None)",
        "def improved(board, piece, known):  # Dellacherie's own choice\n"
        "    return tc.PLAYERS['dellacherie'].choose(board, piece, rules=rules)",
        "def improved(board, piece, known):  # the board before\n"
        "    return max(tc.moves(board, piece, rules), key=lambda m: m.rows + known.value(board), default=None)",
        "def improved(board, piece, known):  # and where there is no move?\n"
        "    return max(tc.moves(board, piece, rules), key=lambda m: m.rows + known.value(m.after))",
    ],
    "13.6": [
        "def decide(roll, moves, budget):\n    return 0",
        "def decide(roll, moves, budget):\n    return max(range(moves), key=lambda k: roll(k, 0))  # one each",
        DECIDE.format(seed="40 * k + i") + "  # pieces of its own for each move",
        "def decide(roll, moves, budget):\n"
        "    return int(np.argmax([sum(roll(k, s) for s in range(50)) for k in range(moves)]))  # too many",
    ],
    "13.7": [
        "mine = tc.LookAhead('dellacherie')",
        "mine = tc.LookAhead('dt-10')",
        "mine = tc.LookAhead('dellacherie', next_piece='known')",
        "mine = tc.PLAYERS['champion-10x10']",
        "mine = tc.LookAhead('dellacherie', lost=0)",
    ],
}

PARTLY = {
    "13.6": [(1, HALVING), (2, DECIDE.format(seed="i"))],
}
