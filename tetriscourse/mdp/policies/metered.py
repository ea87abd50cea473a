"""A game with a meter: it counts the moves that learners play in it, and gives none beyond a budget."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tetriscourse.errors import InputError, whole_number
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.move_values import Features
from tetriscourse.mdp.policies.samples import Policy, RolloutPlan, Samples, Stopping, Valued, never
from tetriscourse.mdp.policies.tetris_source import TetrisSource
from tetriscourse.players import Player
from tetriscourse.simulator.games import GameList, play


class BudgetSpent(InputError):
    """What was asked for would have taken more moves than are left."""


class MeteredSource(TetrisSource):
    """Tetris in compiled code with a budget of moves, of which games, rollouts and judgements take.

    `moves` are those played so far. A sample is cut off where the budget ends; rollouts and judgements for which too
    little is left raise BudgetSpent, and the moves are spent.
    """

    def __init__(self, rules: Rules | str, features: Features, budget: int, **options: Any):
        super().__init__(rules, features, **options)
        self.budget = whole_number("budget", budget, 1)
        self.moves = 0

    def __repr__(self) -> str:
        return f"Metered{super().__repr__().removeprefix('Tetris')}: {self.moves:,} of {self.budget:,} moves played"

    @property
    def left(self) -> int:
        """Moves that may still be played."""
        return max(0, self.budget - self.moves)

    def pay(self, moves: int) -> None:
        """Count moves that were played."""
        self.moves += moves
        if self.moves > self.budget:
            raise BudgetSpent(f"budget is {self.budget:,} moves; {moves:,} were asked for when it was nearly spent")

    def sample(
        self, policy: Policy | Player, seed: int, games: int, moves: int, all_moves: bool = True,
        stopping: Stopping = never,
    ) -> Samples:  # fmt: skip
        """As in TetrisSource, as long as moves are left."""
        if not self.left:
            raise BudgetSpent(f"budget is {self.budget:,} moves; all are played")
        played = super().sample(policy, seed, games, min(moves, self.left), all_moves, stopping)
        self.pay(played.moves)
        return played

    def roll_out(self, states: Samples, plan: RolloutPlan, stopping: Stopping = never) -> Valued:
        """As in TetrisSource; every rollout counts in full, also if its game is lost early."""
        if len(states) * plan.games * (plan.moves + 1) > self.left:  # with a single move in each state
            self.pay(self.left + 1)
        found = super().roll_out(states, plan, stopping)
        self.pay(len(found.after) * plan.games * (plan.moves + 1))
        return found

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """As in TetrisSource."""
        rules = replace(self.rules, max_pieces=most)
        played = play(GameList.of(self.player(policy, "judged"), rules, seed, games))
        self.pay(int(played.pieces.sum()))
        return float(played.lines.mean())
