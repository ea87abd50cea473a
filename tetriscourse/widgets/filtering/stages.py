"""The stages of a filter: the moves that each criterion keeps, as small boards and in words."""

from __future__ import annotations

from collections.abc import Sequence

from tetriscourse.errors import InputError, counted, one_of
from tetriscourse.features import FEATURES
from tetriscourse.game.moves import Move
from tetriscourse.players import PLAYERS, Criterion, Filter
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.gallery import CHOSEN, DISCARDED, KEPT, group, small_move

MOST_SHOWN, DISCARDED_SHOWN = 8, 3  # most small boards in a stage; how many of them are discarded moves

FILTERS = {name: player for name, player in PLAYERS.items() if isinstance(player, Filter)}  # published filters


def filter_of(criteria: Filter | str | Sequence[str | Criterion]) -> Filter:
    """A filter from its criteria, from the name of a published one, or itself."""
    if isinstance(criteria, str):
        return FILTERS[one_of("criteria", criteria, FILTERS)]
    found = criteria if isinstance(criteria, Filter) else Filter(criteria)
    for criterion in found.criteria:
        if criterion.feature.per_column is not None:
            raise InputError(f"criteria contains {criterion.feature.name}; it has a value for each column, not one")
    return found


def as_code(chosen: Filter) -> str:
    """A filter as a student would write it."""
    return f"tc.Filter([{', '.join(map(as_text, chosen.criteria))}])"


def as_text(criterion: Criterion) -> str:
    """A criterion as written in a list for `Filter`, with a sign only where needed."""
    name = criterion.feature.name
    if FEATURES.get(name) != criterion.feature:
        return f"Criterion({name}, {criterion.sign:+d})"
    usual = Criterion.from_text(name).sign == criterion.sign
    return repr(name if usual else ("+" if criterion.sign > 0 else "-") + name)


def words(criterion: Criterion) -> str:
    """'fewest column transitions'."""
    return str(criterion).replace("_", " ")


def shown_value(criterion: Criterion, move: Move) -> str:
    """The value of the criterion's feature."""
    return f"{criterion.sign * criterion.value(move):g}"


def summary(chosen: Filter, moves: Sequence[Move], stages: Sequence[Sequence[Move]]) -> str:
    """'34 moves → fewest holes: 5 → ...'."""
    counts = [f"{words(one)}: {len(left)}" for one, left in zip(chosen.criteria, stages, strict=True)]
    last = len(stages[-1])
    end = "the framed one is played" if last == 1 else f"chance decides among {last}: the framed one"
    return " → ".join([counted(len(moves), "move"), *counts, end])


def stage_groups(
    chosen: Filter, moves: Sequence[Move], stages: Sequence[Sequence[Move]], choice: Move | None
) -> list[Spec]:
    """For each stage, the moves it keeps, then those it discards, best first."""
    came = [moves, *stages[:-1]]
    numbered = enumerate(zip(chosen.criteria, came, stages, strict=True), 1)
    return [stage_group(number, *stage, choice) for number, stage in numbered]


def stage_group(
    number: int, criterion: Criterion, came: Sequence[Move], left: Sequence[Move], choice: Move | None
) -> Spec:
    """One stage; the choice is shown first."""
    kept_ones = {id(move) for move in left}
    kept = sorted(left, key=lambda move: move is not choice)
    gone = sorted((move for move in came if id(move) not in kept_ones), key=criterion.value, reverse=True)
    room = MOST_SHOWN - min(len(gone), DISCARDED_SHOWN)
    states = {id(move): KEPT for move in kept} | {id(choice): CHOSEN}
    items = [
        small_move(move, states.get(id(move), DISCARDED), shown_value(criterion, move))
        for move in [*kept[:room], *gone][:MOST_SHOWN]
    ]
    effect = f"keeps all {len(came)}" if len(came) == len(left) else f"keeps {len(left)} of {len(came)}"
    effect = effect if len(came) > 1 else "nothing is left to decide"
    hidden = len(came) - len(items)
    text = f"{number}. {words(criterion)} ({shown_value(criterion, left[0])}): {effect}"
    unseen = max(0, len(kept) - room)
    more = f"+ {hidden} more" + (f", {unseen} of them kept" if 0 < unseen < hidden else "")
    return group(text, items, more if hidden else "")
