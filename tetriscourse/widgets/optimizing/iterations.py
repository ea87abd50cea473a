"""Iterations of an optimizer in the background: ask, play, tell, as in `training.Run`.

Read `IteratingPanel.compute` and `apply` first. An iteration is computed on a copy of the optimizer, and told to the
real one only when it is complete: an iteration that is paused or reset in between never happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from tetriscourse.errors import whole_number
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.optimizers.evaluation import Evaluated
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import Racing
from tetriscourse.optimizers.training import Curve, Run, Training, check_fit
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator.run import Pool, Stopped
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.optimizing.landscapes import Goal, checked_goal
from tetriscourse.widgets.optimizing.playing import PlayingPanel

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Iteration:
    """An iteration: the candidates, their scores, and the optimizer as it was when it asked for them."""

    before: Optimizer
    candidates: Floats
    evaluated: Evaluated
    racing: Racing | None  # the limits of the races after it, if there are races
    curve: Floats | None = None  # the scores of the new favourite in other games, if there is a learning curve

    @property
    def scores(self) -> Floats:
        """A score for each candidate."""
        return self.evaluated.scores

    def best(self, count: int) -> Floats:
        """The best `count` candidates, one per row, the best first."""
        return self.candidates[np.argsort(-self.scores, kind="stable")[:count]]


class IteratingPanel(PlayingPanel):
    """An optimizer, an objective, and one iteration after another."""

    def __init__(self, goals: Mapping[str, Goal], *, dimension: int, curve: int, steps: int, speed: str):
        """As OptimizerPanel."""
        self.goals = {name: checked_goal(one) for name, one in goals.items()}
        self.goal = next(iter(self.goals))  # the name of the present objective
        self.plain_dimension = whole_number("dimension", dimension, 2, 100)
        self.curve_games = whole_number("curve", curve, 0, 1000)
        self.racing: Racing | None = None
        self.last: Iteration | None = None  # the last whole iteration; None at the beginning
        super().__init__(*self.layout(), steps=steps, speed=speed)

    def made(self) -> Optimizer:
        """The optimizer as it is at the beginning, for vectors of `dimension` numbers."""
        raise NotImplementedError

    def layout(self) -> list[Spec]:
        """The blocks below the buttons; whatever it reads of the panel must be set before super().__init__."""
        raise NotImplementedError

    @property
    def objective(self) -> Goal:
        """The function to maximise."""
        return self.goals[self.goal]

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.objective.dimension if isinstance(self.objective, Objective) else self.plain_dimension

    def played_objective(self) -> Objective | None:
        return self.objective if isinstance(self.objective, Objective) else None

    @property
    def player(self) -> Player | LookAhead:
        """The present favourite as a player."""
        return self.training.player()

    def restart(self) -> None:
        self.last = None
        self.optimizer = self.made()
        check_fit(self.optimizer, self.objective)
        games = self.curve_games if isinstance(self.objective, Objective) else 0
        self.training = Training(self.optimizer, self.objective, Curve(games))

    def replace_settings(self, **changes: Any) -> None:
        """Change settings from the next iteration on; impossible ones are an InputError."""
        self.optimizer.settings = replace(self.optimizer.settings, **changes)

    def is_over(self) -> str:
        return self.optimizer.stop()

    def compute(self) -> Iteration | None:
        """Ask for candidates and let them play; then let the resulting favourite play."""
        optimizer = self.optimizer
        if optimizer.stop():
            return None
        evaluated = self.evaluated()
        return None if evaluated is None or self.optimizer is not optimizer else self.judged(evaluated)

    def evaluated(self) -> Iteration | None:
        """The candidates of this iteration and their scores; None if somebody paused or reset meanwhile."""
        with self.lock:
            ahead = Run(deepcopy(self.optimizer), self.objective, deepcopy(self.racing), self.training.curve)
        candidates = ahead.optimizer.ask()
        found = self.played(lambda pool: ahead.evaluate(candidates, pool))
        return None if found is None else Iteration(ahead.optimizer, candidates, found, ahead.racing)

    def judged(self, iteration: Iteration) -> Iteration | None:
        """The iteration with a point of the learning curve."""
        if not self.training.curve.games:
            return iteration
        with self.lock:
            ahead = Run(deepcopy(iteration.before), self.objective, None, self.training.curve)
            ahead.optimizer.settings = self.optimizer.settings  # perhaps changed since the candidates were asked for
        ahead.optimizer.tell(iteration.candidates, iteration.scores)
        ahead.result.log.add(games=0.0)  # so that a point of the curve is missing
        self.played(ahead.judge)
        log = ahead.result.log
        return replace(iteration, curve=log.last("curve")) if "curve" in log else None

    def played(self, play: Callable[[Pool], T]) -> T | None:
        """The outcome of games that a pool of threads plays; None if somebody pauses or resets before their end."""
        epoch = self.epoch
        self.compile()
        with Pool() as pool:

            def watch() -> None:
                if self.epoch != epoch:
                    pool.stop()

            pool.watch = watch
            try:
                return play(pool)
            except Stopped:
                return None

    def apply(self, result: Iteration) -> None:
        """Tell the optimizer, and keep the log as `train` does."""
        done, log = result.evaluated, self.training.log
        self.optimizer.tell(result.candidates, done.scores)
        games, moves = self.training.games + done.games, self.training.moves + done.moves
        log.add(games=float(games), moves=float(moves), **done.race)
        if result.curve is not None:
            log.add(curve=result.curve)
        self.racing, self.last = result.racing, result
