"""Hidden worlds keep to their budgets, and what they say of answers is exact."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tetriscourse.course.hidden_worlds import DOORS, KEYS, Corridor, Rooms
from tetriscourse.errors import InputError


def test_a_backup_does_not_move_the_exact_values_and_costs_one():
    world = Rooms(3, 0.5)
    v, left = world.exact(), world.left
    assert np.allclose([world.backup(v, s) for s in world.states], v)
    assert world.left == left - len(v)
    while world.left:
        world.backup(v, 1)
    with pytest.raises(InputError, match="left is 0"):
        world.backup(v, 0)


def test_the_whole_budget_is_what_sweeps_need_and_no_more():
    world = Rooms(3)
    v, off = [0.0] * len(world.states), []
    while world.left:
        v = [world.backup(v, s) for s in world.states]
        off.append(np.abs(np.subtract(v, world.exact())).max())
    assert off[-1] <= 0.01 < off[-2]


def test_every_state_can_come_to_the_only_goal():
    world = Rooms(5)
    (goal,) = (s for s in world.states if not world.following(s))
    reached = {goal}
    while more := {s for s in world.states if s not in reached and world.following(s) & reached}:
        reached |= more
    assert reached == set(world.states)


def found_keys(corridor):
    """The right key of each door, by trying."""
    keys = []
    while len(keys) < DOORS:
        for key in range(KEYS):
            corridor.reset()
            for known in keys:
                corridor.step(known)
            *_, over = corridor.step(key)
            if over or corridor._door == len(keys) + 1:
                keys.append(key)
                break
    return keys


def test_the_right_keys_lead_to_the_prize_and_are_worth_what_the_discount_leaves():
    keys, walker = found_keys(Corridor(4)), Corridor(4)
    doors = [walker.reset()]
    rewards = []
    for key in keys:
        door, reward, over = walker.step(key)
        doors.append(door)
        rewards.append(reward)
    assert over
    assert doors[-1] is None
    assert rewards == [0.0] * (DOORS - 1) + [10.0]
    policy = dict(zip(doors[:-1], keys, strict=True))
    assert walker.share(policy) == pytest.approx(1)
    assert Corridor(4)._worth(keys) == pytest.approx(10 * 0.95 ** (DOORS - 1))
    assert walker.share({}) < 0.1


def test_a_coin_for_ever_is_worth_four_and_a_slipping_hand_takes_any_key():
    world = Corridor(1, coin=0.2)
    wrong = [(key + 1) % KEYS for key in world._right]
    assert world._worth(wrong) == pytest.approx(0.2 / 0.05)
    slippery, seen = Corridor(1, slip=0.3), Counter()
    first = slippery.reset()
    for _ in range(3000):
        slippery.reset()
        seen[slippery.step(slippery._right[0])[0] != first] += 1
    assert seen[False] / 3000 == pytest.approx(0.2, abs=0.03)  # two of three other keys are wrong


def test_moves_are_counted_and_keys_checked():
    world = Corridor(0)
    for _ in range(6000):
        world.step(0)
    for key, words in ((0, "left is 0"), (3, "key is 3"), (None, "key is None")):
        with pytest.raises(InputError, match=words):
            world.step(key)


def test_worlds_differ():
    assert all(a != b for a, b in pairwise(Corridor(number)._right for number in range(4)))
    assert all(a != b for a, b in pairwise(Rooms(number)._actions for number in range(4)))
