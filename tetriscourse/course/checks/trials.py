"""Trials of ideas for a feature on a fixed budget of games: what 15.8 experiments with.

A world has ideas, of which one helps or none. Each run of training is a draw of luck, as in the ablation of the
champions, and each game is another, by the exponential law of chapter 05.
"""

from __future__ import annotations

from math import exp, log

from tetriscourse.course.checks.cases import exponential_lines
from tetriscourse.errors import InputError, one_of, whole_number
from tetriscourse.random_numbers import Draws, derived_seed

NOTHING = "nothing"  # the control, and the answer where no idea helps
IDEAS = tuple(f"idea {number}" for number in range(1, 25))
BUDGET, TRAINING = 8000, 30  # games of a world, and what the training of a run costs, in games
HELPS, HARMS, LUCK = 1.5, 0.74, 0.2
"""An idea that helps gives so many times the lines, the others between HARMS and 1; the logarithm of the lines of runs
that are alike has the standard deviation LUCK."""
LINES, SHARE = 100.0, 0.75  # mean lines without any idea; the share of worlds in which one helps


class Trials:
    """One world: `play` trains and plays while there are games left."""

    def __init__(self, seed: int, world: int = 0):
        draws = Draws(derived_seed(seed, 1580), world)
        helpful = IDEAS[int(draws.below(len(IDEAS)))] if draws.uniform() < SHARE else NOTHING
        harm = (log(HARMS) * draws.uniform(len(IDEAS))).tolist()
        self.names, self.left = IDEAS, BUDGET
        self._answer = helpful
        self._means = {name: LINES * exp(one) for name, one in zip(IDEAS, harm, strict=True)}
        self._means |= {helpful: LINES * HELPS, NOTHING: LINES}
        self._seed = derived_seed(seed, 1581, world)
        self._runs: dict[tuple[str, int], tuple[float, Draws]] = {}

    def play(self, name: str, run: int, games: int) -> list[int]:
        """The lines of some more games of a run with an idea, or with nothing; a new run is trained first."""
        one_of("name", name, (NOTHING, *self.names))
        whole_number("run", run, 0)
        whole_number("games", games, 1)
        cost = games + (0 if (name, run) in self._runs else TRAINING)
        if cost > self.left:
            raise InputError(f"games is {games}, which costs {cost} of the budget; only {self.left} are left")
        self.left -= cost
        if (name, run) not in self._runs:
            draws = Draws(self._seed, 1000 * (NOTHING, *self.names).index(name) + run)
            self._runs[name, run] = self._means[name] * exp(LUCK * float(draws.normal())), draws
        mean, draws = self._runs[name, run]
        return [int(lines) for lines in exponential_lines(draws, mean, games)]

    def is_right(self, answer: object) -> bool:
        """Whether this is the idea that helps, or nothing if none does."""
        return answer == self._answer

    def __repr__(self) -> str:
        return f"Trials({len(self.names)} ideas, {self.left:,} games left)"
