"""What looking ahead costs and gives: the figures of chapter 13.

    python tests/benchmarks/looking_ahead_figures.py cost         three minutes: lines against moves valued a decision
    python tests/benchmarks/looking_ahead_figures.py learning     five minutes: weights learned for as many moves valued
    python tests/benchmarks/looking_ahead_figures.py exact        ten minutes: rollouts on 4x4, valued exactly
    python tests/benchmarks/looking_ahead_figures.py rollouts     fifteen minutes: rollouts on boards of ten columns

--save stores the table after each row; rows that are stored are not computed again (delete the file to do so).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.errors import readable
from tetriscourse.random_numbers import derived_seed

SEED = 2026
SCRIPT = "python tests/benchmarks/looking_ahead_figures.py"
LINES = {"games": "{games}", "lines": "{mean}", "95 %": "{low} to {high}"}


def moves_valued(known: bool, width: int | None = None, columns: int = 10) -> float:
    """How many moves a search values for a decision on a low pile, the mean over the pieces; width 0: no search."""
    counts = np.array([sum(columns - shape.width + 1 for shape in piece.orientations) for piece in tc.PIECES.values()])
    first = counts if width is None else np.minimum(counts, width)
    return float(np.mean(counts) + np.mean(first) * (np.mean(counts) if known else counts.sum()))


def moves_rolled_out(games: int, moves: int, columns: int = 10) -> float:
    """The same for rollouts: games of so many moves after each move."""
    counts = [sum(columns - shape.width + 1 for shape in piece.orientations) for piece in tc.PIECES.values()]
    return float(np.mean(counts)) * (1 + games * moves * float(np.mean(counts)))


def scores(player: Any, rules: str, games: int) -> Record:
    """Lines with their interval."""
    played = tc.simulate(player, rules, games=games, seed=SEED, progress=False)
    mean, low, high = map(readable, (played.mean, *played.interval()))
    return {"games": games, "mean": mean, "low": low, "high": high, "exactly": round(played.mean, 2)}


# --- what a decision costs, and what it gives -----------------------------------------------------

COST = ResultTable(
    f"{SCRIPT} cost", {"decides by": "{how}", "moves valued": "{valued:,}", **LINES}, seed=str(SEED)
)  # fmt: skip
CHAMPION, LOW = tc.PLAYERS["champion-10x10"], "10x8"
WIDTHS = (2, 3, 5, None)


def deciders() -> Iterator[tuple[str, float, Any, int]]:
    """Ways to decide: in words, moves valued, the player, and how many games."""
    yield "its own value", moves_valued(known=True, width=0), CHAMPION, 400
    for known, games in ((False, 400), (True, 100)):
        word = "known" if known else "unknown"
        for width in WIDTHS:
            best = "all moves" if width is None else f"the best {width}"
            yield f"{word}, {best}", moves_valued(known, width), tc.LookAhead(CHAMPION, word, width), games
    for games, moves in ((1, 7), (7, 1)):
        how = f"rollouts, {games} of {moves} moves" if games > 1 else f"a rollout of {moves} moves"
        yield how, moves_rolled_out(games, moves), tc.Rollouts(CHAMPION, games, moves), 100


def cost_row(which: tuple[str, float, Any, int]) -> Record:
    how, valued, player, games = which
    return {"how": how, "valued": round(valued), **scores(player, LOW, games)}


# --- weights that are learned for as many moves valued --------------------------------------------

BUDGETS, RUNS, BOARD, JUDGED = (2 * 10**8, 2 * 10**9), range(1, 6), "10x6", 400
LEARNING = ResultTable(
    f"{SCRIPT} learning",
    {
        "moves valued": "{budget:,}", "learned by": "{learner}", "iterations": "{iterations}", "plays": "{player}",
        "lines, median of five runs": "{median}", "range": "{low} to {high}",
    },
    seed=f"{RUNS[0]} to {RUNS[-1]}; judged by {JUDGED} games of seed {SEED}",
)  # fmt: skip
WAYS = {"greedily": None, "looking ahead": tc.Search("unknown")}


def learned(learner: str, seed: int) -> list[tuple[Any, int]]:
    """The favourites of a run of CMA-ES when it has valued each of these numbers of moves, and its iterations."""
    search, optimizer = WAYS[learner], tc.CMAES(8, normalise=True, seed=seed, iterations=10**6)
    each, spent, found = moves_valued(False, None if search else 0), 0.0, []
    while len(found) < len(BUDGETS):
        candidates, iteration = optimizer.ask(), optimizer.iteration
        players = [tc.Player("dn", weights) for weights in candidates]
        games = [
            tc.simulate(search.over(player) if search else player, BOARD, 20, derived_seed(seed, iteration),
                        progress=False)
            for player in players
        ]  # fmt: skip
        spent += each * sum(int(one.pieces.sum()) for one in games)
        optimizer.tell(candidates, np.array([one.mean for one in games]))
        while len(found) < len(BUDGETS) and spent >= BUDGETS[len(found)]:
            found.append((optimizer.favourite, iteration + 1))
    return found


def learning_rows() -> None:
    """All rows at once: each run serves both budgets, and its weights play in both ways."""
    runs = {learner: [learned(learner, seed) for seed in RUNS] for learner in WAYS}
    for place, budget in enumerate(BUDGETS):
        for learner, found in runs.items():
            ends = [one[place] for one in found]
            for way, search in WAYS.items():
                players = [tc.Player("dn", weights) for weights, _ in ends]
                means = [
                    tc.simulate(search.over(one) if search else one, BOARD, JUDGED, SEED, progress=False).mean
                    for one in players
                ]
                LEARNING.add({
                    "budget": budget, "learner": learner, "iterations": int(np.median([k for _, k in ends])),
                    "player": way, "median": readable(float(np.median(means))), "low": readable(min(means)),
                    "high": readable(max(means)), "runs": [round(mean, 2) for mean in means],
                })  # fmt: skip
    if "--save" in sys.argv:
        LEARNING.save("look-ahead-learning")


# --- rollouts -------------------------------------------------------------------------------------

EXACT = ResultTable(
    f"{SCRIPT} exact",
    {
        "rollouts of each move": "{games}", "exact lines on 4x4, mean of ten seeds": "{mean:.3f}",
        "range": "{low:.3f} to {high:.3f}", "only if clearly better": "{careful:.3f}",
        "its range": "{careful_low:.3f} to {careful_high:.3f}",
    },
    seed="0 to 9",
)  # fmt: skip
NUMBERS = (2, 4, 8, 16, 32, 64, 128, 256, 512)


class Careful:
    """Leaves the base player's move only for one that leads it by two standard errors, on the same pieces."""

    def __init__(self, rollouts: tc.Rollouts):
        self.rollouts = rollouts

    def choose(self, board: Any, piece: Any, next_piece: Any = None, rules: Any = None, chance: Any = None) -> Any:
        """The move it takes."""
        values = self.rollouts.values(board, piece, rules=rules)
        if not len(values):
            return None
        old = values.moves.index(self.rollouts.player.choose(board, piece, None, rules))
        best = int(values.scores.sum(axis=1).argmax())
        ahead = values.scores[best] - values.scores[old]
        clearly = ahead.mean() > 2 * ahead.std(ddof=1) / np.sqrt(len(ahead))
        return values.moves[best if clearly else old]


