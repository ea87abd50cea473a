"""The experiments of the papers: what they are, how they are run and judged, and what came out."""

from __future__ import annotations

from dataclasses import fields, replace
from statistics import fmean, median

import numpy as np
import pytest
from scipy import stats

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.inference import agree, fit_exponential
from tetriscourse.optimizers.catalogue import EXPERIMENTS, MEAN_OF_THREE
from tetriscourse.optimizers.experiments import (
    METHODS,
    Experiment,
    begin_from_stored,
    curve_means,
    stored_result,
    stored_results,
    unfinished_names,
)
from tetriscourse.optimizers.objectives import mean_vector
from tetriscourse.optimizers.outcome_data import rounded
from tetriscourse.optimizers.outcomes import JUDGING_SEED, Judgement
from tetriscourse.optimizers.racing import Estimates, hoeffding
from tetriscourse.optimizers.training import Curve, train
from tetriscourse.optimizers.validation import ValidationSettings

SMALL = Experiment(
    "small", "cma-es", METHODS["cma-es"].Settings(iterations=3, normalise=True), tc.Objective("dn", "5x5", 5),
    runs=3, curve=Curve(4), judgements=(Judgement(tc.RULES["5x5"], 50, "13.84", rivals=(tc.PLAYERS["dn"],)),),
)  # fmt: skip


# --- how they are run -------------------------------------------------------------------------------


def test_several_runs_differ_in_their_seeds_and_the_player_is_the_mean_of_their_directions():
    outcome = SMALL.run(progress=False)
    assert [one.optimizer.seed for one in outcome.trainings] == [1, 2, 3]
    units = [one.favourite / np.sqrt((one.favourite**2).sum()) for one in outcome.trainings]
    np.testing.assert_allclose(outcome.player.weights, np.mean(units, axis=0))


def test_the_learned_player_and_its_rival_are_judged_on_the_same_games_nobody_learned_from():
    outcome = SMALL.run(progress=False)
    mine, rival = outcome.judged
    assert mine.mean == tc.simulate(outcome.player, tc.RULES["5x5"], games=50, seed=JUDGING_SEED).mean
    assert rival.mean == tc.simulate(tc.PLAYERS["dn"], tc.RULES["5x5"], games=50, seed=JUDGING_SEED).mean
    assert mine.published == "13.84"
    assert mine.low < mine.mean < mine.high


def test_long_judgements_are_played_on_request_only():
    long = replace(SMALL, runs=1, judgements=(Judgement(tc.RULES["5x5"], 9, long=True),))
    assert long.run(progress=False).judged == ()
    assert len(long.run(progress=False, thorough=True).judged) == 1


