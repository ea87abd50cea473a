"""Tetris as a finite MDP in plain Python: the readable counterpart of the exact solver.

A state is a board and the piece to place (with two pieces known, also the next one; with a bag, also what is left in
it). An action is an orientation and a column. For games of a few thousand boards only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.mdp.finite.piece_chain import Key, outcomes, start_of
from tetriscourse.mdp.finite.process import FiniteMDP
from tetriscourse.random_numbers import Floats

State = tuple[Board, int, int | None, Key]  # board, piece to place, next piece if it is seen, what is known afterwards
MOST_STATES = 100_000


@dataclass(frozen=True, eq=False)
class TetrisMDP:
    """A game as an MDP; state 0 is a lost game."""

    rules: Rules
    mdp: FiniteMDP
    states: dict[State, int]  # the number of each state
    start: Floats  # the probability of each state at the beginning
    moves: tuple[tuple[Move, ...], ...]  # the moves of each state: action a is the a-th; a lost game has none

    def state(self, number: int) -> State | None:
        """The state with this number; None: a lost game."""
        return [None, *self.states][whole_number("number", number, 0, len(self.states))]

    def value(self, v: Floats) -> float:
        """The value of a game, given the values v of the states."""
        values = np.asarray(v, np.float64)
        if values.shape != self.start.shape:
            raise InputError(f"v has shape {values.shape}; it must have a value for each of {len(self.start)} states")
        return float(self.start @ values)

    def __repr__(self) -> str:
        boards = len({board for board, *_ in self.states})
        return f"TetrisMDP({self.rules}: {boards:,} boards, {len(self.states):,} states)"


def arrivals(board: Board, key: Key, rules: Rules) -> list[tuple[float, State]]:
    """The states that a board can be in when the next piece comes, with their probabilities."""
    return [(p, (board, piece, seen, after)) for p, piece, seen, after in outcomes(rules, key)]


def following(move: Move, state: State, rules: Rules) -> list[tuple[float, State]]:
    """The states that can follow a move; none: the game is lost."""
    return [] if move.loses else arrivals(move.after, state[3], rules)


def tetris_mdp(rules: Rules | str, gamma: float = 1.0) -> TetrisMDP:
    """The MDP of a small game: all reachable states and all moves."""
    rules = as_rules(rules)
    if rules.max_pieces:
        raise InputError(f"rules is {shown(rules)}; it must be a Rules without a limit on pieces, such as Rules(4, 4)")
    empty = rules.empty_board()
    begin = [(p * q, state) for key, p in start_of(rules).items() for q, state in arrivals(empty, key, rules)]
    choices: dict[State, list[Move]] = {state: [] for _, state in begin}
    waiting = list(choices)
    while waiting:
        state = waiting.pop()
        choices[state] = moves(state[0], rules.pieces[state[1]], rules)
        for move in choices[state]:
            new = [one for _, one in following(move, state, rules) if one not in choices]
            choices |= {one: [] for one in new}
            waiting += new
        if len(choices) > MOST_STATES:
            raise InputError(f"rules is {rules}; there are more than {MOST_STATES:,} states: use solve instead")
    return assembled(rules, gamma, choices, begin)


def assembled(
    rules: Rules, gamma: float, choices: dict[State, list[Move]], begin: list[tuple[float, State]]
) -> TetrisMDP:
    """The states and their moves as matrices; a state without a move is lost at once."""
    number = {state: s for s, state in enumerate(choices, start=1)}
    S, A = len(number) + 1, max(1, *(len(found) for found in choices.values()))
    R, allowed = np.zeros((S, A)), np.zeros((S, A), bool)
    entries: list[tuple[int, int, float]] = [(0, 0, 1.0)]
    allowed[0, 0] = True
    for state, found in choices.items():
        s = number[state]
        for a, move in enumerate(found):
            R[s, a], allowed[s, a] = rules.points(move.rows), True
            entries += [(s * A + a, number[after], p) for p, after in following(move, state, rules)]
            if move.loses:
                entries.append((s * A + a, 0, 1.0))
        if not found:
            allowed[s, 0] = True
            entries.append((s * A, 0, 1.0))
    rows, columns, p = zip(*entries, strict=True)
    start = np.zeros(S)
    for probability, state in begin:
        start[number[state]] += probability
    T = csr_array((p, (rows, columns)), shape=(S * A, S))
    listed = ((), *(tuple(found) for found in choices.values()))
    return TetrisMDP(rules, FiniteMDP(T, R, gamma, allowed), number, start, listed)
