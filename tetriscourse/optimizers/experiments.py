"""Experiments by name: an optimizer, an objective, a number of runs, and how the outcome is judged.

Read `Experiment.run` first. The experiments of the papers are in catalogue.py, their stored outcomes in results/, one
JSON file each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.checkpoints import Checkpoint, handed_on
from tetriscourse.errors import InputError, one_of, whole_number
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.cross_entropy import CrossEntropy
from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.outcomes import Judgement, Outcome
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.optimizers.run_options import races_of
from tetriscourse.optimizers.training import Curve, Training, train
from tetriscourse.optimizers.validation import ValidationSettings
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import chosen_settings

LEARNED = ("mean", "each")
METHODS: dict[str, type[Optimizer]] = {one.name: one for one in (GeneticAlgorithm, CrossEntropy, CMAES)}
STAGE_SEEDS = 1000  # how far the seeds of two stages of an experiment are apart
RESULTS = files("tetriscourse") / "optimizers" / "results"


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
    validation: ValidationSettings | None = None
    curve: Curve = field(default_factory=Curve)
    judgements: tuple[Judgement, ...] = ()
    seed: int = 1  # run k is seeded by seed + k
    after: Experiment | None = None  # an earlier stage: this one starts where that one ended
    averaged: int = 1  # the outcome of a run is the mean favourite of this many iterations, the last ones
    learned: str = "mean"  # by several runs: the mean of their vectors; or 'each' has a player, and all are judged
    base: Experiment | None = field(default=None, repr=False, compare=False)  # this one has some numbers changed

    def __post_init__(self) -> None:
        one_of("method", self.method, METHODS)
        whole_number("runs", self.runs, 1)
        whole_number("averaged", self.averaged, 1)
        one_of("learned", self.learned, LEARNED)
        if self.after is not None and self.method != "cma-es":
            raise InputError(f"method is {self.method!r}; only cma-es can start where another stage ended")

    def changed(
        self,
        *,
        runs: int | None = None,
        seed: int | None = None,
        games: int | None = None,
        racing: str | None = None,
        validation: int | None = None,
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
            validation=self.validation if validation is None else ValidationSettings(games=validation),
            curve=self.curve if curve is None else replace(self.curve, games=curve),
            runs=self.runs if runs is None else runs, seed=self.seed if seed is None else seed, base=self.base or self,
            after=self.after if self.after is None or seed is None else self.after.changed(seed=seed),
        )  # fmt: skip

    @property
    def stages(self) -> list[Experiment]:
        """The earlier stages, the first one first, and this one."""
        return [*(self.after.stages if self.after else []), self]

    def optimizer(self, run: int = 0, start: Floats | None = None) -> Optimizer:
        """A fresh optimizer for a run, which starts at the vector where the stage before has ended."""
        seed = self.seed + STAGE_SEEDS * (len(self.stages) - 1) + run
        settings = self.settings if start is None else replace(self.settings, start=tuple(start.tolist()))
        return METHODS[self.method](self.objective.dimension, settings, seed)

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
        """Train every run of every stage, then judge the learned player; `thorough` plays the long judgements too."""
        judging = self.judging(checkpoint) if thorough else {}
        for path in (*self.checkpoints(checkpoint), *judging.values()):
            Checkpoint(path, resume)  # refuses what it cannot use, for all runs before the first begins
        before = start = None
        if self.after is not None:
            before = self.after.run(self.earlier(checkpoint), executor, progress, resume, threads)
            if not before.complete:
                return Outcome(self, [], (), before=before)
            start = carried_over(before.vector, self.after.objective, self.objective)
        trainings: list[Training] = []
        for k in range(self.runs):
            label = self.name if self.runs == 1 else f"{self.name} {k + 1}/{self.runs}"
            trainings.append(train(
                self.optimizer(k, start), self.objective, self.checkpoint(checkpoint, k), executor, progress,
                resume=resume, racing=self.racing, validation=self.validation, curve=self.curve, threads=threads,
                label=label, target=target, patience=patience,
            ))  # fmt: skip
            if trainings[-1].interrupted:
                return Outcome(self, trainings, (), before=before)
        outcome = Outcome(self, trainings, (), before=before)
        judged, interrupted = outcome.judge(threads, progress, thorough, judging, resume)
        return replace(outcome, judged=judged, interrupted=interrupted)

    def checkpoint(self, path: str | Path | None, run: int) -> Path | None:
        """The file of one run: the given one, or numbered if there are several."""
        given = None if path is None else Path(path)
        if given is None or self.runs == 1:
            return given
        return given.with_name(f"{given.stem}-{run + 1:02}{given.suffix or '.npz'}")

    def earlier(self, path: str | Path | None) -> Path | None:
        """The file, or the pattern of files, of the stage before this one."""
        given = None if path is None else Path(path)
        first = given and given.stem.removesuffix(f"-stage-{len(self.stages)}")
        return given and given.with_name(f"{first}-stage-{len(self.stages) - 1}{given.suffix or '.npz'}")

    def checkpoints(self, path: str | Path | None) -> list[Path | None]:
        """The files of all runs of all stages."""
        before = self.after.checkpoints(self.earlier(path)) if self.after else []
        return [*before, *(self.checkpoint(path, k) for k in range(self.runs))]

    def judging(self, path: str | Path | None) -> dict[tuple[int, int], Path]:
        """The files of the long judgements, by judgement and player: the learned ones come first, then the rivals."""
        given = None if path is None else Path(path)
        return {} if given is None else {
            (k, player): given.with_name(f"{given.stem}-judged-{k + 1}-{player}{given.suffix or '.npz'}")
            for k, judgement in enumerate(self.judgements) if judgement.long
            for player in range((self.runs if self.learned == "each" else 1) + len(judgement.rivals))
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Experiment({self})"

    def __str__(self) -> str:
        name = "" if self.name == self.method else f"{self.name}: "
        runs = "" if self.runs == 1 else f"{self.runs} runs, "
        return f"{name}{runs}{self.method}, {self.objective}"


def carried_over(vector: Floats, source: Objective, target: Objective) -> Floats:
    """A vector of one objective as a start for another, which may have other features: 0 for those that are new."""
    known = dict(zip(source.features.labels(source.rules.width), vector.tolist(), strict=True))
    return np.array([known.get(label, 0.0) for label in target.features.labels(target.rules.width)])


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


def unfinished_names() -> list[str]:
    """The experiments that were stopped when hours were over, and whose stored runs can go on."""
    return sorted(entry.name.removesuffix(".npz") for entry in RESULTS.iterdir() if entry.name.endswith(".npz"))


def begin_from_stored(name: str, checkpoint: str | Path) -> None:
    """Copy the stored run of an unfinished experiment to a checkpoint, from which it can be resumed."""
    stored = RESULTS / f"{one_of('name', name, unfinished_names())}.npz"
    target = Checkpoint(checkpoint).path  # refuses a file that exists
    assert target is not None
    with as_file(stored) as source:
        handed_on(source, target)


def curve_means(result: Mapping[str, Any], last: int = 10) -> list[float]:
    """For each run of a stored outcome, the mean of its learning curve over its last iterations."""
    points = max(1, last // result.get("every", 1))
    return [float(np.mean(run["log"]["curve"][-points:])) for run in result["runs"]]


def judged_runs(result: Mapping[str, Any]) -> list[float]:
    """For each run of a stored outcome whose runs have a player each, its mean score where it was judged."""
    return [judged["mean"] for judged in result["judged"] if judged["player"].startswith("run ")]
