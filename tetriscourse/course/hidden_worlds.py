"""Worlds that answer a limited number of questions: students try a design in one, and are judged in others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, real_number, whole_number
from tetriscourse.random_numbers import Draws, Floats

SIDE, WALLS, SLIP, COST = 12, 0.2, 0.2, 0.04
CLOSE, SWEEPS = 0.01, 250  # how close values should be to V*, and sweeps after which they are V*
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))

Cell = tuple[int, int]
Outcomes = list[tuple[float, float, int]]  # (probability, reward, next state)


class Rooms:
    """A grid with walls, a slippery floor and one goal, whose states are numbered by lot; a backup costs one of `left`.

    number: which world; budget: backups, as a share of those after which sweeps are wrong by 0.01 at most.
    """

    gamma = 0.95

    def __init__(self, number: int = 0, budget: float = 1.0):
        self._actions = drawn_rooms(Draws(whole_number("number", number, 0), 1008))
        self.states = list(range(len(self._actions)))
        self._history = [np.zeros(len(self.states))]
        for _ in range(SWEEPS):
            self._history.append(np.array([self._best(self._history[-1], s) for s in self.states]))
        needed = next(k for k, v in enumerate(self._history) if abs(v - self._history[-1]).max() <= CLOSE)
        self.left = round(real_number("budget", budget, above=0) * needed * len(self.states))

    def following(self, s: int) -> set[int]:
        """The states that can come after s, whatever is done; none where the game is over."""
        return {after for outcomes in self._actions[s] for _, _, after in outcomes}

    def backup(self, v: Sequence[float], s: int) -> float:
        """The best value of s by one step of looking ahead to the values v."""
        if self.left <= 0:
            raise InputError("left is 0; this world makes no more backups")
        self.left -= 1
        return self._best(v, s)

    def _best(self, v: Sequence[float] | Floats, s: int) -> float:
        means = [sum(p * (r + self.gamma * v[after]) for p, r, after in outcomes) for outcomes in self._actions[s]]
        return float(max(means, default=0.0))

    def exact(self) -> list[float]:
        """The values of all states, for those who know the world."""
        values: list[float] = self._history[-1].tolist()
        return values


def drawn_rooms(draws: Draws) -> list[list[Outcomes]]:
    """For each state the outcomes of each action; the goal, which all floor can come to, has no action."""
    floor: list[Cell] = []
    while len(floor) < 0.7 * SIDE * SIDE:
        full = draws.uniform((SIDE, SIDE)) < WALLS
        row, column = draws.below(SIDE, 2).tolist()
        full[row, column], goal = False, (row, column)
        floor = [goal]
        for cell in floor:  # grows during the loop
            floor += [end for way in range(4) if (end := after_step(full, cell, way)) not in floor]
    number = dict(zip(sorted(floor), draws.order(len(floor)).tolist(), strict=True))
    actions: list[list[Outcomes]] = [[] for _ in floor]
    for cell in floor:
        for way in range(4) if cell != goal else ():
            turns = ((1 - SLIP, 0), (SLIP / 2, 1), (SLIP / 2, 3))
            ends = [(p, after_step(full, cell, (way + turn) % 4)) for p, turn in turns]
            actions[number[cell]].append([(p, (end == goal) - COST, number[end]) for p, end in ends])
    return actions


def after_step(full: Any, cell: Cell, way: int) -> Cell:
    """Where a step leads."""
    row, column = cell[0] + WAYS[way][0], cell[1] + WAYS[way][1]
    inside = 0 <= row < SIDE and 0 <= column < SIDE and not full[row, column]
    return (row, column) if inside else cell


DOORS, KEYS, MOVES, PRIZE = 12, 3, 6000, 10.0


class Corridor:
    """Twelve doors in a row: one key of three opens a door, the others lead back to the entrance; a move costs one.

    coin: what a wrong key pays at the first door; slip: how often any key is taken in place of the chosen one.
    """

    keys, gamma = KEYS, 0.95

    def __init__(self, number: int = 0, coin: float = 0.0, slip: float = 0.0):
        draws = Draws(whole_number("number", number, 0), 1108)
        self._coin, self._slip, self._door = coin, slip, 0
        self._right, self._names = draws.below(KEYS, DOORS).tolist(), draws.order(1000)[:DOORS].tolist()
        self._chances = draws.uniform((MOVES, 2)).tolist()
        self.left = MOVES

    def reset(self) -> int:
        """Go to the entrance: the number of its door."""
        self._door = 0
        return int(self._names[0])

    def step(self, key: int) -> tuple[int | None, float, bool]:
        """Try a key: the number of the next door, the reward, and whether the end is reached."""
        key = whole_number("key", key, 0, KEYS - 1)
        if self.left <= 0:
            raise InputError("left is 0; this corridor allows no more moves")
        self.left -= 1
        slips, other = self._chances[self.left]
        key = int(other * KEYS) if slips < self._slip else key
        if key != self._right[self._door]:
            reward, self._door = self._coin * (self._door == 0), 0
            return int(self._names[0]), reward, False
        self._door += 1
        if self._door == DOORS:
            self._door = 0
            return None, PRIZE, True
        return int(self._names[self._door]), 0.0, False

    def share(self, policy: dict[Any, Any]) -> float:
        """What a key for each door is worth at the entrance, exactly, as a share of the best."""
        best = max(self._worth(self._right), self._worth([(key + 1) % KEYS for key in self._right]))  # prize, or coins
        return self._worth([policy.get(name, 0) for name in self._names]) / best

    def _worth(self, keys: Sequence[int]) -> float:
        """The worth of the entrance, by a linear equation for each door."""
        A, b = np.eye(DOORS), np.zeros(DOORS)
        opens = [(1 - self._slip) * (key == self._right[door]) + self._slip / KEYS for door, key in enumerate(keys)]
        A[:, 0] -= self.gamma * (1 - np.array(opens))
        A[range(DOORS - 1), range(1, DOORS)] -= self.gamma * np.array(opens[:-1])
        b[0], b[-1] = (1 - opens[0]) * self._coin, opens[-1] * PRIZE
        return float(np.linalg.solve(A, b)[0])
