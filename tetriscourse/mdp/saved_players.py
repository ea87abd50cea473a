"""Players outside the catalogue: the optimal one of a game, and those saved by `learn --save` and `solve --save`."""

from __future__ import annotations

import sys
from dataclasses import replace

from tetriscourse.agents import Agent, agent_of
from tetriscourse.checkpoints import checked_path, read
from tetriscourse.errors import InputError
from tetriscourse.game.rules import Entry, Rules
from tetriscourse.mdp.deep_q.afterstates import NetworkPlayer
from tetriscourse.mdp.exact.optimal_player import OptimalPlayer
from tetriscourse.mdp.exact.solution import Solution, solve


def kept_player(name: str, rules: Rules) -> NetworkPlayer | OptimalPlayer:
    """The player in a file, NAME.npz; any other name stands for the optimal player of these rules."""
    if name.endswith(".npz"):
        return load_player(name)
    return solve(replace(rules, max_pieces=0), progress=sys.stderr.isatty()).player()


def kept_agent(name: str, rules: Rules) -> Agent:
    """The agent of that player in the engine, where pieces always enter from the middle."""
    return agent_of(kept_player(name, replace(rules, entry=Entry.SPAWN)))


def load_player(path: str) -> NetworkPlayer | OptimalPlayer:
    """The network in a file, or the optimal player of a solution."""
    about, _ = read(checked_path(path, "player"), "player")
    if "solution" in about:
        return Solution.load(path).player()
    if "player" in about:
        return NetworkPlayer.load(path)
    raise InputError(f"player is {path!r}; the file holds a run, and no player: use learn --save or solve --save")
