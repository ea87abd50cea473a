"""Training: ask, play, tell, judge, store, until it is time to stop.

Read `train` and `Run.step` first. Everything that a run has learned is in its optimizer and its log, both are in the
checkpoint, and chance comes from (seed, iteration): a run that is killed and resumed ends like one that was not.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, real_number, shown, whole_number
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.history import History
from tetriscourse.interrupts import interrupts
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.optimizers.evaluation import Evaluated, run_race, value_of
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.progress import ProgressBar
from tetriscourse.optimizers.protocol import Best, Optimizer
from tetriscourse.optimizers.racing import Racing, RacingSettings
from tetriscourse.optimizers.run_options import checked_racing, checked_validation
from tetriscourse.optimizers.stored_runs import StoredRun
from tetriscourse.optimizers.validation import ValidationSettings, validated
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.simulator.games import GameList
from tetriscourse.simulator.run import Pool, Stopped, is_shown, warn_if_slow
from tetriscourse.statistics import Scores

GAMES, JUDGES, VALIDATION = 1, 2, 3  # labels of seeds: candidates' games, the learning curve, validation


@dataclass(frozen=True)
class Curve:
    """The learning curve: after each iteration, or every so many, the favourite plays some games."""

    games: int = 30  # as many as in Szita and Lőrincz 2006 and Thiery and Scherrer 2009; 0: no curve
    rules: Rules | None = None  # rules or their name; None: those of the objective
    every: int = 1  # iterations from one point to the next

    def __post_init__(self) -> None:
        whole_number("curve", self.games, 0)
        whole_number("curve every", self.every, 1)
        if self.rules is not None:
            object.__setattr__(self, "rules", as_rules(self.rules, "curve rules"))


@dataclass
class Training:
    """A run: its optimizer, its objective, and the outcome, iteration by iteration."""

    optimizer: Optimizer
    objective: Objective | Callable[[Floats], float]
    curve: Curve
    log: History = field(default_factory=History)
    """After each iteration: `games` and `moves` of all candidates so far, `curve` (the scores of the favourite's
    games), and of races `race_limit`, `race_evaluations` and `race_share` (evaluations made by those allowed)."""
    stopped: str = ""  # why it ended; empty if it has not
    interrupted: bool = False

    @property
    def best(self) -> Best | None:
        """The best candidate so far."""
        return self.optimizer.best

    @property
    def history(self) -> History:
        """The optimizer's own history."""
        return self.optimizer.history

    @property
    def favourite(self) -> Floats:
        """The vector that the optimizer ended with."""
        return self.optimizer.favourite

    @property
    def games(self) -> int:
        """Games played by all candidates; those of the curve are not counted."""
        return int(self.log.last("games"))

    @property
    def moves(self) -> int:
        """Moves in those games."""
        return int(self.log.last("moves"))

    def player(self, name: str = "learned") -> Player | LookAhead:
        """The favourite as a player."""
        if not isinstance(self.objective, Objective):
            raise InputError(f"objective is {shown(self.objective)}; only an Objective has players")
        return self.objective.player(self.favourite, name, source=repr(self.optimizer))

    def curve_scores(self, point: int = -1) -> Scores:
        """The games of a point of the learning curve, counting from 0; -1: the last."""
        if "curve" not in self.log:
            raise InputError("curve is 0 games; there are scores only of a run that has a learning curve")
        values = self.log["curve"][point].astype(np.int64)
        rules = self.curve.rules or getattr(self.objective, "rules", Rules())
        return Scores.of(values, points=values, player="learned", rules=rules)

    def __repr__(self) -> str:
        state = self.stopped or ("interrupted" if self.interrupted else "not finished")
        return f"Training({self.optimizer!r}, {self.games:,} games, {state})"


