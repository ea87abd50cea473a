"""Plausible wrong answers of chapter 06."""

RIGHT_1 = """
def height(column):
    return column.bit_length()
def holes(column):
    return column.bit_length() - column.bit_count()
def full_rows(columns):
    rows = -1
    for column in columns:
        rows &= column
    return rows
"""
SPEED_UP = """
def speed_up(shares, factors):
    return 1 / sum(share / factor for share, factor in zip(shares, factors))
"""
ROUGHNESS = """
def slow_feature(cells):
    heights = [max((row + 1 for row in range(len(cells)) if cells[row, c]), default=0) for c in range(cells.shape[1])]
    return sum(abs(a - b) for a, b in zip(heights, heights[1:]))
"""
ONE_GO = """
def in_one_go(measure, versions, budget, best):
    times = [[measure(k) for _ in range(budget // versions)] for k in range(versions)]
    return int(np.argmin([best(one) for one in times]))
"""
TURNS = """
def by_turns(measure, versions, budget):
    times = [[measure(k) for k in range(versions)] for _ in range(budget // versions)]
    return list(zip(*times))
"""

WRONG = {
    "06.1": [
        # counts the digits of '0b0' too
        RIGHT_1 + "def height(column):\n    return len(bin(column)) - 2",
        # all empty cells of 20 rows, not only those below the top
        RIGHT_1 + "def holes(column):\n    return 20 - column.bit_count()",
        # rows that are full in any column
        RIGHT_1.replace("rows = -1", "rows = 0").replace("&=", "|="),
        # the rows as a list
        RIGHT_1.replace("return rows", "return [row for row in range(32) if rows >> row & 1]"),
    ],
    "06.2": [
        # speeds do not add up
        "limit = 2.5\ndef speed_up(shares, factors):\n    return sum(p * s for p, s in zip(shares, factors))",
        # forgets that the other parts stay
        SPEED_UP + "limit = float('inf')",
        # the wrong part
        SPEED_UP + "limit = 1 / 0.6",
        # the new time itself
        "limit = 2.5\ndef speed_up(shares, factors):\n    return sum(p / s for p, s in zip(shares, factors))",
    ],
    "06.3": [
        "def add_lanes(a, b, high):\n    return a + b  # carries cross the line",
        "def add_lanes(a, b, high):\n    return (a & ~high) + (b & ~high)  # forgets the highest bits",
        "def add_lanes(a, b, high):\n    return ((a & ~high) + (b & ~high)) | ((a ^ b) & high)",
        "def add_lanes(a, b, high):\n    return a ^ b",
    ],
    "06.4": [
        # uniform columns are never empty
        """
def trustworthy(fast):
    chance = random.Random(1)
    boards = [[chance.randrange(2**20) for _ in range(10)] for _ in range(500)]
    return all(fast(board) == slow_holes(board) for board in boards)
""",
        # the columns never reach the top row
        """
def trustworthy(fast):
    chance = random.Random(1)
    boards = [[chance.randrange(2 ** chance.randint(0, 15)) for _ in range(10)] for _ in range(500)]
    return all(fast(board) == slow_holes(board) for board in boards)
""",
        "def trustworthy(fast):\n    return fast(columns) == slow_holes(columns)  # one board",
        "def trustworthy(fast):\n    return True",
        "def trustworthy(fast):\n    return False",
    ],
    "06.5": [
        # the fast one forgets the last step
        ROUGHNESS
        + """
@numba.njit
def fast_feature(boards):
    results = np.zeros(len(boards), np.int64)
    for board in range(len(boards)):
        last = 0
        for column in boards[board]:
            height = 0
            while column >> height:
                height += 1
            results[board] += abs(height - last)
            last = height
    return results
""",
        # not compiled
        ROUGHNESS
        + """
def fast_feature(boards):
    heights = np.array([[int(column).bit_length() for column in board] for board in boards])
    return abs(np.diff(heights, axis=1)).sum(axis=1)
""",
        # holes once more
        """
def slow_feature(cells):
    return sum(not cells[r, c] and cells[r:, c].any() for r in range(len(cells)) for c in range(cells.shape[1]))
@numba.njit
def fast_feature(boards):
    results = np.zeros(len(boards), np.int64)
    for board in range(len(boards)):
        for column in boards[board]:
            while column:
                results[board] += 1 - (column & 1)
                column >>= 1
    return results
""",
        # one number for all boards
        ROUGHNESS + "@numba.njit\ndef fast_feature(boards):\n    return boards.sum()",
        # numba has no bit_length
        ROUGHNESS
        + """
@numba.njit
def fast_feature(boards):
    return np.array([boards[0, 0].bit_length()])
""",
        # a constant
        """
def slow_feature(cells):
    return 1
@numba.njit
def fast_feature(boards):
    return np.ones(len(boards), np.int64)
""",
    ],
    "06.8": [
        ONE_GO + "def fastest(measure, versions, budget):\n    return in_one_go(measure, versions, budget, np.mean)",
        "def fastest(measure, versions, budget):\n    return min(range(versions), key=measure)  # one run each",
        "def fastest(measure, versions, budget):\n    return min(measure(k) for k in range(versions))  # milliseconds",
        "def fastest(measure, versions, budget):\n"
        "    return min(range(versions), key=lambda k: min(measure(k) for _ in range(budget)))  # more than there are",
        TURNS + "def fastest(measure, versions, budget):\n"
        "    return int(np.argmax([np.min(times) for times in by_turns(measure, versions, budget)]))  # the slowest",
    ],
}

PARTLY = {
    "06.8": [
        (1, ONE_GO + "def fastest(measure, versions, budget):\n"
            "    return in_one_go(measure, versions, budget, np.min)"),
        (2, TURNS + "def fastest(measure, versions, budget):\n"
            "    return int(np.argmin([np.mean(times) for times in by_turns(measure, versions, budget)]))"),
    ],
}  # fmt: skip
"""Answers that reach some rungs of a ladder, with the points that they are worth."""
