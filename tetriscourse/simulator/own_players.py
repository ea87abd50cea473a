"""Players with features of their own as the table that compiled code reads (own_games.OwnTable)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.board import MAX_HEIGHT, Board
from tetriscourse.game.rules import Rules
from tetriscourse.own_features import OwnFeature
from tetriscourse.simulator.background import give_programs
from tetriscourse.simulator.encode import chosen_features, encode_weights, start_states
from tetriscourse.simulator.games import aligned
from tetriscourse.simulator.kernels import NO_TRACE
from tetriscourse.simulator.own_features import CompiledFeature, compiled, failed
from tetriscourse.simulator.own_games import COLUMNS_THEN, FAILED, LINES, OwnPart, OwnTable
from tetriscourse.simulator.shapes import COLUMNS

Ints = npt.NDArray[np.int64]


def own_table(features: Sequence[str | Feature], rules: Rules, integers: Ints) -> OwnTable:
    """The table of players with these features and weights in fixed point, a row each."""
    own, catalogue, is_own = [], [], []
    for one in features:
        if isinstance(one, OwnFeature):
            own.append(one)
            is_own.append(True)
        else:
            name = one if isinstance(one, str) else one.name
            catalogue.append(name)
            is_own += [False] * FEATURES[name].size(rules.width)
    mask, names = np.array(is_own), tuple(catalogue)
    records, choice = encode_weights(names, rules, integers[:, ~mask]), chosen_features(names, rules)
    start, present = start_states(rules), np.empty(1, records.dtype)
    for players in (records, present):
        give_programs(players, choice)
    return OwnTable(records, start, aligned(start), present, NO_TRACE, own_part(own, integers[:, mask]))


def own_part(own: Sequence[OwnFeature], weights: Ints) -> OwnPart:
    """These features with their weights, a row for each player, and room to look at a board."""
    found = [one for one in map(compiled, own) if isinstance(one, CompiledFeature)]
    assert len(found) == len(own), "a feature that cannot be compiled"
    return OwnPart(
        functions=np.array([one.address for one in found], np.int64),
        weights=np.ascontiguousarray(weights),
        present=weights[0].copy(),
        heights=np.zeros(COLUMNS, np.int64),
        columns=np.zeros(COLUMNS, np.int64),
        cells=np.zeros((MAX_HEIGHT + 4) * COLUMNS, np.bool_),
        uses_cells=any("cells" in one.sees for one in own),
        pile=np.zeros(1, np.int64),
        trouble=np.zeros(COLUMNS_THEN + COLUMNS, np.int64),
    )


def raise_trouble(table: Any, features: Sequence[str | Feature], rules: Rules) -> None:
    """Raise the error of the feature that failed while games were played with this table, if one has."""
    trouble = table.own.trouble.copy()
    table.own.trouble[:] = 0
    if trouble[FAILED]:
        own = [one for one in features if isinstance(one, OwnFeature)]
        columns = trouble[COLUMNS_THEN : COLUMNS_THEN + rules.width]
        rows = max(rules.height, int(columns.max()).bit_length())
        board = Board(columns >> np.arange(rows)[:, None] & 1, rules.height)
        raise failed(own[trouble[FAILED] - 1], board, int(trouble[LINES]))
