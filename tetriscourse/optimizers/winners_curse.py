"""The winner's curse, measured: what an elite scored in the games that chose it, and in games that chose nobody.

The best tenth of a hundred noisy scores is partly the luckiest tenth, so the elite is not as good as it looked. How
much of its lead is real? `measure_curse` runs an optimizer as `train` does, and asks in every iteration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.history import History
from tetriscourse.optimizers.evaluation import Evaluated
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.run_options import checked_validation
from tetriscourse.optimizers.training import GAMES, VALIDATION, check_fit
from tetriscourse.optimizers.validation import ValidationSettings, validated
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.simulator.run import Pool

FRESH = 4  # label of the seeds of fresh games, beside those of training


def measure_curse(
    optimizer: Optimizer,
    objective: Objective,
    games: int = 10,
    *,
    validation: ValidationSettings | int | None = None,
    threads: int | None = None,
) -> History:
    """Run an optimizer to its end; in each iteration the chosen, and as many drawn by lot, play fresh games as well.

    Mean scores, a row for each iteration: `all`, of all candidates; `chosen` and `chosen_fresh`, of the elite, in the
    games that chose it and in others; `lot` and `lot_fresh`, the same of a control that no score has chosen. With
    validation, the games that choose are those of validation (and `chosen` is the mean less kappa sd).
    """
    count, again = checked_elite(optimizer, objective), whole_number("games", games, 1)
    chosen = None if validation is None else checked_validation(validation, optimizer, objective, None)
    found, lot = History(), np.arange(count)  # candidates are drawn independently: the first are as good as any
    with Pool(workers=threads) as pool:
        while not optimizer.stop():
            x = optimizer.ask()
            seed = partial(derived_seed, optimizer.seed, optimizer.iteration)
            first = mean_scores(pool, objective, x, np.arange(len(x)), seed(GAMES))
            scores = first
            if chosen is not None:
                scores = validated(pool, objective, x, Evaluated(first), seed(VALIDATION), chosen).scores
            elite = np.argsort(-scores, kind="stable")[:count]
            fresh = mean_scores(pool, objective, x, np.concatenate([elite, lot]), seed(FRESH), again)
            found.add(
                all=float(first.mean()), chosen=float(scores[elite].mean()), chosen_fresh=float(fresh[:count].mean()),
                lot=float(first[lot].mean()), lot_fresh=float(fresh[count:].mean()),
            )  # fmt: skip
            optimizer.tell(x, scores)
    return found


def real_share(found: History | Mapping[str, Floats], iterations: slice = slice(None)) -> float:
    """The share of the elite's lead over all candidates that fresh games confirm."""
    everyone, chosen, fresh = (found[name][iterations].mean() for name in ("all", "chosen", "chosen_fresh"))
    return float((fresh - everyone) / (chosen - everyone))


def mean_scores(
    pool: Pool, objective: Objective, candidates: Floats, who: Any, seed: int, games: int | None = None
) -> Floats:
    """The mean score of some of the candidates over the games of a seed; games: if not those of the objective."""
    played = pool.play(objective.work(candidates[who], seed, games=games, who=who.tolist()))
    return np.asarray(objective.scores(played).reshape(len(who), -1).mean(axis=1))


def checked_elite(optimizer: Any, objective: Any) -> int:
    """The size of the elite, if there is one, and its candidates play games."""
    check_fit(optimizer, objective)
    if not isinstance(objective, Objective):
        raise InputError(f"objective is {shown(objective)}; it must be an Objective, whose candidates play games")
    count = optimizer.parents(len(optimizer.ask()))
    if not count:
        raise InputError(f"optimizer is {optimizer.name}, which uses all scores; it must have an elite")
    return int(count)
