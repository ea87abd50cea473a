"""Champions that look ahead, lines and speed: python tests/benchmarks/look_ahead_figures.py [--save]

Each board is played by the champion, and by players that look two moves ahead: with its weights, and with weights
learned for it (stored by `tetriscourse train record-10x10-look-ahead` and `record-10x10-two-piece`). On 10x10 with
the next piece known a game takes so long that there are only a few.
"""

from __future__ import annotations

import sys

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import readable

NAME, SEED = "look-ahead", 2026
CHAMPION = tc.PLAYERS["champion-10x10"]
GAMES = (
    ("10x8", "one piece", 400), ("10x8", "unknown", 400), ("10x8", "known", 100),
    ("10x10", "one piece", 200), ("10x10", "unknown", 200), ("10x10", "known", 4),
)  # fmt: skip
LEARNED = {"unknown": "record-10x10-look-ahead", "known": "record-10x10-two-piece"}
TABLE = ResultTable(
    "python tests/benchmarks/look_ahead_figures.py",
    {
        "board": "{rules}", "next piece": "{sees}", "weights": "{weights}", "games": "{games}", "lines": "{mean}",
        "95 %": "{low} to {high}", "moves a second": "{speed:,}",
    },
    seed=str(SEED),
)  # fmt: skip


def players(sees: str) -> dict[str, tc.Player | tc.LookAhead]:
    """The players that see as much of the future, by whose weights they have."""
    if sees == "one piece":
        return {"the champion's": CHAMPION}
    own = tc.Player("champion", tc.stored_result(LEARNED[sees])["weights"], LEARNED[sees])
    return {"the champion's": tc.LookAhead(CHAMPION, sees), "learned for it": tc.LookAhead(own, sees)}


def figures(rules: str, sees: str, weights: str, games: int) -> Record:
    """The games of one player."""
    scores = tc.simulate(players(sees)[weights], rules, games=games, seed=SEED, progress=False)
    mean, low, high = map(readable, (scores.mean, *scores.interval()))
    return {
        "rules": rules, "sees": sees, "weights": weights, "games": games, "mean": mean, "low": low, "high": high,
        "speed": round(scores.moves_per_second),
    }  # fmt: skip


def main() -> None:
    for rules, sees, games in GAMES:
        for weights in players(sees):
            TABLE.add(figures(rules, sees, weights, games))
            if "--save" in sys.argv:
                TABLE.save(NAME)


if __name__ == "__main__":
    main()
