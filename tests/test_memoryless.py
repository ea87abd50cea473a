"""Players who see board and piece only, against games without a secret, brute force, and the exact solver."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.mdp.exact.memoryless import (
    MemorylessPlayer,
    Sights,
    climb,
    game_value,
    moves_worth,
    policy_values,
    policy_visits,
    polished,
    sights,
)
from tetriscourse.mdp.exact.memoryless_bound import bounds, seeing
from tetriscourse.random_numbers import Draws, Floats

OPEN, BAG = tc.Rules(4, 4), tc.Rules(4, 4, draw="bag")


@cache
def seen(rules: tc.Rules) -> Sights:
    return sights(rules)


def some_policy(of: Sights, seed: int) -> Floats:
    """A policy of dice."""
    return of.shares(Draws(seed, 0).uniform(len(of.moves)) ** 3)


def value_of(of: Sights, chances: Floats) -> float:
    return game_value(of, policy_values(of, chances))


def with_few_choices(of: Sights, choices: int) -> Sights:
    """The same game with one move in each sight, but for the sights first met, which keep two."""
    met = policy_visits(of, some_policy(of, 1)).sum(axis=0)[:-1]
    pieces = len(of.rules.pieces)
    number = np.repeat(np.arange(len(of.first) - 1), np.diff(of.first))
    many = np.flatnonzero(np.diff(of.first) > 1)
    free = many[np.argsort(-met[many // pieces], kind="stable")][3 : 3 + choices]
    place = np.arange(len(of.moves)) - of.first[number]
    kept = np.flatnonzero((place == 0) | (place == 2) & np.isin(number, free))
    first = np.searchsorted(number[kept], np.arange(len(of.first)))
    return replace(
        of, moves=tuple(of.moves[i] for i in kept), first=first, after=of.after[kept], points=of.points[kept]
    )


def test_where_nothing_is_hidden_the_search_finds_the_best_of_all() -> None:
    of, best = seen(OPEN), tc.solve(OPEN, progress=False).start
    assert game_value(of, seeing(of)[0]) == pytest.approx(best, abs=1e-6)
    chosen, value = polished(of, of.firsts_of_best(climb(of, np.zeros(len(of.moves)), 60)))
    assert value == pytest.approx(best, abs=1e-5)
    assert value_of(of, of.always(chosen)) == pytest.approx(value, abs=1e-9)
    assert next(bounds(of, value, 1)) == (0, pytest.approx(best, abs=1e-6))


def test_who_sees_the_bag_is_worth_what_the_exact_solver_says() -> None:
    best = tc.solve(BAG, progress=False).start
    assert game_value(seen(BAG), seeing(seen(BAG))[0]) == pytest.approx(best, abs=1e-6)


def test_a_policy_without_memory_is_worth_what_the_exact_solver_says() -> None:
    of = seen(BAG)
    chosen = of.firsts_of_best(of.points + Draws(3, 0).uniform(len(of.moves)))
    taken = [of.moves[i] for i in chosen]
    player = MemorylessPlayer({(m.before.bits, m.piece.name): (m.orientation, m.column) for m in taken})
    assert tc.exact_value(player, BAG, progress=False).start == pytest.approx(value_of(of, of.always(chosen)), abs=1e-6)


def test_visits_times_points_are_the_value_of_a_game() -> None:
    of, chances = seen(BAG), some_policy(seen(BAG), 5)
    _, weight = moves_worth(of, np.zeros(of.shape), policy_visits(of, chances))
    assert (weight * chances) @ of.points == pytest.approx(value_of(of, chances), abs=1e-9)


def test_the_gain_of_a_small_change_is_the_worth_of_moves_over_the_visits_of_their_sight() -> None:
    of, chances = seen(BAG), some_policy(seen(BAG), 5)
    toward, step = some_policy(of, 6) - chances, 1e-6
    worth, _ = moves_worth(of, policy_values(of, chances), policy_visits(of, chances))
    rise = (value_of(of, chances + step * toward) - value_of(of, chances)) / step
    assert worth @ toward == pytest.approx(rise, rel=1e-3)


def test_search_and_bound_meet_at_the_best_of_all_policies() -> None:
    of = with_few_choices(seen(BAG), 4)
    two = np.flatnonzero(np.bincount(of.sight) == 2)
    assert len(two) == 4
    plain = of.firsts_of_best(-np.arange(len(of.moves), dtype=float))
    values = []
    for which in product((0, 1), repeat=4):
        chosen = plain.copy()
        chosen[two] += which
        values.append(value_of(of, of.always(chosen)))
    assert len(set(np.round(values, 6))) > 4
    assert game_value(of, seeing(of)[0]) > max(values) + 1e-4  # to see the bag is worth something
    assert polished(of, plain)[1] <= max(values) + 1e-9
    steps = [bound for _, bound in bounds(of, 0.0, 1000)]
    assert steps == sorted(steps, reverse=True)
    assert max(values) <= steps[-1] <= max(values) + 1e-4


def test_bounds_and_policies_of_the_table_are_those_of_the_code() -> None:
    searched, bounded = stored_table("memoryless").rows, stored_table("memoryless-bound").rows
    best = next(one for one in searched if "moves" in one)
    player = MemorylessPlayer.from_list(best["moves"])
    value = tc.exact_value(player, BAG, progress=False).start
    assert f"{value:.4f}" == best["best"] == max(one["best"] for one in searched)
    assert value >= 6.397
    assert max(one["dice"] for one in searched) <= value
    assert all(one["dice"] < one["fixed"] + 1e-4 for one in searched)
    assert value - min(one["fixed"] for one in searched) < 0.015
    again = list(bounds(seen(BAG), value, 20))
    computed = [again[0], next(one for one in again if one[0] >= 10)]
    assert [one["cases"] for one in bounded[:2]] == [cases for cases, _ in computed]
    assert [one["bound"] for one in bounded[:2]] == pytest.approx([bound for _, bound in computed], abs=2e-4)
    assert [one["bound"] for one in bounded] == sorted((one["bound"] for one in bounded), reverse=True)
    assert bounded[-1]["bound"] > value


def test_games_that_show_two_pieces_are_refused() -> None:
    for rules in (tc.Rules(4, 4, pieces_known=2), tc.Rules(4, 4, max_pieces=5)):
        with pytest.raises(tc.InputError, match="it must show one piece, without a limit on pieces"):
            sights(rules)