def test_the_games_of_a_long_judgement_are_kept_and_not_played_again(tmp_path, monkeypatch):
    long = replace(SMALL, runs=1, judgements=(Judgement(tc.RULES["5x5"], 9, long=True, rivals=(tc.PLAYERS["dn"],)),))
    first = long.run(tmp_path / "run.npz", progress=False, thorough=True)
    names = ["run-judged-1-0.npz", "run-judged-1-1.npz", "run.npz"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    monkeypatch.setattr("tetriscourse.simulator.run.play", lambda *_: pytest.fail("a game was played again"))
    again = long.run(tmp_path / "run.npz", progress=False, resume=True, thorough=True)
    assert again.as_data() == first.as_data()
    (tmp_path / "run.npz").unlink()
    with pytest.raises(tc.InputError, match=r"run-judged-1-0\.npz'; the file exists"):
        long.run(tmp_path / "run.npz", progress=False, thorough=True)


def test_every_run_has_its_own_checkpoint(tmp_path):
    first = SMALL.run(tmp_path / "run.npz", progress=False)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run-01.npz", "run-02.npz", "run-03.npz"]
    again = SMALL.run(tmp_path / "run.npz", progress=False, resume=True)
    assert again.as_data() == first.as_data()


def two_stages() -> Experiment:
    """Two runs on a small board, then one on a larger board that starts at their mean."""
    first = replace(SMALL, name="first", runs=2, judgements=(), averaged=2)
    settings = replace(SMALL.settings, sigma=0.1)
    return replace(SMALL, settings=settings, objective=tc.Objective("dn", "5x6", 5), runs=1, after=first)


def test_a_stage_starts_at_the_mean_of_the_stage_before_and_has_seeds_of_its_own():
    outcome = two_stages().run(progress=False)
    before = outcome.before
    last = [one.history["favourite"][-2:] for one in before.trainings]
    np.testing.assert_allclose(before.vector, mean_vector([mean_vector(rows) for rows in last]))
    np.testing.assert_allclose(outcome.trainings[0].optimizer.settings.start, before.vector)
    assert [one.optimizer.seed for one in outcome.all_trainings] == [1, 2, 1001]
    assert len(before.judged) == 0
    assert outcome.as_data()["before"]["runs"][1]["seed"] == 2
    other = two_stages().changed(seed=7).run(progress=False)
    assert [one.optimizer.seed for one in other.all_trainings] == [7, 8, 1007]


def test_an_interrupted_stage_is_resumed_to_the_same_outcome(tmp_path, monkeypatch):
    whole = two_stages().run(progress=False).as_data()
    from tetriscourse.optimizers import training

    step, calls = training.Run.step, []

    def interrupted(run, pool):
        calls.append(run)
        if len(calls) == stop_at:
            pool.stop()
        step(run, pool)

    for stop_at in (4, 8):  # in the second run of the first stage; in the second stage
        calls.clear()
        file = tmp_path / f"{stop_at}.npz"
        monkeypatch.setattr(training.Run, "step", interrupted)
        stopped = two_stages().run(file, progress=False)
        assert not stopped.complete
        expected = f"{stop_at}-stage-1-02.npz" if stop_at == 4 else f"{stop_at}.npz"
        assert stopped.interrupted_file(file) == tmp_path / expected
        assert "interrupted" in repr(stopped)
        monkeypatch.setattr(training.Run, "step", step)
        assert two_stages().run(file, progress=False, resume=True).as_data() == whole


def test_three_stages_have_files_of_their_own(tmp_path):
    three = replace(two_stages(), name="third", after=two_stages())
    names = [path.name for path in three.checkpoints(tmp_path / "run.npz")]
    assert names == ["run-stage-1-01.npz", "run-stage-1-02.npz", "run-stage-2.npz", "run.npz"]


def test_features_that_a_stage_adds_begin_with_a_weight_of_zero():
    first = replace(SMALL, runs=1, judgements=())
    added = replace(first, name="added", objective=tc.Objective("rv-ce", "5x5", 5), after=first)
    dropped = replace(first, name="dropped", objective=tc.Objective("dellacherie", "5x5", 5), after=first)
    for one, expected in ((added, lambda m: [*m, 0.0]), (dropped, lambda m: m[:6])):
        outcome = one.run(progress=False)
        assert list(outcome.trainings[0].optimizer.settings.start) == list(expected(outcome.before.vector))


def test_only_cma_es_can_start_where_another_stage_ended():
    with pytest.raises(InputError, match="method is 'genetic'; only cma-es"):
        replace(EXPERIMENTS["genetic-3"], after=SMALL)


def test_an_experiment_with_other_numbers_says_what_was_changed():
    outcome = EXPERIMENTS["boumaza-5x5-dn"].changed(runs=2, iterations=2, games=3, curve=2, sigma=0.3).run(
        progress=False
    )
    assert [len(one.history) for one in outcome.trainings] == [2, 2]
    report = repr(outcome)
    assert "changed      runs 2, sigma 0.3, iterations 2, games 3, games 2" in report
    assert "published    13.84 lines" in report
    assert "changed" not in repr(replace(outcome, experiment=EXPERIMENTS["boumaza-5x5-dn"]))
    with pytest.raises(InputError, match="did you mean 'sigma'"):
        SMALL.changed(sgma=1)


def test_races_by_name_let_nobody_play_more_games_than_without(capsys):
    raced = SMALL.changed(racing="tetris", games=2)
    assert (raced.racing.r_min, raced.racing.r_max) == (2, 2)
    assert max(one.games for one in raced.run(progress=False).trainings) <= 3 * 10 * 2


@pytest.mark.parametrize("method", METHODS.values())
def test_help_explains_every_setting(method):
    for one in method.Settings.__dataclass_fields__.values():
        assert one.name in method.__doc__
        assert one.metadata["text"] in method.__doc__


def test_a_checkpoint_that_is_in_the_way_of_a_later_run_is_found_before_the_first(tmp_path, monkeypatch):
    (tmp_path / "run-03.npz").write_text("mine")
    monkeypatch.setattr("tetriscourse.optimizers.experiments.train", None)
    with pytest.raises(InputError, match=r"run-03\.npz'; the file exists"):
        SMALL.run(tmp_path / "run.npz", progress=False)
    assert (tmp_path / "run-03.npz").read_text() == "mine"


def test_the_mean_of_runs_does_not_depend_on_their_lengths():
    rows = np.array([[3.0, 4.0], [0.0, -2.0]])
    np.testing.assert_allclose(mean_vector(rows), [0.3, -0.1])
    np.testing.assert_allclose(mean_vector(rows * [[10.0], [0.1]]), [0.3, -0.1])
    for bad in ([], [[0.0, 0.0]], [[np.inf, 1.0]]):
        with pytest.raises(InputError, match="vectors"):
            mean_vector(bad)


def test_numbers_are_stored_with_six_digits_and_without_infinities():
    assert rounded(np.array([[1.23456789, 2.0], [np.inf, np.nan]])) == [[1.23457, 2], [None, None]]


# --- the catalogue ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_begun_and_names_its_source(name):
    one = EXPERIMENTS[name]
    papers = ("Muller and Ponton 2019", "Szita and Lőrincz 2006", "Thiery and Scherrer", "Boumaza 2013", "RV-CE 2026")
    assert one.name == name
    assert one.source.startswith((*papers, "this course"))
    assert one.shows
    assert one.published
    candidates = one.optimizer().ask()
    assert candidates.shape[1] == one.objective.dimension
    assert one.optimizer(1).seed == one.optimizer(0).seed + 1


def test_the_examples_of_muller_and_ponton_have_their_numbers():
    for number in range(1, 8):
        one = EXPERIMENTS[f"genetic-{number}"]
        assert one.settings.population_size == (1000 if number == 7 else 100)
        assert one.objective.rules == replace(tc.RULES["tetrisbot"], max_pieces=500)
        assert one.objective.games == (100 if number == 7 else 5)
        assert one.objective.score == ("lines" if number == 1 else "points")
        assert one.objective.player([1, 2, 3, 4]).weights == (1, -2, -3, -4)
        assert (one.runs, one.learned) == (12, "each")


@pytest.mark.parametrize("number", range(3, 8))
def test_an_example_on_lines_differs_from_that_on_points_in_nothing_else(number):
    points, lines = EXPERIMENTS[f"genetic-{number}"], EXPERIMENTS[f"genetic-{number}-lines"]
    assert (points.objective.score, lines.objective.score) == ("points", "lines")
    for one in fields(lines):
        if one.name not in ("name", "objective", "source", "shows"):
            assert getattr(lines, one.name) == getattr(points, one.name)
    for part in ("features", "rules", "games", "pieces", "signs"):
        assert getattr(lines.objective, part) == getattr(points.objective, part)


def test_the_runs_of_boumaza_have_theirs():
    one = EXPERIMENTS["boumaza-dn"].optimizer()
    assert (one.constants.lambda_, one.constants.mu, one.sigma, one.settings.iterations) == (10, 5, 0.5, 50)
    assert EXPERIMENTS["boumaza-dn"].runs == 20
    race = EXPERIMENTS["boumaza-race-hoeffding"]
    assert (race.runs, race.racing.delta, race.racing.r_max) == (50, 0.05, 100)
    assert (race.racing.low, race.racing.high) == (150, 2000)


def test_rv_ce_and_its_control_differ_in_validation_only_and_play_equally_many_games():
    validated, control = EXPERIMENTS["rv-ce"], EXPERIMENTS["rv-ce-off"]
    again, objective = validated.validation, validated.objective
    population = validated.settings.population
    games = population * objective.games + again.share * population * again.games
    assert games == population * control.objective.games
    same = replace(control.objective, games=objective.games)
    assert replace(
        control, name="rv-ce", objective=same, validation=again, source=validated.source, shows=validated.shows,
        published=validated.published,
    ) == validated  # fmt: skip
    assert control.validation is None


def test_a_report_says_how_the_best_were_ranked():
    validation = ValidationSettings(games=2, kappa=0.25)
    for kappa, said in ((0.25, "2 other games and were ranked by their mean less 0.25 sd\n"), (0, "2 other games\n")):
        one = replace(SMALL, runs=1, judgements=(), validation=replace(validation, kappa=kappa))
        assert f"the best 20 % of candidates played {said}" in one.run(progress=False).report()


# --- what came out ----------------------------------------------------------------------------------

RESULTS = stored_results()


def learned(name, rules):
    """The stored judgement of the learned player on these rules."""
    return next(one for one in RESULTS[name]["judged"] if one["player"] == "learned" and one["rules"] == rules)


def test_every_stored_outcome_says_how_it_was_made_and_is_whole():
    assert len(RESULTS) > 30
    for name, result in RESULTS.items():
        assert result["command"].startswith(f"tetriscourse train {name}"), name
        assert result["version"]
        assert result["complete"]
        assert (result["seconds"] is None) == (name in unfinished_names()), name
        assert result["seconds"] is None or result["seconds"] > 0
        first = EXPERIMENTS[name].optimizer().seed
        assert [one["seed"] for one in result["runs"]] == [first + k for k in range(len(result["runs"]))]


def test_every_experiment_has_a_stored_outcome():
    assert set(EXPERIMENTS) == set(RESULTS)


def test_only_what_takes_many_hours_is_unfinished():
    assert unfinished_names() == ["thiery-bd", "thiery-bdn", "thiery-d", "thiery-dn"]
    assert unfinished_names() == [name for name, one in RESULTS.items() if "--iterations" in one["command"]]


def test_what_was_learned_on_the_full_board_overlaps_table_3_of_thiery_and_scherrer_on_10x16():
    for name, lines in (("d", 530_000), ("bd", 660_000), ("dn", 910_000), ("bdn", 910_000)):
        found = learned(f"thiery-{name}", "10x16")
        assert found["low"] < 1.05 * lines, name
        assert found["high"] > 0.95 * lines, name


@pytest.mark.parametrize("name", unfinished_names())
def test_a_stored_run_is_where_its_outcome_says_and_can_go_on(name, tmp_path):
    begin_from_stored(name, tmp_path / "run.npz")
    one, [stored] = EXPERIMENTS[name], RESULTS[name]["runs"]
    made = stored["iterations"]
    again = train(
        one.changed(iterations=made).optimizer(), one.objective, tmp_path / "run.npz", progress=False, resume=True,
        curve=one.curve,
    )  # fmt: skip
    assert again.stopped == stored["stopped"] == f"all {made} iterations are done"
    assert rounded(again.favourite) == stored["favourite"]
    assert (again.games, again.moves) == (stored["games"], stored["moves"])
    assert again.log.count("curve") == made // 10
    with pytest.raises(InputError, match=r"run\.npz'; the file exists"):
        begin_from_stored(name, tmp_path / "run.npz")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["genetic-1", "genetic-3"])
