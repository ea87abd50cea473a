"""Episodes of a softmax policy in plain Python, and the samples that `PolicyGradient` would make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tetriscourse.features import FeatureSet
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.mdp.policies.policy_gradient import softmax
from tetriscourse.mdp.policies.samples import CUT, GOES_ON, LOST, Samples
from tetriscourse.random_numbers import Draws, Floats, derived_seed

MOST_MOVES = 200  # after which an episode is cut off


@dataclass(frozen=True, eq=False)
class Turn:
    """A state that the policy met: its moves, their features, and the number of the move that was drawn."""

    moves: tuple[Move, ...]
    phi: Floats
    chosen: int

    @property
    def move(self) -> Move:
        """The move that was drawn."""
        return self.moves[self.chosen]


@dataclass(frozen=True, eq=False)
class Episode:
    """A game so far: the pieces and draws of a seed, from a board on; it never changes, `taken` gives the next."""

    rules: Rules
    features: FeatureSet
    seed: int
    start: Board
    first: Piece | None = None  # the first piece, if it is not that of the seed
    turns: tuple[Turn, ...] = ()

    @property
    def board(self) -> Board:
        """The board now."""
        return self.turns[-1].move.after if self.turns else self.start

    @property
    def piece(self) -> Piece:
        """The piece to place."""
        position = len(self.turns)
        given = self.first if position == 0 else None
        return PieceSequence(self.rules, self.seed, 0)[position] if given is None else given

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that it can take; none if the game is lost."""
        lost = bool(self.turns) and self.turns[-1].move.loses
        return () if lost else tuple(moves(self.board, self.piece, self.rules))

    def phi(self, found: Sequence[Move]) -> Floats:
        """The features of the moves, a row each."""
        values = [self.features.values(move) for move in found]
        return np.array(values, np.float64).reshape(-1, self.features.size(self.rules.width))

    @property
    def lines(self) -> int:
        """Rows cleared so far."""
        return sum(turn.move.rows for turn in self.turns)

    def discounted(self, gamma: float) -> float:
        """The return from its first move on: a row cleared t moves later counts gamma^t."""
        return sum(gamma**t * turn.move.rows for t, turn in enumerate(self.turns))

    def from_here(self, seed: int, piece: Piece) -> Episode:
        """An episode that begins on the present board with this piece."""
        return replace(self, start=self.board, first=piece, seed=seed, turns=())

    @property
    def is_cut(self) -> bool:
        """Whether it is long enough."""
        return len(self.turns) >= min(MOST_MOVES, self.rules.max_pieces or MOST_MOVES)

    def draw(self, p: Floats) -> int:
        """The number of the move that the policy draws now: the same for equal seeds and probabilities."""
        u = float(Draws(derived_seed(self.seed, 1), len(self.turns)).uniform())
        return min(int(np.searchsorted(np.cumsum(p), u, side="right")), len(p) - 1)

    def taken(self, theta: Floats) -> Episode:
        """The episode after one more move of the policy."""
        found = self.moves
        phi = self.phi(found)
        return replace(self, turns=(*self.turns, Turn(found, phi, self.draw(softmax(phi, theta)))))

    def played(self, theta: Floats) -> Episode:
        """The episode at its end."""
        now = self
        while not now.is_cut and now.moves:
            now = now.taken(theta)
        return now

    @property
    def rows(self) -> list[tuple[Turn | None, Floats, int]]:
        """For each state its turn, the features of its board, and how it ended; the last has no turn unless it lost."""
        before = np.zeros(self.features.size(self.rules.width))  # of the first board, to which no move has led
        found: list[tuple[Turn | None, Floats, int]] = []
        for turn in self.turns:
            found.append((turn, before, LOST if turn.move.loses else GOES_ON))
            before = turn.phi[turn.chosen]
        if not found or found[-1][2] == GOES_ON:
            found.append((None, before, CUT if self.is_cut else LOST))
        return found


def samples_of(episodes: Sequence[Episode], units: Floats) -> Samples:
    """The samples of episodes that have ended, with the features in these units."""
    parts = [one.rows for one in episodes]
    turns = [turn for one in parts for turn, _, _ in one]
    counts = [0 if turn is None else len(turn.moves) for turn in turns]
    offsets = np.cumsum([0, *counts])
    return Samples(
        phi=np.array([phi for one in parts for _, phi, _ in one]),
        rewards=np.array([0.0 if turn is None else turn.move.rows for turn in turns]),
        ends=np.array([end for one in parts for _, _, end in one], np.int64),
        cells=np.zeros((len(turns), 0), np.int64),
        pieces=np.zeros(len(turns), np.int64),
        offsets=offsets,
        chosen=np.array(
            [-1 if turn is None else at + turn.chosen for turn, at in zip(turns, offsets, strict=False)], np.int64
        ),
        all_phi=np.vstack([turn.phi for turn in turns if turn is not None]) * units,
        all_rewards=np.array([move.rows for turn in turns if turn is not None for move in turn.moves], np.float64),
    )
