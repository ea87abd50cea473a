"""Games of linear policies, compiled, with the features of what they saw: the loops behind samples.py."""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.mdp.deep_q.kernels import COLUMN, LOSES, ROW, ROWS, TURN, list_moves, take_move, write_features
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import CELLS, Columns, landing_row, settle, turn_and_column, verdict
from tetriscourse.simulator.piece_generator import bits32, draw, stream_key
from tetriscourse.simulator.search import landing_value, look, make, search, set_weights, value_of_board

GOES_ON, LOST = 0, 1  # how the row of a state ends, as in samples.py


class View(NamedTuple):
    """The features by which moves are seen, as deep_q/kernels.py writes them, and room for those of all moves."""

    player: Any  # a record without weights, for the programs that compute the features
    plan: Any
    weights: Any
    sums: Any
    found: Any
    about: Any


class FastPolicy(NamedTuple):
    """A policy as `play_seeing_all` reads it."""

    weights: Any
    reward: Any
    epsilon: Any
    softmax: Any


@inlined
def write_cells(states: Any, cells: Any, width: Any) -> None:
    """Note the cells of the present board, a number for each column."""
    for j in range(width):
        cells[j] = states[NOW + CELLS + j]


@inlined
def put_cells(states: Any, template: Any, cells: Any, width: Any) -> None:
    """Make a noted board the present one."""
    for i in range(STATE_SIZE):
        states[NOW + i] = template[i]
    for j in range(width):
        states[NOW + CELLS + j] = cells[j]


@inlined
def random_number(key: Any, position: Any) -> Any:
    """A number from 0 to 1, 1 excluded."""
    return bits32(key, position) / 4294967296.0


@inlined
def random_move(states: Any, view: Any, piece: Any, epsilon: Any, chance: Any, k: Any) -> Any:
    """With probability epsilon a random move, by its number in view.about; otherwise -1."""
    if epsilon == 0 or random_number(chance, 2 * k) >= epsilon:
        return np.int64(-1)
    count = list_moves(states, view.player, view.plan, view.weights, view.sums, piece, view.found, view.about)
    return np.int64(random_number(chance, 2 * k + 1) * count) if count else np.int64(-1)


@fast
def play_best(
    states: Any, player: Any, view: Any, epsilon: Any, key: Any, chance: Any, begin: Any, cells: Any, pieces: Any,
    phi: Any, rewards: Any,
) -> Any:  # fmt: skip
    """Play on by the best moves, from move `begin` of a game, while there is room: (moves, GOES_ON or LOST).

    Row k of `phi` has the features of the board that move k finds; the first is there already. With probability
    epsilon, a move is drawn from all of them.
    """
    rules, now, zero = player.rules, Columns(states, np.int64(NOW), np.int64(THEN)), np.int64(0)
    rules.bag_start = -1
    set_weights(states, player)
    board = value_of_board(states, now.at, player)
    look(states, now.at, player)
    for k in range(len(rewards)):
        piece = draw(begin + k, key, rules)
        pieces[k], rewards[k] = piece, 0.0
        write_cells(states, cells[k], rules.width)
        value = board
        other = random_move(states, view, piece, epsilon, chance, begin + k)
        if other >= 0:
            turn, column = view.about[other, TURN], view.about[other, COLUMN]
        else:
            value, move = search(now, piece, board, player, zero)
            if move < 0:
                return k, LOST
            turn, column = turn_and_column(move, piece, rules)
        row = landing_row(now, turn, column, rules)
        _, full, loses = settle(now, turn, column, row, rules)
        rewards[k] = popcount(full)
        write_features(states, view.player, view.plan, view.weights, turn, row, full, view.sums, phi, k + 1)
        if loses:
            return k, LOST
        make(Columns(states, now.at, now.at), turn, column, row, full, player)
        board = value_of_board(states, now.at, player) if other >= 0 else value - landing_value(turn, row, full, player)
    return len(rewards), GOES_ON