def test_a_stored_outcome_comes_out_again(name):
    data, stored = EXPERIMENTS[name].run(progress=False).as_data(), RESULTS[name]
    for part in ("weights", "runs", "judged", "objective", "features"):
        assert data[part] == stored[part]


def test_the_champion_is_what_its_command_gave_and_beats_the_published_record_on_the_same_pieces():
    champion, record = tc.PLAYERS["champion-10x10"], RESULTS["record-10x10"]
    assert champion.source.endswith(record["command"])
    assert list(champion.weights) == record["weights"]
    mine, *rivals = record["judged"]
    assert [one["player"] for one in rivals] == ["rv-ce", "dt-10", "dt-20", "dn"]
    assert {one["games"] for one in record["judged"]} == {6400}
    assert mine["low"] > 8000 > max(one["high"] for one in rivals)
    few = tc.simulate(champion, "10x10", games=400, seed=JUDGING_SEED)
    assert few.interval(0.999)[0] < mine["mean"] < few.interval(0.999)[1]


def test_the_champion_of_the_standard_board_beats_the_published_record_in_whole_games_on_the_same_pieces():
    champion, record = tc.PLAYERS["champion-10x20"], RESULTS["record-10x20"]
    assert champion.source.endswith(record["command"])
    assert list(champion.weights) == record["weights"]
    mine, *rivals = [one for one in record["judged"] if one["rules"] == "research"]
    assert [one["player"] for one in rivals] == ["dt-20", "dn"]
    assert {one["games"] for one in (mine, *rivals)} == {100}
    assert mine["low"] > max(51e6, *(one["high"] for one in rivals))


