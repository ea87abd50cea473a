"""Outcomes of experiments as plain data, for JSON."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from tetriscourse.optimizers.training import Training


def run_data(training: Training, first: bool) -> dict[str, Any]:
    """One run as plain data: the whole history of the first, the outline of the others."""
    best, outline = training.best, ("favourite", "sigma")
    names = training.history.names if first else [name for name in outline if name in training.history]
    return {
        "seed": training.optimizer.seed, "iterations": training.optimizer.iteration, "stopped": training.stopped,
        "games": training.games, "moves": training.moves, "favourite": rounded(training.favourite),
        "best": None if best is None else {"score": rounded(best.score), "iteration": best.iteration},
        "history": {name: rounded(training.history[name]) for name in names},
        "log": {name: rounded(training.log[name]) for name in training.log.names},
    }  # fmt: skip


def rounded(value: Any, digits: int = 6) -> Any:
    """Numbers rounded to this many digits, whole ones as integers, infinite ones and nan as None."""
    if isinstance(value, np.ndarray | list | tuple):
        return [rounded(one, digits) for one in np.asarray(value).tolist()]
    if isinstance(value, float | np.floating):
        if not isfinite(value):
            return None
        short = float(f"{value:.{digits}g}")
        return int(short) if short.is_integer() else short
    return value
