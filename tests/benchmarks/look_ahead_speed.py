"""Placements evaluated a second by players that look ahead, on one thread and 10x20.

    python tests/benchmarks/look_ahead_speed.py

Every placement whose value is computed counts once: the first moves, and the answers to each that is looked at.
"""

from __future__ import annotations

import tetriscourse as tc
from tetriscourse.simulator.search_speed import placements_per_second, rollout_moves_per_second

SEARCHES = {
    "next piece known": tc.Search("known"),
    "next piece unknown": tc.Search("unknown"),
    "unknown, best 5 first moves": tc.Search("unknown", width=5),
}

if __name__ == "__main__":
    for name in ("dn", "dellacherie", "dt-20"):
        for kind, search in SEARCHES.items():
            rate = placements_per_second(search.over(tc.PLAYERS[name]))
            print(f"{name:12} {kind:28} {rate / 1e6:6.0f} M placements a second")
    rate = rollout_moves_per_second(tc.Rollouts("dn", games=32, moves=20), tc.Rules())
    print(f"{'dn':12} {'rollouts':28} {rate / 1e6:6.2f} M moves of rollouts a second")
