"""Training: the loop that asks, plays, tells and judges; what it refuses, what it shows, and how it stops."""

import io
import re
import sys

import numpy as np
import pytest
from functions import assert_equal_bits, run, sphere

import tetriscourse as tc
from tetriscourse.history import History
from tetriscourse.optimizers import training
from tetriscourse.optimizers.racing import Racing, RacingSettings
from tetriscourse.random_numbers import derived_seed
from tetriscourse.simulator.games import play
from tetriscourse.simulator.run import Pool

SMALL = tc.Rules(6, 8)
GAMES, JUDGES = 1, 2  # the labels of seeds that stored results rely on


def genetic(n=8, **changes):
    return tc.GeneticAlgorithm(n, **({"population_size": 10, "iterations": 4, "normalisation": "L2"} | changes))


def cross_entropy(n=8, **changes):
    return tc.CrossEntropy(n, **({"population": 12, "rho": 0.25, "iterations": 5} | changes))


def cma_es(n=8, **changes):
    return tc.CMAES(n, **({"iterations": 5, "normalise": True} | changes))


METHODS = pytest.mark.parametrize("make", [genetic, cross_entropy, cma_es])


def objective(games=3, **changes):
    return tc.Objective("dn", **({"rules": SMALL, "games": games} | changes))


@pytest.fixture
def played(monkeypatch):
    """Every list of games that is played, with its kind."""
    found = []

    def remember(pool, work, kind=""):
        found.append((kind, work))
        return original(pool, work, kind)

    original = Pool.play
    monkeypatch.setattr(Pool, "play", remember)
    return found


# --- the loop -------------------------------------------------------------------------------------


@METHODS
def test_training_on_a_function_is_the_loop_of_ask_and_tell(make):
    trained = tc.train(make(5), sphere)
    by_hand = run(make(5), sphere)
    assert_equal_bits(trained.optimizer.state(), by_hand.state())
    assert trained.stopped == by_hand.stop()
    assert trained.best.score == by_hand.best.score
    assert (trained.games, trained.moves) == (0, 0)


@METHODS
@pytest.mark.parametrize("score", ["lines", "points"])
def test_training_on_games_is_the_same_loop_with_simulated_games(make, score):
    rules = tc.Rules(6, 8, scoring="tetrisbot")
    goal, by_hand = objective(score=score, rules=rules, signs="usual" if make().positive else ()), make()
    trained = tc.train(make(), goal, curve=4)
    curve, games, moves = [], [], []
    while not by_hand.stop():
        candidates, seed = by_hand.ask(), derived_seed(by_hand.seed, by_hand.iteration, GAMES)
        found = [tc.simulate(goal.player(one), goal.rules, goal.games, seed) for one in candidates]
        by_hand.tell(candidates, [one.mean_of(score) for one in found])
        games.append(sum(len(one) for one in found))
        moves.append(sum(one.pieces.sum() for one in found))
        seed = derived_seed(by_hand.seed, by_hand.iteration, JUDGES)
        judged = tc.simulate(goal.player(by_hand.favourite), goal.rules, 4, seed)
        curve.append(getattr(judged, score))
    assert_equal_bits(trained.optimizer.state(), by_hand.state())
    np.testing.assert_array_equal(trained.log["curve"], curve)
    np.testing.assert_array_equal(trained.log["games"], np.cumsum(games))
    np.testing.assert_array_equal(trained.log["moves"], np.cumsum(moves))


def test_training_on_lists_of_games_is_the_same_again():
    goal, by_hand = objective(pieces="own"), cma_es()
    while not by_hand.stop():
        candidates = by_hand.ask()
        work = goal.work(candidates, derived_seed(by_hand.seed, by_hand.iteration, GAMES))
        by_hand.tell(candidates, goal.scores(play(work)).reshape(len(candidates), goal.games).mean(axis=1))
    assert_equal_bits(tc.train(cma_es(), goal, curve=0).optimizer.state(), by_hand.state())


