"""Tetris for Gymnasium plays the games of the readable environment, one at a time and many at once."""

import copy
import importlib
import re
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

import tetriscourse as tc
import tetriscourse.gym
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURE_SETS
from tetriscourse.game.moves import moves
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import PieceSequence
from tetriscourse.gym.environment import Tetris
from tetriscourse.gym.vector import TetrisVector
from tetriscourse.mdp.environment import ACTIONS, TetrisEnv

SEEDS = st.integers(0, 2**63 - 1)
NAME = "tetriscourse/Tetris-v0"


def made(**settings):
    """The environment as users make it, without Gymnasium's wrappers."""
    return gymnasium.make(NAME, **settings).unwrapped


def made_vec(count, **settings):
    """The vector environment as users make it."""
    return gymnasium.make_vec(NAME, num_envs=count, vectorization_mode="vector_entry_point", **settings)


def bottom(board):
    """The cells of a board as an observation has them, without those above it."""
    return board.full[: board.height].astype(np.int8)


def same_view(seen, env):
    """Whether an observation of cells shows what the readable environment has."""
    rules, sequence = env.rules, PieceSequence(env.rules, env.seed, env.episode)
    number = env.pieces
    same = np.array_equal(seen["cells"], bottom(env.board)) and seen["cells"].dtype == np.int8
    same &= seen["next_piece"] == sequence.number(number + 1)
    same &= seen["piece"] == sequence.number(number) or (env.actions == "commands" and env.game.lost)
    if env.actions == "commands":
        falling = np.zeros((rules.height + 2, rules.width), np.int8)
        for cell in env.game.engine.cells:
            falling[cell] = 1
        same &= np.array_equal(seen["falling"], falling)
    return same


def same_info(info, env):
    """Whether an info tells what the readable environment knows."""
    counts = (info["pieces"], info["lines"]) == (env.pieces, env.game.lines)
    return counts and np.array_equal(info["action_mask"], env.allowed())


def row(batch, i):
    """The observation or info of one game among many."""
    return {name: array[i] for name, array in batch.items()}


# --- the same game --------------------------------------------------------------------------------


@THOROUGH
@given(any_rules(), st.sampled_from(ACTIONS), SEEDS, st.integers(0, 30))
def test_a_game_is_that_of_the_readable_environment_move_by_move(rules, actions, seed, most):
    env, readable = Tetris(rules, actions, max_pieces=most), TetrisEnv(rules, actions, max_pieces=most)
    rng = np.random.default_rng(seed)
    options = {"board": random_board(rules, rng), "episode": 3} if seed % 2 else None
    (seen, info), chance = env.reset(seed=seed, options=options), Chance(seed)
    readable.reset(seed, options)
    for _ in range(120):
        assert same_view(seen, readable)
        assert same_info(info, readable)
        assert seen in env.observation_space
        if not readable.is_running:
            break
        action = chance.pick(np.flatnonzero(env.action_masks()).tolist())
        seen, *ours, info = env.step(action)
        assert ours == [*readable.step(action)[1:4]]
        assert [type(one) for one in ours] == [float, bool, bool]


@THOROUGH
@given(any_rules(), st.sampled_from(ACTIONS), SEEDS, st.integers(1, 6), st.integers(0, 12))
def test_many_games_are_so_many_readable_ones(rules, actions, seed, count, most):
    envs = TetrisVector(count, rules=rules, actions=actions, max_pieces=most)
    singles = [TetrisEnv(rules, actions, max_pieces=most) for _ in range(count)]
    (seen, infos), chance = envs.reset(seed=seed), Chance(seed)
    for i, single in enumerate(singles):
        single.reset(seed, {"episode": i})
    for _ in range(40):
        assert all(same_view(row(seen, i), single) for i, single in enumerate(singles))
        assert all(same_info(row(infos, i), single) for i, single in enumerate(singles))
        assert seen in envs.observation_space
        possible = [np.flatnonzero(mask).tolist() or [0] for mask in envs.action_masks()]
        taken = [chance.pick(one) for one in possible]
        seen, rewards, terminated, truncated, infos = envs.step(np.array(taken))
        for i, (single, action) in enumerate(zip(singles, taken, strict=True)):
            expected = (0.0, False, False)
            if single.is_running:
                expected = single.step(action)[1:4]
            else:  # the action is ignored, and the next episode begins
                single.reset(options={"episode": single.episode + count})
            assert (rewards[i], terminated[i], truncated[i]) == expected


