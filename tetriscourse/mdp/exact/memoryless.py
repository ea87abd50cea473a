"""Players who see the board and the piece, and not what is left in the bag: memoryless policies, valued exactly.

What such a player sees, a *sight*, stands for many states of the game, with one move for all of them. To find the best
such policy is hard in general (Littman 1994), since no backup tells a sight's value: that depends on how often the
policy itself comes there with which bag. `climb` and `polished` are a search, and what they find is a lower bound.
memoryless_bound.py has upper bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.exact import memoryless_kernels as kernels
from tetriscourse.mdp.finite.piece_chain import PieceChain, piece_chain
from tetriscourse.random_numbers import Floats, Ints

NEGLIGIBLE = 1e-12  # games that still go on, or a change of value, after which a sum is complete
ROUGHLY = 1e-5  # the same during the search, whose outcome is valued exactly
SLIGHT = 0.002  # lines: a change that would cost more by the first look is not tried
NO_ROWS: Ints = np.empty((0, 0), np.int64)


@dataclass(frozen=True, eq=False)
class Sights:
    """A small game as it looks to a player without memory: all boards that can be reached, and their moves in a row."""

    rules: Rules
    boards: tuple[Board, ...]  # those with a move
    moves: tuple[Move, ...]  # sight by sight
    first: Ints  # sight s = board * pieces + piece has the moves first[s] to first[s + 1] - 1
    after: Ints  # the number of the board after each move; len(boards): a lost game
    points: Floats

    @property
    def chain(self) -> PieceChain:
        """What is left in the bag."""
        return piece_chain(self.rules)

    @property
    def game(self) -> tuple[Ints, Ints, Floats, int]:
        """The moves, for the kernels."""
        return self.first, self.after, self.points, len(self.rules.pieces)

    @property
    def pieces(self) -> tuple[Ints, Ints, Ints, Floats]:
        """The piece chain, for the kernels."""
        chain = self.chain
        return chain.edges, chain.pieces[chain.placed], chain.following, chain.probabilities

    @property
    def shape(self) -> tuple[int, int]:
        """Memories, and boards with the lost game."""
        return len(self.chain), len(self.boards) + 1

    @property
    def starts(self) -> Ints:
        """The first move of each sight that has any."""
        return self.first[:-1][np.diff(self.first) > 0]

    @property
    def sight(self) -> Ints:
        """The number, among the sights that have moves, of each move's sight."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.first)[np.diff(self.first) > 0])

    def shares(self, weights: Floats) -> Floats:
        """Weights of moves as probabilities: those of a sight add up to 1."""
        return np.asarray(weights / np.add.reduceat(weights, self.starts)[self.sight])

    def firsts_of_best(self, worth: Floats) -> Ints:
        """The best move of each sight; ties: the first."""
        best = worth == np.maximum.reduceat(worth, self.starts)[self.sight]
        where = np.flatnonzero(best)
        return np.asarray(where[np.unique(self.sight[where], return_index=True)[1]])

    def always(self, chosen: Ints) -> Floats:
        """The policy that takes these moves, one for each sight."""
        chances = np.zeros(len(self.moves))
        chances[chosen] = 1
        return chances


def sights(rules: Rules) -> Sights:
    """All that a player can come to see in a small game, found by trying all moves."""
    if rules.pieces_known != 1 or rules.max_pieces:
        raise InputError(f"rules is {shown(str(rules))}; it must show one piece, without a limit on pieces")
    number, found, listed = {rules.empty_board(): 0}, [rules.empty_board()], []
    for board in found:  # grows while it is followed
        listed.append([moves(board, piece, rules) for piece in rules.pieces])
        for move in (move for some in listed[-1] for move in some if not move.loses):
            if move.after not in number:
                number[move.after] = len(found)
                found.append(move.after)
    kept = [b for b, some in enumerate(listed) if any(some)]
    place = {found[b]: at for at, b in enumerate(kept)}
    flat = [move for b in kept for some in listed[b] for move in some]
    ends = np.cumsum([0] + [len(some) for b in kept for some in listed[b]])
    after = [len(kept) if move.loses else place.get(move.after, len(kept)) for move in flat]
    points = [float(rules.points(move.rows)) for move in flat]
    boards = tuple(found[b] for b in kept)
    return Sights(rules, boards, tuple(flat), ends, np.array(after), np.array(points))


