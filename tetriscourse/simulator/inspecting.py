"""A look into the simulator: the values that it gives to moves, and the moves that it makes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tetriscourse.game.board import Board
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import RESEARCH, Rules, as_rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Filter, Player, as_player
from tetriscourse.simulator.games import Ongoing, Played, compiled_table
from tetriscourse.simulator.playable import has_own


def values(
    player: Player | Filter | str, board: Board, piece: Piece | str, rules: Rules | str | None = None
) -> npt.NDArray[np.float64]:
    """The simulator's value of every move, by orientation and column; nan where there is none."""
    from tetriscourse.simulator.encode import encode
    from tetriscourse.simulator.search import WORST, value_present_moves
    from tetriscourse.simulator.shapes import COLUMNS

    who, rules = as_player(player), Rules(board.width, board.height) if rules is None else as_rules(rules)
    if has_own(who):
        return values_with_own(who, board, piece, rules)
    encoded = encode(who, rules, board)
    encoded.players["values"] = WORST
    enters = value_present_moves(encoded.states, rules.number_of(piece), encoded.players[0])
    found = encoded.players["values"].reshape(4, COLUMNS)[:, : rules.width]
    unit = who.unit if isinstance(who, Player) else 1.0
    return np.where(enters & (found != WORST), (found / 2 + constant(who, rules)) * unit, np.nan)


def values_with_own(player: Player, board: Board, piece: Piece | str, rules: Rules) -> npt.NDArray[np.float64]:
    """`values` of a player with features of its own."""
    from tetriscourse.own_features import UNITS
    from tetriscourse.simulator.encode import encode_states
    from tetriscourse.simulator.own_games import value_present_moves_with_own
    from tetriscourse.simulator.own_players import raise_trouble
    from tetriscourse.simulator.search import WORST
    from tetriscourse.simulator.shapes import COLUMNS

    table = compiled_table(player, rules)
    table.players["values"] = WORST
    states = encode_states(rules, board)
    enters = value_present_moves_with_own(states, rules.number_of(piece), table.players[0], table.own)
    raise_trouble(table, player.features.features, rules)
    found = table.players["values"].reshape(4, COLUMNS)[:, : rules.width]
    whole = found / (2 * UNITS) + constant(player, rules)
    return np.where(enters & (found != WORST), whole * player.unit, np.nan)


def constant(player: Player | Filter, rules: Rules) -> int:
    """The weight of the constant feature, in fixed point; kernels leave it out, as it is the same for every move."""
    if isinstance(player, Filter):
        return 0
    named = zip(player.features.labels(rules.width), player.integers, strict=True)
    return sum(weight for name, weight in named if name == "constant")


def record(
    player: Player | Filter | LookAhead | str,
    rules: Rules | str = RESEARCH,
    seed: int = 0,
    number: int = 0,
    pieces: int = 1000,
) -> list[tuple[int, int, int]]:
    """The first moves of one game of the simulator: piece of the bag, orientation and column of each."""
    from tetriscourse.simulator.driver import Numbered, play_games

    trace, played = np.zeros((pieces, 3), np.int64), Played.nothing(1)
    table = compiled_table(as_player(player), replace(as_rules(rules), max_pieces=pieces))._replace(trace=trace)
    game = Numbered(seed, np.array([number]), np.zeros(1, np.int64))
    play_games(table, game, played.results, played.heights, Ongoing().signal)
    return [(int(piece), int(turn), int(column)) for piece, turn, column in trace[: played.pieces[0]]]
