"""Plausible wrong answers of chapter 11."""

DEFAULT = "settings = dict(alpha=0.1, gamma=0.9, epsilon_max=1.0, epsilon_min=0.01, tau=0.001)\n"
BOLD = "settings = dict(alpha=1.0, epsilon_max=0.0, epsilon_min=0.0)\n"
REWARD = "def reward(before, after, points, lost):\n    return "
CORRIDOR = (
    "def find(world):\n"
    "    rng, Q = random.Random(1), {{}}\n"
    "    s = world.reset()\n"
    "    while {more}:\n"
    "        row = Q.setdefault(s, [{hope}] * world.keys)\n"
    "        a = rng.choice([k for k, value in enumerate(row) if value == max(row)])\n"
    "        if rng.random() < {epsilon}:\n"
    "            a = rng.randrange(world.keys)\n"
    "        s2, r, over = world.step(a)\n"
    "        ahead = 0 if over else max(Q.setdefault(s2, [{hope}] * world.keys))\n"
    "        row[a] += {alpha} * (r + world.gamma * ahead - row[a])\n"
    "        s = world.reset() if over else s2\n"
    "    return {{s: row.index(max(row)) for s, row in Q.items()}}"
)

WRONG = {
    "11.1": [
        "def tau_for(share, k, low, high):\n    return log(high / share) / k  # as if it fell to 0",
        "def tau_for(share, k, low, high):\n    return log((share - low) / (high - low)) / k  # the sign",
        "def tau_for(share, k, low, high):\n    return log((high - low) / (share - low)) * k",
        "def tau_for(share, k, low, high):\n    return low + (high - low) * exp(-share * k)  # the schedule itself",
    ],
    "11.2": [
        "def choose(values, epsilon, rng):  # nothing when the coin shows tails\n"
        "    if rng.random() < epsilon:\n"
        "        return rng.randrange(len(values))",
        "def choose(values, epsilon, rng):\n"
        "    if rng.random() < epsilon:\n"
        "        return rng.randrange(len(values))\n"
        "    return values.index(max(values))  # always the first of the best",
        "def choose(values, epsilon, rng):\n"
        "    if rng.random() > epsilon:  # the wrong way round\n"
        "        return rng.randrange(len(values))\n"
        "    return rng.choice([a for a, value in enumerate(values) if value == max(values)])",
        "def choose(values, epsilon, rng):\n"
        "    best = [a for a, value in enumerate(values) if value == max(values)]\n"
        "    rest = [a for a in range(len(values)) if a not in best] or best  # never the best by chance\n"
        "    return rng.choice(rest) if rng.random() < epsilon else rng.choice(best)",
        "def choose(values, epsilon, rng):\n"
        "    if rng.random() < epsilon:\n"
        "        return rng.randrange(len(values))\n"
        "    return max(values)  # the value, not the action",
    ],
    "11.3": [
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    return (1 - alpha) * Q[s][a] + alpha * (r + gamma * max(Q[s2]))  # games end, and states are new",
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    best = max(Q[s2]) if s2 in Q else 0\n"
        "    return alpha * Q[s][a] + (1 - alpha) * (r + gamma * best)  # alpha the wrong way round",
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    best = max(Q[s2]) if s2 in Q else 0\n"
        "    return Q[s][a] + alpha * (r + gamma * best)  # forgets to forget",
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    best = max(0, *Q[s2]) if s2 in Q else 0  # never below 0\n"
        "    return (1 - alpha) * Q[s][a] + alpha * (r + gamma * best)",
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    best = Q[s2][a] if s2 in Q and a < len(Q[s2]) else 0  # the same action again\n"
        "    return (1 - alpha) * Q[s][a] + alpha * (r + gamma * best)",
        "def new_value(Q, s, a, r, s2, alpha, gamma):\n"
        "    return r + gamma * (max(Q[s2]) if s2 in Q else 0)  # alpha = 1",
    ],
    "11.4": [
        "def find_cycle(step, start):\n"
        "    state, length = step(start), 1\n"
        "    while state is not None and state != start:  # waits for the first state\n"
        "        state, length = step(state), length + 1\n"
        "    return 'lost' if state is None else (0, length)",
        "def find_cycle(step, start):\n"
        "    been, state = [], start\n"
        "    while state and state not in been:  # 0 is a state, too\n"
        "        been.append(state)\n"
        "        state = step(state)\n"
        "    return (been.index(state), len(been) - been.index(state)) if state else 'lost'",
        "def find_cycle(step, start):\n"
        "    been, state = [], start\n"
        "    while state is not None and state not in been:\n"
        "        been.append(state)\n"
        "        state = step(state)\n"
        "    return 'lost' if state is None else (been.index(state), len(been))  # all states, not those of the cycle",
        "def find_cycle(step, start):\n"
        "    been, state = [], start\n"
        "    while state is not None and state not in been:\n"
        "        been.append(state)\n"
        "        state = step(state)\n"
        "    if state is not None:\n"
        "        return been.index(state), len(been) - been.index(state)  # nothing is said of a lost game",
    ],
    "11.5": [
        "twins = tc.Board.from_text('XX..', height=4), tc.Board.from_text('XX..\\n.XXX', height=4)  # no trap",
        "twins = tc.Board.from_text('XX..', height=4), tc.Board.from_text('X...', height=4)  # not the same",
        "twins = (tc.Board.from_text('XX..\\nXX..', height=4),) * 2",
        "twins = tc.Board.from_text('XX..', height=4), tc.Board.from_text('XX..\\nXXXX', height=4)  # a full row",
        "twins = tc.Board.from_text('XX..\\nXX..', height=6), tc.Board.from_text('XX..\\nX...', height=6)",
        "twins = 'XX..', 'X...'",
    ],
    "11.6": [
        DEFAULT + REWARD + "None if lost else points  # a path without return",
        DEFAULT + REWARD + "points  # what the game pays",
        DEFAULT + REWARD + "points - 10 * lost",
        DEFAULT + REWARD + "1  # to be alive",
        BOLD + REWARD + "points",
        BOLD + REWARD + "-max(after.heights)",
        BOLD + REWARD + "float('inf')",
        "settings = dict(alpha=1.0, actions='commands')\n" + REWARD + "points",
        "settings = dict(alpha=2.0)\n" + REWARD + "points",
    ],
    "11.8": [
        "def find(world):\n    return {}",
        "def find(world):\n    return [0] * 12",
        CORRIDOR.format(hope="0.0", alpha="0.5", epsilon="0.1", more="world.left"),
        CORRIDOR.format(hope="0.0", alpha="0.5", epsilon="1.0", more="world.left"),
        CORRIDOR.format(hope="10.0", alpha="0.5", epsilon="0.0", more="True"),
    ],
}

PARTLY = {
    "11.8": [
        (1, CORRIDOR.format(hope="1.0", alpha="0.5", epsilon="0.0", more="world.left")),
        (2, CORRIDOR.format(hope="10.0", alpha="1.0", epsilon="0.0", more="world.left")),
    ],
}
