"""Validation: the best candidates of an iteration play other games, and these decide among them.

The best of many scores is also the luckiest (chapter 05), and an elite chosen by such scores learns from luck
(chapter 08). So RV-CE (Robust-Validation-Cross-Entropy, GameAI-NJUPT 2026) keeps separate games for training,
validation and test. The first few of each iteration play validation games, and are ranked by

    mean - kappa sd

of these games alone; the figure in print comes from test games, as our judgements do. Start at `validated`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from tetriscourse.optimizers.evaluation import Evaluated
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import Settings, setting
from tetriscourse.simulator.run import Pool


@dataclass(frozen=True)
class ValidationSettings(Settings):
    """How the best candidates are judged again."""

    games: int = setting(30, "games that each of them plays again", at_least=2)
    share: float = setting(0.2, "the share of candidates that play again, at least one", above=0, at_most=1)
    kappa: float = setting(0.0, "standard deviations that are taken off the mean", at_least=0)


def validated(
    pool: Pool, objective: Objective, candidates: Floats, first: Evaluated, seed: int, settings: ValidationSettings
) -> Evaluated:
    """The scores of all candidates once the best have played the games of this seed; the others rank below them."""
    count = max(1, ceil(settings.share * len(candidates) - 1e-9))
    best = np.argsort(-first.scores, kind="stable")[:count]
    work = objective.work(candidates[best], seed, games=settings.games, who=best.tolist())
    played = pool.play(work, "validation")
    games = objective.scores(played).reshape(count, settings.games)
    robust = games.mean(axis=1) - settings.kappa * games.std(axis=1, ddof=1)
    scores = np.minimum(first.scores, np.nextafter(robust.min(), -np.inf))
    scores[best] = robust
    return Evaluated(scores, first.games + len(played), first.moves + int(played.pieces.sum()), first.race)
