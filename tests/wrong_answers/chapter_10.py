"""Plausible wrong answers of chapter 10."""

VALUES = "sum(p * (r + gamma * v[t]) for p, r, t in world[s][policy[s]]) if s in policy else 0"

WRONG = {
    "10.1": [
        "def discounted(before, cycle, gamma):\n"
        "    return sum(gamma**k * r for k, r in enumerate(before + cycle))  # one turn",
        "def discounted(before, cycle, gamma):\n"
        "    return sum(gamma ** (k + 1) * r for k, r in enumerate(before + 1000 * cycle))  # a step late",
        "def discounted(before, cycle, gamma):\n"
        "    turn = sum(gamma**k * r for k, r in enumerate(cycle))\n"
        "    return sum(gamma**k * r for k, r in enumerate(before)) + turn / (1 - gamma ** len(cycle))  # too early",
        "def discounted(before, cycle, gamma):\n"
        "    G = sum(gamma**k * r for k, r in enumerate(cycle)) / (1 - gamma)  # as if a turn were one step\n"
        "    for reward in reversed(before):\n"
        "        G = reward + gamma * G\n"
        "    return G",
    ],
    "10.2": [
        "def backup(world, v, s, gamma):\n"
        "    worth = [sum(p * (r + v[t]) for p, r, t in listed) for listed in world[s].values()]  # no gamma\n"
        "    return max(worth, default=0)",
        "def backup(world, v, s, gamma):\n"
        "    worth = [max(r + gamma * v[t] for _, r, t in listed) for listed in world[s].values()]  # luck\n"
        "    return max(worth, default=0)",
        "def backup(world, v, s, gamma):\n"
        "    worth = [sum(p * (r + gamma * v[t]) for p, r, t in listed) for listed in world[s].values()]\n"
        "    return sum(worth) / max(1, len(worth))  # the mean of the actions",
        "def backup(world, v, s, gamma):\n"
        "    return max(sum(p * (r + gamma * v[t]) for p, r, t in listed) for listed in world[s].values())",
        "def backup(world, v, s, gamma):\n"
        "    worth = [sum(p * r + gamma * v[t] for p, r, t in listed) for listed in world[s].values()]  # a bracket\n"
        "    return max(worth, default=0)",
    ],
    "10.3": [
        "def evaluate(world, policy, gamma, sweeps):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(sweeps):\n"
        "        for s in world:\n"
        f"            v[s] = {VALUES}  # old and new ones mixed\n"
        "    return v",
        "def evaluate(world, policy, gamma, sweeps):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(sweeps - 1):  # one too few\n"
        f"        v = {{s: {VALUES} for s in world}}\n"
        "    return v",
        "def evaluate(world, policy, gamma, sweeps):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(sweeps):\n"
        "        v = {s: backup(world, v, s, gamma) for s in world}  # the best policy, not this one\n"
        "    return v",
        "def evaluate(world, policy, gamma, sweeps):\n"
        "    v = dict.fromkeys(policy, 0)\n"
        "    return v  # where are the terminal states?",
    ],
    "10.4": [
        "def solve(world, gamma):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(20):  # too few\n"
        "        v = {s: backup(world, v, s, gamma) for s in world}\n"
        "    return v, {s: max(world[s], key=lambda a: sum(p * (r + gamma * v[t]) for p, r, t in world[s][a]))\n"
        "               for s in world if world[s]}",
        "def solve(world, gamma):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(600):\n"
        "        v = {s: backup(world, v, s, gamma) for s in world}\n"
        "    return v, {s: max(world[s], key=lambda a: sum(p * r for p, r, t in world[s][a]))  # reward only\n"
        "               for s in world if world[s]}",
        "def solve(world, gamma):\n"
        "    v = dict.fromkeys(world, 0)\n"
        "    for _ in range(600):\n"
        "        v = {s: backup(world, v, s, gamma) for s in world}\n"
        "    return v  # and the actions?",
        "def solve(world, gamma):\n"
        "    policy = {s: next(iter(world[s])) for s in world if world[s]}\n"
        "    return evaluate(world, policy, gamma, 600), policy  # some policy",
    ],
    "10.5": [
        "def board_value(board, value, rules):\n"
        "    best = [max((move.rows + value(move.after) for move in tc.moves(board, piece, rules)), default=0)\n"
        "            for piece in tc.PIECES.values() if tc.moves(board, piece, rules)]\n"
        "    return sum(best) / max(1, len(best))  # of those that fit",
        "def board_value(board, value, rules):\n"
        "    best = [max((value(move.after) for move in tc.moves(board, piece, rules)), default=0)  # no rows\n"
        "            for piece in tc.PIECES.values()]\n"
        "    return sum(best) / 7",
        "def board_value(board, value, rules):\n"
        "    means = [np.mean([move.rows + value(move.after) for move in tc.moves(board, piece, rules)] or [0])\n"
        "             for piece in tc.PIECES.values()]\n"
        "    return sum(means) / 7  # a player that moves at random",
        "def board_value(board, value, rules):\n"
        "    return max((move.rows + value(move.after) for piece in tc.PIECES.values()\n"
        "                for move in tc.moves(board, piece, rules)), default=0)  # the piece is not ours to choose",
    ],
    "10.6": [
        "my_player = tc.PLAYERS['dellacherie']\nelsewhere = 'word ' * 20",
        "my_player = tc.PLAYERS['dt-20']\nelsewhere = 'word ' * 20",
        "my_player = four.player()\nelsewhere = 'word ' * 20",
        "my_player = tc.Player([lambda move: four.worth(move)], [1])\nelsewhere = 'word ' * 20",
        "my_player = tc.Player('bertsekas', [-1] * 21)  # for 10 columns\nelsewhere = 'word ' * 20",
        "elsewhere = 'No.'",
    ],
    "10.8": [
        "def values(world):\n    return [0.0] * len(world.states)",
        "def values(world):\n"
        "    v = [0.0] * len(world.states)\n"
        "    while True:  # never looks at what is left\n"
        "        v = [world.backup(v, s) for s in world.states]",
        "def values(world):\n"
        "    v = [0.0] * len(world.states)\n"
        "    for s in world.states:\n"
        "        for _ in range(world.left // len(world.states)):\n"
        "            v[s] = world.backup(v, s)  # each state by itself\n"
        "    return v",
        "def values(world):\n    return {s: 0.0 for s in world.states}",
    ],
}

SWEEPS = (
    "def values(world):\n    v = [0.0] * len(world.states)\n    while world.left >= len(v):\n        {}\n    return v"
)
PARTLY = {
    "10.8": [
        (1, SWEEPS.format("v = [world.backup(v, s) for s in world.states]")),
        (2, SWEEPS.format("for s in world.states: v[s] = world.backup(v, s)")),
    ],
}
