"""Proofs that a player, such as a table or a network, plays without end.

With a single piece and no chance in the choice of actions, a game can go on in only one way. If it returns to an
earlier state, it repeats what it did since, for ever. The state must be the true one (pile, piece, its place): what a
learner sees may be the same in states that go on differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, counted, shown
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.rules import Entry, Rules
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.learning_loop import Learner
from tetriscourse.mdp.states import true_state
from tetriscourse.random_numbers import Ints


@dataclass(frozen=True)
class Proof:
    """Commands, or placements, that lead to a cycle, and the cycle itself; or the reason why there is none."""

    found: bool
    reason: str  # why there is no proof; empty if there is one
    rules: Rules = field(repr=False)
    before: tuple[str, ...] = field(default=(), repr=False)  # the commands before the cycle, or before the game ended
    cycle: tuple[str, ...] = field(default=(), repr=False)  # the commands of the cycle
    pieces: int = 0  # pieces that come to rest in the cycle or, without a proof, in the game as far as it was followed
    rows: int = 0  # rows cleared in the cycle
    start: Board | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.found

    def __str__(self) -> str:
        if not self.found:
            return f"no proof: {self.reason}"
        return (
            f"plays without end: after {counted(len(self.before), self.noun)} a cycle of "
            f"{counted(len(self.cycle), self.noun)}, {counted(self.pieces, 'piece')}, {counted(self.rows, 'row')}"
        )

    @property
    def noun(self) -> str:
        """The word for an action: 'command' or 'placement'."""
        return "placement" if "".join((*self.before, *self.cycle)).startswith("P") else "command"

    def replay(self) -> Engine | TetrisEnv:
        """Play the commands again from the start, without the learner; an error if they do not close a cycle."""
        if not self.found:
            raise InputError(f"the proof was not found; there is nothing to replay: {self.reason}")
        if not self.cycle:
            raise InputError("the cycle has no command; a game that stands still is none")
        states = list(self._states())
        if len(states) != 1 + len(self.before) + len(self.cycle):
            raise InputError(f"the proof is wrong: the game is over after {counted(len(states) - 1, self.noun)}")
        if states[len(self.before)][1] != states[-1][1]:
            raise InputError("the proof is wrong: the states before and after the cycle differ")
        return states[-1][0]

    def _states(self) -> Iterator[tuple[Engine | TetrisEnv, Hashable]]:
        """The game and its true state, at the start and after each command, while the game lasts."""
        game: Engine | TetrisEnv = Engine(None, self.rules, board=self.start)
        if self.noun == "placement" and self.rules.entry is Entry.ABOVE:  # not played by the Engine
            game = TetrisEnv(self.rules, "placements")
            game.reset(options={"board": self.start})
        yield game, game.key() if isinstance(game, TetrisEnv) else true_state(game)
        for command in (*self.before, *self.cycle):
            if isinstance(game, TetrisEnv):
                game.step(game.action_names.index(command))
            elif game.is_running:
                game.play_command(command)
            if game.is_running:
                yield game, game.key() if isinstance(game, TetrisEnv) else true_state(game)


Choice = Callable[[TetrisEnv, int, Ints], int | None]
"""The action in a game, given what the learner sees and which actions are possible; None if chance decides."""


def is_determined(rules: Rules) -> bool:
    """Whether the actions alone decide how a game goes on: only one piece can come."""
    return len(rules.possible) == 1


def follow(choose: Choice, env: TetrisEnv, start: Board | None = None) -> Proof:
    """Follow the choices until the game repeats a state, is over, or needs chance to go on."""
    rules = env.rules
    if not is_determined(rules):
        return Proof(False, f"the game is not determined: it has {len(rules.possible)} pieces", rules, start=start)
    s, info = env.reset(options={"board": start})
    commands, lost = list[str](), False
    been: dict[Hashable, tuple[int, int, int]] = {}
    while env.is_running and env.key() not in been:
        been[env.key()] = len(commands), info["pieces"], info["lines"]
        a = choose(env, s, np.flatnonzero(info["allowed"]))
        if a is None:
            so_far = f"{counted(len(commands), env.actions.removesuffix('s'))}, {counted(info['pieces'], 'piece')}"
            why = f"a state of which it knows nothing after {so_far}"
            return Proof(False, why, rules, tuple(commands), pieces=info["pieces"], start=start)
        commands.append(env.action_names[a])
        s, _, lost, _, info = env.step(a)
    if not env.is_running:
        why = f"{'lost' if lost else 'no cycle'} after {counted(info['pieces'], 'piece')}"
        return Proof(False, why, rules, tuple(commands), pieces=info["pieces"], start=start)
    first, pieces, rows = been[env.key()]
    before, cycle = tuple(commands[:first]), tuple(commands[first:])
    return Proof(True, "", rules, before, cycle, info["pieces"] - pieces, info["lines"] - rows, start)


def prove_endless(learner: Any, start: Board | None = None) -> Proof:
    """Whether what was learned plays without end, with the proof; a network must see the cells."""
    has_player = isinstance(learner, Learner) and hasattr(learner, "player")  # a table is its own player
    player = learner.player() if has_player else learner
    if isinstance(player, type) or not hasattr(player, "proof"):
        raise InputError(f"learner is {shown(learner)}; it must be a QLearning, or a DeepQ on a DominoGrid")
    proof: Proof = player.proof(start)
    return proof