# --- a policy, valued ---------------------------------------------------------------------------


def policy_values(of: Sights, chances: Floats, v: Floats | None = None, change: float = NEGLIGIBLE) -> Floats:
    """The value of every board with every rest of the bag, under a policy without memory; v: where to begin."""
    values, fresh = np.zeros(of.shape) if v is None else v.copy(), np.zeros(of.shape[1])
    while kernels.follow(values, fresh, chances, of.game, of.pieces) > change:
        pass
    return values


def policy_visits(of: Sights, chances: Floats, chosen: Ints = NO_ROWS, rest: float = NEGLIGIBLE) -> Floats:
    """How often a game comes to each board with each rest of the bag; chosen: the moves of a player who sees it."""
    visits, arriving = np.zeros(of.shape), np.zeros(of.shape)
    arriving[:, 0] = of.chain.start
    while kernels.pass_on(visits, arriving, chances, chosen, of.game, of.pieces) > rest:
        pass
    return visits


def moves_worth(of: Sights, values: Floats, visits: Floats) -> tuple[Floats, Floats]:
    """What each move is worth in all visits of its sight together, and how often that sight is visited."""
    worth, weight = np.zeros(len(of.moves)), np.zeros(len(of.moves))
    kernels.gather(values, visits, worth, weight, of.game, of.pieces)
    return worth, weight


def game_value(of: Sights, values: Floats) -> float:
    """The value of a game."""
    return float(of.chain.start @ values[:, 0])


# --- the search ---------------------------------------------------------------------------------


def climb(of: Sights, liking: Floats, rounds: int) -> Floats:
    """A policy of dice, improved by the mean worth of moves: each round multiplies chances by e^(pace x advantage).

    The advantage of a move is what it is worth more than the policy's mean, over the policy's own visits of the sight.
    """
    values: Floats | None = None
    for turn in range(rounds):
        chances = of.shares(np.exp(np.maximum(liking - np.maximum.reduceat(liking, of.starts)[of.sight], -50.0)))
        values = policy_values(of, chances, values, ROUGHLY)
        worth, weight = moves_worth(of, values, policy_visits(of, chances, rest=ROUGHLY))
        mean = worth / np.maximum(weight, 1e-300)
        liking = liking + (1 + turn / 10) * (mean - np.add.reduceat(chances * mean, of.starts)[of.sight])
    return chances


def polished(of: Sights, chosen: Ints) -> tuple[Ints, float]:
    """One move for each sight, changed one at a time as long as a promising change helps; the value of the game then.

    A change is judged by the exact value of the changed policy.
    """
    values = policy_values(of, of.always(chosen))
    while True:
        for change in promising(of, chosen, values):
            tried = policy_values(of, of.always(change), values, 1e-9)
            if game_value(of, tried) > game_value(of, values) + 1e-7:
                chosen, values = change, policy_values(of, of.always(change), tried)
                break
        else:
            return chosen, game_value(of, values)


def promising(of: Sights, chosen: Ints, values: Floats) -> Iterator[Ints]:
    """The policies with one other move, which would cost less than SLIGHT if visits stayed the same; best first."""
    worth, weight = moves_worth(of, values, policy_visits(of, of.always(chosen)))
    gain = worth - worth[chosen][of.sight]
    for i in np.argsort(-gain, kind="stable"):
        if gain[i] > -SLIGHT and weight[i] > 0 and i != chosen[of.sight[i]]:
            change = chosen.copy()
            change[of.sight[i]] = i
            yield change


@dataclass(frozen=True, eq=False)
class MemorylessPlayer:
    """Takes one move for each board and piece, whatever is left in the bag; on other boards the first."""

    places: dict[tuple[int, str], tuple[int, int]]  # board and piece: orientation and column
    name: str = "memoryless"

    @classmethod
    def from_list(cls, moves: Iterable[Sequence[Any]]) -> MemorylessPlayer:
        """The player of a list of (board as bits, name of the piece, orientation, column)."""
        return cls({(bits, piece): (orientation, column) for bits, piece, orientation, column in moves})

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: object = None,
    ) -> Move | None:
        """The move of the table, or the first."""
        listed = moves(board, piece, rules)
        wanted = self.places.get((board.bits, piece.name))
        return next((move for move in listed if (move.orientation, move.column) == wanted), next(iter(listed), None))
