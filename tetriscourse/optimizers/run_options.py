"""Races and validation as options of a run, checked before any game is played."""

from __future__ import annotations

from typing import Any

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.racing import BOUNDS, Racing, RacingSettings
from tetriscourse.optimizers.validation import ValidationSettings


def checked_racing(racing: RacingSettings | str | None, optimizer: Any, objective: Any) -> Racing | None:
    """The races, from their settings or the name of a bound."""
    if racing is None:
        return None
    if not isinstance(objective, Objective):
        raise InputError("racing is given; it needs an Objective, whose candidates play games one by one")
    chosen = races_of(objective, racing) if isinstance(racing, str) else racing
    if not isinstance(chosen, RacingSettings):
        raise InputError(f"racing is {shown(racing)}; it must be RacingSettings or one of {', '.join(BOUNDS)}")
    candidates = len(optimizer.ask())
    if not 0 < optimizer.parents(candidates) < candidates:
        raise InputError(
            f"racing is given; it needs losers that may stop early, and {optimizer.name} uses the scores of all "
            f"{candidates} candidates"
        )
    return Racing(chosen)


def races_of(objective: Objective, bound: str) -> RacingSettings:
    """Races in which no candidate plays more games than it would without them."""
    return RacingSettings(one_of("racing", bound, BOUNDS), r_min=min(3, objective.games), r_max=objective.games)


def checked_validation(
    validation: ValidationSettings | int, optimizer: Any, objective: Any, races: Racing | None
) -> ValidationSettings:
    """How the best candidates are judged again, from the settings or the number of games."""
    chosen = validation if isinstance(validation, ValidationSettings) else ValidationSettings(games=validation)
    if not isinstance(objective, Objective):
        raise InputError("validation is given; it needs an Objective, whose candidates play games")
    if races is not None:
        raise InputError("validation and racing are given; only one of them can decide who is best")
    if not optimizer.parents(len(optimizer.ask())):
        raise InputError(
            f"validation is given; it needs an elite, and {optimizer.name} uses the scores of all candidates"
        )
    return chosen