def test_what_starts_from_the_mean_of_three_runs_starts_from_their_stored_outcome():
    assert list(MEAN_OF_THREE) == RESULTS["record-10x10-runs"]["weights"]
    for name in ("record-10x20", "record-10x10-look-ahead", "record-10x10-two-piece"):
        assert EXPERIMENTS[name].settings.start == MEAN_OF_THREE


def test_the_champion_is_the_first_of_three_runs_which_differ_only_in_their_seeds():
    runs, record = RESULTS["record-10x10-runs"], RESULTS["record-10x10"]
    assert runs["runs"][0] == record["runs"][0]
    assert runs["before"] == record["before"]


def test_noise_is_what_makes_cross_entropy_work_on_bertsekas_s_features():
    none, constant, decreasing = (
        sorted(curve_means(RESULTS[f"thiery-{noise}"])) for noise in ("none", "constant", "decreasing")
    )
    assert median(none) < median(constant) / 100
    assert max(none) < median(constant) / 5
    assert max(decreasing) / min(decreasing) > max(constant) / min(constant)  # scattered


def test_of_the_three_published_noises_only_the_constant_comes_out_in_the_game_until_the_top_row():
    none, constant, decreasing = (
        curve_means(RESULTS[f"szita-{noise}"]) for noise in ("none", "constant", "decreasing")
    )
    assert {len(one) for one in (none, constant, decreasing)} == {10}
    assert sum(lines < 72_705 for lines in constant) in (5, 6, 7, 8)
    assert agree(median(constant), 0.12, 72_705, 0.37)  # 300 games a run, 30 theirs
    assert 4.5 * max(none) < 21_252
    assert 3 * max(decreasing) < 348_895
    assert sum(lines < 8000 for lines in decreasing) == 5
    ahead = np.mean([one > other for one in decreasing for other in constant])
    assert ahead == pytest.approx(0.29)


