"""Q-learning at full speed: the method of learner.py, compiled; it learns the same table, bit for bit.

Start at `learn`, which is `QLearning.episode` again and again. The game is that of simulator/turns.py; a state is two
numbers of 64 bits; the table is a hash table with open addressing. Nothing grows here: Python makes room between
stretches (table.py, which also fills the tuples `TurnGame` and `Table`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import AGENT_STREAM, PIECE_STREAM
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.piece_generator import bits32, mix, stream_key
from tetriscourse.simulator.shapes import SHAPE_HEIGHT, SHAPE_ROWS
from tetriscourse.simulator.turns import command, enter, look, put

SETTINGS = np.dtype([
    ("placements", np.int64),  # 1 for placements, 0 for commands
    ("state", np.int64),  # the position in STATES of mdp/states.py
    ("cap", np.int64),  # the longest side of a piece
    ("turns", np.int64),  # the most orientations of a piece
    ("max_pieces", np.int64),
    ("first_of_zeros", np.int64),  # 1 if the first action is taken when all values are 0
    ("lost_is_state", np.int64),  # 1 if a lost game has a value like any state
    ("step_clock", np.int64),  # 1 if epsilon depends on the step, 0 on the episode
    ("bound", np.int64),  # how many states an episode can have
    ("method", np.int64),  # the position in METHODS of settings.py
    ("decay", np.float64),  # gamma * lambda
    ("fading", np.float64),
])  # fmt: skip
EPISODES, STATES, TRACED = range(3)  # positions in Table.counts
Q, SARSA, EXPECTED = range(3)
GRID, ROUNDED, DIFFERENCES = range(3)  # what a state can be
EXACT_CELLS = 63  # as in mdp/states.py


class Table(NamedTuple):
    """Q as arrays."""

    states: Any  # two words for each state, in the order in which they were first seen
    slots: Any  # the hash table: numbers of states, -1 where there is none
    values: Any
    counts: Any
    visits: Any  # of each state and action, if they are counted


class Trace(NamedTuple):
    """The last actions, oldest first, and how much each learns from an error; as many as Table.counts says."""

    states: Any
    actions: Any
    strengths: Any


@inlined
def joined(low: Any, high: Any, value: Any, shift: Any) -> Any:
    """128 bits with a value added at a shift."""
    bits, by = np.uint64(value), np.uint64(shift)
    if shift >= 64:
        return low, high | (bits << np.uint64(shift - 64))
    if shift > 0:
        high |= bits >> np.uint64(64 - shift)
    return low | (bits << by), high


@inlined
def drawn(game: Any, row: Any) -> Any:
    """A row of the pile, and before a command the falling piece in it."""
    place, shape, bits = game.place, game.rules.shapes[game.place.turn], game.rows[row]
    if game.settings.placements == 0 and place.lost == 0 and 0 <= row - place.row < SHAPE_HEIGHT[shape]:
        bits |= SHAPE_ROWS[shape, row - place.row] << place.column
    return bits


@fast
def grid(game: Any) -> Any:
    """The bits of the cells; before a placement the piece as a number above them."""
    settings, width, height, low, high = game.settings, game.rules.width, game.rules.height, np.uint64(0), np.uint64(0)
    for row in range(height if settings.placements else height + 2):
        bits = drawn(game, row)
        if bits:
            low, high = joined(low, high, bits, row * width)
    if settings.placements:
        return joined(low, high, game.place.piece, width * height)
    return low, high


@fast
def rounded(game: Any) -> Any:
    """The cells added up column by column, in a float from the 64th on; before a placement the piece above the sum."""
    width, rows, exact, total = game.rules.width, game.rules.height + 2, np.uint64(0), 0.0
    for k in range(width * rows):
        if k == EXACT_CELLS:
            total = float(exact)
        if drawn(game, k % rows) >> (k // rows) & 1:
            if k < EXACT_CELLS:
                exact |= np.uint64(1) << np.uint64(k)
            else:
                total += 2.0**k
    low, high = exact, np.uint64(0)
    if width * rows > EXACT_CELLS:
        high = np.uint64(total / 2.0**64)
        low = np.uint64(total - float(high) * 2.0**64)
    if game.settings.placements:
        return joined(low, high, game.place.piece, 1 + width * rows)
    return low, high


@fast
def column_height(rows: Any, column: Any) -> Any:
    """The height of a column."""
    row = len(rows)
    while row > 0 and rows[row - 1] >> column & 1 == 0:
        row -= 1
    return row


@fast
def differences(game: Any) -> Any:
    """The steps between columns as digits, and above them the falling piece."""
    place, rules, width, cap = game.place, game.rules, game.rules.width, game.settings.cap
    number, unit, before = np.int64(0), np.int64(1), column_height(game.rows, np.int64(0))
    for column in range(1, width):
        height = column_height(game.rows, np.int64(column))
        number += (min(max(height - before, -cap), cap) + cap) * unit
        unit *= 2 * cap + 1
        before = height
    falling = place.piece
    if game.settings.placements == 0:
        turn = place.turn - rules.first[place.piece]
        falling += rules.pieces * (turn + game.settings.turns * (place.column + width * place.row))
    return np.uint64(number + unit * falling), np.uint64(0)


@fast
def seen(game: Any) -> Any:
    """The number of the state, as in mdp/states.py: its lower and upper 64 bits."""
    if game.settings.state == DIFFERENCES:
        return differences(game)
    return rounded(game) if game.settings.state == ROUNDED else grid(game)


@fast
def slot_of(low: Any, high: Any, states: Any, slots: Any) -> Any:
    """The slot of a state, or the empty one where it belongs."""
    slot = mix(low ^ mix(high + np.uint64(1))) & np.uint64(len(slots) - 1)
    while slots[slot] >= 0 and (states[slots[slot], 0] != low or states[slots[slot], 1] != high):
        slot = (slot + np.uint64(1)) & np.uint64(len(slots) - 1)
    return slot


@fast
def entered(low: Any, high: Any, table: Any) -> Any:
    """The entry of a state, a new one if need be: its values are 0."""
    slot, count = slot_of(low, high, table.states, table.slots), table.counts[STATES]
    if table.slots[slot] < 0:
        table.slots[slot] = count
        table.states[count, 0], table.states[count, 1] = low, high
        table.counts[STATES] += 1
    return table.slots[slot]


@fast
def rebuild(states: Any, slots: Any, count: Any) -> None:
    """Fill empty slots with all states."""
    for entry in range(count):
        slots[slot_of(states[entry, 0], states[entry, 1], states, slots)] = entry


@fast
def greedy(s: Any, values: Any, allowed: Any, count: Any) -> Any:
    """The first of the best actions, and its value; -1 and 0 without any, -1 too when all values are 0."""
    best, value, empty = np.int64(-1), 0.0, True
    for i in range(count):
        q = values[s, allowed[i]]
        if best < 0 or q > value:
            best, value = allowed[i], q
        empty = empty and q == 0.0
    return (np.int64(-1) if empty else best), value


@fast
def chosen(s: Any, step: Any, explore: Any, key: Any, game: Any, values: Any) -> Any:
    """An action for state s: any with probability epsilon, else the best."""
    allowed, count = game.allowed, game.place.allowed
    any_one = allowed[(bits32(key, 2 * step + 1) * count) >> 32]
    if bits32(key, 2 * step) < explore:
        return any_one
    best, _ = greedy(s, values, allowed, count)
    if best >= 0:
        return best
    return allowed[0] if game.settings.first_of_zeros else any_one


@fast
def ahead(s: Any, step: Any, explore: Any, key: Any, game: Any, values: Any) -> Any:
    """What the next state is worth, and the action that will be taken there if that is decided already, else -1."""
    settings, allowed, count = game.settings, game.allowed, game.place.allowed
    if count == 0 or (game.place.lost and not settings.lost_is_state):
        return 0.0, np.int64(-1)
    if settings.method == SARSA:
        a = chosen(s, step, explore, key, game, values)
        return values[s, a], a
    _, best = greedy(s, values, allowed, count)
    if settings.method == EXPECTED:
        epsilon, total = explore / 4294967296.0, 0.0
        for i in range(count):
            total += values[s, allowed[i]]
        best = (1 - epsilon) * best + epsilon * (total / count)
    return best, np.int64(-1)


@fast
def rate(s: Any, a: Any, alpha: Any, fading: Any, visits: Any) -> Any:
    """The size of a step."""
    if fading == 0:
        return alpha
    visits[s, a] += 1
    return np.rint(alpha * visits[s, a] ** -fading * 4294967296.0) / 4294967296.0


@fast
def update_trace(s: Any, a: Any, alpha: Any, error: Any, decay: Any, table: Any, trace: Any) -> None:
    """Let the last actions learn from an error."""
    count, kept = table.counts[TRACED], np.int64(0)
    for i in range(count):
        if (trace.states[i] != s or trace.actions[i] != a) and (i > 0 or not is_full(s, a, count, trace)):
            trace.states[kept], trace.actions[kept] = trace.states[i], trace.actions[i]
            trace.strengths[kept] = trace.strengths[i]
            kept += 1
    trace.states[kept], trace.actions[kept], trace.strengths[kept] = s, a, alpha
    table.counts[TRACED] = kept + 1
    for i in range(kept + 1):
        table.values[trace.states[i], trace.actions[i]] += trace.strengths[i] * error
        trace.strengths[i] *= decay


@fast
def is_full(s: Any, a: Any, count: Any, trace: Any) -> Any:
    """Whether the oldest action must go to make room for a new one."""
    for i in range(count):
        if trace.states[i] == s and trace.actions[i] == a:
            return False
    return count == len(trace.states)


@fast
def start(game: Any, key: Any) -> None:
    """An empty board and the first piece."""
    game.rules.bag_start = -1
    for row in range(len(game.rows)):
        game.rows[row] = 0
    game.place.number, game.place.lost = 0, 0
    if game.settings.placements:
        look(game, key)
    else:
        enter(game, key)


@fast
def episode(
    number: Any, seed: Any, explore: Any, at: Any, first: Any, alpha: Any, gamma: Any, game: Any, table: Any, trace: Any
) -> Any:
    """One episode: its reward and its steps."""
    pieces_key, key = stream_key(seed, number, np.int64(PIECE_STREAM)), stream_key(seed, number, np.int64(AGENT_STREAM))
    place, settings, values, total, step = game.place, game.settings, table.values, np.int64(0), np.int64(0)
    start(game, pieces_key)
    low, high = seen(game)
    s, a = entered(low, high, table), np.int64(-1)
    table.counts[TRACED] = 0
    while place.lost == 0 and place.number < settings.max_pieces:
        if a < 0:
            epsilon = first if step == 0 and first >= 0 else explore[at + step * settings.step_clock]
            a = chosen(s, step, epsilon, key, game, values)
        if settings.method == Q and table.counts[TRACED] > 0:
            _, best = greedy(s, values, game.allowed, place.allowed)
            if values[s, a] < best:
                table.counts[TRACED] = 0
        r = put(game, a, pieces_key) if settings.placements else command(game, a, pieces_key)
        low, high = seen(game)
        s2, step, total = entered(low, high, table), step + 1, total + r
        worth, a2 = ahead(s2, step, explore[at + step * settings.step_clock], key, game, values)
        size = rate(s, a, alpha, settings.fading, table.visits)
        if len(trace.states):
            update_trace(s, a, size, r + gamma * worth - values[s, a], settings.decay, table, trace)
        else:
            values[s, a] = (1 - size) * values[s, a] + size * (r + gamma * worth)
        s, a = s2, a2
    return total, step


@fast
def learn(
    last: Any, budget: Any, seed: Any, explore: Any, first: Any, alpha: Any, gamma: Any, game: Any, table: Any,
    trace: Any, log: Any,
) -> Any:  # fmt: skip
    """Episodes until the last, or until budget or room is used up; how many. Each has a row in the log."""
    counts, done, steps, by_step = table.counts, np.int64(0), np.int64(0), game.settings.step_clock
    while counts[EPISODES] < last and steps < budget and done < len(log):
        at, bound = steps if by_step else done, game.settings.bound
        if counts[STATES] + bound > len(table.states) or at + bound * by_step >= len(explore):
            break
        total, taken = episode(counts[EPISODES], seed, explore, at, first, alpha, gamma, game, table, trace)
        steps += taken
        counts[EPISODES] += 1
        log[done, 0], log[done, 1], log[done, 2], log[done, 3] = game.place.number, total, counts[STATES], taken
        done += 1
    return done