def train(
    optimizer: Optimizer,
    objective: Objective | Callable[[Floats], float],
    checkpoint: str | Path | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    *,
    resume: bool = False,
    racing: RacingSettings | str | None = None,
    validation: ValidationSettings | int | None = None,
    curve: Curve | int | None = None,
    target: float | None = None,
    patience: int | None = None,
    threads: int | None = None,
    label: str = "",
) -> Training:
    """Run an optimizer until it stops, and return the Training; Ctrl-C returns what there is.

    checkpoint: a file that holds the run after each iteration (at most one second old); resume: continue from it.
    executor: where the games are played; None: `threads` threads here. racing: let races decide how many games each
    candidate plays: at most those of the objective (the name of a bound), or as RacingSettings say. validation: games
    that the best candidates play again, which decide among them, or ValidationSettings. curve: games that the favourite
    plays after each iteration. target: stop when their mean reaches it. patience: stop when the mean has
    not risen for that many iterations. The result does not depend on the executor.
    """
    check_fit(optimizer, objective)
    races = None if racing is None else checked_racing(racing, optimizer, objective)
    again = None if validation is None else checked_validation(validation, optimizer, objective, races)
    run = Run(optimizer, objective, races, checked_curve(curve, objective), label, again)
    run.target = None if target is None else real_number("target", target)
    run.patience = None if patience is None else whole_number("patience", patience, 1)
    if (target is not None or patience is not None) and not run.result.curve.games:
        raise InputError("target and patience judge by the learning curve; curve is 0 games, and must have at least 1")
    with Pool(executor, threads) as pool:
        run.open(checkpoint, resume)
        with interrupts(pool):
            run.prepare()
            run.loop(pool, progress)
    return run.result


def checked_curve(curve: Curve | int | None, objective: Any) -> Curve:
    """The learning curve: 30 games by default, and none for a plain function."""
    if curve is None:
        curve = 30 if isinstance(objective, Objective) else 0
    chosen = curve if isinstance(curve, Curve) else Curve(curve)
    if chosen.games and not isinstance(objective, Objective):
        raise InputError(f"curve is {chosen.games} games; it must be 0 for a plain function, which has no player")
    if chosen.games and chosen.rules and objective.features.size(chosen.rules.width) != objective.dimension:
        raise InputError(f"curve rules is {chosen.rules}; it must have width {objective.rules.width}, as in training")
    return chosen


def check_fit(optimizer: Any, objective: Any) -> None:
    """An error unless the optimizer is one, and the objective takes its vectors."""
    if not isinstance(optimizer, Optimizer):
        raise InputError(f"optimizer is {shown(optimizer)}; it must be one, such as CrossEntropy(8)")
    if not callable(objective):
        raise InputError(f"objective is {shown(objective)}; it must be an Objective or a function of a vector")
    if isinstance(objective, Objective) and objective.dimension != optimizer.dimension:
        raise InputError(
            f"optimizer has dimension {optimizer.dimension}; {objective.features.name} features take "
            f"{objective.dimension} weights on width {objective.rules.width}"
        )
    if isinstance(objective, Objective) and optimizer.positive and not objective.signs:
        raise InputError(
            f"signs is empty; {optimizer.name} has positive vectors only, so the objective must have signs: "
            "Objective(..., signs='usual')"
        )


