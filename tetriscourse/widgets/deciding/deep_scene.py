"""Deep Q-learning at one moment: the game, the values of its actions, the memory and the minibatch."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.moves import placed
from tetriscourse.game.pieces import Cell, Piece
from tetriscourse.game.rules import PieceSequence
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.kernels import COLUMN, ORIENTATION, ROW, CompiledGame
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.replay import Experiences, ReplayMemory
from tetriscourse.mdp.environment import COMMAND_ACTIONS
from tetriscourse.random_numbers import Draws, Floats, Ints
from tetriscourse.simulator.layout import ORIGIN, STRIDE, Field, Scalar
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.maps import strip_svg
from tetriscourse.widgets.deciding.learner import COMMAND_WORDS

SHORT = COMMAND_WORDS | {"T": "back"}  # commands in words short enough to fit below bars
WIDE = 640  # width of the picture of the memory, in pixels


class WatchedMemory(ReplayMemory):
    """A replay memory that remembers its last minibatch."""

    drawn: Ints = np.zeros(0, np.int64)  # the positions of its experiences

    def sample(self, size: int, draws: Draws) -> Experiences:
        """Draw a minibatch, and remember it."""
        self.drawn = copy(draws).below(len(self), size)  # the same numbers as below
        return super().sample(size, draws)


@dataclass(frozen=True, eq=False)
class Scene:
    """The current state of the training game: board, piece, where it should go, and the value of each action."""

    board: Board
    piece: Piece
    cells: tuple[Cell, ...]
    hint: tuple[Cell, ...]
    values: Floats  # Q of each action, -inf where it is not allowed
    names: tuple[str, ...]  # names of the actions; empty if they are only numbered


def scene_of(learner: DeepQ) -> Scene | None:
    """The current training game; None if this kind of game cannot be drawn."""
    problem = learner.problem
    with np.errstate(over="ignore", invalid="ignore"):  # a network that has diverged
        q = learner.values(learner.network, learner.s)
    if isinstance(problem, DominoGrid):
        game: Any = problem.env.game
        return Scene(game.engine.board, game.engine.piece, tuple(game.engine.cells), (), q, COMMAND_ACTIONS)
    if not isinstance(problem, MoveValues):
        return None
    game = problem.game
    piece = PieceSequence(game.rules, game.seed, game.game)[game.pieces]
    return Scene(board_of(game), piece, (), landing(game, piece, int(q.argmax())) if len(q) else (), q, ())


def board_of(game: CompiledGame) -> Board:
    """The board of a compiled game, whose columns are numbers with a bit for each cell."""
    columns = game.states[: Scalar.WIDTH].reshape(-1, STRIDE)[Field.CELLS, ORIGIN : ORIGIN + game.rules.width]
    rows = np.arange(game.rules.height)
    full = np.argwhere(columns[None, :] >> rows[:, None] & 1).tolist()
    return game.rules.empty_board().with_cells([(row, column) for row, column in full])


def landing(game: CompiledGame, piece: Piece, move: int) -> tuple[Cell, ...]:
    """The cells where a move leaves the piece."""
    about = game.about[move].tolist()
    return tuple(placed(piece.orientations[about[ORIENTATION]], about[ROW], about[COLUMN]))


def scene_data(scene: Scene) -> dict[str, Any]:
    """The data of the board: the falling piece with the rows above, or where the best move puts it."""
    if scene.hint or not scene.cells:
        return board_data(scene.board, scene.piece, scene.hint, hint=scene.hint, cell=12)
    return board_data(scene.board, scene.piece, scene.cells, above=INVISIBLE_ROWS)


def bars_svg(scene: Scene) -> str:
    """Q of each action as a bar; the learner takes the highest, unless it explores."""
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
    """Rewards in the memory, from the oldest experience to the newest, with ticks for the minibatch."""
    known = rewards[np.isfinite(rewards)]
    reach = max(1.0, float(abs(known).max(initial=0)))
    paid = int((known > 0).sum())
    described = f"Replay memory: {len(known)} experiences, {paid} of them with a reward; minibatch of {len(batch)}"
    low = -reach if (known < 0).any() else 0.0
    svg = strip_svg(rewards.tolist(), described, WIDE, 26, low, reach, "oldest", "newest")
    ticks = "".join(f"M{WIDE * (k + 0.5) / len(rewards):.1f} 19v11" for k in sorted(batch.tolist()))
    return svg.removesuffix("</svg>") + f'<path stroke="var(--tc-2, #d55e00)" stroke-width="1.6" d="{ticks}"/></svg>'
