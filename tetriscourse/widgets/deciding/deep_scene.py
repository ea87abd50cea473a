"""What deep Q-learning is doing just now: the game, the values of its actions, the memory and its minibatch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.moves import placed
from tetriscourse.game.pieces import Cell, Piece
from tetriscourse.game.rules import PieceSequence
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.kernels import COLUMN, ORIENTATION, ROW, CompiledGame
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.replay import Experiences, ReplayMemory
from tetriscourse.mdp.environment import COMMAND_ACTIONS
from tetriscourse.random_numbers import Draws, Floats, Ints
from tetriscourse.simulator.layout import ORIGIN, STRIDE, Field, Scalar
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.maps import strip_svg

SHORT = {"L": "left", "R": "right", "D": "drop", "H": "turn", "T": "back", "N": "wait"}
"""Commands in words that fit below bars."""
WIDE = 640
"""Width of the picture of the memory, in pixels."""


class Noted:
    """Random numbers as they are, and a note of which experiences were drawn with them."""

    def __init__(self, draws: Draws):
        self.draws = draws
        self.drawn: Ints = np.zeros(0, np.int64)

    def below(self, high: int, size: int) -> Ints:
        """Whole numbers below a bound."""
        self.drawn = np.asarray(self.draws.below(high, size))
        return self.drawn


class WatchedMemory(ReplayMemory):
    """A replay memory that remembers its last minibatch."""

    drawn: Ints = np.zeros(0, np.int64)
    """The places of the experiences in it."""

    def sample(self, size: int, draws: Draws) -> Experiences:
        """What the replay memory gives."""
        noted: Any = Noted(draws)
        found = super().sample(size, noted)
        self.drawn = noted.drawn
        return found


@dataclass(frozen=True, eq=False)
class Scene:
    """The game of training as it stands: the board, the piece where it is, where it should go, the value of actions."""

    board: Board
    piece: Piece
    cells: tuple[Cell, ...]
    hint: tuple[Cell, ...]
    values: Floats
    """Q of each action, -inf where it is not allowed."""
    names: tuple[str, ...]
    """Those of the actions; none if they are only numbered."""


def scene_of(learner: DeepQ) -> Scene | None:
    """The game of training; None if it is of a kind that nobody knows how to draw."""
    problem = learner.problem
    with np.errstate(over="ignore", invalid="ignore"):  # a network that has diverged
        q = learner.values(learner.network, learner.s.rows, learner.s.allowed)
    if isinstance(problem, DominoGrid):
        game: Any = problem.env.game
        return Scene(game.engine.board, game.engine.piece, tuple(game.engine.cells), (), q, COMMAND_ACTIONS)
    if not isinstance(problem, AfterstateValues):
        return None
    game = problem.game
    piece = PieceSequence(game.rules, game.seed, game.game)[game.pieces]
    return Scene(board_of(game), piece, (), landing(game, piece, int(q.argmax())) if len(q) else (), q, ())


def board_of(game: CompiledGame) -> Board:
    """The board of a compiled game: each column is a number whose bits are its cells."""
    columns = game.states[: Scalar.WIDTH].reshape(-1, STRIDE)[Field.CELLS, ORIGIN : ORIGIN + game.rules.width]
    rows = np.arange(game.rules.height)
    full = np.argwhere(columns[None, :] >> rows[:, None] & 1).tolist()
    return game.rules.empty_board().with_cells([(row, column) for row, column in full])


def landing(game: CompiledGame, piece: Piece, move: int) -> tuple[Cell, ...]:
    """The cells in which a move brings the piece to rest."""
    about = game.about[move].tolist()
    return tuple(placed(piece.orientations[about[ORIENTATION]], about[ROW], about[COLUMN]))


def scene_data(scene: Scene) -> dict[str, Any]:
    """The data of the board: the falling piece with the rows above, or where the best move brings it."""
    if scene.hint or not scene.cells:
        return board_data(scene.board, scene.piece, scene.hint, hint=scene.hint, cell=12)
    return board_data(scene.board, scene.piece, scene.cells, above=INVISIBLE_ROWS)


def bars_svg(scene: Scene) -> str:
    """Q of each action as a bar; the highest is the action that it takes, unless chance decides."""
    q = np.where(np.isfinite(scene.values), scene.values, 0.0)
    low, high = min(0.0, float(q.min(initial=0))), max(1e-3, float(q.max(initial=0)))
    pad = 0.08 * (high - low)
    label = "command (back: turn back)" if scene.names else "move"
    chart = Chart(
        (-0.6, max(len(q), 2) - 0.4), (low - pad if low else 0, high + pad), label, title="Q in this state",
        width=240, height=176, whole_x=True,
    )  # fmt: skip
    if scene.names:
        chart.x_ticks = [(float(k), SHORT[name]) for k, name in enumerate(scene.names)]
    best = int(q.argmax()) if len(q) else -1
    others = [k for k in range(len(q)) if k != best]
    chart.bars(others, q[others], series=0)
    chart.bars([best] if len(q) else [], q[[best]] if len(q) else [], series=1)
    names = [SHORT[name] for name in scene.names] or [f"move {k}" for k in range(len(q))]
    said = f"highest {q[best]:.3g} for {names[best]}" if len(q) else "none"
    return chart.svg(f"Values of the actions in the present state: {said}.")


def memory_svg(rewards: Floats, batch: Ints) -> str:
    """The rewards in the memory from the oldest experience to the newest, with a tick for each of the minibatch."""
    known = rewards[np.isfinite(rewards)]
    reach = max(1.0, float(abs(known).max(initial=0)))
    paid = int((known > 0).sum())
    described = f"Replay memory: {len(known)} experiences, {paid} of them with a reward; minibatch of {len(batch)}"
    low = -reach if (known < 0).any() else 0.0
    svg = strip_svg(rewards.tolist(), described, WIDE, 26, low, reach, "oldest", "newest")
    ticks = "".join(f"M{WIDE * (k + 0.5) / len(rewards):.1f} 19v11" for k in sorted(batch.tolist()))
    return svg.removesuffix("</svg>") + f'<path stroke="var(--tc-2, #d55e00)" stroke-width="1.6" d="{ticks}"/></svg>'
