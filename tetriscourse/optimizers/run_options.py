"""Options of a run, checked before any game is played: races, validation, the learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import BOUNDS, Racing, RacingSettings
from tetriscourse.optimizers.validation import ValidationSettings


@dataclass(frozen=True)
class Curve:
    """The learning curve: after each iteration the favourite plays some games."""

    games: int = 30  # as many as in Szita and Lőrincz 2006 and Thiery and Scherrer 2009; 0: no curve
    rules: Rules | None = None  # rules or their name; None: those of the objective

    def __post_init__(self) -> None:
        whole_number("curve", self.games, 0)
        if self.rules is not None:
            object.__setattr__(self, "rules", as_rules(self.rules, "curve rules"))


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


def checked_validation(
    validation: ValidationSettings | int | None, optimizer: Any, objective: Any, races: Racing | None
) -> ValidationSettings | None:
    """How the best candidates are judged again, from the settings or the number of games."""
    if validation is None:
        return None
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


def races_of(objective: Objective, bound: str) -> RacingSettings:
    """Races in which no candidate plays more games than it would without them."""
    return RacingSettings(one_of("racing", bound, BOUNDS), r_min=min(3, objective.games), r_max=objective.games)


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
