"""Plausible wrong answers of chapter 04."""

WRONG = {
    "04.1": [
        "terms = [1.5, 1, 8, 8, 1, 4]\ntotal = -24.5  # empty rows left out",
        "terms = [1.5, 1, 14, 8, 2, 4]\ntotal = -34.5  # holes of the board before the move",
        "terms = [1.5, 1, 14, 8, 1, 4]\ntotal = -32.5  # eroded cells subtracted",
        "terms = 'six'\ntotal = -30.5",
    ],
    "04.2": [
        "def choose(board, piece, features, weights):  # ties: the last\n"
        "    best, highest = None, float('-inf')\n"
        "    for move in tc.moves(board, piece):\n"
        "        worth = sum(w * f(move) for f, w in zip(features, weights))\n"
        "        if worth >= highest:\n"
        "            best, highest = move, worth\n"
        "    return best",
        "def choose(board, piece, features, weights):  # the cheapest instead of the best\n"
        "    return min(tc.moves(board, piece), key=lambda m: sum(w * f(m) for f, w in zip(features, weights)),\n"
        "               default=None)",
        "def choose(board, piece, features, weights):  # fails when no move is left\n"
        "    return max(tc.moves(board, piece), key=lambda m: sum(w * f(m) for f, w in zip(features, weights)))",
        "def choose(board, piece, features, weights):  # the value instead of the move\n"
        "    return max(sum(w * f(m) for f, w in zip(features, weights)) for m in tc.moves(board, piece))",
    ],
    "04.3": [
        "def rows_with_holes(move):  # counts the holes\n"
        "    full, heights = move.after.full, move.after.heights\n"
        "    return sum(not full[r, c] for c in range(full.shape[1]) for r in range(heights[c]))",
        "def rows_with_holes(move):  # before the move\n"
        "    full, tops = move.before.full, move.before.heights\n"
        "    return sum(any(not full[r, c] and r < tops[c] for c in range(full.shape[1])) for r in range(len(full)))",
        "def rows_with_holes(move):  # a full cell right above only\n"
        "    full = move.after.full\n"
        "    return int((~full[:-1] & full[1:]).any(axis=1).sum())",
        "def rows_with_holes(move):  # any gap is a hole\n"
        "    full = move.after.full\n"
        "    return int((full.any(axis=1) & ~full.all(axis=1)).sum())",
    ],
    "04.4": [
        "def same_player(v, w):  # opposite directions count as the same\n"
        "    return bool(np.linalg.matrix_rank(np.array([v, w])) <= 1)",
        "def same_player(v, w):  # nan where a weight is zero\n"
        "    ratios = np.array(v, float) / np.array(w, float)\n"
        "    return bool((ratios == ratios[0]).all() and ratios[0] > 0)",
        "def same_player(v, w):\n    return bool(np.array_equal(np.sign(v), np.sign(w)))",
    ],
    "04.5": [
        "def without_holes(a, b, c, d, width):  # the holes simply left out\n    return [a, -b, -d]",
        "def without_holes(a, b, c, d, width):  # the width forgotten\n    return [a - 10 * c, -(b + c), -d]",
        "def without_holes(a, b, c, d, width):  # a sign lost\n    return [a + width * c, -(b + c), -d]",
        "def without_holes(a, b, c, d, width):\n    return a - width * c",
    ],
    "04.6": [
        "mine = tc.PLAYERS['tetrisbot']",
        "mine = tc.PLAYERS['dellacherie']  # six weights",
        "mine = tc.Player(['landing_height', 'row_transitions', 'column_transitions', 'wells'], [1, 1, 4, 1])",
        "mine = [-1, -1, -4, -1]",
        "mine = tc.Player([rows_with_holes, 'landing_height'], [-1, -1])  # a feature of one's own is too slow",
    ],
}