@inlined
def best_of(scores: Any, first: Any, last: Any) -> Any:
    """The first of the highest scores."""
    best = first
    for i in range(first + 1, last):
        if scores[i] > scores[best]:
            best = i
    return best


@inlined
def drawn_by_weight(scores: Any, first: Any, last: Any, x: Any) -> Any:
    """A move, drawn with probabilities proportional to exp(score), by a number x from 0 to 1."""
    highest, total = scores[best_of(scores, first, last)], 0.0
    for i in range(first, last):
        total += exp(scores[i] - highest)
    left = x * total
    for i in range(first, last):
        left -= exp(scores[i] - highest)
        if left < 0:
            return i
    return last - 1


@fast
def play_seeing_all(
    states: Any, view: Any, policy: Any, key: Any, chance: Any, begin: Any, cells: Any, pieces: Any,
    phi: Any, rewards: Any, offsets: Any, chosen: Any, all_phi: Any, all_rewards: Any, scores: Any,
) -> Any:  # fmt: skip
    """`play_best` by any policy, which also writes what every move would have given: (moves, GOES_ON or LOST).

    The moves that row k chooses among are rows offsets[k] to offsets[k + 1] - 1 of `all_phi` and `all_rewards`.
    """
    rules, found, about, most = view.player.rules, view.found, view.about, len(view.found)
    rules.bag_start = -1
    look(states, np.int64(NOW), view.player)
    for k in range(len(rewards)):
        first = offsets[k]
        if first + most > len(all_rewards):
            return k, GOES_ON
        piece = draw(begin + k, key, rules)
        pieces[k], rewards[k], chosen[k] = piece, 0.0, -1
        write_cells(states, cells[k], rules.width)
        count = list_moves(states, view.player, view.plan, view.weights, view.sums, piece, found, about)
        last = offsets[k + 1] = first + count
        if count == 0:
            return k, LOST
        for i in range(count):
            all_rewards[first + i] = about[i, ROWS]
            score = policy.reward * about[i, ROWS]
            for j in range(phi.shape[1]):
                all_phi[first + i, j] = found[i, j]
                score += policy.weights[j] * found[i, j]
            scores[first + i] = score
        if policy.softmax:
            take = drawn_by_weight(scores, first, last, random_number(chance, 2 * (begin + k)))
        elif random_number(chance, 2 * (begin + k)) < policy.epsilon:
            take = first + np.int64(random_number(chance, 2 * (begin + k) + 1) * count)
        else:
            take = best_of(scores, first, last)
        chosen[k], rewards[k] = take, all_rewards[take]
        for j in range(phi.shape[1]):
            phi[k + 1, j] = all_phi[take, j]
        move = take - first
        take_move(states, view.player, about[move, TURN], about[move, COLUMN], about[move, ROW])
        if about[move, LOSES]:
            return k, LOST
    return len(rewards), GOES_ON


@fast
def write_board(states: Any, view: Any, phi: Any, k: Any) -> None:
    """Write the features of the present board, to which no move has led."""
    zero = np.int64(0)
    for i in range(STATE_SIZE):
        states[THEN + i] = states[NOW + i]
    write_features(states, view.player, view.plan, view.weights, zero, zero, zero, view.sums, phi, k)


@fast
def find_best(scores: Any, offsets: Any, found: Any) -> None:
    """Write the first row with the highest score in each range from offsets[k] to offsets[k + 1]; -1: it is empty."""
    for k in range(len(found)):
        found[k] = best_of(scores, offsets[k], offsets[k + 1]) if offsets[k + 1] > offsets[k] else -1


@fast
def find_choices(phi: Any, theta: Any, offsets: Any, found: Any) -> None:
    """`find_best` for the scores phi theta, which are computed on the way."""
    for k in range(len(found)):
        best, highest = np.int64(-1), 0.0
        for i in range(offsets[k], offsets[k + 1]):
            score = 0.0
            for j in range(len(theta)):
                score += phi[i, j] * theta[j]
            if best < 0 or score > highest:
                best, highest = np.int64(i), score
        found[k] = best


