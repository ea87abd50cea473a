"""Runs as the figures see them, live or stored. Read `RunView` first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown
from tetriscourse.history import History
from tetriscourse.inference import exponential_interval, student_interval
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.outcomes import Outcome
from tetriscourse.optimizers.training import Training
from tetriscourse.random_numbers import Floats

OUTCOME, RUN = {"experiment", "runs"}, {"history", "log"}  # keys of a stored outcome, of a stored run


@dataclass(frozen=True)
class RunView:
    """A run as the figures see it, live or stored."""

    history: History
    log: History
    score: str = "score"  # the score of the games in the curve: lines or points
    capped: bool = False  # whether these games had a limit of pieces, so that their scores are not exponential
    names: tuple[str, ...] = ()  # names of the weights; empty if unknown
    signs: tuple[float, ...] = ()  # factors from components to weights; empty if they are the weights
    every: int = 1  # iterations from one point of the learning curve to the next

    def column(self, name: str) -> Floats:
        """A column of the history or the log, one row per iteration."""
        for record in (self.history, self.log):
            if record.count(name):
                return record[name]
        known = ", ".join(self.history.names + self.log.names) or "nothing"
        raise InputError(f"run has no {name!r}; it has {known} (stored outcomes hold all of it for the first run only)")

    @property
    def weights(self) -> Floats:
        """The weights of the favourite after each iteration."""
        found = self.column("favourite")
        return found * np.array(self.signs) if self.signs else found

    @property
    def labels(self) -> list[str]:
        """A name for each weight."""
        count = self.column("favourite").shape[1]
        return list(self.names) if len(self.names) == count else numbered(count)

    @property
    def means(self) -> Floats:
        """The learning curve: the favourite's mean score, point by point."""
        return np.asarray(self.column("curve").mean(axis=1))

    @property
    def games(self) -> Floats:
        """Games of all candidates until each point of the learning curve."""
        return self.column("games")[self.every - 1 :: self.every][: len(self.means)]

    def intervals(self) -> Floats:
        """The 95 % interval of each of these means, one per row."""
        games = self.column("curve")
        if self.capped:
            sd = games.std(axis=1, ddof=1) if games.shape[1] > 1 else np.zeros(len(games))
            return np.array([student_interval(row.mean(), s, row.size) for row, s in zip(games, sd, strict=True)])
        return np.array([exponential_interval(row.sum(), row.size) for row in games])


def numbered(count: int) -> list[str]:
    """Names for weights that have none."""
    return [f"weight {k}" for k in range(count)]


def views(runs: Any) -> list[RunView]:
    """The views of one or more runs, in whatever form they are given."""
    if isinstance(runs, RunView):
        return [runs]
    if isinstance(runs, Training):
        return [live(runs)]
    if isinstance(runs, Outcome):
        return [live(training) for training in runs.trainings]
    if isinstance(runs, Mapping) and runs.keys() >= OUTCOME:
        return [stored(run, runs) for run in runs["runs"]]
    if isinstance(runs, Mapping) and runs.keys() >= RUN:
        return [stored(runs, {})]
    if isinstance(runs, list | tuple) and runs:
        return [view for run in runs for view in views(run)]
    raise InputError(f"runs is {shown(runs)}; it must be a Training, a stored outcome or run, or a list of these")


def live(training: Training) -> RunView:
    """The view of a training."""
    one = training.objective
    if not isinstance(one, Objective):
        return RunView(training.history, training.log)
    rules, names = training.curve.rules or one.rules, tuple(one.features.labels(one.rules.width))
    capped, every = bool(rules.max_pieces), training.curve.every
    return RunView(training.history, training.log, one.score, capped, names, one.signs, every)


def stored(run: Mapping[str, Any], outcome: Mapping[str, Any]) -> RunView:
    """The view of a stored run; without its outcome, the score and the names of the weights are unknown."""
    history, log = History(run["history"]), History(run["log"])
    if not outcome:
        return RunView(history, log)
    names, signs = tuple(outcome["labels"]), tuple(outcome["signs"])
    return RunView(history, log, outcome["score"], outcome["capped"], names, signs, outcome.get("every", 1))


def grouped(runs: Any, labels: Sequence[str] | None) -> dict[str, list[RunView]]:
    """Runs by label: the keys of a dict, the names of stored outcomes, or a single group."""
    if isinstance(runs, Mapping) and runs and not (runs.keys() >= OUTCOME or runs.keys() >= RUN):
        labels, runs = list(runs) if labels is None else labels, list(runs.values())
    elif labels is None and isinstance(runs, list | tuple) and runs and all(name_of(one) for one in runs):
        labels = [name_of(one) for one in runs]
    if labels is None:
        return {"": views(runs)}
    members = runs if isinstance(runs, list | tuple) else [runs]
    names = checked_labels(labels, len(members), "groups")
    return {name: views(one) for name, one in zip(names, members, strict=True)}


def name_of(outcome: Any) -> str:
    """The name of the experiment, for an outcome."""
    if isinstance(outcome, Outcome):
        return outcome.experiment.name
    return str(outcome.get("experiment", "")) if isinstance(outcome, Mapping) else ""


def checked_labels(labels: Any, count: int, things: str) -> list[str]:
    """The labels, if there is a different one for each thing."""
    found = list(map(str, labels)) if isinstance(labels, list | tuple) else []
    if len(found) != count or len(set(found)) != count:
        raise InputError(f"labels is {shown(labels)}; it must be {count} different texts, one for each of the {things}")
    return found


def side_by_side(series: Sequence[Floats]) -> Floats:
    """One row per run, all as long as the longest: a shorter run repeats its last value."""
    longest = max(map(len, series))
    return np.array([np.pad(one, (0, longest - len(one)), mode="edge") for one in series])


MIDDLES: dict[str, Any] = {"mean": np.mean, "median": np.median}


def score_name(members: Sequence[RunView]) -> str:
    """The score that all of them count."""
    found = {view.score for view in members}
    return found.pop() if len(found) == 1 else "score"
