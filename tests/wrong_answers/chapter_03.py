"""Mistakes that students make in chapter 03."""

WRONG = {
    "03.1": [
        # The sign is forgotten: always the fewest.
        "def survivors(moves, feature, sign):\n"
        "    best = min(feature(move) for move in moves)\n"
        "    return [move for move in moves if feature(move) == best]",
        # One move only: the ties are lost.
        "def survivors(moves, feature, sign):\n"
        "    return [max(moves, key=lambda move: sign * feature(move))]",
        # The move itself, not a list.
        "def survivors(moves, feature, sign):\n"
        "    return max(moves, key=lambda move: sign * feature(move))",
        # The values, not the moves.
        "def survivors(moves, feature, sign):\n"
        "    return [sign * feature(move) for move in moves]",
    ],
    "03.2": [
        # A sum instead of an order.
        "def winners(moves, criteria):\n"
        "    value = lambda move: sum(sign * feature(move) for feature, sign in criteria)\n"
        "    best = max(map(value, moves))\n"
        "    return [move for move in moves if value(move) == best]",
        # Each criterion on all moves, and then what they have in common.
        "def winners(moves, criteria):\n"
        "    kept = moves\n"
        "    for feature, sign in criteria:\n"
        "        best = max(sign * feature(move) for move in moves)\n"
        "        kept = [move for move in kept if sign * feature(move) == best]\n"
        "    return kept",
        # The last criterion first.
        "def winners(moves, criteria):\n"
        "    key = lambda move: tuple(sign * feature(move) for feature, sign in reversed(criteria))\n"
        "    best = max(map(key, moves))\n"
        "    return [move for move in moves if key(move) == best]",
        # The signs are ignored: always the fewest.
        "def winners(moves, criteria):\n"
        "    key = lambda move: tuple(feature(move) for feature, sign in criteria)\n"
        "    best = min(map(key, moves))\n"
        "    return [move for move in moves if key(move) == best]",
        # The sign of the first criterion is taken for all of them.
        "def winners(moves, criteria):\n"
        "    first = criteria[0][1]\n"
        "    key = lambda move: tuple(first * feature(move) for feature, sign in criteria)\n"
        "    best = max(map(key, moves))\n"
        "    return [move for move in moves if key(move) == best]",
    ],
    "03.3": [
        # What is left after the criterion, not before it.
        "def asked(positions, player):\n"
        "    left = [[len(stage) > 1 for stage in player.stages(moves)] for moves in positions]\n"
        "    return [sum(column) / len(positions) for column in zip(*left)]",
        # How often, not in which share.
        "def asked(positions, player):\n"
        "    came = [[moves, *player.stages(moves)[:-1]] for moves in positions]\n"
        "    return [sum(len(left) > 1 for left in stage) for stage in zip(*came)]",
    ],
    "03.4": [
        # The scores are not sorted.
        "def five_numbers(scores):\n"
        "    n = len(scores) - 1\n"
        "    return [scores[round(k * n / 4)] for k in range(5)]",
        # The nearest place below, without going on in proportion.
        "def five_numbers(scores):\n"
        "    ordered = sorted(scores)\n"
        "    return [ordered[k * (len(ordered) - 1) // 4] for k in range(5)]",
        # Places counted from n, which falls off the end.
        "def five_numbers(scores):\n"
        "    ordered = sorted(scores)\n"
        "    return [ordered[k * len(ordered) // 4] for k in range(5)]",
    ],
    "03.5": [
        "champion = tc.PLAYERS['filter-bumpiness']",
        "champion = tc.Filter(['holes', 'wells', 'bumpiness'])",
        "champion = tc.Filter(['holes', 'bumpiness', 'wells'])",
        "champion = tc.Filter(['holes', 'bumpiness', 'wells', 'lines'])",
        "champion = tc.PLAYERS['dellacherie']",
        "champion = ['holes', 'flatness']",
    ],
}  # fmt: skip
