"""The known players of the leaderboard that look ahead: python tests/benchmarks/leaderboard_figures.py [--save]

Published weights and the champion's, and weights learned for it (stored by `tetriscourse train
record-10x10-look-ahead` and `record-10x10-two-piece`), in the games of the leaderboard. A minute or two of a core.
"""

from __future__ import annotations

import sys

import tetriscourse as tc
from tetriscourse.course.leaderboard_entries import GAMES, KINDS, SEED, scored
from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import readable
from tetriscourse.looking_ahead import Search

WEIGHTS = ("tetrisbot", "dellacherie", "el-tetris", "dn", "dt-20", "dt-10", "rv-ce", "champion-10x10")
LEARNED = {"look-ahead": "record-10x10-look-ahead", "two-piece": "record-10x10-two-piece"}
SEARCHES = {"look-ahead": Search("unknown"), "two-piece": Search("known")}
TABLE = ResultTable(
    "python tests/benchmarks/leaderboard_figures.py",
    {
        "kind": "{kind}", "weights": "{entry[name]}", "board": "{board}", "games": f"{GAMES}", "lines": "{mean}",
        "95 %": "{low} to {high}",
    },
    seed=str(SEED),
)  # fmt: skip


def players(kind: str) -> dict[str, tc.LookAhead]:
    """The players of a kind, by the name of their weights."""
    learned = tc.Player("champion", tc.stored_result(LEARNED[kind])["weights"], LEARNED[kind])
    given = {**{name: tc.PLAYERS[name] for name in WEIGHTS}, LEARNED[kind]: learned}
    return {name: SEARCHES[kind].over(player) for name, player in given.items() if isinstance(player, tc.Player)}


def figures(kind: str, name: str) -> Record:
    """The games of one player, as the leaderboard stores them."""
    entry = scored(players(kind)[name], name)
    mean, low, high = map(readable, (entry.mean, entry.low, entry.high))
    return {"kind": kind, "board": KINDS[kind].board, "mean": mean, "low": low, "high": high, "entry": entry.facts()}


def main() -> None:
    for kind in SEARCHES:
        for name in players(kind):
            TABLE.add(figures(kind, name))
    if "--save" in sys.argv:
        TABLE.save("leaderboard")


if __name__ == "__main__":
    main()
