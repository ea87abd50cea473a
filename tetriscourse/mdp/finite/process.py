"""Finite Markov decision processes and the equations of Bellman (Muller and Ponton 2019, chapter 7).

Start at `q_from_v` and `best_v_from_q`: applied in turn, they are a sweep. The algorithms, which sweep until nothing
changes or solve the equations, are in solving.py; worlds.py has processes to try them on.
States and actions are numbers from 0; V is an array over states, Q and R are arrays over (state, action). An action
that is not in A(s) has Q = -inf, so that the maximum over all actions is the maximum over A(s).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse, vstack

from tetriscourse.errors import InputError, one_of, real_number, shown, whole_number
from tetriscourse.game.board import read_only
from tetriscourse.random_numbers import Floats, Ints

Bools = npt.NDArray[np.bool_]
Policy = npt.ArrayLike  # an action number for each state (deterministic), or an array pi[s, a] of probabilities


@dataclass(frozen=True, eq=False, repr=False)
class FiniteMDP:
    """States, actions, the transition probabilities T(s, a, s'), the rewards R(s, a) and the discount gamma.

    T is given as a dense array T[s, a, s'], as a list of sparse S x S matrices, one for each action, or in the form in
    which it is kept: one sparse matrix with a row for each pair (s, a), in the order s * A + a. A state is terminal if
    it leads only to itself, with reward 0.
    """

    T: Any
    R: Floats
    gamma: float
    allowed: Bools = None  # type: ignore[assignment]  # whether a is in A(s); by default everywhere
    states: tuple[str, ...] = None  # type: ignore[assignment]  # names, by default the numbers
    actions: tuple[str, ...] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        R = array_of("R", self.R)
        if R.ndim != 2 or not R.size:
            raise InputError(f"R has shape {R.shape}; it must be (states, actions), at least one of each")
        self._keep("gamma", real_number("gamma", self.gamma, at_least=0, at_most=1))
        self._keep("states", _names("states", self.states, R.shape[0]))
        self._keep("actions", _names("actions", self.actions, R.shape[1]))
        allowed = np.ones(R.shape, bool) if self.allowed is None else array_of("allowed", self.allowed, R.shape) != 0
        for s in np.flatnonzero(~allowed.any(axis=1)):
            raise InputError(f"allowed has no action for state {self.states[s]!r}; it must have at least one")
        for s, a in np.argwhere(allowed & ~np.isfinite(R)):
            raise InputError(f"R is {R[s, a]} for {self._pair(s, a)}; it must be a finite number")
        self._keep("allowed", read_only(allowed))
        self._keep("R", read_only(np.where(allowed, R, 0.0)))
        self._keep("T", self._probabilities(_rows(self.T, *R.shape)))

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _pair(self, s: int, a: int) -> str:
        return f"state {self.states[s]!r}, action {self.actions[a]!r}"

    def _probabilities(self, T: Any) -> Any:
        """The rows of the allowed pairs, checked to be probabilities; the other rows empty."""
        T.data[~self.allowed.ravel()[row_of_entry(T)]] = 0
        T.eliminate_zeros()
        rows, sums = row_of_entry(T), T.sum(axis=1)
        for entry in np.flatnonzero(~(T.data >= 0)):
            pair = self._pair(*divmod(int(rows[entry]), len(self.actions)))
            raise InputError(f"T is {T.data[entry]} for {pair}; a probability is at least 0")
        for row in np.flatnonzero(self.allowed.ravel() & ~(abs(sums - 1) < 1e-9)):
            pair = self._pair(*divmod(int(row), len(self.actions)))
            raise InputError(f"T sums to {sums[row]:.12g} for {pair}; it must be 1 (a terminal state leads to itself)")
        T.data /= sums[rows]  # otherwise rounding errors of the sum would add up over sweeps
        for array in (T.data, T.indices, T.indptr):
            read_only(array)
        return T

    @classmethod
    def from_table(cls, table: Mapping[str, Mapping[str, Sequence[Any]]], gamma: float) -> FiniteMDP:
        """The process of a table {state: {action: [(probability, reward, next state), ...]}}.

        R(s, a) is the expected reward; a reward that is left out is 0. A state without actions is terminal.
        """
        states, actions, pairs = _read(table)
        number = {name: s for s, name in enumerate(states)}
        entries = []
        R, allowed = np.zeros((len(states), len(actions))), np.zeros((len(states), len(actions)), bool)
        for (state, action), outcomes in pairs.items():
            s, a = number[state], actions.index(action)
            allowed[s, a] = True
            R[s, a] = sum(probability * reward for probability, reward, _ in outcomes)
            entries += [(p, s * len(actions) + a, number[following]) for p, _, following in outcomes]
        p, rows, columns = zip(*entries, strict=True)
        T = csr_array((p, (rows, columns)), shape=(R.size, len(states)))
        return cls(T, R, gamma, allowed, tuple(states), tuple(actions))

    @cached_property
    def terminal(self) -> Bools:
        """The states that lead only to themselves with reward 0, in which the game is over."""
        pair, following = self.T.nonzero()
        state = pair // len(self.actions)
        stays = np.ones(len(self.states), bool)
        stays[state[state != following]] = False
        return read_only(stays & (self.R == 0).all(axis=1))

    @cached_property
    def sizes(self) -> tuple[int, float]:
        """The most states that a pair can lead to, and the largest absolute reward."""
        return int(np.diff(self.T.indptr).max()), float(abs(self.R).max())

    def state(self, name: str | int) -> int:
        """The number of a state, given by name or number."""
        if isinstance(name, str):
            return self.states.index(one_of("state", name, self.states))
        return whole_number("state", name, 0, len(self.states) - 1)

    def __repr__(self) -> str:
        S, A, ends = len(self.states), len(self.actions), int(self.terminal.sum())
        counts = f"{S} states, {ends} of them terminal, {A} actions, {self.T.nnz} transitions"
        return f"FiniteMDP({counts}, gamma {self.gamma:g})"


def array_of(argument: str, values: Any, shape: tuple[int, ...] | None = None) -> Floats:
    """A copy of the values as an array of floats, of the given shape."""
    try:
        array: Floats = np.array(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{argument} is {shown(values)}; it must be an array of numbers") from None
    if shape is not None and array.shape != shape:
        raise InputError(f"{argument} has shape {array.shape}; it must be {shape}")
    return array


def _names(argument: str, names: Iterable[str] | None, count: int) -> tuple[str, ...]:
    """Distinct names, by default the numbers."""
    given = tuple(str(number) for number in range(count)) if names is None else tuple(names)
    if len(given) != count or len(set(given)) != count or not all(isinstance(name, str) for name in given):
        raise InputError(f"{argument} is {shown(given)}; it must be {count} different names, as many as R says")
    return given


def _rows(T: Any, S: int, A: int) -> Any:
    """A copy of T as one sparse matrix with a row for each pair, s * A + a."""
    if isinstance(T, list | tuple) and T and all(issparse(matrix) for matrix in T):
        if [matrix.shape for matrix in T] != [(S, S)] * A:
            shapes = shown([matrix.shape for matrix in T])
            raise InputError(f"T has matrices of shapes {shapes}; with this R it must have {A} of shape {(S, S)}")
        T = vstack(T, format="csr")[np.arange(A * S).reshape(A, S).T.ravel()]
    elif not issparse(T):
        T = array_of("T", T, (S, A, S)).reshape(S * A, S)
    elif T.shape != (S * A, S):
        raise InputError(f"T has shape {T.shape}; with this R it must be {(S * A, S)}")
    rows = csr_array(T, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    return rows


def row_of_entry(matrix: Any) -> Ints:
    """The row of each entry of a sparse matrix."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _read(table: Any) -> tuple[list[str], list[str], dict[tuple[str, str], list[tuple[float, float, str]]]]:
    """States, actions and the checked outcomes of each pair; a terminal state leads to itself."""
    if not isinstance(table, Mapping) or not all(isinstance(choices, Mapping) for choices in table.values()):
        must = "{state: {action: [(probability, reward, next state)]}}"
        raise InputError(f"table is {shown(table)}; it must be {must}")
    states, actions = list(table), list(dict.fromkeys(action for choices in table.values() for action in choices))
    for name in states + actions:
        if not isinstance(name, str):
            raise InputError(f"table names {shown(name)}; states and actions must be texts")
    if not actions:
        raise InputError("table has no action; at least one state must have one")
    pairs = {}
    for state, choices in table.items():
        for action in choices or actions:
            outcomes = choices[action] if choices else [(1.0, state)]
            if not isinstance(outcomes, list | tuple) or not outcomes:
                raise InputError(f"table[{state!r}][{action!r}] is {shown(outcomes)}; it must be a list of outcomes")
            pairs[state, action] = [_outcome(f"table[{state!r}][{action!r}]", one, table) for one in outcomes]
    return states, actions, pairs


def _outcome(argument: str, outcome: Any, states: Mapping[str, Any]) -> tuple[float, float, str]:
    """A checked (probability, reward, next state)."""
    if not isinstance(outcome, list | tuple) or len(outcome) not in (2, 3):
        raise InputError(f"{argument} has {shown(outcome)}; it must be (probability, reward, next state)")
    probability = real_number(f"{argument}: probability", outcome[0], at_least=0, at_most=1)
    reward = real_number(f"{argument}: reward", outcome[1] if len(outcome) == 3 else 0.0)
    following = outcome[-1]
    known = isinstance(following, str) and following in states  # much faster than one_of if there are many
    return probability, reward, following if known else one_of(f"{argument}: next state", following, states)


# --- policies -----------------------------------------------------------------------------------


def check_mdp(mdp: object) -> None:
    """An error if this is not a FiniteMDP but, for example, something that has one."""
    if not isinstance(mdp, FiniteMDP):
        has = "; it has one: .mdp" if isinstance(getattr(mdp, "mdp", None), FiniteMDP) else ""
        raise InputError(f"mdp is {shown(mdp)}; it must be a FiniteMDP{has}")


def as_probabilities(mdp: FiniteMDP, policy: Policy) -> Floats:
    """pi[s, a] of any policy: a deterministic one takes its action with probability 1."""
    given = array_of("policy", policy)
    S, A = mdp.R.shape
    if given.shape == (S,):
        for s in np.flatnonzero(~np.isin(given, np.arange(A))):
            raise InputError(f"policy[{s}] is {given[s]:g}; it must be a whole number from 0 to {A - 1}")
        given = np.eye(A)[given.astype(np.int64)]
    if given.shape != (S, A):
        raise InputError(f"policy has shape {given.shape}; it must be {(S,)} or {(S, A)}")
    for s, a in np.argwhere(~(given >= 0) | (given > 0) & ~mdp.allowed):
        wrong = "cannot be taken there" if given[s, a] > 0 else "must have a probability of at least 0"
        raise InputError(f"policy is {given[s, a]:g} for {mdp._pair(s, a)}, which {wrong}")
    for s in np.flatnonzero(~(abs(given.sum(axis=1) - 1) < 1e-9)):
        raise InputError(f"policy sums to {given[s].sum():.12g} for state {mdp.states[s]!r}; it must sum to 1")
    return given


def uniform(mdp: FiniteMDP) -> Floats:
    """The policy that takes all possible actions with equal probability."""
    return np.asarray(mdp.allowed / mdp.allowed.sum(axis=1, keepdims=True))


def greedy(mdp: FiniteMDP, q: npt.ArrayLike, slack: float = 0.0) -> Ints:
    """The deterministic policy that takes the action of highest Q; ties, up to the slack: the first."""
    possible = _possible(mdp, q, -inf)
    return read_only((possible >= possible.max(axis=1, keepdims=True) - slack).argmax(axis=1))


def chain(mdp: FiniteMDP, policy: Policy) -> Any:
    """(7.1) P(s' | s) = sum over a of T(s, a, s') pi(a | s): a policy makes the process a Markov chain."""
    return decisions(mdp, policy) @ mdp.T


def following(mdp: FiniteMDP, policy: Policy) -> FiniteMDP:
    """The process with one action in which a policy takes all decisions."""
    check_mdp(mdp)
    rewards = v_from_q(mdp, mdp.R, policy)
    return FiniteMDP([chain(mdp, policy)], rewards[:, None], mdp.gamma, states=mdp.states, actions=("policy",))


def decisions(mdp: FiniteMDP, policy: Policy) -> Any:
    """The probability of each pair (s, a) in each state, as a sparse matrix of S rows and S A columns."""
    S, A = mdp.R.shape
    pi = as_probabilities(mdp, policy).ravel()
    matrix = csr_array((pi, np.arange(S * A), np.arange(0, S * A + 1, A)), shape=(S, S * A))
    matrix.eliminate_zeros()
    return matrix


# --- the equations of Bellman -------------------------------------------------------------------


def total_reward(rewards: Sequence[float], gamma: float) -> float:
    """(7.2) G = R_1 + gamma R_2 + gamma² R_3 + ..."""
    G = 0.0
    for reward in reversed(rewards):
        G = reward + gamma * G
    return G


def v_from_q(mdp: FiniteMDP, q: npt.ArrayLike, policy: Policy) -> Floats:
    """(7.4) V(s) = sum over a of pi(a | s) Q(s, a)."""
    return np.asarray((as_probabilities(mdp, policy) * _possible(mdp, q, 0.0)).sum(axis=1))


def q_from_v(mdp: FiniteMDP, v: npt.ArrayLike) -> Floats:
    """(7.5), (7.8) Q(s, a) = R(s, a) + gamma sum over s' of T(s, a, s') V(s')."""
    mean_v = (mdp.T @ array_of("v", v, (len(mdp.states),))).reshape(mdp.R.shape)
    return np.where(mdp.allowed, mdp.R + mdp.gamma * mean_v, -inf)


def q_from_q(mdp: FiniteMDP, q: npt.ArrayLike, policy: Policy) -> Floats:
    """(7.6) Q(s, a) = R(s, a) + gamma sum over s' of T(s, a, s') sum over a' of pi(a' | s') Q(s', a')."""
    return q_from_v(mdp, v_from_q(mdp, q, policy))


def best_v_from_q(mdp: FiniteMDP, q: npt.ArrayLike) -> Floats:
    """(7.7) V*(s) = max over a of Q*(s, a)."""
    return np.asarray(_possible(mdp, q, -inf).max(axis=1))


def best_q_from_q(mdp: FiniteMDP, q: npt.ArrayLike) -> Floats:
    """(7.9) Q*(s, a) = sum over s' of T(s, a, s') (R(s, a) + gamma max over a' of Q*(s', a'))."""
    return q_from_v(mdp, best_v_from_q(mdp, q))


def _possible(mdp: FiniteMDP, q: npt.ArrayLike, otherwise: float) -> Floats:
    """Q where the action is possible, another number elsewhere."""
    return np.where(mdp.allowed, array_of("q", q, mdp.R.shape), otherwise)
