"""Players outside the catalogue: the optimal one of a game; those that `learn`, `find-features` and `solve` save."""

from __future__ import annotations

import sys
from dataclasses import replace

from tetriscourse.agents import Agent, agent_of
from tetriscourse.checkpoints import checked_path, read
from tetriscourse.errors import InputError
from tetriscourse.game.rules import Entry, Rules
from tetriscourse.mdp.deep_q.move_values import NetworkPlayer
from tetriscourse.mdp.exact.optimal_player import OptimalPlayer
from tetriscourse.mdp.exact.solution import Solution, solve
from tetriscourse.players import Player

Kept = NetworkPlayer | OptimalPlayer | Player


def kept_player(name: str, rules: Rules) -> Kept:
    """The player in a file, NAME.npz; any other name stands for the optimal player of these rules."""
    if name.endswith(".npz"):
        return load_player(name)
    return solve(replace(rules, max_pieces=0), progress=sys.stderr.isatty()).player()


def kept_agent(name: str, rules: Rules) -> Agent:
    """The agent of that player in the engine, where pieces always enter from the middle."""
    return agent_of(kept_player(name, replace(rules, entry=Entry.SPAWN)))


def load_player(path: str) -> Kept:
    """The network in a file, the optimal player of a solution, or the features and weights that a search found."""
    about, _ = read(checked_path(path, "player"), "player")
    if "solution" in about:
        return Solution.load(path).player()
    if "weighed" in about:
        return Player(**about["weighed"])
    if "player" in about:
        return NetworkPlayer.load(path)
    saving = "use learn --save, find-features --save or solve --save"
    raise InputError(f"player is {path!r}; the file holds a run, and no player: {saving}")