@pytest.mark.parametrize("noise", ["none", "constant", "decreasing"])
def test_the_runs_of_both_papers_differ_in_the_game_and_their_length_only(noise):
    ours, theirs = EXPERIMENTS[f"szita-{noise}"], EXPERIMENTS[f"thiery-{noise}"]
    assert replace(ours.settings, iterations=theirs.settings.iterations) == theirs.settings
    assert (ours.objective.rules, theirs.objective.rules) == (tc.RULES["top-row"], tc.RULES["research"])
    for part in ("features", "games", "score", "pieces", "signs"):
        assert getattr(ours.objective, part) == getattr(theirs.objective, part)
    for part in ("seed", "runs", "curve"):
        assert getattr(ours, part) == getattr(theirs, part)


def test_scores_are_exponential_at_the_points_of_good_players_only():
    """Szita and Lőrincz's test at each point of the learning curve: all games of all points of all runs are stored."""
    runs = [run for noise in ("none", "constant", "decreasing") for run in RESULTS[f"szita-{noise}"]["runs"]]
    curves = [np.array(run["log"]["curve"]) for run in runs]
    assert {curve.shape for curve in curves} == {(100, 30), (50, 30)}
    fits = [[fit_exponential(games) for games in curve] for curve in curves]
    assert not any(all(fit.naive_p_value >= 0.05 for fit in run) for run in fits)
    points = [fit for run in fits for fit in run]

    def passing(low, high):
        return np.mean([fit.p_value >= 0.05 for fit in points if low <= fit.mean < high])

    assert passing(20, 100) < 0.02
    assert passing(100, 300) < 0.1
    assert 0.92 < passing(1000, 10_000) < 0.96
    assert 0.92 < passing(10_000, 1e6) < 0.96
    first_ten = np.mean([fit.p_value >= 0.05 for run in fits for fit in run[:10]])
    assert first_ten < 0.1


