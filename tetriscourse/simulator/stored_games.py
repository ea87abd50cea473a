"""The checkpoint of a simulation: the games that are over. A game that was broken off begins again."""

from __future__ import annotations

import threading
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.checkpoints import Checkpoint, Description
from tetriscourse.errors import InputError, shown
from tetriscourse.settings import plain
from tetriscourse.simulator.games import PILE_HEIGHTS, RESULT, GameList, Played


class StoredGames(Checkpoint):
    """The games of a list that are over, and the file that holds them."""

    def __init__(self, path: str | Path | None, resume: bool, games: GameList):
        super().__init__(path, resume)
        self.games, self.lock = games, threading.Lock()
        self.over: dict[int, Any] = {}  # the RESULT of each game, by its number
        self.heights, self.seconds = np.zeros(PILE_HEIGHTS, np.int64), 0.0
        self.open()
        self.before = self.over, self.heights, self.seconds
        one, left = games, [t for t, number in enumerate(games.numbers.tolist()) if number not in self.over]
        self.left = GameList(one.players, one.rules, one.seed, one.numbers[left], one.rows[left])

    def open(self) -> None:
        """Read the file, or write the first: one that cannot be written is an error before any game."""
        one = self.games
        if not is_dataclass(one.players):
            raise InputError(f"checkpoint is given; a file cannot describe the player {shown(one.players)}")
        self.description: Description = {"player": plain(one.players), "rules": plain(one.rules), "seed": one.seed}
        if arrays := self.read(self.description):
            results = np.zeros(len(arrays["numbers"]), RESULT)
            for name in RESULT.names or ():
                results[name] = arrays[name]
            self.over = dict(zip(arrays["numbers"].tolist(), results, strict=True))
            self.heights, self.seconds = arrays["heights"], float(arrays["seconds"])
            if not self.over.keys() <= set(one.numbers.tolist()):
                raise InputError(f"games is {len(one)}; it must be at least {1 + max(self.over)}, as in the checkpoint")
        self.store()

    def keep(self, part: GameList, played: Played) -> None:
        """Keep a part of the list if all its games are over; from any thread."""
        limit = part.rules.max_pieces
        if not (played.finished | (limit > 0) & (played.pieces == limit)).all():
            return
        with self.lock:
            self.over = self.over | dict(zip(part.numbers.tolist(), played.results, strict=True))
            self.heights, self.seconds = self.heights + played.heights, self.seconds + played.seconds
            if self.is_due():
                self.store()

    def store(self) -> None:
        """Write the file."""
        numbers = np.array(sorted(self.over), np.int64)
        results = np.array([self.over[number] for number in numbers.tolist()], RESULT)
        columns = {name: results[name] for name in RESULT.names or ()}
        self.write(self.description, {"numbers": numbers, "heights": self.heights, "seconds": self.seconds, **columns})

    def joined(self, played: Played) -> Played:
        """The outcomes of the whole list: of the games that were over before, and of those played since."""
        self.store()
        over, heights, seconds = self.before
        known = over | dict(zip(self.left.numbers.tolist(), played.results, strict=True))
        results = np.array([known[number] for number in self.games.numbers.tolist()], RESULT)
        return Played(results, heights + played.heights, seconds + played.seconds)
