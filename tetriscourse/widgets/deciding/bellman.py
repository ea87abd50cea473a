"""Bellman panel: values spread over a grid or a graph, sweep by sweep."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, counted, one_of, shown
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.finite.process import FiniteMDP, best_v_from_q, greedy, q_from_v
from tetriscourse.mdp.finite.solving import EQUAL, improvements, longest_game, sweeps
from tetriscourse.mdp.finite.tetris import TetrisMDP, tetris_mdp
from tetriscourse.mdp.finite.worlds import GRIDS, WORLDS, Grid, grid_world
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.widgets.blocks import controls, drawing, entry, row, select, slider, text
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.deciding.value_maps import WorldValues, grid_svg, states_svg
from tetriscourse.widgets.inputs import option, sets, values
from tetriscourse.widgets.panel import typed_number
from tetriscourse.widgets.step_controls import LearningPanel

METHODS = {"value iteration": "sweep", "policy iteration": "improvement"}  # the name of one step of each method
CLOSE = 1e-6  # the panel stops when the bound on the error is this small
REPEATED = 1000  # most steps to repeat after a slider has changed the world

World = str | Grid | FiniteMDP | TetrisMDP


class BellmanPanel(LearningPanel):
    """Value iteration or policy iteration on a small world, one sweep or improvement per step.

    Attributes: `mdp`; `grid`, None if the world is not one; `v` and `q`, the current values; `policy`, greedy for them;
    `count`, steps so far; `changes` and `bounds` by step.
    """

    title = "Bellman: values flow from where the rewards are"
    unit = "sweep"
    tries = (
        "Press Step a few times: each sweep carries the goal's value one cell farther. Then lower gamma to 0.5: "
        "how far does the goal's light reach now?",
        "Take the bridge, press Start, and raise slip from 0 to 0.4: at which end does it no longer dare to cross?",
        "Take policy iteration: how many improvements do what a hundred sweeps did?",
        "Draw a world of your own, rows separated by spaces: . floor, # wall, G goal, P pit.",
    )

    def __init__(self, world: World = "corner", method: str = "value iteration", steps: int = 0):
        """world: a name in WORLDS, 'tetris' (dominoes on 4x4), a Grid, a FiniteMDP or a TetrisMDP."""
        self.worlds: dict[str, Any] = {**WORLDS, **GRIDS, "tetris": small_tetris}
        self.method = one_of("method", method, METHODS)
        self.slip, self.living_cost = 0.2, 0.04
        if isinstance(world, str):
            self.world = one_of("world", world, self.worlds)
        elif isinstance(world, Grid | FiniteMDP | TetrisMDP):
            self.world, self.worlds["yours"] = "yours", world
        else:
            raise InputError(f"world is {shown(world)}; it must be a Grid, a FiniteMDP or one of {', '.join(WORLDS)}")
        self.take(self.worlds[self.world])
        choice = controls(
            "choice",
            select("world", "world", list(self.worlds)),
            select("method", "method", list(METHODS)),
            entry("drawing", "drawing", "rows separated by spaces: . floor, # wall, G goal, P pit"),
        )
        sliders = controls(
            "sliders",
            slider("gamma", "gamma", 0, 1, 0.01, "what a reward is worth one step later"),
            slider("slip", "slip", 0, 1, 0.05, "how often a step goes to the side"),
            slider("cost", "living cost", -0.5, 1, 0.01, "what every step costs"),
        )
        super().__init__(choice, sliders, row(drawing("map"), drawing("chart")), text("legend", "soft"), steps=steps)

    # --- the world --------------------------------------------------------------------------------

    def take(self, world: Any) -> None:
        """Switch to this world or what makes it; if its values might be infinite, raise an error, change nothing."""
        world = world() if callable(world) else world
        mdp = world if isinstance(world, FiniteMDP) else world.mdp
        self.longest = longest_game(mdp)
        self.mdp, self.gamma = mdp, mdp.gamma
        self.grid = world if isinstance(world, Grid) else None
        self.tetris = world if isinstance(world, TetrisMDP) else None

    def change(self, gamma: float | None = None, slip: float | None = None, cost: float | None = None) -> None:
        """Change numbers of the world, and repeat the steps taken so far."""
        new = self.gamma if gamma is None else gamma
        if self.grid is not None:
            slip, cost = self.slip if slip is None else slip, self.living_cost if cost is None else cost
            self.take(grid_world(" ".join(self.grid.rows), new, slip, cost))
            self.slip, self.living_cost = slip, cost
        else:
            mdp = replace(self.mdp, gamma=new)
            self.take(mdp if self.tetris is None else replace(self.tetris, mdp=mdp))
        self.repeat()

    def repeat(self) -> None:
        """Start over; unless it is running, repeat the steps so far at once, or all if it had finished."""
        count = 0 if self.running else REPEATED if self.is_over() else min(self.count, REPEATED)
        self.forget()
        self.restart()
        while self.count < count and (v := self.compute()) is not None:
            self.apply(v)

    # --- the method -------------------------------------------------------------------------------

    def restart(self) -> None:
        states = len(self.mdp.states)
        self.count = 0
        self.changes: list[float] = []
        self.bounds: list[float] = []
        self.found = self.valued(np.zeros(states), np.zeros(states))

    def valued(self, v: Floats, moved: Floats, before: WorldValues | None = None) -> WorldValues:
        """These values, the action values and greedy policy that they give, and the changes since `before`."""
        q = q_from_v(self.mdp, v)
        policy = greedy(self.mdp, q, slack=EQUAL)
        turned = np.zeros(len(v), bool)
        if before is not None:
            s = np.arange(len(v))
            turned = (q[s, policy] - q[s, before.policy] > EQUAL) | ~before.decided
        found = WorldValues(self.mdp, v, q, policy, moved, turned)
        return replace(found, turned=turned & found.decided)

    def compute(self) -> Floats | None:
        with self.lock:  # not in the middle of a change of the world
            found, method, count, over = self.found, self.method, self.count, self.is_over()
        if over:
            return None
        if method == "value iteration":
            return next(sweeps(found.mdp, found.v))
        return next(islice(improvements(found.mdp), count, None), None)

    def apply(self, result: Floats) -> None:
        self.found = self.valued(result, abs(result - self.v), self.found)
        self.count += 1
        self.changes.append(float(self.found.moved.max()))
        self.bounds.append(self.bound)

    @property
    def v(self) -> Floats:
        """The value of each state."""
        return self.found.v

    @property
    def q(self) -> Floats:
        """The value of each action in each state."""
        return self.found.q

    @property
    def policy(self) -> Ints:
        """The best action in each state, given these values."""
        return self.found.policy

    @property
    def bound(self) -> float:
        """A bound on the error of all values: d W, if a sweep changes none by more than d (see solving.py)."""
        return float(abs(best_v_from_q(self.mdp, self.q) - self.v).max()) * self.longest

    def is_over(self) -> str:
        return "the values are exact to 6 decimals" if self.count and self.bound <= CLOSE else ""

    # --- controls ---------------------------------------------------------------------------------

    when_method = sets("method", option("method", METHODS), then="reset")

    def when_world(self, value: Any) -> None:
        """Switch to another world, with its own gamma."""
        name = one_of("world", value, self.worlds)
        self.take(self.worlds[name])
        self.world, self.slip, self.living_cost = name, 0.2, 0.04
        self.reset()

    def when_drawing(self, value: Any) -> None:
        """Switch to a world drawn by hand."""
        try:
            drawn = grid_world(str(value), min(self.gamma, 0.99), self.slip, self.living_cost)
        except InputError as error:
            raise InputError(re.sub("^text", "drawing", str(error))) from None  # the name of the field
        self.take(drawn)
        self.world, self.worlds["yours"] = "yours", drawn
        self.reset()

    def when_gamma(self, value: Any) -> None:
        self.change(gamma=typed_number("gamma", value, at_least=0, at_most=1))

    def when_slip(self, value: Any) -> None:
        self.change(slip=typed_number("slip", value, at_least=0, at_most=1))

    def when_cost(self, value: Any) -> None:
        self.change(cost=typed_number("living cost", value, at_least=-1, at_most=2))

    # --- pictures and texts -----------------------------------------------------------------------

    def status(self) -> str:
        if not self.count:
            return f"{self.world}: {counted(len(self.mdp.states), 'state')}, all values 0"
        turned = f", {counted(int(self.found.turned.sum()), 'decision')} changed" if self.found.turned.any() else ""
        change = f"changed values by up to {self.changes[-1]:.2g}{turned}"
        now = f"none is off by more than {self.bound:.2g} now" if self.bound else "nothing is left to change"
        return f"{METHODS[self.method]} {self.count} {change}; {now}"

    def shown(self) -> dict[str, Any]:
        grid = self.grid
        drawn = states_svg(self.found, self.tetris) if grid is None else grid_svg(grid, self.found)
        return {
            "map": {"svg": drawn},
            "legend": {"text": GRAPH_LEGEND if grid is None else GRID_LEGEND},
            "chart": {"svg": self.chart_svg()},
            "choice": {
                "world": {"value": self.world, "options": list(self.worlds)},
                **values(method=self.method, drawing=" ".join(grid.rows) if grid is not None else ""),
            },
            "sliders": {
                **values(gamma=self.gamma),
                "slip": {"value": self.slip, "disabled": grid is None},
                "cost": {"value": self.living_cost, "disabled": grid is None},
            },
        }

    def chart_svg(self) -> str:
        """Largest change and bound by step, on a logarithmic scale."""
        step, high = METHODS[self.method], max([10.0, *self.changes, *self.bounds])
        chart = Chart(
            (0, max(10, self.count)), (CLOSE / 10, 2 * high), step,
            width=270, height=220, log_y=True, legend="lower left", whole_x=True,
        )  # fmt: skip
        for series, numbers, name in ((1, self.bounds, "bound on the error"), (0, self.changes, "largest change")):
            drawn = {k: value for k, value in enumerate(numbers, start=1) if value > 0}
            chart.line(drawn, drawn.values(), series, dashed=series == 1, label=name)
            chart.points(list(drawn)[-1:], list(drawn.values())[-1:], series)
        chart.legend = chart.free_corner()
        last = f"now {self.changes[-1]:.2g} and {self.bound:.2g}" if self.count else "nothing yet"
        return chart.svg(f"Largest change of a value and bound on the error by {step}: {last}.")


GRID_LEGEND = (
    "Numbers: what a cell is worth; G and P: what arriving there pays. Arrows: the best step from there. "
    "Frames: values that changed most in the last step; corners: arrows that turned."
)
GRAPH_LEGEND = (
    "Numbers and colours: what a state is worth, the darker the more. Arrows: where the best action leads, the wider "
    "the likelier. ●: values that changed most in the last step."
)


@cache
def small_tetris() -> TetrisMDP:
    """Dominoes on the smallest board, 4 columns and 4 rows: finding all states takes a second."""
    return tetris_mdp(replace(RULES["domino"], width=4, height=4), gamma=0.9)