@fast
def discount(x: Any, goes_on: Any, factor: Any, sums: Any) -> None:
    """Write x_k + factor x_k+1 + factor² x_k+2 + ..., to the end of each game."""
    total = 0.0
    for i in range(len(x)):
        k = len(x) - 1 - i
        total = x[k] + (factor * total if goes_on[k] else 0.0)
        sums[k] = total


# --- rollouts -------------------------------------------------------------------------------------


class Rollout(NamedTuple):
    """How what follows a move is valued: by further moves of a player, and what a critic expects then."""

    player: Any
    critic: Any  # a View
    values: Any  # its weights
    gamma: Any
    moves: Any
    games: Any  # rollouts after each move, on pieces that all moves of a state share
    seed: Any


@fast
def play_on(states: Any, player: Any, key: Any, moves: Any, gamma: Any) -> Any:
    """Make this many best moves from the present board: (discounted rows, discount at the end, 0 if lost)."""
    rules, now, zero = player.rules, Columns(states, np.int64(NOW), np.int64(THEN)), np.int64(0)
    rules.bag_start = -1
    board, gain, discount = value_of_board(states, now.at, player), 0.0, 1.0
    for k in range(moves):
        piece = draw(zero + k, key, rules)
        value, move = search(now, piece, board, player, zero)
        if move < 0:
            return gain, 0.0
        turn, column = turn_and_column(move, piece, rules)
        row = landing_row(now, turn, column, rules)
        full, loses = verdict(now, turn, column, row, rules)
        gain += discount * popcount(full)
        discount *= gamma
        if loses:
            return gain, 0.0
        make(Columns(states, now.at, now.at), turn, column, row, full, player)
        board = value - landing_value(turn, row, full, player)
    return gain, discount


@fast
def one_rollout(states: Any, rollout: Any, number: Any, game: Any, room: Any) -> Any:
    """The outcome of a game from the present board: its rows, and the critic's value of the board where it ends."""
    key = stream_key(rollout.seed, number * rollout.games + game, np.int64(PIECE_STREAM))
    gain, discount = play_on(states, rollout.player, key, rollout.moves, rollout.gamma)
    if discount > 0:
        write_board(states, rollout.critic, room, np.int64(0))
        for j in range(len(rollout.values)):
            gain += discount * rollout.values[j] * room[0, j]
    return gain


@fast
def roll_out_all(
    states: Any, template: Any, view: Any, rollout: Any, first: Any, last: Any, cells: Any, pieces: Any,
    offsets: Any, all_phi: Any, all_rewards: Any, after: Any, critic: Any, room: Any,
) -> None:  # fmt: skip
    """For states first to last - 1: the features of every move, its rows, and the mean of what comes `after` it.

    `critic` gets the critic's features of the board of each state.
    """
    rules, found, about, player = view.player.rules, view.found, view.about, rollout.player
    set_weights(states, player)
    for i in range(first, last):
        put_cells(states, template, cells[i], rules.width)
        look(states, np.int64(NOW), view.player)
        write_board(states, rollout.critic, critic, i)
        at = offsets[i]
        count = list_moves(states, view.player, view.plan, view.weights, view.sums, pieces[i], found, about)
        offsets[i + 1] = at + count
        for k in range(count):
            for j in range(found.shape[1]):
                all_phi[at + k, j] = found[k, j]
            all_rewards[at + k], after[at + k] = about[k, ROWS], 0.0
            if about[k, LOSES]:
                continue
            for game in range(rollout.games):
                put_cells(states, template, cells[i], rules.width)
                set_weights(states, player)
                look(states, np.int64(NOW), player)
                take_move(states, player, about[k, TURN], about[k, COLUMN], about[k, ROW])
                after[at + k] += one_rollout(states, rollout, i, game, room) / rollout.games
