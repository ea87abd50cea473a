"""The game of game/ at millions of moves a second, proven equal to it."""

from tetriscourse.simulator.run import SlowWarning, record, simulate, values

__all__ = ["SlowWarning", "record", "simulate", "values"]