class Run:
    """One run of an optimizer on an objective."""

    target: float | None = None
    patience: int | None = None
    file: StoredRun | None = None

    def __init__(
        self, optimizer: Optimizer, objective: Any, racing: Racing | None, curve: Curve, label: str = "",
        validation: ValidationSettings | None = None,
    ):  # fmt: skip
        self.optimizer, self.objective, self.racing, self.label = optimizer, objective, racing, label
        self.validation = validation
        self.result = Training(optimizer, objective, curve)

    def prepare(self) -> None:
        """Compile what the games need before any clock starts."""
        if isinstance(self.objective, Objective):
            players = self.objective.players(np.zeros((1, self.objective.dimension)))
            warn_if_slow(players, self.objective.rules, "learned")
            self.objective.prepare()
            if self.result.curve.games:
                self.objective.prepare(self.result.curve.rules)

    def loop(self, pool: Pool, progress: bool | None = False) -> None:
        """Step until it is time to stop."""
        log, name = self.result.log, self.label or self.optimizer.name
        shown = ProgressBar(self.optimizer, log, pool, name) if is_shown(progress) else nullcontext()
        with shown as bar:
            try:
                self.judge(pool)
                while not self.reason():
                    self.step(pool)
                    self.judge(pool)
                    if bar is not None:
                        bar.advance()
                    self.store()
                self.result.stopped = self.reason()
            except Stopped:
                pass
        # Ctrl-C counts even if it came after the last game: whoever pressed it wants no further run.
        self.result.interrupted = pool.stopping
        self.store(always=True)

    def step(self, pool: Pool) -> None:
        """One iteration: ask, play, tell."""
        candidates = self.optimizer.ask()
        done, total = self.evaluate(candidates, pool), self.result
        self.optimizer.tell(candidates, done.scores)
        total.log.add(games=float(total.games + done.games), moves=float(total.moves + done.moves), **done.race)

    def judge(self, pool: Pool) -> None:
        """One point of the learning curve, if it is due."""
        curve, log = self.result.curve, self.result.log
        if not self.point_is_due:
            return
        seed = derived_seed(self.optimizer.seed, self.optimizer.iteration, JUDGES)
        players, rules = self.objective.players(self.optimizer.favourite[None]), curve.rules or self.objective.rules
        log.add(curve=self.objective.scores(pool.play(GameList.of(players, rules, seed, curve.games), "curve")))

    def evaluate(self, candidates: Floats, pool: Pool) -> Evaluated:
        """The scores of the candidates: of a race, the means of their games, or the values of a plain function."""
        seed = derived_seed(self.optimizer.seed, self.optimizer.iteration, GAMES)
        if self.racing is not None:
            race = self.racing.next_race(len(candidates), self.optimizer.parents(len(candidates)))
            evaluated = run_race(pool, self.objective, candidates, seed, race)
            self.racing.settle(race)
            return evaluated
        if not isinstance(self.objective, Objective):
            return Evaluated(np.array([value_of(value) for value in pool.map(self.objective, candidates)]))
        played = pool.play(self.objective.work(candidates, seed), "candidates")
        scores = self.objective.scores(played).reshape(len(candidates), -1).mean(axis=1)
        evaluated = Evaluated(scores, len(played), int(played.pieces.sum()))
        if self.validation is None:
            return evaluated
        seed = derived_seed(self.optimizer.seed, self.optimizer.iteration, VALIDATION)
        return validated(pool, self.objective, candidates, evaluated, seed, self.validation)

    @property
    def point_is_due(self) -> bool:
        """Whether the iterations so far have a point of the learning curve that is still to be played."""
        curve, log = self.result.curve, self.result.log
        return bool(curve.games) and log.count("curve") < log.count("games") // curve.every

    def reason(self) -> str:
        """Why it is time to stop; empty as long as it is not."""
        if reason := self.optimizer.stop():
            return reason
        if (self.target is None and self.patience is None) or "curve" not in self.result.log:
            return ""
        means = self.result.log["curve"].mean(axis=1)
        if self.target is not None and means[-1] >= self.target:
            return f"the target of {self.target:g} is reached"
        waited = self.result.curve.every * (len(means) - 1 - int(np.argmax(means)))
        if self.patience is not None and waited >= self.patience:
            return f"no better mean for {self.patience} iterations"
        return ""

    def open(self, path: str | Path | None, resume: bool) -> None:
        """Go back to the checkpoint, or write the first: a file that cannot be written is an error before any game."""
        if path is not None or resume:
            one = self.optimizer, self.objective, self.racing, self.result.curve, self.validation
            self.file = StoredRun(path, resume, *one)
            self.result.log = self.file.restore()
            self.store(always=True)

    def store(self, always: bool = False) -> None:
        """Write the checkpoint, if there is one and the last is old enough."""
        if self.file is not None and (always or self.file.is_due()):
            self.file.store(self.result.log)