def test_the_curve_can_be_played_by_other_rules_than_those_of_training():
    other = tc.Rules(6, 12)
    trained = tc.train(cma_es(iterations=2), objective(), curve=tc.Curve(5, other))
    seed = derived_seed(0, 2, JUDGES)
    np.testing.assert_array_equal(trained.curve_scores().lines, tc.simulate(trained.player(), other, 5, seed).lines)
    assert trained.curve_scores().rules == other


def test_signs_turn_candidates_into_weights_in_games_and_curve():
    signs = [-1, -1, -1, -1, -1, -1, -1, 1]
    trained = tc.train(genetic(iterations=1), objective(signs=signs), curve=5)
    np.testing.assert_array_equal(trained.player().weights, trained.favourite * signs)
    seed = derived_seed(0, 2, JUDGES)
    np.testing.assert_array_equal(trained.log["curve"][-1], tc.simulate(trained.player(), SMALL, 5, seed).lines)


def test_common_pieces_are_the_same_for_all_candidates_and_fresh_in_every_iteration(played):
    tc.train(cross_entropy(), objective(), curve=0)
    assert len({work.seed for _, work in played}) == 5
    for _, work in played:
        np.testing.assert_array_equal(work.numbers.reshape(12, 3), np.tile([0, 1, 2], (12, 1)))


def test_own_pieces_are_different_for_every_candidate(played):
    tc.train(cross_entropy(), objective(pieces="own"), curve=0)
    assert len({work.seed for _, work in played}) == 5
    for _, work in played:
        assert len(set(work.numbers)) == 12 * 3


def test_the_curve_meets_pieces_that_no_candidate_has_met(played):
    tc.train(cross_entropy(), objective(), curve=2)
    seeds = {kind: {work.seed for one, work in played if one == kind} for kind in ("candidates", "curve")}
    assert [len(some) for some in seeds.values()] == [5, 5]
    assert not seeds["candidates"] & seeds["curve"]


def test_games_are_capped_by_the_rules():
    trained = tc.train(cross_entropy(), objective(rules=tc.Rules(6, 20, max_pieces=2)), curve=0)
    assert trained.moves == 2 * trained.games == 2 * 5 * 12 * 3


# --- races ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", ["hoeffding", "tetris"])
@pytest.mark.parametrize("pieces", ["common", "own"])
def test_a_race_is_the_loop_that_plays_one_game_at_a_time(bound, pieces, played):
    goal, by_hand = objective(pieces=pieces), cma_es(iterations=9)
    settings = RacingSettings(bound=bound, low=0, high=8, delta=0.5, r_min=20)
    trained, racing = tc.train(cma_es(iterations=9), goal, racing=settings, curve=0), Racing(settings)
    games = moves = 0
    while not by_hand.stop():
        x, seed = by_hand.ask(), derived_seed(by_hand.seed, by_hand.iteration, GAMES)
        race = racing.next_race(len(x), by_hand.parents(len(x)))
        while wanted := race.wanted:
            round_ = play(goal.work(x[wanted], seed, first=race.rounds, games=1, who=wanted))
            race.add(wanted, round_.lines)
            games, moves = games + len(wanted), moves + round_.pieces.sum()
        racing.settle(race)
        by_hand.tell(x, race.scores())
    assert 0 < racing.decided < racing.races  # both kinds of end
    ahead = sum(len(work) for _, work in played) - games
    assert 0 < ahead < games / 10  # games that were played and not needed
    assert_equal_bits(trained.optimizer.state(), by_hand.state())
    assert (trained.games, trained.moves) == (games, moves)