def exact_row(games: int) -> Record:
    rules = tc.Rules(4, 4)
    players = [tc.Rollouts("dellacherie", games, None, seed) for seed in range(10)]
    plain = [tc.exact_value(one, rules, progress=False).start for one in players]
    careful = [tc.exact_value(Careful(one), rules, progress=False).start for one in players]
    return {
        "games": games, "mean": round(float(np.mean(plain)), 4), "low": min(plain), "high": max(plain),
        "careful": round(float(np.mean(careful)), 4), "careful_low": min(careful), "careful_high": max(careful),
    }  # fmt: skip


PLAYED = ResultTable(
    f"{SCRIPT} rollouts",
    {"board": "{rules}", "rollouts of each move": "{number}", "moves of a rollout": "{moves}", **LINES},
    seed=str(SEED),
)  # fmt: skip
TRIED = (
    ("10x4", 0, None, 400), *(("10x4", n, None, games) for n, games in ((32, 200), (128, 200), (512, 100), (2048, 40))),
    ("10x5", 0, None, 400), *(("10x5", n, 20, games) for n, games in ((32, 100), (128, 100), (512, 50), (2048, 12))),
    ("10x10", 0, None, 400), ("10x10", 32, 20, 20), ("10x10", 128, 20, 4),
    ("10x4", -1, None, 400), ("10x5", -1, None, 400),
)  # fmt: skip


def played_row(which: tuple[str, int, int | None, int]) -> Record:
    rules, number, moves, games = which
    length = "all" if number > 0 and moves is None else str(moves or "")
    player = tc.PLAYERS["dn"] if not number else tc.LookAhead("dn") if number < 0 else tc.Rollouts("dn", number, moves)
    named = {0: "none", -1: "none, but looks ahead"}.get(number, number)
    return {"rules": rules, "number": named, "moves": length, **scores(player, rules, games)}


PARTS: dict[str, tuple[str, ResultTable, Any, Any]] = {
    "cost": ("look-ahead-cost", COST, list(deciders()), cost_row),
    "exact": ("rollouts-exact", EXACT, NUMBERS, exact_row),
    "rollouts": ("rollouts-played", PLAYED, TRIED, played_row),
}


def main(part: str) -> None:
    if part == "learning":
        learning_rows()
        return
    name, table, cases, row = PARTS[part]
    saved = "--save" in sys.argv
    for record in stored_table(name).rows if saved and name in table_names() else []:
        table.add(record)
    for case in cases[len(table.rows) :]:
        table.add(row(case))
        if saved:
            table.save(name)


if __name__ == "__main__":
    for part in ("cost", "learning", "exact", "rollouts"):
        if part in sys.argv:
            main(part)
