"""Programs for the features of a player: at once those for all features, then its own, compiled in the background.

Both give the same values. The ones for all features look at each term whether it has a weight; a player's own know.
"""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import ref

from tetriscourse.simulator.best import Choice
from tetriscourse.simulator.features import TERMS
from tetriscourse.simulator.programs import Programs, are_ready, programs

ALL_TERMS = (1 << len(TERMS)) - 1


def for_all(choice: Choice) -> Choice:
    """The choice that is good for every player, on boards of this kind."""
    return Choice(ALL_TERMS, choice.tall, skips=True)


def give_programs(players: Any, choice: Choice) -> None:
    """Enter the addresses of programs into records of players: of those for all features until their own are ready."""
    ready = are_ready(choice)
    enter(players, programs(choice if ready else for_all(choice)))
    if not ready:
        compiler.request(choice, players)


def give_word_programs(players: Any, choices: list[Choice]) -> None:
    """Enter into the record of a filter, for each of its words, the program that values moves by this word's terms."""
    for word, choice in enumerate(choices):
        ready = are_ready(choice)
        players["word_programs"][:, word] = programs(choice).drop if ready else players["drop_program"]
        if not ready:
            compiler.request(choice, players, word)


def enter(players: Any, found: Programs) -> None:
    """Write addresses into records; games that are being played with them go on with the new ones."""
    for name, address in zip(Programs._fields, found, strict=True):
        players[name + "_program"] = address


class Compiler:
    """Compiles programs in a thread, those that were asked for last first."""

    def __init__(self) -> None:
        self.lock, self.idle = threading.Lock(), threading.Event()
        self.idle.set()
        self.requests: list[Choice] = []
        self.waiting: dict[Choice, list[Any]] = {}  # weak references to the records that want them, and for which word

    def request(self, choice: Choice, players: Any, word: int | None = None) -> None:
        """Compile programs soon, and then enter them into the records; word: only for this word of a filter."""
        with self.lock:
            self.waiting.setdefault(choice, []).append((ref(players), word))
            if choice in self.requests:
                self.requests.remove(choice)
            self.requests.append(choice)
            if self.idle.is_set():
                self.idle.clear()
                threading.Thread(target=self.work, name="compiler").start()

    def work(self) -> None:
        """Compile until nothing is left, or until the program ends."""
        while True:
            with self.lock:
                if not self.requests or not threading.main_thread().is_alive():
                    self.idle.set()
                    return
                choice = self.requests.pop()
            found = programs(choice)
            with self.lock:
                records = [(one(), word) for one, word in self.waiting.pop(choice, [])]
            for players, word in records:
                if players is not None and word is None:
                    enter(players, found)
                elif players is not None:
                    players["word_programs"][:, word] = found.drop

    def finish(self) -> None:
        """Wait until everything that was asked for is compiled."""
        self.idle.wait()


compiler = Compiler()


def begin_anew() -> None:
    """A process that was forked has no thread that compiles."""
    global compiler
    compiler = Compiler()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=begin_anew)