def test_players_learned_on_harder_games_are_as_good_as_published_on_the_standard_game():
    for name, lines in (("boumaza-dn", 870_000), ("boumaza-d", 470_000), ("boumaza-dn-6x12", 879_000)):
        assert agree(learned(name, "10x16")["mean"], 0.2, lines, 0.2), name  # 100 games each


def test_normalisation_lets_the_step_size_converge():
    on, off = (
        [np.array(run["history"]["sigma"])[-1] for run in RESULTS[f"boumaza-{name}"]["runs"]]
        for name in ("normalised", "unnormalised")
    )
    assert max(on) < 0.02 < min(off)
    assert median(off) > 10 * median(on)
    lengths = [np.linalg.norm(run["favourite"]) for run in RESULTS["boumaza-unnormalised"]["runs"]]
    assert max(lengths) > 10 * min(lengths)  # what it converges to, if it does, is a matter of chance


def raced(name):
    """The runs of a racing experiment."""
    return RESULTS[f"boumaza-race-{name}"]["runs"]


def end(name):
    """The fitness of each of its runs."""
    return np.array(curve_means(RESULTS[f"boumaza-race-{name}"]))


def of_races(name, what):
    """An entry of the log of its races, a row a run."""
    return np.array([run["log"][f"race_{what}"] for run in raced(name)])


def times(one, other):
    """How many times the fitness of the other experiment's runs, with a 95 % interval."""
    one, other = np.log(end(one)), np.log(end(other))
    low, high = stats.ttest_ind(one, other, equal_var=False).confidence_interval()
    return np.exp([one.mean() - other.mean(), low, high])


def test_races_reach_the_same_fitness_for_fewer_games():
    games = {name: fmean(run["games"] for run in raced(name)) for name in ("off", "hoeffding", "bernstein", "tetris")}
    assert games == {"off": 25_000, "hoeffding": 18_210, "bernstein": 18_210, "tetris": pytest.approx(10_497, abs=0.5)}
    medians = [median(end(name)) for name in games]
    assert max(medians) < 1.03 * min(medians)
    for name in games:
        assert len(raced(name)) == 50
        assert np.diff(np.quantile(end(name), [0.25, 0.75])) > 0.08 * median(end(name))  # runs of a kind differ by more


