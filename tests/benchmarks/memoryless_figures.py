"""What a player is worth who sees board and piece, and not what is left in the bag, on 4x4.

    python tests/benchmarks/memoryless_figures.py            a search: what players reach
    python tests/benchmarks/memoryless_figures.py --bound    what no such player exceeds

Both are stored for chapter 10 with --save. The search climbs from several starts and values what it finds exactly. The
bound is a branch and bound: the player may see the bag, except in the sights where his moves have been prescribed.
"""

from __future__ import annotations

import sys
from math import ceil

import numpy as np

from tetriscourse.course.results import ResultTable
from tetriscourse.game.rules import Draw, Rules
from tetriscourse.mdp.exact.memoryless import Sights, climb, game_value, policy_values, policy_visits, polished, sights
from tetriscourse.mdp.exact.memoryless_bound import bounds, seeing
from tetriscourse.mdp.exact.solution import solve
from tetriscourse.random_numbers import Draws, Floats, Ints

RULES, COMMAND = Rules(4, 4, draw=Draw.BAG), "python tests/benchmarks/memoryless_figures.py"
RANDOM, ROUNDS, POLISHED, CASES = 10, 100, 2, 3000
REACHED = 6.4  # less than what the search finds: cases that are worth no more need not be divided
SEARCH = ResultTable(
    COMMAND,
    {"search begins with": "{start}", "with dice": "{dice:.4f}", "one move each": "{fixed:.4f}", "polished": "{best}"},
    seed=f"1 to {RANDOM}",
)
BOUND = ResultTable(f"{COMMAND} --bound", {"cases solved": "{cases:,}", "no policy is worth more than": "{bound:.4f}"})


def starts(of: Sights) -> dict[str, Floats]:
    """How much each move is liked at first."""
    free = solve(Rules(4, 4), progress=False)
    blind = of.points + np.array([0.0 if move.loses else free.value(move.after) for move in of.moves])
    values = seeing(of)[0].mean(axis=0)
    dice = {f"chance, seed {seed}": Draws(seed, 0).normal(len(of.moves)) for seed in range(1, RANDOM + 1)}
    return {"best play of independent pieces": blind, "best play, mean over bags": of.points + values[of.after]} | dice


def fixed_value(of: Sights, chances: Floats) -> float:
    """The exact value of a policy."""
    return game_value(of, policy_values(of, chances))


def visited(of: Sights, chosen: Ints) -> list[list[object]]:
    """The moves of a policy where it comes to: board, piece, orientation, column."""
    come_to = set(np.flatnonzero(policy_visits(of, of.always(chosen)).sum(axis=0)[:-1] > 0).tolist())
    board = {one.bits for b, one in enumerate(of.boards) if b in come_to}
    taken = [of.moves[i] for i in chosen]
    return [[m.before.bits, m.piece.name, m.orientation, m.column] for m in taken if m.before.bits in board]


def search(of: Sights) -> None:
    """The table of the search; the best policy found is stored with it."""
    found = []
    for name, liking in starts(of).items():
        chances = climb(of, liking, ROUNDS)
        chosen = of.firsts_of_best(chances)
        found.append((name, fixed_value(of, chances), fixed_value(of, of.always(chosen)), chosen))
        print(*found[-1][:3], flush=True)
    best = sorted(found, key=lambda one: -one[2])[:POLISHED]
    outcomes = {name: polished(of, chosen) for name, _, _, chosen in best}
    top = max(outcomes, key=lambda name: outcomes[name][1])
    for name, dice, fixed, _ in found:
        text = f"{outcomes[name][1]:.4f}" if name in outcomes else ""
        moves = {"value": outcomes[top][1], "moves": visited(of, outcomes[name][0])} if name == top else {}
        SEARCH.add({"start": name, "dice": round(dice, 6), "fixed": round(fixed, 6), "best": text} | moves)


def bound(of: Sights) -> None:
    """The table of bounds, about ten times as many cases in each row."""
    row = 0
    for cases, above in bounds(of, REACHED, CASES):
        if cases >= min(10**row, CASES) or not cases:
            BOUND.add({"cases": cases, "bound": ceil(above * 1e4) / 1e4})
            row += 1


def main() -> None:
    of, name = sights(RULES), "memoryless-bound" if "--bound" in sys.argv else "memoryless"
    if "--bound" in sys.argv:
        bound(of)
    else:
        search(of)
    if "--save" in sys.argv:
        (BOUND if "--bound" in sys.argv else SEARCH).save(name)


if __name__ == "__main__":
    main()
