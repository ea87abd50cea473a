"""Outcomes of experiments: the learned player, how it was judged, and the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import nan
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from tetriscourse.errors import readable
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.optimizers.objectives import mean_vector
from tetriscourse.optimizers.outcome_data import rounded, run_data
from tetriscourse.optimizers.training import Training
from tetriscourse.players import Filter, Player
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator import simulate
from tetriscourse.statistics import interval_method

if TYPE_CHECKING:
    from tetriscourse.optimizers.experiments import Experiment

JUDGING_SEED = 2026  # the seed of the games in which learned players are judged


@dataclass(frozen=True)
class Judgement:
    """Games that the learned player plays, and the published figure for them."""

    rules: Rules
    games: int = 100
    published: str = ""
    score: str = "lines"
    long: bool = False  # so long that it is played only on request
    rivals: tuple[Player | Filter | LookAhead, ...] = ()  # known players, such as the paper's own, who play them too
    seed: int = JUDGING_SEED  # another one if players were chosen by games of that seed


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
class Outcome:
    """The outcome of an experiment."""

    experiment: Experiment
    trainings: list[Training]
    judged: tuple[Judged, ...]
    interrupted: bool = False
    before: Outcome | None = None  # that of the stage before

    @property
    def complete(self) -> bool:
        """Whether nothing was interrupted."""
        earlier = self.before is None or self.before.complete
        return earlier and not self.interrupted and not any(one.interrupted for one in self.trainings)

    @property
    def all_trainings(self) -> list[Training]:
        """The runs of all stages."""
        return [*(self.before.all_trainings if self.before else []), *self.trainings]

    @property
    def vector(self) -> Floats:
        """The learned vector: the mean over all runs, or that of the only run, or of the first if each has a player."""
        begun = [one for one in self.trainings if one.optimizer.iteration]  # without one that was stopped at once
        found = [self.learned(training) for training in begun or self.trainings[:1]]
        return found[0] if len(found) == 1 or self.experiment.learned == "each" else mean_vector(np.array(found))

    def learned(self, training: Training) -> Floats:
        """The vector that a run has learned: its last favourite, or the mean of the last few."""
        last = self.experiment.averaged
        if last == 1 or "favourite" not in training.history:
            return training.favourite
        return mean_vector(training.history["favourite"][-last:])

    @property
    def player(self) -> Player | LookAhead:
        """The learned player."""
        return self.named_player(self.vector, "learned")

    @property
    def players(self) -> list[Player | LookAhead]:
        """The learned player, or that of each run."""
        if self.experiment.learned != "each":
            return [self.player]
        return [self.named_player(self.learned(one), f"run {k + 1}") for k, one in enumerate(self.trainings)]

    def named_player(self, vector: Floats, name: str) -> Player | LookAhead:
        """The player of a vector, with the command that makes it."""
        source = f"tetriscourse train {self.experiment.name} --seed {self.experiment.seed}"
        return self.experiment.objective.player(vector, name, source)

    def interrupted_file(self, checkpoint: str | Path | None) -> Path | None:
        """The checkpoint of the run that was interrupted."""
        if not self.trainings and self.before is not None:
            return self.before.interrupted_file(self.experiment.earlier(checkpoint))
        return self.experiment.checkpoint(checkpoint, len(self.trainings) - 1)

    def judge(
        self,
        threads: int | None,
        progress: bool | None,
        thorough: bool,
        files: Mapping[tuple[int, int], Path] = MappingProxyType({}),
        resume: bool = False,
    ) -> tuple[tuple[Judged, ...], bool]:
        """The learned players, and their rivals, in games that nobody has learned from; files: those of `judging`."""
        found: list[Judged] = []
        learned = self.players
        for k, judgement in enumerate(self.experiment.judgements):
            if judgement.long and not thorough:
                continue
            for number, player in enumerate((*learned, *judgement.rivals)):
                file, rules, of = files.get((k, number)), judgement.rules, judgement.score
                scores = simulate(
                    player, rules, judgement.games, judgement.seed, threads, progress, file,
                    resume=resume and file is not None,
                )  # fmt: skip
                if scores.interrupted:
                    return tuple(found), True
                said = scores.player, short_name(rules), len(scores), of, scores.mean_of(of)
                interval = scores.interval(of=of, method=interval_method(scores))
                found.append(Judged(*said, *interval, judgement.published if number < len(learned) else ""))
        return tuple(found), False

    def report(self) -> str:
        """The experiment and its outcome, beside the published figures."""
        if not self.trainings and self.before is not None:
            return self.before.report()
        one, runs = self.experiment, self.trainings
        rows = [("experiment", str(one))]
        rows += [("source", f"{one.source}: {one.shows}")] if one.source else []
        rows += [("published", one.published)] if one.published else []
        rows += [("changed", text)] if (text := self.changes()) else []
        games, moves = (sum(getattr(run, name) for run in self.all_trainings) for name in ("games", "moves"))
        done = {run.optimizer.settings.iterations - run.optimizer.tells + run.optimizer.iteration for run in runs}
        iterations = f"{min(done)} iterations" if len(done) == 1 else f"{min(done)} to {max(done)} iterations"
        rows += [("learned in", f"{games:,} games, {moves:,} moves; {iterations}")]
        rows += [("stopped", "; ".join(sorted({run.stopped or "interrupted" for run in runs})))]
        if any("curve" in run.log for run in runs):
            points = max(1, 10 // one.curve.every)
            last = f"the last {min(10, max(done))} iterations" if points > 1 else "its last point"
            which = f"mean of the learning curve over {last}" + (", run by run" * (len(runs) > 1))
            means = [float(run.log["curve"][-points:].mean()) if "curve" in run.log else nan for run in runs]
            rows += [("curve", f"{' '.join(map(readable, means))} {one.objective.score} ({which})")]
        if one.racing is not None:
            limits = np.concatenate([np.zeros(0), *(run.log["race_limit"] for run in runs if "race_limit" in run.log)])
            shares = [f"{100 * run.log['race_share'].mean():.0f} %" for run in runs if "race_share" in run.log]
            least, most = (limits.min(), limits.max()) if limits.size else (0, 0)
            within = f"of the games that limits of {least:.0f} to {most:.0f} games a candidate allowed"
            rows += [("races", f"needed {' '.join(shares)} {within}")]
        if one.validation is not None:
            share, again, kappa = one.validation.share, one.validation.games, one.validation.kappa
            ranked = f" and were ranked by their mean less {kappa:g} sd" if kappa else ""
            rows += [("validated", f"the best {100 * share:.0f} % of candidates played {again} other games{ranked}")]
        rows += [("judged", str(judged)) for judged in self.judged]
        means = sorted(judged.mean for judged in self.judged if judged.player.startswith("run "))
        if len(means) > 1:
            extent = f"{readable(means[0])} to {readable(means[-1])}"
            rows += [("the runs", f"median {readable(float(np.median(means)))}, from {extent}")]
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
        for part in ("settings", "objective", "racing", "validation", "curve"):
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
        earlier = {} if self.before is None else {"before": self.before.as_data()}
        return earlier | {
            "experiment": one.name, "method": one.method, "source": one.source, "published": one.published,
            "seed": one.seed, "objective": str(objective), "features": objective.features.name,
            "score": objective.score, "labels": objective.features.labels(objective.rules.width),
            "signs": list(objective.signs),
            "capped": bool((one.curve.rules or objective.rules).max_pieces),  # the games of the learning curve
            "every": one.curve.every,
            "weights": rounded(self.player.weights), "complete": self.complete,
            "runs": [run_data(training, first=k == 0) for k, training in enumerate(self.trainings)],
            "judged": [{name: rounded(value) for name, value in vars(judged).items()} for judged in self.judged],
        }  # fmt: skip