@THOROUGH
@given(any_rules(), SEEDS)
def test_the_reward_can_be_the_lines(rules, seed):
    env, points = Tetris(rules, reward="lines", max_pieces=60), Tetris(rules, max_pieces=60)
    env.reset(seed=seed), points.reset(seed=seed), env.action_space.seed(1)
    while not env.over:
        action, before = env.sample_legal(), env.games.batch.lines[0]
        _, reward, *_, info = env.step(action)
        assert reward == info["lines"] - before
        assert points.step(action)[1] == rules.points(int(reward))


@pytest.mark.parametrize("rules", ["10x10", "tetrisbot", "bag", "top-row"])
def test_a_linear_player_has_the_games_of_simulate(rules):
    rules, player, count = replace(tc.RULES[rules], max_pieces=400), tc.PLAYERS["dn"], 8
    envs = made_vec(count, rules=rules, observation="features", features="dn")
    weights, ended = np.array(player.integers, float), {}
    seen, infos = envs.reset(seed=7)
    while len(ended) < 2 * count:
        values = np.where(infos["action_mask"], seen.astype(float) @ weights, -np.inf)
        seen, _, terminated, truncated, infos = envs.step(values.argmax(axis=1))
        for i in np.flatnonzero(terminated | truncated):
            ended[int(envs.episodes[i])] = (infos["lines"][i], infos["pieces"][i])
    scores = tc.simulate(player, rules, games=2 * count, seed=7, progress=False)
    assert [ended[game] for game in range(2 * count)] == [*zip(scores.lines, scores.pieces, strict=True)]


# --- features -------------------------------------------------------------------------------------


@pytest.mark.slow
@THOROUGH
@given(any_rules(), st.sampled_from(["dn", "bdn", "xtris"]), SEEDS)
def test_features_are_those_of_the_move_that_each_action_makes(rules, features, seed):
    rng = np.random.default_rng(seed)
    env, board = Tetris(rules, observation="features", features=features), random_board(rules, rng)
    seen, info = env.reset(seed=seed, options={"board": board})
    expected = np.zeros(env.observation_space.shape, np.float32)
    for move in moves(board, PieceSequence(rules, seed, 0)[0], rules):
        expected[move.orientation * rules.width + move.column] = FEATURE_SETS[features].values(move)
    np.testing.assert_array_equal(seen, expected)
    assert seen in env.observation_space
    assert not seen[~info["action_mask"]].any()


@pytest.mark.slow
@THOROUGH
@given(any_rules(), SEEDS)
def test_with_commands_features_are_those_of_the_board(rules, seed):
    env = Tetris(rules, "commands", observation="features", features="bertsekas")
    board = random_board(rules, np.random.default_rng(seed))
    seen, _ = env.reset(seed=seed, options={"board": board})
    if not env.over:
        here = tc.Move(board, rules.pieces[0], 0, 0, 0, board, (), False)
        np.testing.assert_array_equal(seen, env.observer.game.features.values(here))


def test_features_of_a_move_are_refused_where_there_is_no_move():
    with pytest.raises(InputError, match="features contains landing_height, which only a move has"):
        made(rules="10x10", actions="commands", observation="features", features="dn")


# --- Gymnasium's contract -------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("rules", tc.RULES)
def test_gymnasiums_checker_finds_nothing(rules, actions):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(rules=rules, actions=actions))


@pytest.mark.parametrize("settings", [
    {"observation": "features"}, {"observation": "features", "features": "bertsekas", "actions": "commands"},
    {"next_piece": "hidden", "render_mode": "ansi"}, {"reward": "lines", "render_mode": "rgb_array"},
])  # fmt: skip
def test_gymnasiums_checker_finds_nothing_with_other_settings(settings):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(rules="6x12", **settings))


def test_the_docstring_has_gymnasiums_headings():
    lines = [line.strip() for line in Tetris.__doc__.splitlines()]
    headings = ["Description", "Actions", "Observations", "Reward", "Episode end", "Arguments", "References"]
    assert [line for line in lines if line in headings] == headings


def test_episodes_follow_one_another_and_a_seed_begins_anew():
    env = made(rules="6x12")
    env.reset()
    assert (env.games.seed >= 0, env.episode) == (True, 0)
    pieces = []
    for seed in (5, None, None, 5):
        pieces.append(int(env.reset(seed=seed)[0]["piece"]))
    assert pieces == [PieceSequence("6x12", 5, game).number(0) for game in (0, 1, 2, 0)]


def test_without_a_seed_environments_differ():
    first, second = made(rules="6x12"), made(rules="6x12")
    first.reset(), second.reset()
    assert first.games.seed != second.games.seed


