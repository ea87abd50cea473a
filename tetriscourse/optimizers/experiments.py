"""Experiments by name: an optimizer, an objective, a number of runs, and how the outcome is judged.

Read `Experiment.run` first. The experiments of the papers are in catalogue.py, their stored outcomes in results/, one
JSON file each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.checkpoints import Checkpoint
from tetriscourse.errors import one_of, whole_number
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.inference import readable
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.cross_entropy import CrossEntropy
from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.optimizers.objectives import Objective, mean_vector
from tetriscourse.optimizers.outcome_data import rounded, run_data
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.optimizers.training import Curve, Training, races_of, train
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import chosen_settings
from tetriscourse.simulator import simulate
from tetriscourse.statistics import interval_method

METHODS: dict[str, type[Optimizer]] = {one.name: one for one in (GeneticAlgorithm, CrossEntropy, CMAES)}
JUDGING_SEED = 2026  # the seed of the games in which learned players are judged
RESULTS = files("tetriscourse") / "optimizers" / "results"


@dataclass(frozen=True)
class Judgement:
    """Games that the learned player plays, and the published figure for them."""

    rules: Rules
    games: int = 100
    published: str = ""
    score: str = "lines"
    long: bool = False  # so long that it is played only on request


@dataclass(frozen=True)
class Judged:
    """The mean score of a player in these games, with its 95 % interval."""

    player: str
    rules: str
    games: int
    score: str
    mean: float
    low: float
    high: float
    published: str

    def __str__(self) -> str:
        said = f"; published: {self.published}" if self.published else ""
        return (
            f"{self.player} on {self.rules}: {readable(self.mean)} {self.score}, 95 %: {readable(self.low)} to "
            f"{readable(self.high)} ({self.games} games){said}"
        )


@dataclass(frozen=True)
class Experiment:
    """An experiment: what is learned, with which settings, and how the outcome is judged."""

    name: str
    method: str
    settings: Any
    objective: Objective
    source: str = ""  # the paper, with its section
    shows: str = ""  # the result that it reproduces
    published: str = ""  # the published outcome
    runs: int = 1
    racing: RacingSettings | None = None
    curve: Curve = field(default_factory=Curve)
    judgements: tuple[Judgement, ...] = ()
    rival: Player | None = None  # the player that the paper learned; it plays the same games
    seed: int = 1  # run k is seeded by seed + k
    base: Experiment | None = field(default=None, repr=False, compare=False)  # this one has some numbers changed

    def __post_init__(self) -> None:
        one_of("method", self.method, METHODS)
        whole_number("runs", self.runs, 1)

    def changed(
        self,
        *,
        runs: int | None = None,
        seed: int | None = None,
        games: int | None = None,
        racing: str | None = None,
        curve: int | None = None,
        **settings: Any,
    ) -> Experiment:
        """A copy with other numbers: .changed(runs=2, iterations=5, sigma=0.3)."""
        one = self.objective
        if games is not None:
            one = Objective(one.features, one.rules, games, one.score, one.pieces, one.signs, one.look_ahead)
        return replace(
            self, objective=one, settings=chosen_settings(self.settings, self.settings, settings),
            racing=self.racing if racing is None else races_of(one, racing),
            curve=self.curve if curve is None else Curve(curve, self.curve.rules),
            runs=self.runs if runs is None else runs, seed=self.seed if seed is None else seed, base=self.base or self,
        )  # fmt: skip

    def optimizer(self, run: int = 0) -> Optimizer:
        """A fresh optimizer for a run."""
        return METHODS[self.method](self.objective.dimension, self.settings, self.seed + run)

    def run(
        self,
        checkpoint: str | Path | None = None,
        executor: Executor | None = None,
        progress: bool | None = None,
        resume: bool = False,
        threads: int | None = None,
        thorough: bool = False,
        patience: int | None = None,
        target: float | None = None,
    ) -> Outcome:
        """Train every run, then judge the learned player; `thorough` plays the long judgements too."""
        paths = [self.checkpoint(checkpoint, k) for k in range(self.runs)]
        for path in paths:
            Checkpoint(path, resume)  # refuses what it cannot use, for all runs before the first begins
        trainings: list[Training] = []
        for k in range(self.runs):
            label = self.name if self.runs == 1 else f"{self.name} {k + 1}/{self.runs}"
            trainings.append(train(
                self.optimizer(k), self.objective, paths[k], executor, progress, resume=resume, racing=self.racing,
                curve=self.curve, threads=threads, label=label, target=target, patience=patience,
            ))  # fmt: skip
            if trainings[-1].interrupted:
                return Outcome(self, trainings, ())
        outcome = Outcome(self, trainings, ())
        judged, interrupted = outcome.judge(threads, progress, thorough)
        return replace(outcome, judged=judged, interrupted=interrupted)

    def checkpoint(self, path: str | Path | None, run: int) -> Path | None:
        """The file of one run: the given one, or numbered if there are several."""
        given = None if path is None else Path(path)
        if given is None or self.runs == 1:
            return given
        return given.with_name(f"{given.stem}-{run + 1:02}{given.suffix or '.npz'}")

    def __repr__(self) -> str:
        return f"Experiment({self})"

    def __str__(self) -> str:
        name = "" if self.name == self.method else f"{self.name}: "
        runs = "" if self.runs == 1 else f"{self.runs} runs, "
        return f"{name}{runs}{self.method}, {self.objective}"


@dataclass(frozen=True)
class Outcome:
    """The outcome of an experiment."""

    experiment: Experiment
    trainings: list[Training]
    judged: tuple[Judged, ...]
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Whether nothing was interrupted."""
        return not self.interrupted and not any(one.interrupted for one in self.trainings)

    @property
    def vector(self) -> Floats:
        """The learned vector: the favourite of the only run, or the mean over all runs."""
        favourites = [training.favourite for training in self.trainings]
        return favourites[0] if len(favourites) == 1 else mean_vector(np.array(favourites))

    @property
    def player(self) -> Player | LookAhead:
        """The learned player."""
        source = f"tetriscourse train {self.experiment.name} --seed {self.experiment.seed}"
        return self.experiment.objective.player(self.vector, "learned", source)

    def judge(self, threads: int | None, progress: bool | None, thorough: bool) -> tuple[tuple[Judged, ...], bool]:
        """The learned player, and its published rival, in games that nobody has learned from."""
        found: list[Judged] = []
        for judgement in self.experiment.judgements:
            if judgement.long and not thorough:
                continue
            for player, published in ((self.player, judgement.published), (self.experiment.rival, "")):
                if player is None:
                    continue
                scores = simulate(player, judgement.rules, judgement.games, JUDGING_SEED, threads, progress)
                if scores.interrupted:
                    return tuple(found), True
                of, rules = judgement.score, short_name(judgement.rules)
                interval = scores.interval(of=of, method=interval_method(scores))
                found.append(Judged(scores.player, rules, len(scores), of, scores.mean_of(of), *interval, published))
        return tuple(found), False

    def report(self) -> str:
        """The experiment and its outcome, beside the published figures."""
        one, runs = self.experiment, self.trainings
        rows = [("experiment", str(one))]
        rows += [("source", f"{one.source}: {one.shows}")] if one.source else []
        rows += [("published", one.published)] if one.published else []
        rows += [("changed", text)] if (text := self.changes()) else []
        games, moves = (sum(getattr(run, name) for run in runs) for name in ("games", "moves"))
        done = {run.optimizer.settings.iterations - run.optimizer.tells + run.optimizer.iteration for run in runs}
        iterations = f"{min(done)} iterations" if len(done) == 1 else f"{min(done)} to {max(done)} iterations"
        rows += [("learned in", f"{games:,} games, {moves:,} moves; {iterations}")]
        rows += [("stopped", "; ".join(sorted({run.stopped or "interrupted" for run in runs})))]
        if any("curve" in run.log for run in runs):
            last = min(10, max(done))
            which = f"mean of the learning curve over the last {last} iterations" + (", run by run" * (len(runs) > 1))
            means = [float(run.log["curve"][-10:].mean()) if "curve" in run.log else nan for run in runs]
            rows += [("curve", f"{' '.join(map(readable, means))} {one.objective.score} ({which})")]
        if one.racing is not None:
            limits = np.concatenate([np.zeros(0), *(run.log["race_limit"] for run in runs if "race_limit" in run.log)])
            shares = [f"{100 * run.log['race_share'].mean():.0f} %" for run in runs if "race_share" in run.log]
            least, most = (limits.min(), limits.max()) if limits.size else (0, 0)
            within = f"of the games that limits of {least:.0f} to {most:.0f} games a candidate allowed"
            rows += [("races", f"needed {' '.join(shares)} {within}")]
        rows += [("judged", str(judged)) for judged in self.judged]
        weights = ",".join(f"{weight:.6g}" for weight in self.player.weights)
        search = one.objective.look_ahead
        ahead = "" if search is None else search.options()
        rows += [("the player", f"--features {one.objective.features.name} --weights={weights}{ahead}")]
        return "\n".join(f"{name:12} {text}" for name, text in rows)

    def changes(self) -> str:
        """The changes made to a paper's experiment."""
        base = self.experiment.base
        if base is None or not base.source:
            return ""
        found = [f"runs {self.experiment.runs}"] if self.experiment.runs != base.runs else []
        for part in ("settings", "objective", "racing", "curve"):
            ours, theirs = getattr(self.experiment, part), getattr(base, part)
            if ours != theirs:
                found += [
                    f"{one.name} {getattr(ours, one.name)}"
                    for one in fields(ours)
                    if theirs is None or getattr(ours, one.name) != getattr(theirs, one.name)
                ]
        return ", ".join(found)

    def __repr__(self) -> str:
        return self.report()

    def as_data(self) -> dict[str, Any]:
        """The whole outcome as plain data for JSON."""
        one, objective = self.experiment, self.experiment.objective
        return {
            "experiment": one.name, "method": one.method, "source": one.source, "published": one.published,
            "seed": one.seed, "objective": str(objective), "features": objective.features.name,
            "score": objective.score, "labels": objective.features.labels(objective.rules.width),
            "signs": list(objective.signs),
            "capped": bool((one.curve.rules or objective.rules).max_pieces),  # the games of the learning curve
            "weights": rounded(self.player.weights), "complete": self.complete,
            "runs": [run_data(training, first=k == 0) for k, training in enumerate(self.trainings)],
            "judged": [{name: rounded(value) for name, value in vars(judged).items()} for judged in self.judged],
        }  # fmt: skip


def stored_names() -> list[str]:
    """The experiments whose outcomes are stored."""
    return sorted(entry.name.removesuffix(".json") for entry in RESULTS.iterdir() if entry.name.endswith(".json"))


def stored_result(name: str) -> Mapping[str, Any]:
    """The stored outcome of an experiment."""
    found: Mapping[str, Any] = json.loads((RESULTS / f"{one_of('name', name, stored_names())}.json").read_text())
    return found


def stored_results() -> dict[str, Mapping[str, Any]]:
    """All stored outcomes, by experiment."""
    return {name: stored_result(name) for name in stored_names()}


def curve_means(result: Mapping[str, Any], last: int = 10) -> list[float]:
    """For each run of a stored outcome, the mean of its learning curve over its last iterations."""
    return [float(np.mean(run["log"]["curve"][-last:])) for run in result["runs"]]
