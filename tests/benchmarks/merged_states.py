"""Prints what merging states does to Q-learning on dominoes, and what the program of 2019 makes of the same game.

A second statement of the domino game and its learner, to be held against the library's: with GAMES["library"] and
states "cells" or "rounded" it fills the same table (tests/test_q_learning.py). Here states can also be merged in other
ways, and the game can be that of Muller and Ponton's program, in the five points in which that differs.

About half an hour of one core. Each row is printed, and with --save stored, when its seeds are through; stored rows are
not computed again.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import frexp
from statistics import median
from typing import Any, NamedTuple

import numba
import numpy as np
from scipy.stats import beta

from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.game.random import AGENT_STREAM
from tetriscourse.mdp.learning_loop import exploration
from tetriscourse.mdp.q_learning.kernels import STATES, entered, greedy
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import QTable
from tetriscourse.simulator.piece_generator import bits32, mix, stream_key

SEEDS, MOST_SEEDS, EPISODES, EVERY = 10, 20, 50_000, 1000
NAME = "q-learning-merged-states"
TABLE = ResultTable(
    "python tests/benchmarks/merged_states.py",
    {
        "board": "{size}x{size}", "game": "{game}", "what is one state": "{states}",
        "proof at the end": "{ends} of {seeds}", "95 %": "{low:.0%} to {high:.0%}",
        "proof at a milestone": "{reached} of {seeds}", "states met": "{met:,.0f}",
        "points in training": "{points:,.0f}",
    },
    seed=f"0 to {SEEDS - 1}, or to {MOST_SEEDS - 1}",
)  # fmt: skip


class Game(NamedTuple):
    """The game; as 0 or 1, the points in which the program of Muller and Ponton differs from the library."""

    in_flight: int = 0  # full rows go at once, also below a piece that can still fall
    first_only: int = 0  # only the first piece falls one row before its first command
    on_top: int = 0  # D puts a piece on the pile, even if it had slid under an overhang
    lost_is_state: int = 0  # the board on which a game is lost has a value like any other
    pieces_entered: int = 0  # an episode of 500 pieces ends when the last one appears


GAMES = {
    "library": Game(),
    "library, rows cleared in flight": Game(in_flight=1),
    "library, only the first piece falls on entry": Game(first_only=1),
    "program": Game(1, 1, 1, 1, 1),
}


class Seen(NamedTuple):
    """What makes two pictures of the game one state."""

    order: int = 0  # cells are counted 0: by columns from the left, 1: by columns from the right, 2: by rows
    exact: int = 128  # the sum of so many cells is exact; then it is a float ...
    digits: int = 53  # ... of so many binary digits
    hidden: int = 0  # columns that are not looked at, as bits
    buckets: int = 0  # the exact number is replaced by one of so many, drawn by lot


SEEN = {
    "cells": Seen(),
    "rounded": Seen(exact=63),
    "rounded from the right": Seen(order=1, exact=63),
    "rounded row by row": Seen(order=2, exact=63),
    "cells without the two left columns": Seen(hidden=0b11),
    "cells without columns 3 and 4": Seen(hidden=0b11000),
    "cells, merged by lot into 500,000": Seen(buckets=500_000),
    "rounded as with numbers of 48 bits": Seen(exact=47, digits=37),
}


PLACE = np.dtype([
    ("top", np.int64),  # the upper row of the domino that falls
    ("column", np.int64),  # its left column
    ("stands", np.int64),  # whether it stands
    ("settled", np.int64),  # dominoes that have come to rest
    ("lost", np.int64),
])  # fmt: skip


@numba.njit
def draw(place: Any, rows: Any, full: Any) -> None:
    """Fill or empty the cells of the domino."""
    for i in range(2):
        row, column = place.top - i * place.stands, place.column + i * (1 - place.stands)
        rows[row] = rows[row] | 1 << column if full else rows[row] & ~(1 << column)


@numba.njit
def moved(place: Any, pile: Any, board: Any, width: Any, top: Any, column: Any, stands: Any) -> Any:
    """Move the domino there if the pile leaves room; whether it did."""
    if column < 0 or column + 1 - stands >= width or top - stands < 0 or top >= len(pile):
        return False
    for i in range(2):
        if pile[top - i * stands] >> (column + i * (1 - stands)) & 1:
            return False
    draw(place, board, False)
    place.top, place.column, place.stands = top, column, stands
    draw(place, board, True)
    return True


@numba.njit
def cleared(board: Any, width: Any, height: Any) -> Any:
    """Remove the full rows; their number squared."""
    count, row = 0, 0
    while row < height - count:
        if board[row] == (1 << width) - 1:
            board[row:-1] = board[row + 1 :]
            board[-1] = 0
            count += 1
        else:
            row += 1
    return count * count


@numba.njit
def appear(place: Any, board: Any, width: Any, top: Any) -> None:
    """A new domino, lying in the middle."""
    place.top, place.column, place.stands = top, (width - 2) // 2, 0
    draw(place, board, True)


@numba.njit
def drop(place: Any, pile: Any, board: Any, width: Any, game: Any) -> None:
    """D: as far down as it goes, or onto the pile."""
    if game.on_top:
        top = 0
        for i in range(2 - place.stands):
            row = len(pile)
            while row > 0 and pile[row - 1] >> (place.column + i) & 1 == 0:
                row -= 1
            top = max(top, row + place.stands)
        moved(place, pile, board, width, top, place.column, place.stands)
    else:
        while moved(place, pile, board, width, place.top - 1, place.column, place.stands):
            pass


@numba.njit
def step(a: Any, place: Any, pile: Any, board: Any, width: Any, height: Any, game: Any) -> Any:
    """One command, L R D H T N as 0 to 5, and what follows from it; the points."""
    if a < 2:
        moved(place, pile, board, width, place.top, place.column + (1 if a else -1), place.stands)
    elif a == 2:
        drop(place, pile, board, width, game)
    elif a < 5:
        moved(place, pile, board, width, place.top, place.column, 1 - place.stands)
    points = cleared(board, width, height) if game.in_flight else 0
    if moved(place, pile, board, width, place.top - 1, place.column, place.stands):
        return points
    points += cleared(board, width, height)
    pile[:] = board
    place.settled += 1
    place.lost = np.int64(pile[height] != 0 or pile[height + 1] != 0)
    if not place.lost or game.lost_is_state:
        appear(place, board, width, height + 1 if game.first_only else height)
    return points


@numba.njit
def start(place: Any, pile: Any, board: Any, width: Any, height: Any) -> None:
    """An empty board and the first domino."""
    pile[:], board[:] = 0, 0
    place.settled, place.lost = 0, 0
    appear(place, board, width, height)


@numba.njit
def shortened(x: Any, digits: Any) -> Any:
    """A number rounded to so many binary digits, halves to even."""
    mantissa, exponent = frexp(x)
    return np.rint(mantissa * 2.0**digits) * 2.0 ** (exponent - digits)


@numba.njit
def state(board: Any, width: Any, seen: Any) -> Any:
    """The number of the state, in two words."""
    low, high, total, rows = np.uint64(0), np.uint64(0), 0.0, len(board)
    for k in range(width * rows):
        row, column = (k // width, k % width) if seen.order == 2 else (k % rows, k // rows)
        if seen.order == 1:
            column = width - 1 - column
        if k == seen.exact:
            total = shortened(float(low), seen.digits)
        if board[row] & ~seen.hidden & 1 << column:
            if k >= seen.exact:
                total = shortened(total + 2.0**k, seen.digits)
            elif k < 64:
                low |= np.uint64(1) << np.uint64(k)
            else:
                high |= np.uint64(1) << np.uint64(k - 64)
    if width * rows > seen.exact:
        high = np.uint64(total / 2.0**64)
        low = np.uint64(total - float(high) * 2.0**64)
    if seen.buckets:
        return mix(low ^ mix(high + np.uint64(1))) % np.uint64(seen.buckets), np.uint64(0)
    return low, high


@numba.njit
def learn(
    first: Any, last: Any, seed: Any, explore: Any, place: Any, pile: Any, board: Any, size: Any, game: Any, seen: Any,
    table: Any, actions: Any, room: Any,
) -> Any:  # fmt: skip
    """Episodes of Q-learning until there is no more room; the number of the next one, and the points."""
    values, earned, episode = table.values, 0, first
    while episode < last and table.counts[STATES] + room <= len(table.states):
        key, t = stream_key(seed, episode, np.int64(AGENT_STREAM)), 0
        start(place, pile, board, size, size)
        low, high = state(board, size, seen)
        s = entered(low, high, table)
        while not place.lost and place.settled < 500 - game.pieces_entered:
            a = (bits32(key, 2 * t + 1) * 6) >> 32
            if bits32(key, 2 * t) >= (explore[0] if t == 0 else explore[1 + episode - first]):
                best, _ = greedy(s, values, actions, 6)
                a = best if best >= 0 else a
            r = step(a, place, pile, board, size, size, game)
            low, high = state(board, size, seen)
            s2, e_max = entered(low, high, table), 0.0
            if not place.lost or game.lost_is_state:
                _, e_max = greedy(s2, values, actions, 6)
            values[s, a] = (1 - 0.1) * values[s, a] + 0.1 * (r + 0.9 * e_max)
            s, t, earned = s2, t + 1, earned + r
        episode += 1
    return episode, earned


class Restated:
    """Q-learning with the settings of Muller and Ponton, restated."""

    def __init__(self, size: int, game: str, seen: str, seed: int):
        self.size, self.game, self.seen, self.seed = size, GAMES[game], SEEN[seen], seed
        self.table, self.done, self.points = QTable(6), 0, 0
        self.pile, self.board = np.zeros(size + 2, np.int64), np.zeros(size + 2, np.int64)
        self.place = np.zeros(1, PLACE)[0]

    def advance(self, episodes: int) -> None:
        """Play and learn."""
        last, settings = self.done + episodes, QSettings()
        room = 500 * (self.size + 7) + 1
        while self.done < last:
            epsilons = (settings.epsilon_max, *(exploration(settings, k) for k in range(self.done, last)))
            self.table.make_room(room)
            self.done, earned = learn(
                self.done, last, self.seed, np.array([round(e * 2**32) for e in epsilons]), self.place, self.pile,
                self.board, self.size, self.game, self.seen, self.table.arrays, np.arange(6), room,
            )  # fmt: skip
            self.points += earned

    def is_endless(self) -> bool:
        """Whether the greedy game comes back to a true state: pile, board and domino, whatever the table sees."""
        start(self.place, self.pile, self.board, self.size, self.size)
        been, place = set[bytes](), self.place
        while not place["lost"]:
            true = self.pile.tobytes() + self.board.tobytes() + bytes(map(int, (place[n] for n in PLACE.names[:3])))
            if true in been:
                return True
            been.add(true)
            low, high = state(self.board, self.size, self.seen)
            values = self.table.get(int(low) | int(high) << 64)
            if values is None or not values.any():
                return False
            step(int(values.argmax()), place, self.pile, self.board, self.size, self.size, self.game)
        return False


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    size: int
    game: str
    seen: str
    seeds: int = SEEDS


ROWS = (
    *(Row(8, game, seen, MOST_SEEDS) for game in ("library", "program") for seen in ("cells", "rounded")),
    *(Row(8, "library", seen) for seen in SEEN if seen not in ("cells", "rounded") and "48" not in seen),
    *(Row(7, "library", seen) for seen in ("cells", "rounded", "rounded as with numbers of 48 bits")),
    *(Row(8, game, "rounded") for game in GAMES if game.startswith("library,")),
)  # fmt: skip


def run(row: Row, seed: int) -> tuple[bool, bool, int, int]:
    """One run: a proof at the end, a proof at any milestone, states met, points."""
    q, reached = Restated(row.size, row.game, row.seen, seed), False
    while q.done < EPISODES:
        q.advance(EVERY)
        reached = reached or q.is_endless()
    return q.is_endless(), reached, len(q.table), int(q.points)


def line(row: Row) -> Record:
    """A line of the table; the interval is that of Clopper and Pearson."""
    ends, reached, met, points = zip(*(run(row, seed) for seed in range(row.seeds)), strict=True)
    k, n = sum(ends), row.seeds
    low = beta.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
    return {
        "size": row.size, "game": row.game, "states": row.seen, "ends": k, "reached": sum(reached), "seeds": n,
        "proved": [seed for seed, end in enumerate(ends) if end],
        "low": round(float(low), 3), "high": round(float(high), 3), "met": round(median(met)),
        "points": round(median(points)),
    }  # fmt: skip


def main() -> None:
    """The table, as Markdown."""
    known = stored_table(NAME).rows if NAME in table_names() else []
    by_row = {(one["size"], one["game"], one["states"], one["seeds"]): one for one in known}
    for row in ROWS:
        TABLE.add(by_row.get((row.size, row.game, row.seen, row.seeds)) or line(row))
        if "--save" in sys.argv:
            TABLE.save(NAME)


if __name__ == "__main__":
    main()