def test_what_a_call_returns_is_never_changed_by_the_next():
    envs = made_vec(3, rules="6x12")
    first = envs.reset(seed=1)
    kept = copy.deepcopy(first)
    for _ in range(30):
        envs.step(envs.sample_legal())
    assert all(np.array_equal(first[0][name], kept[0][name]) for name in kept[0])
    assert all(np.array_equal(first[1][name], kept[1][name]) for name in kept[1])


def test_a_vector_environment_says_how_it_resets():
    assert made_vec(2, rules="6x12").metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    same = made_vec(2, rules="6x12", autoreset_mode="SameStep")
    assert same.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(InputError, match="autoreset_mode is 'Disabled'"):
        made_vec(2, rules="6x12", autoreset_mode="Disabled")


@pytest.mark.parametrize("settings", [{}, {"observation": "features"}])
def test_resetting_at_once_shows_the_same_episodes_as_resetting_a_step_later(settings):
    at_once, later = (made_vec(1, rules="5x5", autoreset_mode=mode, **settings) for mode in ("SameStep", "NextStep"))
    at_once.reset(seed=3), later.reset(seed=3), at_once.action_space.seed(1)
    for _ in range(60):
        action = at_once.sample_legal()
        _, *ours, infos = at_once.step(action)
        expected, *theirs, known = later.step(action)
        assert ours == theirs
        if ours[1][0]:
            assert [infos["_final_obs"][0], infos["_final_info"][0]] == [True, True]
            last = infos["final_obs"][0]
            last, then = (last, row(expected, 0)) if isinstance(last, dict) else ({"": last}, {"": expected[0]})
            assert all(np.array_equal(last[name], then[name]) for name in then)
            assert infos["final_info"]["lines"] == known["lines"]
            expected, *_, known = later.step(action)
        assert np.array_equal(infos["action_mask"], known["action_mask"])
    assert at_once.episodes[0] > 2


def test_gymnasiums_wrappers_work():
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(NAME, rules="6x12", max_episode_steps=5))
    env = gymnasium.wrappers.FlattenObservation(env)
    env.reset(seed=1)
    while True:
        *_, terminated, truncated, info = env.step(env.unwrapped.sample_legal())
        if terminated or truncated:
            break
    assert info["episode"]["l"] == 5
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(made_vec(4, rules="5x5"))
    envs.reset(seed=1)
    ended = [envs.step(envs.unwrapped.sample_legal())[-1].get("episode") for _ in range(40)]
    assert any(one is not None for one in ended)


def test_it_can_be_made_without_a_second_import():
    assert gymnasium.make(f"tetriscourse.gym:{NAME}", rules="5x5").unwrapped.action_space.n == 20


def test_an_environment_can_be_copied():
    env = made(rules="bag")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    for action in (0, 3, 5):
        ours, theirs = env.step(action), other.step(action)
        assert np.array_equal(ours[0]["cells"], theirs[0]["cells"])
        assert ours[0]["piece"] == theirs[0]["piece"]


def test_without_gymnasium_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "tetriscourse.gym")
    with pytest.raises(ImportError, match=re.escape('pip install "tetriscourse[gym]"')):
        importlib.import_module("tetriscourse.gym")


def test_nothing_else_needs_gymnasium():
    package = Path(tc.__file__).parent
    needs = {path.parent.name for path in package.rglob("*.py") if "import gymnasium" in path.read_text("utf-8")}
    assert needs == {"gym"}


# --- actions --------------------------------------------------------------------------------------


def test_a_sampled_action_is_possible_and_all_possible_ones_are_sampled():
    env = made(rules="5x5")
    env.reset(seed=1)
    env.action_space.seed(1)
    assert {env.sample_legal() for _ in range(500)} == set(np.flatnonzero(env.action_masks()).tolist())


def test_an_impossible_action_changes_nothing():
    env = made(rules="5x5")
    seen, info = env.reset(seed=1)
    action = int(np.argmin(info["action_mask"]))
    again, reward, terminated, truncated, then = env.step(action)
    assert (reward, terminated, truncated, then["illegal"], then["pieces"]) == (0.0, False, False, True, 0)
    assert all(np.array_equal(again[name], seen[name]) for name in seen)
    assert env.step(env.sample_legal())[-1]["illegal"] is False


