"""Tables of Q-learning, as a dict and as arrays; a game and its settings as compiled code reads them.

A state is a whole number; stored, it is a row of 64-bit words, the lowest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from tetriscourse.game.rules import Rules
from tetriscourse.mdp.q_learning.kernels import (
    EPISODES,
    SETTINGS,
    STATES,
    Table,
    Trace,
    entered,
    learn,
    rebuild,
    slot_of,
)
from tetriscourse.mdp.q_learning.settings import METHODS, QSettings
from tetriscourse.mdp.states import STATES as SEEN
from tetriscourse.mdp.states import longest_side, most_orientations
from tetriscourse.random_numbers import Bits, Floats, Ints
from tetriscourse.simulator.encode import encode_rules
from tetriscourse.simulator.turns import PLACE, TurnGame

WORD = (1 << 64) - 1
STEPS_OF_A_STRETCH, EPISODES_OF_A_STRETCH = 1_000_000, 10_000


def in_words(state: int, words: int) -> list[int]:
    """A state as a number of words."""
    return [state >> 64 * i & WORD for i in range(words)]


def from_words(words: Iterable[int]) -> int:
    """A state from its words."""
    return sum(word << 64 * i for i, word in enumerate(words))


class PlainTable(dict[int, Floats]):
    """A dict from states to their values, with states of any length."""

    def __init__(self, actions: int, words: int):
        super().__init__()
        self.actions, self.word_count = actions, words
        self.visits: dict[int, Ints] = {}

    def fill(self, words: Bits, values: Floats, visits: Ints | None = None) -> None:
        """Hold these states, values and visits, and no others."""
        self.clear()
        self.update(zip(map(from_words, words.tolist()), np.array(values), strict=True))
        self.visits = {} if visits is None else dict(zip(self, np.array(visits), strict=True))

    def visits_of(self, s: int) -> Ints:
        """How often each action was taken in a state."""
        return self.visits.setdefault(s, np.zeros(self.actions, np.int64))

    def visit_counts(self) -> Ints:
        """The visits of all states, a row each."""
        return np.array([self.visits_of(s) for s in self], np.int64).reshape(-1, self.actions)

    def words(self) -> Bits:
        """The states."""
        return np.array([in_words(s, self.word_count) for s in self], np.uint64).reshape(-1, self.word_count)

    def matrix(self) -> Floats:
        """Their values, a row each."""
        return np.array([*self.values()]).reshape(-1, self.actions)


class QTable(Mapping[int, Floats]):
    """A table in arrays that grow, for states of up to 128 bits, in the order in which they were first seen."""

    def __init__(self, actions: int, counted: bool = False):
        """counted: whether visits are counted, too."""
        self.counted, none = counted, np.zeros((0, actions))
        self.arrays = Table(np.zeros((0, 2), np.uint64), none[:, 0], none, np.zeros(3, np.int64), none.astype(np.int64))
        self.make_room(1 << 12)

    def make_room(self, more: int) -> None:
        """Double the arrays until there is room for `more` new states."""
        room = max(len(self.arrays.states), 1 << 12)
        while room < len(self) + more:
            room *= 2
        if room > len(self.arrays.states):
            self._arrange(self.words(), self.matrix(), self.visit_counts(), room)

    def fill(self, words: Bits, values: Floats, visits: Ints | None = None) -> None:
        """Hold these states, values and visits, and no others."""
        visits = np.zeros(values.shape, np.int64) if visits is None else visits
        self._arrange(words, values, visits, max(len(self.arrays.states), 1 << len(words).bit_length()))

    def _arrange(self, words: Bits, values: Floats, visits: Ints, room: int) -> None:
        """New arrays with these states and values, and room for some more."""
        states, q = np.zeros((room, 2), np.uint64), np.zeros((room, values.shape[1]))
        states[: len(words)], q[: len(words)] = words, values
        counts = np.zeros((room if self.counted else 0, values.shape[1]), np.int64)
        counts[: len(words)] = visits[: len(counts)]
        self.arrays = Table(states, np.full(2 * room, -1, np.int64), q, self.arrays.counts, counts)
        self.arrays.counts[STATES] = len(words)
        rebuild(states, self.arrays.slots, np.int64(len(words)))

    def words(self) -> Bits:
        """The states."""
        return np.asarray(self.arrays.states[: len(self)].copy())

    def matrix(self) -> Floats:
        """Their values, a row each."""
        return np.asarray(self.arrays.values[: len(self)].copy())

    def visits_of(self, state: int) -> Ints:
        """How often each action was taken in a state."""
        return np.asarray(self.arrays.visits[self.arrays.slots[slot_of(*halves(state), *self.arrays[:2])]])

    def visit_counts(self) -> Ints:
        """The visits of all states, a row each."""
        return np.asarray(self.arrays.visits[: len(self)].copy())

    def __getitem__(self, state: int) -> Floats:
        entry = -1
        if isinstance(state, int) and 0 <= state < 1 << 128:
            entry = self.arrays.slots[slot_of(*halves(state), self.arrays.states, self.arrays.slots)]
        if entry < 0:
            raise KeyError(state)
        return np.asarray(self.arrays.values[entry])

    def __setitem__(self, state: int, values: Floats) -> None:
        self.make_room(1)
        self.arrays.values[entered(*halves(state), self.arrays)] = values

    def __len__(self) -> int:
        return int(self.arrays.counts[STATES])

    def __iter__(self) -> Iterator[int]:
        return map(from_words, self.words().tolist())

    def __repr__(self) -> str:
        return f"QTable({len(self)} states, {self.arrays.values.shape[1]} actions)"


def halves(state: int) -> tuple[np.uint64, np.uint64]:
    """The lower and upper 64 bits of a state."""
    return np.uint64(state & WORD), np.uint64(state >> 64)


class Kernels:
    """Everything that the kernel `learn` needs to learn one game."""

    def __init__(self, rules: Rules, settings: QSettings, table: QTable):
        placements = settings.actions == "placements"
        per_piece = 1 if placements else rules.height + 6  # a piece falls one row with each command
        self.bound = settings.max_pieces * per_piece + 1
        self.settings, self.table, actions = settings, table, table.arrays.values.shape[1]
        encoded, place = np.zeros((), SETTINGS), np.zeros((), PLACE)
        encoded[()] = (
            placements, SEEN.index(settings.state), longest_side(rules), most_orientations(rules),
            settings.max_pieces, settings.zeros == "first", settings.lost == "state", settings.clock == "step",
            self.bound, METHODS.index(settings.method), settings.gamma * settings.trace, settings.fading,
        )  # fmt: skip
        reach = min(settings.reach, self.bound) if settings.trace else 0
        self.trace = Trace(np.zeros(reach, np.int64), np.zeros(reach, np.int64), np.zeros(reach))
        place["allowed"] = actions
        self.game = TurnGame(
            encode_rules(rules), encoded[()], np.zeros(rules.height + 9, np.int64), place[()], np.arange(actions),
            np.zeros(actions, np.int64),
        )  # fmt: skip

    def times(self, episodes: int) -> int:
        """The number of episodes, or steps, for which a stretch may have to know epsilon."""
        by_step = self.settings.clock == "step"
        return STEPS_OF_A_STRETCH + 2 * self.bound if by_step else min(episodes, EPISODES_OF_A_STRETCH)

    def learn(self, first: int, last: int, seed: int, explore: Ints, at_start: int) -> Ints:
        """Some episodes from the first on; for each its pieces, its reward, the states known after it, its steps.

        explore: thresholds of epsilon, for each episode or step from now on; at_start: that of a first action, or -1.
        """
        self.table.make_room(self.bound)
        self.table.arrays.counts[EPISODES] = first
        log = np.zeros((min(last - first, EPISODES_OF_A_STRETCH), 4), np.int64)
        done = learn(
            last, STEPS_OF_A_STRETCH, seed, explore, at_start, self.settings.alpha, self.settings.gamma, self.game,
            self.table.arrays, self.trace, log,
        )  # fmt: skip
        return log[:done]
