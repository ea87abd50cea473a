"""Plausible wrong answers of chapter 13."""

BEST = "max((worth(one, depth - 1, leaf, rules) for one in tc.moves(move.after, piece, rules)), default={})"
TREE = """
def worth(move, depth, leaf, rules):
    if depth == 0:
        return {end}
    best = [{best} for piece in tc.PIECES.values()]
    return {back}
"""
END, BACK = "move.rows + leaf(move.after)", "move.rows + sum(best) / 7"

LAYERS = """
def search(board, depth, leaf, rules):
    known = {{}}
    def value(board, depth):
        if {key} in known:
            return known[{key}]
        if depth == 0:
            {leaf}
        best = [max((move.rows + value(move.after, depth - 1) for move in tc.moves(board, piece, rules)), default=0)
                for piece in tc.PIECES.values()]
        known[{key}] = sum(best) / 7
        return known[{key}]
    return value(board, depth)
"""

UNIFORM = """
def find_plan(play, plans, budget):
    return int(np.argmax([np.mean(play(k, budget // plans)) for k in range(plans)]))
"""
A_FEW = """
def find_plan(play, plans, budget):
    return int(np.argmax([np.mean(play(k, budget // 10)) for k in range(10)]))
"""
TWO_STAGES = """
def find_plan(play, plans, budget):
    scores = [play(k, max(1, budget // 2 // plans)) for k in range(plans)]
    left = budget - sum(map(len, scores))
    best = sorted(range(plans), key=lambda k: -np.mean(scores[k]))[:6]
    return max(best, key=lambda k: np.mean(scores[k] + play(k, left // 6)))
"""

WRONG = {
    "13.1": [
        TREE.format(end=END, best=BEST.format(0), back="max(best)"),  # the piece is not ours to choose
        TREE.format(end=END, best=BEST.format(0), back="sum(best) / 7"),  # the rows of the first move are forgotten
        TREE.format(end="leaf(move.after)", best=BEST.format(0), back=BACK),  # the rows of the last move are forgotten
        TREE.format(end=END, best=BEST.format("leaf(move.after)"), back=BACK),  # a lost game still has its value
    ],
    "13.2": [
        LAYERS.format(key="(board.bits, depth)", leaf="return leaf(board)"),  # leaves are not remembered
        LAYERS.format(
            key="board.bits", leaf="known[board.bits] = leaf(board)\n            return known[board.bits]"
        ),  # the same board at another depth
        "def search(board, depth, leaf, rules):\n    return leaf(board)",
        "def search(board, depth, leaf, rules):\n"
        "    if depth == 0:\n"
        "        return leaf(board)\n"
        "    best = [max((move.rows + search(move.after, depth - 1, leaf, rules)\n"
        "                 for move in tc.moves(board, piece, rules)), default=0) for piece in tc.PIECES.values()]\n"
        "    return sum(best) / 7  # a tree",
    ],
    "13.3": [
        "def decide(scores, old):\n    return int(scores.sum(axis=1).argmax())",
        "def decide(scores, old):\n    return old",
        "def decide(scores, old):\n"
        "    best = int(scores.sum(axis=1).argmax())\n"
        "    errors = scores.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])  # not of the differences\n"
        "    ahead = scores[best].mean() - scores[old].mean()\n"
        "    return best if ahead > 2 * np.hypot(errors[best], errors[old]) else old",
        "def decide(scores, old):\n"
        "    best = int(scores.sum(axis=1).argmax())\n"
        "    ahead = scores[best] - scores[old]\n"
        "    return best if ahead.mean() > 2 * ahead.std(ddof=1) else old  # of one game, not of the mean",
        "def decide(scores, old):\n"
        "    best = int(scores.sum(axis=1).argmax())\n"
        "    ahead = scores[best] - scores[old]\n"
        "    return best if ahead.mean() >= 2 * ahead.std(ddof=1) / np.sqrt(len(ahead)) else old  # a tie",
    ],
    "13.5": [
        "def find_plan(play, plans, budget):\n    return 0",
        "def find_plan(play, plans, budget):\n    return plans",
        "def find_plan(play, plans, budget):\n"
        "    return int(np.argmax([np.mean(play(k, budget)) for k in range(plans)]))  # more than there are",
    ],
    "13.6": [
        "mine = tc.PLAYERS['dn']",
        "mine = tc.LookAhead('champion-10x10', width=5)",
        "mine = tc.LookAhead(tc.Player('dn', [-1.5, 1, -1.5, -1.5, -4, -1, 0.1, -1]))  # all moves",
        "mine = tc.LookAhead(tc.Player('dn', [-1.5, 1, -1.5, -1.5, -4, -1, 0.1, -1]), 'known', width=5)",
        "mine = tc.LookAhead(tc.Player(['holes', 'bumpiness'], [-2, -1]), width=5)",
    ],
}

PARTLY = {"13.5": [(1, UNIFORM), (1, A_FEW)]}