def test_an_impossible_action_can_be_an_error():
    env = made(rules="5x5", illegal="error")
    _, info = env.reset(seed=1)
    action, allowed = int(np.argmin(info["action_mask"])), " ".join(map(str, np.flatnonzero(info["action_mask"])))
    with pytest.raises(InputError, match=f"action is {action}; allowed now: {allowed}$"):
        env.step(action)
    envs = made_vec(2, rules="5x5", illegal="error")
    _, infos = envs.reset(seed=1)
    good, bad = int(np.argmax(infos["action_mask"][0])), int(np.argmin(infos["action_mask"][1]))
    with pytest.raises(InputError, match=rf"actions\[1\] is {bad}; allowed now: "):
        envs.step([good, bad])
    assert not envs.step(envs.sample_legal())[-1]["illegal"].any()
    assert envs.games.pieces.tolist() == [1, 1]


@pytest.mark.parametrize(("action", "message"), [
    (20, "action is 20; it must be a whole number from 0 to 19"), (-1, "action is -1"), ("left", "action is 'left'"),
])  # fmt: skip
def test_what_is_no_action_is_an_error(action, message):
    env = made(rules="5x5")
    env.reset(seed=1)
    with pytest.raises(InputError, match=message):
        env.step(action)


@pytest.mark.parametrize(("actions", "message"), [
    ([0, 20], r"actions\[1\] is 20; it must be a whole number from 0 to 19"), ([0, -1], r"actions\[1\] is -1"),
    ([0], "an array of 2 whole numbers"), ([0.5, 1.0], "an array of 2 whole numbers"),
])  # fmt: skip
def test_what_are_no_actions_is_an_error(actions, message):
    envs = made_vec(2, rules="5x5")
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        envs.step([0, 0])
    envs.reset(seed=1)
    with pytest.raises(InputError, match=message):
        envs.step(actions)


def test_nothing_can_be_done_after_the_end():
    env = made(rules="5x5", max_pieces=1)
    env.reset(seed=1)
    assert env.step(env.sample_legal())[2:4] == (False, True)
    with pytest.raises(InputError, match=r"the episode is over, call reset\(\)"):
        env.step(0)


@pytest.mark.parametrize(("settings", "message"), [
    ({"rules": "10by10"}, "rules is '10by10'"), ({"actions": "keys"}, "actions is 'keys'"),
    ({"observation": "pixels"}, "observation is 'pixels'"), ({"next_piece": True}, "next_piece is True"),
    ({"reward": "score"}, "reward is 'score'"), ({"illegal": "warn"}, "illegal is 'warn'"),
    ({"max_pieces": -1}, "max_pieces is -1"), ({"render_mode": "svg"}, "render_mode is 'svg'"),
    ({"observation": "features", "features": "all"}, "features is 'all'"),
])  # fmt: skip
def test_settings_are_checked(settings, message):
    for make in (Tetris, TetrisVector):
        with pytest.raises(InputError, match=message):
            make(**settings)


# --- pictures -------------------------------------------------------------------------------------


def test_a_game_as_text():
    env = made(rules="5x5", render_mode="ansi")
    assert env.render() is None
    env.reset(seed=1, options={"board": tc.Board.from_text("X....\nXX.XX", height=5)})
    assert env.render().splitlines() == [
        "  . . . L .     Next   T",
        "  . L L L .     Rows   0",
        " -----------    Pieces 0",
        "| . . . . . |",
        "| . . . . . |",
        "| . . . . . |",
        "| X . . . . |",
        "| X X . X X |",
        "+-----------+",
        "  0 1 2 3 4",
    ]


@THOROUGH
@given(any_rules(), st.sampled_from(ACTIONS), SEEDS)
def test_every_game_can_be_painted(rules, actions, seed):
    envs = TetrisVector(2, rules=rules, actions=actions, render_mode="rgb_array", max_pieces=3)
    envs.reset(seed=seed)
    for _ in range(4):
        pictures = envs.render()
        assert {(one.shape, one.dtype) for one in pictures} == {
            ((16 * (rules.height + 2), 16 * (rules.width + 6), 3), np.dtype(np.uint8))
        }
        envs.step(envs.sample_legal())


def test_a_picture_has_the_colours_of_the_pieces():
    env = made(rules="5x5", render_mode="rgb_array", next_piece="hidden")
    env.reset(seed=1, options={"board": tc.Board.from_text("X....\nXX.XX", height=5)})
    middles = env.render()[8::16, 8::16]
    grey, orange = (0x7F, 0x7F, 0x7F), (0xE6, 0x9F, 0x00)
    assert [tuple(one) for one in middles[-1].tolist()].count(grey) == 4
    assert [tuple(one) for one in middles[:2].reshape(-1, 3).tolist()].count(orange) == 4
