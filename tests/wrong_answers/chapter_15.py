"""Plausible wrong answers of chapter 15."""

WRONG = {
    "15.1": [
        "def homes(heights):  # the number instead of the names\n    return 5",
        "def homes(heights):  # the last column is never tried\n"
        "    found = set()\n"
        "    for name, piece in tc.PIECES.items():\n"
        "        for shape in piece.orientations:\n"
        "            low = np.array([one for one, _ in shape.columns])\n"
        "            for column in range(len(heights) - len(low)):\n"
        "                gaps = np.array(heights[column : column + len(low)]) - low\n"
        "                if (gaps == gaps[0]).all():\n"
        "                    found.add(name)\n"
        "    return found",
        "def homes(heights):  # the step the wrong way round\n"
        "    found = set()\n"
        "    for name, piece in tc.PIECES.items():\n"
        "        for shape in piece.orientations:\n"
        "            low = np.array([one for one, _ in shape.columns])\n"
        "            for column in range(len(heights) - len(low) + 1):\n"
        "                gaps = np.array(heights[column : column + len(low)]) + low\n"
        "                if (gaps == gaps[0]).all():\n"
        "                    found.add(name)\n"
        "    return found",
        "def homes(heights):  # the first orientation only\n"
        "    found = set()\n"
        "    for name, piece in tc.PIECES.items():\n"
        "        low = np.array([one for one, _ in piece.orientations[0].columns])\n"
        "        for column in range(len(heights) - len(low) + 1):\n"
        "            gaps = np.array(heights[column : column + len(low)]) - low\n"
        "            if (gaps == gaps[0]).all():\n"
        "                found.add(name)\n"
        "    return found",
    ],
    "15.2": [
        "def beaten(mine, rivals):  # a higher mean is enough\n"
        "    return [name for name, scores in rivals.items() if np.mean(mine) > np.mean(scores)]",
        "def beaten(mine, rivals):  # as if there were one rival only\n"
        "    return [name for name, scores in rivals.items()\n"
        "            if np.log(np.mean(mine) / np.mean(scores)) > 1.96 * np.sqrt(1 / len(mine) + 1 / len(scores))]",
        "def beaten(mine, rivals):  # both sides of the boundary\n"
        "    z = norm.ppf(1 - 0.025 / len(rivals))\n"
        "    return [name for name, scores in rivals.items()\n"
        "            if abs(np.log(np.mean(mine) / np.mean(scores))) > z * np.sqrt(1 / len(mine) + 1 / len(scores))]",
        "def beaten(mine, rivals):  # all 5 % on one side\n"
        "    z = norm.ppf(1 - 0.05 / len(rivals))\n"
        "    return [name for name, scores in rivals.items()\n"
        "            if np.log(np.mean(mine) / np.mean(scores)) > z * np.sqrt(1 / len(mine) + 1 / len(scores))]",
    ],
    "15.3": [
        "def choose_two(board, piece, next_piece, value):  # the next piece ignored\n"
        "    return max(tc.moves(board, piece), key=value, default=None)",
        "def choose_two(board, piece, next_piece, value):  # only the answer counts\n"
        "    def worth(move):\n"
        "        answers = [value(answer) for answer in tc.moves(move.after, next_piece)]\n"
        "        return bool(answers), max(answers, default=value(move))\n"
        "    return max(tc.moves(board, piece), key=worth, default=None)",
        "def choose_two(board, piece, next_piece, value):  # no answer counts as an answer worth 0\n"
        "    def worth(move):\n"
        "        return value(move) + max(map(value, tc.moves(move.after, next_piece)), default=0)\n"
        "    return max(tc.moves(board, piece), key=worth, default=None)",
        "def choose_two(board, piece, next_piece, value):  # fails when no move is left\n"
        "    def worth(move):\n"
        "        answers = [value(answer) for answer in tc.moves(move.after, next_piece)]\n"
        "        return bool(answers), value(move) + max(answers, default=0)\n"
        "    return max(tc.moves(board, piece), key=worth)",
    ],
    "15.4": [
        "def lanes(width, s, z):  # odd widths have lanes too\n"
        "    for a in range(width // 2 + 1):\n"
        "        if a * z == (width // 2 - a) * s:\n"
        "            return a, width // 2 - a\n"
        "    return 0, 0",
        "def lanes(width, s, z):  # as many lanes as pieces, the rest unused\n"
        "    return (s, z) if 2 * (s + z) <= width else (0, 0)",
        "def lanes(width, s, z):  # the wrong way round\n"
        "    for a in range(width // 2 + 1):\n"
        "        if width % 2 == 0 and a * s == (width // 2 - a) * z:\n"
        "            return a, width // 2 - a\n"
        "    return 0, 0",
        "def lanes(width, s, z):  # rounded\n    a = round(width / 2 * s / (s + z))\n    return a, width // 2 - a",
    ],
    "15.5": [
        "def longest(width, height, sequence):  # one too many\n"
        "    boards, placed = {tc.Board.empty(width, height)}, 0\n"
        "    while boards and placed < 60:\n"
        "        piece = tc.PIECES[sequence[placed % len(sequence)]]\n"
        "        boards = {move.after for board in boards for move in tc.moves(board, piece)}\n"
        "        placed += 1\n"
        "    return float('inf') if boards else placed",
        "def longest(width, height, sequence):  # never infinite\n"
        "    boards, placed = {tc.Board.empty(width, height)}, 0\n"
        "    while placed < 40:\n"
        "        piece = tc.PIECES[sequence[placed % len(sequence)]]\n"
        "        boards = {move.after for board in boards for move in tc.moves(board, piece)}\n"
        "        if not boards:\n"
        "            break\n"
        "        placed += 1\n"
        "    return placed",
        "def longest(width, height, sequence):  # remembers the boards, and not their place in the sequence\n"
        "    boards, placed, seen = frozenset([tc.Board.empty(width, height)]), 0, set()\n"
        "    while boards not in seen:\n"
        "        seen.add(boards)\n"
        "        piece = tc.PIECES[sequence[placed % len(sequence)]]\n"
        "        boards = frozenset(move.after for board in boards for move in tc.moves(board, piece))\n"
        "        if not boards:\n"
        "            return placed\n"
        "        placed += 1\n"
        "    return float('inf')",
        "def longest(width, height, sequence):  # one player instead of all\n"
        "    board, placed = tc.Board.empty(width, height), 0\n"
        "    while placed < 100:\n"
        "        piece = tc.PIECES[sequence[placed % len(sequence)]]\n"
        "        move = tc.PLAYERS['tetrisbot'].choose(board, piece)\n"
        "        if move is None:\n"
        "            return placed\n"
        "        board, placed = move.after, placed + 1\n"
        "    return float('inf')",
    ],
    "15.6": [
        "mine = tc.PLAYERS['rv-ce']  # a published player",
        "mine = tc.Player('dn', [2 * weight for weight in tc.PLAYERS['dn'].weights])  # in disguise",
        "one = tc.PLAYERS['rv-ce']\nnames = [feature.name for feature in one.features.features]\n"
        "mine = tc.Player([*names[::-1], 'i_wells'], [*one.weights[::-1], 0])  # in another disguise",
        "mine = tc.Player('dn', [-12, 7, -9, -20, -13, -10, -2, -24])  # rounded",
        "mine = tc.Player('dellacherie', [-1, 1, -1, -1, -4.004, -1])  # hardly a difference",
        "mine = tc.Player(['holes', 'bumpiness'], [-5, -1])",
        "mine = tc.Player(['landing_height', lambda move: 0], [-1, -1])  # a function of one's own",
        "mine = [-1, 1, -1, -1, -4, -1]",
    ],
    "15.8": [
        "def find(trials):  # always the first\n    return trials.names[0]",
        "def find(trials):  # one run of each, all its games\n"
        "    means = {name: np.mean(trials.play(name, 0, 290)) for name in ('nothing', *trials.names)}\n"
        "    best = max(means, key=means.get)\n"
        "    return best if means[best] > 1.2 * means['nothing'] else 'nothing'",
        "def find(trials):  # one run of each, and no control\n"
        "    means = {name: np.mean(trials.play(name, 0, 300)) for name in trials.names}\n"
        "    return max(means, key=means.get)",
        "def find(trials):  # more games than there are\n"
        "    means = {name: np.mean(trials.play(name, 0, 1000)) for name in trials.names}\n"
        "    return max(means, key=means.get)",
        "def find(trials):  # a number instead of a name\n    return 1",
    ],
}

PARTLY = {
    "15.8": [
        (
            1,
            "def find(trials):  # the best few at length, but no control\n"
            "    means = {name: [np.mean(trials.play(name, run, 50)) for run in (0, 1)] for name in trials.names}\n"
            "    best, run = sorted(trials.names, key=lambda name: -np.mean(means[name]))[:3], 2\n"
            "    while trials.left >= 240:\n"
            "        for name in best:\n"
            "            means[name].append(np.mean(trials.play(name, run, 50)))\n"
            "        run += 1\n"
            "    return max(best, key=lambda name: np.mean(means[name]))",
        ),
        (
            2,
            "def find(trials):  # five runs of each\n"
            "    names = ('nothing', *trials.names)\n"
            "    logs = {name: [np.log(np.mean(trials.play(name, run, 34))) for run in range(5)] for name in names}\n"
            "    means = {name: np.mean(logs[name]) for name in names}\n"
            "    best = max(means, key=means.get)\n"
            "    return best if means[best] > means['nothing'] + np.log(1.5) / 2 else 'nothing'",
        ),
    ],
}
