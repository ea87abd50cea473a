"""Tetris as in game/, at millions of moves a second; tests hold the two together move by move."""

from tetriscourse.simulator.games import GameList, Ongoing, Played, play
from tetriscourse.simulator.inspecting import record, values
from tetriscourse.simulator.playable import is_fast
from tetriscourse.simulator.run import SlowWarning, compare, set_threads, simulate

__all__ = [
    "GameList", "Ongoing", "Played", "SlowWarning", "compare", "is_fast", "play", "record", "set_threads", "simulate",
    "values",
]  # fmt: skip
