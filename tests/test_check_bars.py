"""The bars of checks stand where docstrings and exercises say: between what is to fail and what is to pass."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from course_books import code, partly_right
from wrong_answers.chapter_09 import searched
from wrong_answers.chapter_12 import ONE_AT_A_TIME, REPAIR_AFTER_REPAIR, best_repairs

import tetriscourse as tc
from tetriscourse.course.checks import (
    chapter_01,
    chapter_02,
    chapter_03,
    chapter_07,
    chapter_08,
    chapter_09,
    chapter_12,
)
from tetriscourse.course.checks.cases import game_boards
from tetriscourse.game.rules import RULES
from tetriscourse.players import Filter
from tetriscourse.random_numbers import derived_seed
from tetriscourse.simulator import simulate

pytestmark = pytest.mark.slow


def encoders():
    """Bits without the sky, skyline and holes, and the model solution."""
    model = next(source for source in code("solutions", "01") if "def encode" in source)
    found = []
    for source in [*(source for _, source in partly_right("01")["01.6"]), model]:
        names = {"np": np}
        exec(source, names)
        found.append(names["encode"])
    return found


def test_bytes_of_three_encodings_with_seeds_1_to_6():
    boards = [game_boards(seed, chapter_01.BOARDS) for seed in range(1, 7)]
    means = [[np.mean([len(encode(board.full)) for board in some]) for some in boards] for encode in encoders()]
    ranges = [(round(min(some), 1), round(max(some), 1)) for some in means]
    assert ranges == [(13.1, 13.2), (10.7, 11.2), (9.5, 9.9)]
    first, second, third = chapter_01.RUNGS
    assert ranges[0][1] < first
    assert ranges[1][1] < second < ranges[0][0]
    assert ranges[2][1] < third < ranges[1][0]


@pytest.mark.parametrize(
    ("wish", "seeds", "means"),
    [
        (lambda move: (move.after.heights**2).sum(), (2, 8), [310.2, 564.8]),
        (lambda move: (-move.after.heights.max(), -move.after.heights[3:7].sum()), range(1, 9), [8] * 8),
        (lambda move: -move.after.heights.max(), (1, 4), [8.2, 8.4]),
    ],
)
def test_pieces_of_agents_without_any_feature(wish, seeds, means):
    def agent(engine):
        move = min(engine.moves(), key=wish)
        return f"P:{move.column}:{move.orientation}"

    assert [mean_life(agent, seed) for seed in seeds] == means
    assert all(mean <= chapter_02.SHORT[1] or chapter_02.LONG[1] <= mean < chapter_02.LONG[2] for mean in means)


def test_nobody_dies_before_the_eighth_piece_and_who_only_drops_needs_12_or_13():
    assert all(12 <= mean_life(lambda engine: "D", seed) < 13.5 for seed in range(1, 9))
    tallest = [max(shape.height for shape in piece.orientations) for piece in RULES["tetrisbot"].pieces]
    assert sum(tallest) <= RULES["tetrisbot"].height < sum(tallest) + min(tallest)


def mean_life(agent, seed):
    """Pieces a game, as the check measures them."""
    engines = chapter_02.played_games(agent, seed, most=chapter_02.LONGEST_LIFE)
    return round(float(np.mean([engine.blocks_played for engine in engines])), 1)


def points_a_loss(order, seed):
    """Points for each game lost, and their scores, in the check's games."""
    scores = simulate(Filter(order.split()), chapter_03.LONG_GAMES, chapter_03.GAMES, seed, progress=False)
    return scores.exponential_mean_of("points"), scores


def test_the_lectures_best_order_is_below_the_bar_whatever_the_pieces():
    reached = [points_a_loss("holes bumpiness wells", seed)[0] / 1e6 for seed in range(1001, 1007)]
    assert [round(min(reached), 2), round(max(reached), 2)] == [0.92, 1.16]
    assert 1.2 * max(reached) < chapter_03.WANTED / 1e6


def test_the_figures_of_the_answer_in_words_about_orders():
    found = {}
    for order in ("holes bumpiness", "holes i_wells bumpiness", "rows_with_holes i_wells bumpiness"):
        mean, scores = points_a_loss(order, 1)
        low, high = scores.interval(of="points")
        lost = int(scores.finished.sum())
        found[order] = (lost, round(mean / 1e6, 2), round(low / 1e6, 1), round(high / 1e6, 1))
    assert list(found.values()) == [(328, 0.29, 0.3, 0.3), (60, 2.36, 1.8, 3.1), (36, 4.07, 2.9, 5.8)]


@pytest.mark.parametrize(
    ("changes", "games", "worst"),
    [({"max_pieces": 1000}, 12, [0.83, 0.84]), ({"draw": "independent"}, 6, [0.93, 0.94])],
)
def test_the_worst_pair_of_the_best_cap_and_of_games_that_end(changes, games, worst):
    rules = replace(RULES["tetrisbot"], **changes)
    pairs = (("good", "weak"), ("champion", "good"), ("champion", "weak"))
    found = []
    for seed in (1, 2):
        values = {
            name: chapter_07.fitness_values(one, rules, games, "lines", seed + place)
            for place, (name, one) in enumerate(chapter_07.RANKED.items())
        }
        found.append(round(min(chapter_07.share_won(values[a], values[b]) for a, b in pairs), 2))
    assert found == worst
    assert (max(worst) < chapter_07.FEWEST_WON) is ("max_pieces" in changes)


@pytest.mark.parametrize(("noise", "lines"), [(0.0, 60.6), (4.0, 74.0)])
def test_lines_at_the_end_of_100_runs_without_noise_and_with_constant_noise(noise, lines):
    table = chapter_08.Table(*[noise] * chapter_08.ROUNDS)
    found = [chapter_08.tetris_lines(table, derived_seed(seed, 85, k)) for seed in range(1, 26) for k in range(4)]
    assert round(float(np.mean(found)), 1) == lines
    error = float(np.std(found)) / chapter_08.TETRIS_RUNS**0.5
    assert abs(lines - chapter_08.LINES) > 2.5 * error


@pytest.mark.parametrize(
    ("design", "rungs"),
    [
        (searched(), 0), (searched(result="optimizer.best.weights"), 0), (searched(games=20), 1),
        (searched(settings="population=30"), 2), (searched(settings="population=100"), 3),
    ],
)  # fmt: skip
def test_searches_reach_as_many_rungs_with_every_seed(design, rungs):
    names = {"np": np, "tc": tc}
    exec(design, names)
    bars = (0, *chapter_09.RUNGS, 1000)
    means = [np.mean(chapter_09.heights_found(names["search"], seed)) for seed in range(1, 5)]
    assert bars[rungs] + 10 <= min(means) <= max(means) < bars[rungs + 1] - 5


@pytest.mark.parametrize(
    ("answer", "low", "high"),
    [
        (best_repairs("range(3)"), 0.93, 1), (best_repairs("[0]"), 0.73, 0.86), (REPAIR_AFTER_REPAIR, 0.45, 0.66),
        (best_repairs("range(run.left, run.left + 3)"), 0.36, 0.52), (ONE_AT_A_TIME, 0, 0.05),
    ],
)  # fmt: skip
def test_how_often_a_design_finds_the_best_repairs(answer, low, high):
    names = {"np": np, "product": product}
    exec(answer, names)
    shares = [chapter_12.experiments(names["best_repairs"], seed)[0] / chapter_12.WORLDS for seed in (1, 2, 60_413)]
    assert low <= min(shares) <= max(shares) <= high
    assert all(not low <= bar <= high for bar in chapter_12.RUNGS)
