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


def values(
    player: Player | Filter | str, board: Board, piece: Piece | str, rules: Rules | str | None = None
) -> npt.NDArray[np.float64]:
    """The simulator's value of every move, by orientation and column; nan where there is none."""
    from tetriscourse.simulator.encode import encode
    from tetriscourse.simulator.search import WORST, value_present_moves
    from tetriscourse.simulator.shapes import COLUMNS

    who, rules = as_player(player), Rules(board.width, board.height) if rules is None else as_rules(rules)
    encoded = encode(who, rules, board)
    encoded.players["values"] = WORST
    enters = value_present_moves(encoded.states, rules.number_of(piece), encoded.players[0])
    found = encoded.players["values"].reshape(4, COLUMNS)[:, : rules.width]
    unit, constant = 1.0, 0  # the kernels leave out what is the same for every move
    if isinstance(who, Player):
        named = zip(who.features.labels(rules.width), who.integers, strict=True)
        unit, constant = who.unit, sum(weight for name, weight in named if name == "constant")
    return np.where(enters & (found != WORST), (found / 2 + constant) * unit, np.nan)


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
