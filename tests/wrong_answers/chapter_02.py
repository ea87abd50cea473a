"""Plausible wrong answers to the exercises of chapter 02."""

WRONG = {
    "02.1": [
        # forgets the drought at the end
        """
def longest_drought(names, piece):
    longest = count = 0
    for name in names:
        if name == piece:
            longest, count = max(longest, count), 0
        else:
            count += 1
    return longest
""",
        # the distance from one to the next, not what lies between
        """
def longest_drought(names, piece):
    places = [-1] + [i for i, name in enumerate(names) if name == piece] + [len(names)]
    return max(b - a for a, b in zip(places, places[1:]))
""",
        # an error when the piece never comes
        """
def longest_drought(names, piece):
    places = [i for i, name in enumerate(names) if name == piece]
    return max(places[0], len(names) - places[-1] - 1, *(b - a - 1 for a, b in zip(places, places[1:])))
""",
    ],
    "02.2": [
        # forgets the points and the limit
        """
often = {"I": 2, "O": 2, "T": 2, "Z": 2, "S": 2, "J": 1, "L": 1}
my_rules = replace(tc.RULES["tetrisbot"], width=8, height=16, draw="independent", probabilities=often)
""",
        # J and L come twice as often
        """
my_rules = replace(tc.RULES["tetrisbot"], width=8, height=16, draw="independent", scoring="squares", max_pieces=1000,
                   probabilities={"I": 1, "O": 1, "T": 1, "Z": 1, "S": 1, "J": 2, "L": 2})
""",
        # made from the research game
        """
often = {"I": 2, "O": 2, "T": 2, "Z": 2, "S": 2, "J": 1, "L": 1}
my_rules = tc.Rules(8, 16, probabilities=often, scoring="squares", max_pieces=1000)
""",
        'my_rules = "8x16"',
    ],
    "02.3": [
        # walks first, so that a piece that lies flat never reaches the last columns
        """
def next_key(engine, column, rotation):
    if engine.position[1] < column:
        return "R"
    if engine.position[1] > column:
        return "L"
    return "D" if engine.orientation == rotation else "H"
""",
        # forgets to turn
        """
def next_key(engine, column, rotation):
    now = engine.position[1]
    return "R" if now < column else "L" if now > column else "D"
""",
        # uses the luxury
        """
def next_key(engine, column, rotation):
    return f"P:{column}:{rotation}"
""",
        # nothing once the piece is there
        """
def next_key(engine, column, rotation):
    if engine.orientation != rotation:
        return "H"
    if engine.position[1] != column:
        return "R" if engine.position[1] < column else "L"
""",
    ],
    "02.4": [
        # asks the agent twice
        """
def recorder(agent, log):
    def recorded(engine):
        log.append(agent(engine))
        return agent(engine)
    return recorded
""",
        # keeps nothing
        """
def recorder(agent, log):
    return agent
""",
        # forgets to hand the command on
        """
def recorder(agent, log):
    def recorded(engine):
        log.append(agent(engine))
    return recorded
""",
        # a new list
        """
def recorder(agent, log):
    def recorded(engine):
        command = agent(engine)
        log = [command]
        return command
    return recorded
""",
    ],
    "02.5": [
        # the highest
        """
class LowestLanding:
    def __call__(self, engine):
        move = max(engine.moves(), key=lambda move: move.row)
        return f"P:{move.column}:{move.orientation}"
""",
        # column and rotation the wrong way round
        """
class LowestLanding:
    def __call__(self, engine):
        move = min(engine.moves(), key=lambda move: move.row)
        return f"P:{move.orientation}:{move.column}"
""",
        # the leftmost
        """
class LowestLanding:
    def __call__(self, engine):
        move = min(engine.moves(), key=lambda move: move.column)
        return f"P:{move.column}:{move.orientation}"
""",
        # the move instead of its command
        """
class LowestLanding:
    def __call__(self, engine):
        return min(engine.moves(), key=lambda move: move.row)
""",
        # no method of that name
        """
class LowestLanding:
    def choose(self, engine):
        return "D"
""",
    ],
    "02.6": [
        "mine = LowestLanding()",
        "mine = LowestLanding",
        "mine = lambda engine: 'D'",
        "mine = tc.AGENTS['random-placements']()",
        "mine = tc.AGENTS['dellacherie']",
        "mine = lambda engine: 'N'",
        "mine = lambda engine: 'Q'  # quits at once",
        "mine = lambda engine: 'Q' if engine.blocks_played == 9 else 'D'",
        "champion = tc.AGENTS['dellacherie']()\nmine = lambda engine: champion(engine)",
        """
def mine(engine):
    move = tc.PLAYERS["dellacherie"].choose(engine.board, engine.piece, rules=engine.rules)
    return f"P:{move.column}:{move.orientation}"
""",
        """
def mine(engine):
    move = min(engine.moves(), key=tc.FEATURES["holes"])
    return f"P:{move.column}:{move.orientation}"
""",
    ],
}

CHOSEN = """
def mine(engine):
    move = {best}(engine.moves(), key=lambda move: {wish})
    return f"P:{{move.column}}:{{move.orientation}}"
"""

PARTLY = {
    "02.6": [
        (2, CHOSEN.format(best="min", wish="(move.after.heights**2).sum()")),
        (1, CHOSEN.format(best="min", wish="(move.after.heights.max(), move.after.heights.sum())")),
        (2, "mine = lambda engine: 'D' if engine.orientation or engine.piece.name == 'O' else 'H'  # upright"),
        (2, CHOSEN.format(best="max", wish="move.after.heights.max()")),
        (1, "mine = lambda engine: 'D' if engine.orientation or engine.piece.name in 'OI' else 'H'"),
    ],
}
"""Answers that reach some rungs of a ladder, with the points that they are worth."""
