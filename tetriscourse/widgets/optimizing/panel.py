"""The base of all optimizer panels: an objective, iterations in the background, a learning curve, a player.

Your own panel says which optimizer it shows, and how:

    class Climb(OptimizerPanel):
        title = "CMA-ES"
        method, usual = CMAES, CMASettings()
        own_goals = {"small Tetris": Objective("dellacherie", "6x12")}

        def layout(self) -> list[Spec]:
            return [self.goal_menu(), drawing("curve")]

        def shown(self) -> dict[str, Any]:
            return {**super().shown(), "curve": {"svg": self.curve_svg()}}

Every iteration goes through `training.Run`, with its seeds: a panel that has taken n steps has the optimizer that
`train` has after n iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tetriscourse.errors import InputError, counted, one_of, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import entry_row, land, landing_row
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import MAX_SEED, Optimizer
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator import is_fast, record
from tetriscourse.widgets.blocks import Spec, controls, select, table_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.curves import lines_chart
from tetriscourse.widgets.charts.marks import compact
from tetriscourse.widgets.optimizing.iterations import IteratingPanel, Iteration
from tetriscourse.widgets.optimizing.landscapes import LANDSCAPES, Goal, Landscape, goals_of, top_of

__all__ = ["LANDSCAPES", "Goal", "Iteration", "Landscape", "OptimizerPanel", "goals_of"]

PIECES_SHOWN = 60  # the board of the favourite is shown after this many pieces


class OptimizerPanel(IteratingPanel):
    """An optimizer, iteration by iteration. Panels write `made`, `layout` and `shown`.

    To use a panel: `optimizer` (the real one), `objective`, `training` (as `train` returns it: its log has
    games, moves and the learning curve), `last` (the last Iteration), `player` (the favourite, for games only).
    To write one: `dimension`, `labels` (names of the weights), `seed`, `axes` (positions of two chosen weights),
    `racing` (set it in `restart` if there are races), `replace_settings(noise=...)`, `curve_svg()`, `weights_table()`,
    `goal_menu()` (the block `goals`), `axis_menus()` and `axis_data()`, `draw_top(chart)`, `score_text(score)`,
    `favourite_board()`.
    """

    method: ClassVar[type[Optimizer]]  # the optimizer
    usual: ClassVar[Any]  # settings to use unless others are given
    own_goals: ClassVar[dict[str, Goal]]  # objectives in the menu, before the landscapes
    favourite_is: ClassVar[str] = "the mean"  # which vector the optimizer would send to play, in words
    averaged: ClassVar[tuple[str, str]] = ("candidates", "mean")  # whose mean score the status gives; its column

    def __init__(
        self, objective: Goal | str | None = None, settings: Any = None, *, seed: int = 0, dimension: int = 2,
        weights: Sequence[str] | None = None, curve: int = 5, steps: int = 0, speed: str = "4 a second",
    ):  # fmt: skip
        """Maximise an objective: an Objective, a function of `dimension` numbers, or a name from the menu.

        settings: those of the optimizer, or the name of published ones; weights: names of the two weights to draw;
        curve: games that the favourite plays after each iteration; steps: iterations before anything is shown.
        """
        given = self.usual if settings is None else settings
        self.settings = given if isinstance(given, self.method.Settings) else self.method(2, given).settings
        self.read_settings()
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.weights = weights
        self.axes: list[int] = []  # positions of the two weights that are drawn, the horizontal one first
        goals = goals_of(objective, *self.own_goals.items())
        super().__init__(goals, dimension=dimension, curve=curve, steps=steps, speed=speed)

    def read_settings(self) -> None:
        """Set what the controls show of the settings, for panels that keep it apart."""

    def made(self) -> Optimizer:
        """An optimizer with the settings of the next run."""
        return self.method(self.dimension, self.settings, self.seed)

    def restart(self) -> None:
        if not self.axes:
            self.axes = self.chosen_axes(self.weights)
        elif max(self.axes) >= self.dimension:
            self.axes = self.first_axes()
        super().restart()

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the weights: those of the features, or x1, x2, ..."""
        if isinstance(self.objective, Objective):
            return tuple(self.objective.features.labels(self.objective.rules.width))
        return tuple(f"x{k + 1}" for k in range(self.dimension))

    def when_goal(self, value: Any) -> None:
        self.goal = one_of("goal", value, self.goals)
        self.axes = self.first_axes()
        self.reset()

    def chosen_axes(self, weights: Sequence[str] | None) -> list[int]:
        """The positions of two weights."""
        if weights is None:
            return self.first_axes()
        if isinstance(weights, str) or len(weights) != 2:
            raise InputError(f"weights is {shown(weights)}; it must be two names of weights")
        return [self.labels.index(one_of("weights", name, self.labels)) for name in weights]

    def first_axes(self) -> list[int]:
        """The weights that are drawn if nobody chooses others."""
        return [0, min(1, self.dimension - 1)]

    def axis_menus(self) -> list[Spec]:
        """Two menus, for a row of controls whose data are `axis_data()`."""
        return [select("across", "across", []), select("up", "up", [])]

    def axis_data(self) -> dict[str, Any]:
        """The data of these menus."""
        names = list(self.labels)
        return {
            menu: {"options": names, "value": names[axis]}
            for menu, axis in zip(("across", "up"), self.axes, strict=True)
        }

    def when_across(self, value: Any) -> None:
        self.axes = [self.labels.index(one_of("across", value, self.labels)), self.axes[1]]

    def when_up(self, value: Any) -> None:
        self.axes = [self.axes[0], self.labels.index(one_of("up", value, self.labels))]

    def draw_top(self, chart: Chart) -> None:
        """A cross where a landscape is highest."""
        if isinstance(self.objective, Landscape):
            x, y = top_of(self.dimension)[self.axes].tolist()
            chart.points([x], [y], 6, "cross", 5, label="top")

    def draw_vectors(self, chart: Chart, vectors: Floats, *style: Any, **more: Any) -> None:
        """Vectors as points, if there are any."""
        if len(vectors):
            x, y = vectors[:, self.axes].T.tolist()
            chart.points(x, y, *style, **more)

    def status(self) -> str:
        done = counted(self.optimizer.iteration, self.unit)
        best = self.optimizer.best
        if best is None:
            return f"{done}; maximises the {self.objective_text()}"
        games = f", {self.training.games:,} games" if self.training.games else ""
        judged = self.score_text(self.training.log["curve"][-1].mean()) if self.has_curve else ""
        curve = f"; favourite {judged} in other games" if judged else ""
        mean, top = (self.score_text(score) for score in (self.optimizer.history.last(self.averaged[1]), best.score))
        return f"{done}{games}; {self.averaged[0]}: mean {mean}, best ever {top}{curve}"

    def objective_text(self) -> str:
        """The objective in words."""
        goal = self.objective
        if isinstance(goal, Objective):
            seen = f"{goal.features.name} features, {short_name(goal.rules)}"
            return f"mean {goal.score} of {counted(goal.games, 'game')} ({seen})"
        return str(goal) if isinstance(goal, Landscape) else f"function {self.goal}"

    def score_text(self, score: float) -> str:
        """A score for readers."""
        if isinstance(self.objective, Objective):
            return f"{score:,.1f}" if abs(score) < 1000 else f"{score:,.0f}"
        return f"{score:.4g}"

    @property
    def has_curve(self) -> bool:
        """Whether the learning curve has a point."""
        return "curve" in self.training.log

    def shown(self) -> dict[str, Any]:
        """The menu of objectives; panels add their own."""
        return {"goals": {"goal": {"value": self.goal}}}

    def goal_menu(self) -> Spec:
        """A block with the menu of objectives."""
        return controls("goals", select("goal", "maximise", list(self.goals), "starts over"))

    def curve_lines(self) -> list[tuple[str, Floats]]:
        """The lines of the learning chart: their names, and a number for each iteration."""
        history = self.optimizer.history
        lines = [("best candidate", history["best"]), ("mean of candidates", history["mean"])]
        if self.has_curve:
            lines.append(("favourite, other games", self.training.log["curve"].mean(axis=1)))
        return lines

    def curve_svg(self, width: float = 400, height: float = 220) -> str:
        """The learning curve: scores by iteration; on a landscape, their distance from the top."""
        highest = getattr(self.objective, "highest", None)
        score = getattr(self.objective, "score", "score")
        lines = self.curve_lines() if len(self.optimizer.history) else []
        corner = "lower right"
        if highest is not None:
            lines, score, corner = [(name, highest - values) for name, values in lines], "below the top", "upper right"
        chart = lines_chart(lines, score, self.unit, width, height, legend=corner)
        return chart.svg(f"Learning curve: {score} by {self.unit}")

    def weights_table(self) -> Spec:
        """The weights of the present favourite by feature."""
        vector = self.optimizer.favourite
        if isinstance(self.objective, Objective):
            vector = self.objective.weights(vector)
        rows = [(name, compact(weight)) for name, weight in zip(self.labels, vector, strict=True)]
        return table_data(("weight", "favourite"), rows, caption=f"favourite: {self.favourite_is}")

    def favourite_board(self) -> Board | None:
        """The board of the favourite's game 0 of seed 0 after 60 pieces; None where there is no such game yet."""
        goal = self.objective
        if self.last is None or not isinstance(goal, Objective) or not is_fast(self.player, goal.rules):
            return None
        return board_after(self.player, goal.rules, PIECES_SHOWN)


def board_after(player: Player | LookAhead, rules: Rules, pieces: int) -> Board:
    """The board of game 0 of seed 0 after this many pieces, or before the move that loses it."""
    board = Board.empty(rules.width, rules.height)
    for number, orientation, column in record(player, rules, pieces=pieces):
        piece = rules.pieces[number]
        shape = piece.orientations[orientation]
        row = landing_row(board, shape, column, entry_row(shape, rules))
        move = None if row is None else land(board, piece, orientation, column, row, rules)
        if move is None or move.loses:
            return board
        board = move.after
    return board
