"""Games of many players at once: what an optimizer asks for, cut into parts that can be played anywhere.

A `Work` is plain data. Each part of it gives the same results on any thread, process or machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError
from tetriscourse.features import Feature, FeatureSet, as_feature_set
from tetriscourse.game.playing import play_game
from tetriscourse.game.rules import Rules
from tetriscourse.players import WEIGHT_BITS, Player
from tetriscourse.simulator.run import announced, compile_kernels, play_list

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Work:
    """A list of games: number games[t] of the seed, played with the weights in row rows[t]."""

    features: tuple[str | Feature, ...]
    """Names of the catalogue, or features of one's own, which are slow."""
    rules: Rules
    weights: Floats
    """One player a row."""
    seed: int
    rows: Ints
    games: Ints

    def __len__(self) -> int:
        return len(self.games)

    def part(self, start: int, stop: int) -> Work:
        """The games start to stop - 1 of the list, with no more players than they need."""
        needed, rows = np.unique(self.rows[start:stop], return_inverse=True)
        return replace(self, weights=self.weights[needed], rows=rows.astype(np.int64), games=self.games[start:stop])


@dataclass(frozen=True, eq=False)
class Played:
    """What came out of a list of games, in its order."""

    lines: Ints
    pieces: Ints
    points: Ints
    finished: npt.NDArray[np.bool_]
    seconds: float
    """Time of a core that it took."""


def portable(features: FeatureSet) -> tuple[str | Feature, ...]:
    """The features by name as far as the catalogue has them: names travel better than functions."""
    from tetriscourse.simulator.features import is_compiled

    return tuple(one.name if is_compiled(one) else one for one in features.features)


def fixed_points(weights: Floats) -> Ints:
    """players.fixed_point for each row."""
    _, exponents = np.frexp(abs(weights).max(axis=1, initial=0.0))
    units = np.maximum(np.ldexp(1.0, exponents - WEIGHT_BITS), np.nextafter(0.0, 1.0))
    whole: Floats = np.rint(weights / units[:, None])
    return whole.astype(np.int64)


def play(work: Work, signal: Ints | None = None) -> Played:
    """Play all games of a list; `signal` as in the kernels: [0] not 0 asks it to stop, [1] counts moves."""
    start = time.thread_time()
    results = np.zeros((len(work), 5), np.int64)
    if is_compiled(work.features):
        play_compiled(work, results, signal)
    else:
        play_plainly(work, results, signal)
    if not results[:, 4].all():
        raise Stopped
    lines, pieces, points, lost, _ = results.T
    return Played(lines, pieces, points, lost == 1, time.thread_time() - start)


class Stopped(Exception):
    """The games were stopped before their end."""


def is_compiled(features: Sequence[str | Feature]) -> bool:
    """Whether the simulator knows all of these features."""
    return all(isinstance(one, str) for one in features)


def prepare(features: FeatureSet, rules: Rules) -> None:
    """Compile what these features need, before any clock starts."""
    names = portable(features)
    if not is_compiled(names):
        return
    from tetriscourse.simulator.encode import used_features

    player = Player(features, [0.0] * features.size(rules.width))
    with announced(used_features(player, rules)):
        from tetriscourse.simulator.encode import encode

        compile_kernels(encode(player, rules))


def play_compiled(work: Work, results: Ints, signal: Ints | None) -> None:
    """In the simulator."""
    from tetriscourse.simulator.encode import Encoded, encode_weights

    names = tuple(str(one) for one in work.features)
    players = encode_weights(names, work.rules, fixed_points(work.weights))
    encoded = Encoded(players, start_states(work.rules))
    play_list(encoded, work.games, work.seed, results, signal=signal, rows=work.rows)
    if signal is not None and signal[0]:
        results[:, 4] = 0  # the game that was being played is not whole


@lru_cache(maxsize=64)
def start_states(rules: Rules) -> npt.NDArray[np.int32]:
    """The board on which a game starts, as the kernels read it."""
    from tetriscourse.simulator.encode import encode_states

    return encode_states(rules)


def play_plainly(work: Work, results: Ints, signal: Ints | None) -> None:
    """In plain Python, for features that the simulator does not know."""
    features = as_feature_set(work.features)
    players = [Player(features, row.tolist()) for row in work.weights]

    def stopped() -> bool:
        return signal is not None and bool(signal[0])

    for t, (row, number) in enumerate(zip(work.rows, work.games, strict=True)):
        game = play_game(players[row], work.rules, work.seed, int(number), stop=stopped)
        if stopped():
            return
        results[t] = game.lines, game.pieces, game.points, game.lost, 1
        if signal is not None:
            signal[1] += game.pieces


def check_weights(features: FeatureSet, rules: Rules, weights: Floats) -> None:
    """An error unless there is a finite weight for each value of the features."""
    size = features.size(rules.width)
    if weights.ndim != 2 or weights.shape[1] != size:
        raise InputError(
            f"weights has shape {weights.shape}; feature set {features.name} takes rows of {size} "
            f"on width {rules.width}"
        )
    if not np.isfinite(weights).all():
        raise InputError("weights has a value that is not finite; every one must be a finite number")