def test_the_log_of_races_adds_up():
    settings = RacingSettings(bound="tetris", low=0, high=100)
    trained = tc.train(cma_es(iterations=8), objective(), racing=settings, curve=0)
    log = trained.log
    np.testing.assert_array_equal(np.cumsum(log["race_evaluations"]), log["games"])
    np.testing.assert_allclose(log["race_share"], log["race_evaluations"] / (10 * log["race_limit"]))
    assert log["race_share"].max() <= 1
    assert log["race_limit"][0] == 3


# --- when it stops ----------------------------------------------------------------------------------


def test_it_stops_at_the_first_iteration_whose_curve_reaches_the_target():
    whole = tc.train(cma_es(iterations=12), objective(), curve=6)
    means = whole.log["curve"].mean(axis=1)
    target = np.sort(means)[-3]
    first = int(np.argmax(means >= target))
    assert first < 11
    short = tc.train(cma_es(iterations=12), objective(), curve=6, target=target)
    assert len(short.log) == first + 1
    assert short.stopped == f"the target of {target:g} is reached"


def test_it_stops_when_the_curve_has_not_risen_for_so_long():
    means = tc.train(cma_es(iterations=12), objective(), curve=6).log["curve"].mean(axis=1)
    rests = [i - int(np.argmax(means[: i + 1])) for i in range(12)]
    short = tc.train(cma_es(iterations=12), objective(), curve=6, patience=2)
    assert len(short.log) == rests.index(2) + 1 < 12
    assert short.stopped == "no better mean for 2 iterations"


@pytest.mark.parametrize("early", [{"target": 40.0}, {"patience": 2}])
def test_a_resumed_run_stops_early_at_the_same_place(early, tmp_path):
    whole = tc.train(cma_es(iterations=12), objective(), curve=6, **early)
    assert 2 < len(whole.log) < 12
    for iterations in (2, 12):
        resumed = tc.train(
            cma_es(iterations=iterations), objective(), tmp_path / "run.npz", resume=True, curve=6, **early
        )
    assert_equal_bits(resumed.optimizer.state(), whole.optimizer.state())
    assert_equal_bits(resumed.log, whole.log)
    assert resumed.stopped == whole.stopped


def test_a_finished_run_that_is_resumed_plays_nothing_and_says_the_same(tmp_path, played):
    first = tc.train(cma_es(), objective(), tmp_path / "run.npz")
    played.clear()
    again = tc.train(cma_es(), objective(), tmp_path / "run.npz", resume=True)
    assert not played
    assert repr(again) == repr(first)


def test_an_optimizer_that_has_begun_by_hand_goes_on_from_there(tmp_path):
    begun = [run(cma_es(), lambda x: objective()(x), iterations=2) for _ in range(2)]
    one = tc.train(begun[0], objective(), tmp_path / "run.npz", curve=3)
    assert one.optimizer.iteration == 5
    assert len(one.log["curve"]) == len(one.log["games"]) == 3
    again = tc.train(cma_es(), objective(), tmp_path / "run.npz", resume=True, curve=3)
    assert_equal_bits(again.log, one.log)
    assert_equal_bits(again.optimizer.state(), one.optimizer.state())


# --- what comes out ---------------------------------------------------------------------------------


def test_a_training_shows_what_it_is():
    trained = tc.train(cma_es(iterations=2), objective(), curve=2)
    shown = r"Training\(CMAES\(8.*iteration 2, best .*\), 60 games, all 2 iterations are done\)"
    assert re.fullmatch(shown, repr(trained))
    assert trained.player("mine").name == "mine"
    with pytest.raises(tc.InputError, match="only an Objective has players"):
        tc.train(cma_es(), sphere).player()


def test_an_error_in_a_players_own_feature_comes_out_at_once():
    def broken(move):
        raise ZeroDivisionError("my mistake")

    with pytest.raises(ZeroDivisionError, match="my mistake"):
        tc.train(cma_es(2), tc.Objective([broken, "holes"], SMALL))