def test_races_with_hoeffding_and_bernstein_bounds_are_those_of_the_limit_alone():
    limit, games = 3.0, 0
    for _ in range(25):
        games += 10 * int(limit)
        limit = min(1.5 * limit, 100)
    names = ("hoeffding", "bernstein", "hoeffding-0.25", "hoeffding-0.5", "bernstein-0.25", "bernstein-0.5")
    for name in names:
        assert {run["games"] for run in raced(name)} == {games} == {18_210}
        assert raced(name) == raced("hoeffding")


def test_hoeffding_bounds_cannot_tell_the_best_players_of_the_hardest_game_apart():
    settings = EXPERIMENTS["boumaza-race-hoeffding"].racing
    half = hoeffding(Estimates(0, 0, settings.r_max, 10 * settings.r_max, settings.delta, settings.high - settings.low))
    assert round(float(half)) == 426
    assert 2 * half > 1.5 * max(end("off"))


def test_in_the_hardest_game_races_with_tetris_bounds_come_back_to_the_limit():
    share, other = (np.median(of_races(name, "share"), axis=0) for name in ("tetris", "tetris-harder"))
    assert (round(min(share), 2), round(share[-1], 2)) == (0.62, 0.88)
    assert max(other[8:]) < 0.67
    full, comes_and_goes = (np.mean(of_races(name, "limit")[:, -5:] == 100) for name in ("tetris", "tetris-harder"))
    assert full > 0.9 > 0.75 > comes_and_goes


def test_with_more_candidates_hoeffding_races_stay_at_the_ramp_and_tetris_races_get_dearer():
    ramp = {"": 18_210, "-20": 36_420, "-40": 72_840}
    for suffix, games in ramp.items():
        assert {run["games"] for run in raced(f"hoeffding{suffix}")} == {games}
    shares = [fmean(run["games"] for run in raced(f"tetris{suffix}")) / games for suffix, games in ramp.items()]
    assert np.round(shares, 2).tolist() == [0.58, 0.69, 0.75]
    limits = [of_races(f"tetris{suffix}", "limit") for suffix in ramp]
    decided = [np.mean(limit[:, 1:] < limit[:, :-1]) for limit in limits]
    assert decided == sorted(decided, reverse=True)
    assert times("hoeffding-20", "hoeffding").round(2).tolist() == [1.08, 1.06, 1.11]
    assert times("tetris-20", "tetris").round(2).tolist() == [1.11, 1.08, 1.14]


def test_as_many_games_for_everybody_are_as_good_as_a_race():
    for control, race in (("off-42", "tetris"), ("off-73", "hoeffding")):
        assert fmean(run["games"] for run in raced(control)) == pytest.approx(
            fmean(run["games"] for run in raced(race)), rel=0.003
        )
        _, low, high = times(race, control)
        assert low < 1 < high
    _, low, high = times("off-28", "off")
    assert low < 1 < high
    assert times("off-10", "off").round(2).tolist() == [0.95, 0.92, 0.98]


def test_validation_shows_no_gain_over_as_many_games_without_it_nor_reaches_the_published_weights():
    validated, control = (np.log(curve_means(RESULTS[name])) for name in ("rv-ce", "rv-ce-off"))
    low, high = stats.ttest_ind(validated, control).confidence_interval()
    assert low < 0 < high
    mine, rival = RESULTS["rv-ce"]["judged"]
    assert rival["player"] == "rv-ce"
    assert mine["high"] < rival["low"]
    without = RESULTS["rv-ce-off"]["judged"][0]
    assert [round(one["mean"]) for one in (mine, without, rival)] == [4846, 5012, 5549]  # as chapter 08 quotes
    assert np.exp(validated.mean() - control.mean()) == pytest.approx(1.01, abs=0.005)


def test_an_unknown_outcome_is_refused_by_name():
    with pytest.raises(InputError, match="name is 'nothing'"):
        stored_result("nothing")
