"""How far one call walks through the package: python tests/benchmarks/walks.py

Prints, for three warm calls, how many files of the package they enter and how often they change from one to another.
The arguments of a call are made, everything is imported and compiled, before anything is counted.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import tetriscourse as tc
from tetriscourse.simulator.background import compiler

PACKAGE = str(Path(tc.__file__).parent)


class Walk:
    """The files of the package that a call enters, in order, whichever thread enters them."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.is_counting = False
        threading.setprofile(self.profile)  # threads that start from now on
        sys.setprofile(self.profile)

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note the file of every function that is called."""
        if event == "call" and self.is_counting and frame.f_code.co_filename.startswith(PACKAGE):
            self.steps.append(frame.f_code.co_filename.removeprefix(PACKAGE + "/"))

    def of(self, call: Callable[[], object]) -> Walk:
        """Make the call and note where it goes."""
        self.steps.clear()
        self.is_counting = True
        call()
        self.is_counting = False
        return self

    @property
    def files(self) -> list[str]:
        """Every file once, in the order of first entry."""
        return list(dict.fromkeys(self.steps))

    @property
    def changes(self) -> int:
        """Calls that enter another file than the call before."""
        return sum(a != b for a, b in pairwise(self.steps))


def simulate() -> Callable[[], object]:
    """One call of simulate."""
    player, rules = tc.PLAYERS["dn"], tc.RULES["10x10"]
    return lambda: tc.simulate(player, rules, games=20, seed=1, threads=1, progress=False)


def train() -> Callable[[], object]:
    """Two iterations of an optimizer."""
    goal, optimizer = tc.Objective("dellacherie", tc.RULES["10x10"], games=2), tc.CMAES(6, seed=1, iterations=2)
    return lambda: tc.train(optimizer, goal, progress=False, curve=5, threads=1)


def slider() -> Callable[[], object]:
    """A slider is moved, and the page shows every answer until the games of the new player have been played."""
    panel = tuned_panel()

    def move() -> None:
        panel.receive({"event": "weight:0", "value": panel.weights[0] - 0.1})
        while not panel.contest.is_over or panel.contest.worker.running:
            panel.receive({"event": "shown", "value": panel.version})
            time.sleep(0.005)

    return move


@cache
def tuned_panel() -> Any:
    """A panel that plays few games."""
    from tetriscourse.widgets import TunePanel

    return TunePanel(games=30)


def main() -> None:
    tuned_panel()
    walk = Walk()
    calls = {"simulate": simulate, "train, two iterations": train, "a slider of TunePanel": slider}
    for name, prepared in calls.items():
        prepared()()
        compiler.finish()  # programs for these features, in the background
        walk.of(prepared())
        print(f"{name}: {len(walk.files)} files, {walk.changes} changes of file")
        if "--files" in sys.argv:
            print("   ", *walk.files, sep="\n    ")


if __name__ == "__main__":
    main()