def test_a_feature_of_ones_own_trains_like_the_same_feature_of_the_catalogue():
    def highest(move):
        return move.after.heights.max()

    rules = tc.Rules(6, 8, max_pieces=12)
    slow, fast = (
        tc.train(cma_es(2, iterations=2), tc.Objective([one, "holes"], rules), curve=2)
        for one in (highest, "max_height")
    )
    assert_equal_bits(slow.optimizer.state(), fast.optimizer.state())
    assert_equal_bits(slow.log, fast.log)


# --- bad input --------------------------------------------------------------------------------------

REFUSED = {
    "no elite": (lambda: cross_entropy(rho=0), "rho is 0; it must be a number above 0"),
    "more than all": (lambda: cross_entropy(rho=1.5), "rho is 1.5; it must be"),
    "nobody": (lambda: cross_entropy(population=0), "population is 0; it must be a whole number of at least 1"),
    "no genomes": (lambda: genetic(population_size=0), "population_size is 0; it must be"),
    "no step": (lambda: cma_es(sigma=0), "sigma is 0; it must be a number above 0"),
    "a step back": (lambda: cma_es(sigma=-1), "sigma is -1; it must be"),
    "no dimension": (lambda: tc.CMAES(0), "dimension is 0; it must be"),
    "an unknown setting": (lambda: cma_es(speed=3), "setting is 'speed'"),
    "bounds upside down": (lambda: RacingSettings(low=5, high=5), "high is 5; it must be a number above 5"),
    "no game": (lambda: objective(games=0), "games is 0; it must be a whole number of at least 1"),
    "an unknown score": (lambda: objective(score="lins"), "score is 'lins'; did you mean 'lines'?"),
    "unknown pieces": (lambda: objective(pieces="mine"), "pieces is 'mine'"),
    "unknown rules": (lambda: objective(rules="hard"), "rules is 'hard'; did you mean 'harder'?"),
    "rules that are none": (lambda: objective(rules=10), "rules is 10; it must be"),
    "unknown features": (lambda: tc.Objective("dnn"), "'dnn'; did you mean 'dn'?"),
    "no optimizer": (lambda: tc.train("cma-es", objective()), "optimizer is 'cma-es'; it must be"),
    "an optimizer's class": (lambda: tc.train(tc.CMAES, objective()), "optimizer is <class"),
    "no objective": (lambda: tc.train(cma_es(), "lines"), "objective is 'lines'; it must be"),
    "too few weights": (lambda: tc.train(cma_es(7), objective()), "optimizer has dimension 7; dn features take 8"),
    "a race of genomes": (lambda: tc.train(genetic(), objective(signs="usual"), racing="tetris"), "racing is given"),
    "genomes without signs": (lambda: tc.train(genetic(), objective()), "signs='usual'"),
    "a function that gives no number": (lambda: tc.train(cma_es(3), lambda x: x), "objective gave"),
    "a race that all win": (
        lambda: tc.train(cross_entropy(rho=1), objective(), racing="tetris"), "racing is given; it needs losers",
    ),
    "an unknown race": (lambda: tc.train(cma_es(), objective(), racing="tetri"), "racing is 'tetri'; did you mean"),
    "a race that is none": (lambda: tc.train(cma_es(), objective(), racing=3), "racing is 3; it must be"),
    "a race of a function": (lambda: tc.train(cma_es(), sphere, racing="tetris"), "racing is given; it needs"),
    "a curve of a function": (lambda: tc.train(cma_es(), sphere, curve=30), "curve is 30 games; it must be 0"),
    "a curve below zero": (lambda: tc.train(cma_es(), objective(), curve=-1), "curve is -1; it must be"),
    "a curve on unknown rules": (lambda: tc.Curve(3, "hader"), "curve rules is 'hader'; did you mean 'harder'"),
    "a curve on another width": (
        lambda: tc.train(cma_es(13), tc.Objective("bertsekas", SMALL), curve=tc.Curve(3, tc.Rules(7, 8))),
        "it must have width 6",
    ),
    "a target without a curve": (lambda: tc.train(cma_es(), objective(), curve=0, target=5), "curve is 0 games"),
    "patience without a curve": (lambda: tc.train(cma_es(), sphere, patience=5), "curve is 0 games"),
    "a target in words": (lambda: tc.train(cma_es(), objective(), target="many"), "target is 'many'; it must be"),
    "no patience": (lambda: tc.train(cma_es(), objective(), patience=0), "patience is 0; it must be"),
    "no executor": (lambda: tc.train(cma_es(), objective(), executor="dask"), "executor is 'dask'; it must be"),
    "no threads": (lambda: tc.train(cma_es(), objective(), threads=0), "threads is 0; it must be"),
    "resumed from nothing": (lambda: tc.train(cma_es(), objective(), resume=True), "resume is True; it needs"),
    "a number as a file": (lambda: tc.train(cma_es(), objective(), 5), "checkpoint is 5; it must be"),
    "a name that no file has": (lambda: tc.train(cma_es(), objective(), "a\0b"), "checkpoint is 'a\\x00b'; it must"),
    "a name that is too long": (lambda: tc.train(cma_es(), objective(), "a" * 999), "; it must be a file"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_in_a_line_before_any_game_is_played(case, played):
    call, text = REFUSED[case]
    with pytest.raises(tc.InputError) as caught:
        call()
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not played


# --- what is shown ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Something that a person looks at."""

    def isatty(self):
        return True


def terminal(monkeypatch):
    """stderr as a terminal, and a bar without its usual delay; no fixture, as pytest sets stderr after those."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("tetriscourse.optimizers.progress.SECONDS_BEFORE_SHOWN", 0)
    return screen


@pytest.mark.parametrize("progress", [True, None])
def test_the_bar_shows_iteration_best_mean_games_moves_a_second_and_time_left(progress, monkeypatch, capsys):
    screen = terminal(monkeypatch)
    tc.train(cma_es(), objective(games=200, rules=tc.RULES["10x10"]), progress=progress, curve=3, label="mine")
    number = r"[\d,.]+"
    shown = (
        rf"mine \d/5 \|.*\| 00:\d\d, 00:\d\d left, best {number}, mean {number}, curve {number}, {number} games, "
        rf"{number} M moves/s"
    )
    assert any(re.match(shown, text) for text in screen.getvalue().split("\r")), screen.getvalue()
    assert capsys.readouterr().out == ""


def test_nothing_is_shown_without_a_terminal_or_when_not_wanted(monkeypatch, capsys):
    screen = terminal(monkeypatch)
    tc.train(cma_es(), objective(games=20), progress=False)
    assert screen.getvalue() == ""
    hidden = io.StringIO()
    monkeypatch.setattr(sys, "stderr", hidden)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # in a notebook it would be shown
    tc.train(cma_es(), objective(games=20))
    assert hidden.getvalue() == ""
    assert capsys.readouterr().out == ""


def test_nothing_is_shown_where_progress_bars_are_switched_off(monkeypatch):
    screen = terminal(monkeypatch)
    monkeypatch.setenv("TQDM_DISABLE", "1")  # as when notebooks are built and compared
    tc.train(cma_es(), objective(games=20))
    assert screen.getvalue() == ""
    tc.train(cma_es(), objective(games=20), progress=True)
    assert screen.getvalue() != ""


def test_the_time_left_follows_from_the_last_iterations(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("tetriscourse.optimizers.progress.time.perf_counter", lambda: clock[0])
    optimizer = cma_es(2, iterations=10)
    with training.ProgressBar(optimizer, History(), Pool(), "run") as bar:
        for _ in range(4):
            run(optimizer, sphere, iterations=optimizer.iteration + 1)
            clock[0] += 20.0
            bar.advance()
        assert bar.seconds_left() == 6 * 20.0
        clock[0] += 5.0
        assert bar.seconds_left() == 6 * 20.0 - 5.0
