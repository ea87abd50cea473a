"""Samples from a small game that is known completely, with any features of its boards: one for each board, say."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array

from tetriscourse.errors import InputError, shown
from tetriscourse.game.rules import Draw, LosingMoves, short_name
from tetriscourse.mdp.finite.tetris import TetrisMDP
from tetriscourse.mdp.policies.samples import (
    CUT,
    GOES_ON,
    LOST,
    Policy,
    RolloutPlan,
    Samples,
    Stopping,
    Valued,
    best_rows,
    never,
)
from tetriscourse.random_numbers import Draws, Floats, Ints, derived_seed
from tetriscourse.settings import described

GAMES_AT_ONCE = 10_000


class FiniteSource:
    """A TetrisMDP and a row of features for each of its boards; by default the board itself, as 1 among 0s.

    `boards` lists the boards in the order of the features, the empty one first. Games start there, or, `anywhere`, in
    a state that is drawn from all.
    """

    name = "finite"

    def __init__(self, game: TetrisMDP, phi: Any = None, anywhere: bool = False):
        self.game, self.anywhere, states = game, anywhere, list(game.states)
        rules = game.rules
        if rules.draw is not Draw.INDEPENDENT or rules.pieces_known == 2 or rules.losing_moves is LosingMoves.ALLOWED:
            raise InputError(f"game is {shown(game)}; its pieces must be drawn independently, and losing moves refused")
        numbers: dict[Any, int] = {game.rules.empty_board(): 0}
        for board, *_ in states:
            numbers.setdefault(board, len(numbers))
        self.boards = list(numbers)
        # Number 0 is a lost game, which has no moves.
        self.board_of = np.array([0, *(numbers[state[0]] for state in states)])
        self.piece_of = np.array([0, *(state[1] for state in states)])
        self.after = np.array([numbers[move.after] for found in game.moves for move in found], np.int64)
        self.gain = np.array([game.rules.points(move.rows) for found in game.moves for move in found], np.float64)
        self.offsets = np.cumsum([0, *(len(found) for found in game.moves)])
        self.state_of = np.zeros((len(self.boards), len(game.rules.pieces)), np.int64)
        self.state_of[self.board_of[1:], self.piece_of[1:]] = np.arange(1, len(states) + 1)
        chances = np.array(game.rules.probabilities or [1.0] * len(game.rules.pieces))
        self.chances = chances / chances.sum()
        self.until = np.cumsum(self.chances)
        self.phi = csr_array(eye_array(len(self.boards))) if phi is None else phi
        if self.phi.shape[0] != len(self.boards):
            rows, boards = self.phi.shape[0], len(self.boards)
            raise InputError(f"phi has {rows} rows; it must have one for each of {boards} boards")
        self.dimension = self.critic_dimension = self.phi.shape[1]

    def __repr__(self) -> str:
        return f"FiniteSource({short_name(self.game.rules)}, {self.dimension} features of {len(self.boards)} boards)"

    def start(self) -> Floats:
        """Nothing is known at first."""
        return np.zeros(self.dimension)

    def description(self) -> dict[str, Any]:
        rules = described(self.game.rules)
        return {"name": self.name, "features": self.dimension, "anywhere": self.anywhere, "rules": rules}

    # --- policies ---------------------------------------------------------------------------------

    def probabilities(self, policy: Policy) -> Floats:
        """The probability of every move of every state, one state after the other."""
        scores, some = policy.reward * self.gain + (self.phi @ policy.weights)[self.after], np.diff(self.offsets)
        if policy.softmax:
            p = np.exp(scores - np.repeat(self.highest(scores), some))
        else:
            best = best_rows(scores, self.offsets)
            p = np.full(len(scores), policy.epsilon) / np.repeat(some, some)
            p[best[best >= 0]] += 1 - policy.epsilon
        return np.asarray(p / np.repeat(self.sums(p), some))

    def highest(self, numbers: Floats) -> Floats:
        """The highest of the numbers of each state's moves; 0 without moves."""
        best = best_rows(numbers, self.offsets)
        return np.where(best >= 0, numbers[best], 0.0)

    def sums(self, numbers: Floats) -> Floats:
        """The sum of the numbers of each state's moves."""
        return np.diff(np.concatenate([[0.0], np.cumsum(numbers)])[self.offsets])

    def table(self, policy: Policy) -> Floats:
        """The policy as mdp/finite reads it: pi[s, a]."""
        mdp, pi = self.game.mdp, np.zeros(self.game.mdp.R.shape)
        some, p = np.diff(self.offsets), self.probabilities(policy)
        rows = np.repeat(np.arange(len(some)), some)
        pi[rows, np.arange(len(p)) - self.offsets[rows]] = p
        pi[some == 0, 0] = 1
        return np.where(mdp.allowed, pi, 0.0)

    def player(self, policy: Policy, name: str) -> Floats:
        """The greedy policy, as mdp/finite reads it."""
        return self.table(Policy(policy.weights, policy.reward))

    # --- play -------------------------------------------------------------------------------------

    def sample(
        self, policy: Any, seed: int, games: int, moves: int, all_moves: bool = True, stopping: Stopping = never
    ) -> Samples:
        """Games of a seed by a policy: `games` of them, or about `moves` moves; games that go on then are cut off."""
        if not isinstance(policy, Policy):
            raise InputError(f"policy is {shown(policy)}; a FiniteSource knows policies of its own features only")
        until = np.cumsum(self.probabilities(policy))
        parts, left = list[Ints](), moves
        for first in range(0, games, GAMES_AT_ONCE):
            if left > 0:
                parts.append(self.lot(until, seed, first, min(GAMES_AT_ONCE, games - first), left))
                left -= int((parts[-1][1] >= 0).sum())
        s, take, ends = np.concatenate(parts, axis=1)
        return self.seen(s, take, ends, all_moves)

    def lot(self, until: Floats, seed: int, first: int, games: int, most: int) -> Ints:
        """Some games at once: state, move (-1: none) and end of every row, game after game."""
        s = self.beginnings(games, Draws(seed, first))
        found, going, made, step = [], np.arange(games), 0, 0
        while len(going):
            if made >= most:
                found.append(np.array([going, going * 0 + step, s, going * 0 - 1, going * 0 + CUT]))
                break
            draws = Draws(derived_seed(seed, first), step)
            lost = self.offsets[s + 1] == self.offsets[s]
            # Where in the cumulated probabilities of all states a number between 0 and 1 falls for this one.
            low = np.where(self.offsets[s] > 0, until[self.offsets[s] - 1], 0.0)
            take = np.searchsorted(until, low + draws.uniform(len(s)) * (1 - 1e-9))
            take = np.where(lost, -1, np.clip(take, self.offsets[s], np.maximum(self.offsets[s + 1] - 1, 0)))
            found.append(np.array([going, np.full(len(s), step), s, take, np.where(lost, LOST, GOES_ON)]))
            going, s = going[~lost], self.arrivals(self.after[take[~lost]], draws)
            made, step = made + len(going), step + 1
        rows = np.concatenate(found, axis=1)
        return np.asarray(rows[2:, np.lexsort((rows[1], rows[0]))])

    def beginnings(self, games: int, draws: Draws) -> Ints:
        """The first states of some games."""
        if self.anywhere:
            return 1 + draws.below(len(self.game.states), games)
        return self.arrivals(np.zeros(games, np.int64), draws)

    def arrivals(self, boards: Ints, draws: Draws) -> Ints:
        """The states of some boards when the next piece has come."""
        pieces = np.minimum(np.searchsorted(self.until, draws.uniform(len(boards)), side="right"), len(self.until) - 1)
        return np.asarray(self.state_of[boards, pieces])

    def seen(self, s: Ints, take: Ints, ends: Ints, all_moves: bool) -> Samples:
        """The samples of some states with the moves made there."""
        rewards = np.where(take >= 0, self.gain[take], 0.0)
        boards, pieces = self.board_of[s], self.piece_of[s]
        phi, offsets, chosen, rows = self.phi[boards], np.zeros(len(s) + 1, np.int64), np.full(len(s), -1), take[:0]
        if all_moves:
            lengths = self.offsets[s + 1] - self.offsets[s]
            offsets = np.concatenate([[0], np.cumsum(lengths)])
            rows = np.arange(offsets[-1]) + np.repeat(self.offsets[s] - offsets[:-1], lengths)
            chosen = np.where(take >= 0, take - self.offsets[s] + offsets[:-1], -1)
        return Samples(
            phi, rewards, ends, boards[:, None], pieces, offsets, chosen, self.phi[self.after[rows]], self.gain[rows]
        )

    def roll_out(self, states: Samples, plan: RolloutPlan, stopping: Stopping = never) -> Valued:
        """Value every move of some states: no rollouts, but what they would bring on average."""
        p, V = self.probabilities(plan.policy), np.asarray(self.phi @ plan.critic)
        for _ in range(plan.moves):
            v = self.sums(p * (self.gain + plan.gamma * V[self.after]))  # of states
            V = v[self.state_of] @ self.chances
        s = self.state_of[states.cells[:, 0], states.pieces]
        seen = self.seen(s, self.offsets[s] - (self.offsets[s] == self.offsets[s + 1]), states.ends, True)
        rows = np.concatenate([np.arange(self.offsets[one], self.offsets[one + 1]) for one in s])
        return Valued(seen.offsets, seen.all_phi, seen.all_rewards, V[self.after[rows]], seen.phi)

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """The mean lines of games of at most `most` moves."""
        played = self.sample(Policy(policy.weights, policy.reward), seed, games, games * most, all_moves=False)
        return float(played.rewards.sum() / games)
