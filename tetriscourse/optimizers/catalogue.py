"""EXPERIMENTS: all learning experiments of the papers, and our own, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tetriscourse.catalogues import Catalogue
from tetriscourse.game.rules import RULES, GameOver, as_rules
from tetriscourse.optimizers.cma_es import CMA_ES, CMASettings
from tetriscourse.optimizers.cross_entropy import CROSS_ENTROPY
from tetriscourse.optimizers.experiments import Experiment
from tetriscourse.optimizers.genetic import GENETIC
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.outcomes import Judgement
from tetriscourse.optimizers.racing import BOUNDS, RacingSettings
from tetriscourse.optimizers.training import Curve
from tetriscourse.optimizers.validation import ValidationSettings
from tetriscourse.players import PLAYERS, Player

TETRISBOT, HARDER, HARDEST = RULES["tetrisbot"], RULES["harder"], RULES["hardest"]

# What the settings change from one example to the next, the mean points of 100 whole games that the report gives
# (± 20 %; those of examples 4 to 7 stand in the program's own pictures), and how long its authors waited.
_GENETIC = {
    1: ("float genomes, tournaments, on lines: 500 pieces cap them at 200, and selection goes blind", "186,510", "5 h"),
    2: ("the same on points, which are not capped", "125,049", "3 h"),
    3: ("binary genomes", "518,412", "3 h"),
    4: ("elitism instead of the best of old and new", "86,686", "12 h"),
    5: ("the wheel instead of tournaments", "90,408", "12 h"),
    6: ("twice the mutation", "155,412", "12 h"),
    7: ("1,000 individuals and 100 games each, 9 generations", "500,870", "3 weeks"),
}


def genetic_experiments() -> Iterator[Experiment]:
    """The seven examples of chapter 10, as the text says; and those on points again on lines, the program's default."""
    for number, (shows, points, took) in _GENETIC.items():
        score = "lines" if number == 1 else "points"
        text = Experiment(
            f"genetic-{number}", "genetic", GENETIC[f"example-{number}"], genetic_objective(number, score),
            f"Muller and Ponton 2019, chapter 10, example {number}", shows, f"{points} ± 20 % points, after {took}",
            runs=12, learned="each",
            judgements=(
                Judgement(TETRISBOT, 100, f"{points} ± 20 %", "points", rivals=(PLAYERS[f"tetrisbot-{number}"],)),
            ),
        )  # fmt: skip
        yield text
        if number > 2:  # the second is the first on points
            yield replace(
                text, name=f"genetic-{number}-lines", objective=genetic_objective(number, "lines"),
                source=f"{text.source} (on lines)", shows=f"{shows}; on lines, which the program proposes",
            )  # fmt: skip


def genetic_objective(number: int, score: str) -> Objective:
    """The games in which the members of an example are judged: broken off after 500 pieces."""
    capped = replace(TETRISBOT, max_pieces=500)
    return Objective("tetrisbot", capped, 100 if number == 7 else 5, score, signs=(1, -1, -1, -1))


_NOISES = {
    "none": ("without noise", "21,252", "100 to 3,000"),
    "constant": ("constant noise", "72,705", "100,000 to 200,000"),
    "decreasing": ("noise that falls linearly", "348,895", "5,000 to 250,000"),
}


def noise_experiments() -> Iterator[Experiment]:
    """Three noises with Bertsekas's features, ten runs each: in the game of the first paper, and of the second."""
    # Each candidate plays one game, on pieces of its own.
    for noise, (shows, once, _) in _NOISES.items():
        yield Experiment(
            f"szita-{noise}", "cross-entropy", CROSS_ENTROPY[f"szita-{noise}"],
            Objective("bertsekas", RULES["top-row"], 1, pieces="own"), "Szita and Lőrincz 2006, section 3",
            f"{shows}, in the game that ends at the top row", f"{once} lines, one run", runs=10,
        )  # fmt: skip
    for noise, (shows, _, ten_times) in _NOISES.items():
        yield Experiment(
            f"thiery-{noise}", "cross-entropy", CROSS_ENTROPY[f"thiery-{noise}"],
            Objective("bertsekas", RULES["research"], 1, pieces="own"), "Thiery and Scherrer 2009, figures 4 and 5",
            f"{shows}, in the research game", f"{ten_times} lines", runs=10,
        )  # fmt: skip


_TABLE_3 = {
    "d": ("dellacherie", "530,000", "17 M"),
    "bd": ("bd", "660,000", "20 M"),
    "dn": ("dn", "910,000", "35 M"),
    "bdn": ("bdn", "910,000", "35 M"),
}


def feature_experiments() -> Iterator[Experiment]:
    """Four sets of features with constant noise: as published, hours each, and on harder games, seconds."""
    for name, (features, low, high) in _TABLE_3.items():
        judgements = (
            Judgement(RULES["10x16"], 100, f"{low} ± 5 %"),
            Judgement(RULES["research"], 100, f"{high} ± 20 %", long=True),
        )
        source, said = "Thiery and Scherrer 2009, table 3 and figure 6", f"{low} lines on 10x16, {high} on 10x20"
        for suffix, rules, where, curve in (
            ("", RULES["research"], "10x20", Curve(every=10)), ("-harder", HARDER, "harder games instead", Curve()),
        ):  # fmt: skip
            yield Experiment(
                f"thiery-{name}{suffix}", "cross-entropy", CROSS_ENTROPY["thiery"],
                Objective(features, rules, 1, pieces="own"), source,
                f"{features} features with constant noise, learned on {where}", said, curve=curve,
                judgements=judgements,
            )  # fmt: skip


def cma_experiments() -> Iterator[Experiment]:
    """Harder games, smaller games, the smallest, and runs without normalisation."""
    tables, settings = "Boumaza 2013, tables 1 and 2", CMA_ES["boumaza"]

    def learned(name: str, features: str, rules: str, shows: str, low: str, high: str) -> Experiment:
        return Experiment(
            name, "cma-es", settings, Objective(features, RULES[rules], 100), tables, shows,
            f"{low} lines on 10x16, {high} on 10x20", runs=20,
            judgements=(Judgement(RULES["10x16"], 100, low), Judgement(RULES["research"], 100, high, long=True)),
        )  # fmt: skip

    yield learned("boumaza-dn", "dn", "harder", "eight features, harder games, mean of 20 runs", "870,000", "36.3 M")
    yield learned("boumaza-d", "dellacherie", "harder", "six features, harder games", "470,000", "16.6 M")
    yield learned("boumaza-dn-6x12", "dn", "6x12", "smaller games instead of harder ones", "879,000", "17 M")
    five, clearing = RULES["5x5"], GameOver.OVERFLOW_AFTER_CLEARING
    for name, features, lines in (("dn", "dn", "13.84"), ("d", "dellacherie", "13.30")):
        # The published figures cannot be reached with overflow before clearing, which the rest of the paper has.
        for suffix, rules, when in (("", five, "before"), ("-after", replace(five, game_over=clearing), "after")):
            yield Experiment(
                f"boumaza-5x5-{name}{suffix}", "cma-es", settings, Objective(features, rules, 1000),
                "Boumaza 2013, section 4.4", f"{features} features on 5x5, overflow decided {when} clearing",
                f"{lines} lines", runs=20, judgements=(Judgement(rules, 200_000, lines),),
            )  # fmt: skip
    long = replace(settings, iterations=100)
    for name, normalise, figures, shows, said in (
        ("unnormalised", False, "figure 4", "without normalisation", "a step size and weights that only grow"),
        ("normalised", True, "figures 5 and 6", "with normalisation", "a step size that falls, weights that settle"),
    ):
        yield Experiment(
            f"boumaza-{name}", "cma-es", replace(long, normalise=normalise), Objective("dn", HARDER, 100),
            f"Boumaza 2013, {figures}", f"{shows}, 5 runs of 100 iterations", said, runs=5,
        )  # fmt: skip


FIXED_GAMES = (10, 28, 42, 73)  # 42 and 73: as many for each candidate as races with Tetris and Hoeffding bounds play
FIXED_GAMES_HARDER = (28,)  # the same for Tetris bounds in games less hard


def racing_experiments() -> Iterator[Experiment]:
    """Races with three bounds and without, with larger populations, with less confidence; and in games less hard."""
    settings, objective = CMA_ES["boumaza-racing"], Objective("dn", HARDEST, 100)
    base = Experiment(
        "boumaza-race-off", "cma-es", settings, objective, "Boumaza 2013, figures 7 to 9",
        "25 iterations, 100 games each, no race", "the same fitness for more evaluations", runs=50,
    )  # fmt: skip
    said = {"hoeffding": "cheapest", "tetris": "cheaper at first", "bernstein": "no gain"}
    races = [base] + [
        replace(
            base, name=f"boumaza-race-{bound}", racing=RacingSettings(bound=bound),
            shows=f"races with {bound.capitalize()} bounds", published=said[bound],
        )
        for bound in BOUNDS
    ]  # fmt: skip
    yield from races
    for race in races:
        yield replace(
            race, name=f"{race.name}-harder", objective=Objective("dn", HARDER, 100),
            source="Boumaza 2013, figures 7 and 8 (in the games of table 2)", published="not tried",
        )  # fmt: skip
    for suffix, rules, numbers in (("", HARDEST, FIXED_GAMES), ("-harder", HARDER, FIXED_GAMES_HARDER)):
        for games in numbers:
            yield replace(
                base, name=f"boumaza-race-off-{games}{suffix}", objective=Objective("dn", rules, games),
                source="Boumaza 2013, figure 7 (a control for it)", shows=f"{games} games each, no race",
                published="not tried",
            )  # fmt: skip
    for population in (20, 40):
        for bound in ("hoeffding", "tetris"):
            yield replace(
                base, name=f"boumaza-race-{bound}-{population}", settings=replace(settings, population=population),
                racing=RacingSettings(bound=bound), source="Boumaza 2013, figures 9 to 11",
                shows=f"the same with {population} candidates",
                published="fewer evaluations, same fitness" if bound == "hoeffding" else "more evaluations",
            )  # fmt: skip
    for bound in ("hoeffding", "bernstein"):
        for delta in (0.25, 0.5):
            yield replace(
                base, name=f"boumaza-race-{bound}-{delta}", racing=RacingSettings(bound=bound, delta=delta),
                source="Boumaza 2013, figure 12", shows=f"the same with a confidence of {1 - delta:g}",
                published="earlier ends" if bound == "hoeffding" else "no change",
            )  # fmt: skip


def validation_experiments() -> Iterator[Experiment]:
    """Cross-entropy with an elite that other games confirm, and as many games an iteration without these.

    RV-CE's settings, apart from its features and its board, are not known here: population, noise, games, share and
    kappa are ours.
    """
    published = Judgement(RULES["10x10"], 1600, "5,379", rivals=(PLAYERS["rv-ce"],))
    validated = Experiment(
        "rv-ce", "cross-entropy", replace(CROSS_ENTROPY["thiery"], iterations=40),
        Objective("rv-ce", RULES["10x10"], 5), "RV-CE 2026, settings ours",
        "5 games each, then 25 others for the best 20 %, who are ranked by mean - sd/4", "5,379 lines", runs=5,
        validation=ValidationSettings(games=25, share=0.2, kappa=0.25), curve=Curve(100), judgements=(published,),
    )  # fmt: skip
    yield validated
    yield replace(
        validated, name="rv-ce-off", objective=Objective("rv-ce", RULES["10x10"], 10), validation=None,
        source="RV-CE 2026, settings ours (a control for it)", shows="10 games each, as many in all, no validation",
        published="not tried",
    )  # fmt: skip


MEAN_OF_THREE = (
    -0.294882, 0.0949705, -0.216762, -0.417256, -0.287059, -0.243571, -0.133923, -0.558975, 0.128413, 0.0353596,
    0.0692916, 0.0435279, 0.197179, -0.133347, -0.136229, -0.246143, 0.0949993, -0.06924, 0.0175137, 0.128326,
    -0.0561554, 0.00753001, -0.063908, -0.0431936,
)  # fmt: skip
"""The weights that record-10x10-runs has found."""


def record_experiments() -> Iterator[Experiment]:
    """The players with most lines: on 10x10 from nothing, by boards that grow and features that are added; on 10x20."""
    champion, rv_ce, dt_10, dt_20, dn = map(PLAYERS.named, ("champion-10x10", "rv-ce", "dt-10", "dt-20", "dn"))
    assert isinstance(champion, Player)
    settings, source = CMASettings(iterations=60, population=16, normalise=True), "this course"
    first = Experiment(
        "record-10x10-1", "cma-es", settings, Objective("rv-ce", as_rules("10x8"), 60), source,
        "first stage: RV-CE's nine features on a low board, from zero", curve=Curve(0), averaged=5,
    )  # fmt: skip
    second = Experiment(
        "record-10x10-2", "cma-es", replace(settings, population=24, iterations=150, sigma=0.1),
        Objective("champion", as_rules("10x8"), 100), source, "second stage: all 24 features", curve=Curve(0),
        averaged=20, after=first,
    )  # fmt: skip
    third = replace(
        second, name="record-10x10-3", settings=replace(second.settings, iterations=60, sigma=0.05),
        objective=Objective("champion", as_rules("10x9"), 100), shows="third stage: a row more", after=second,
    )  # fmt: skip
    rivals = (rv_ce, dt_10, dt_20, dn)
    fourth = replace(
        third, name="record-10x10", settings=replace(second.settings, iterations=100, sigma=0.03), after=third,
        objective=Objective("champion", RULES["10x10"], 100), shows="24 features, four stages, 8 to 10 rows, from zero",
        published="5,379 lines (RV-CE)",
        judgements=(Judgement(RULES["10x10"], 6400, "5,379", rivals=rivals, seed=2027),),
    )  # fmt: skip
    yield fourth
    yield replace(
        fourth, name="record-10x10-runs", runs=3, shows="the same with three runs of the last stage, and their mean"
    )
    yield Experiment(
        "record-10x20", "cma-es", replace(second.settings, iterations=40, sigma=0.03, start=MEAN_OF_THREE),
        Objective("champion", as_rules("10x12"), 60), source, "24 features, from record-10x10-runs on, on 12 rows",
        "51 M lines (DT-20)", curve=Curve(0), averaged=20, runs=2, judgements=(
            Judgement(RULES["10x16"], 100, rivals=(champion, *rivals)),
            Judgement(RULES["research"], 100, "51 M", long=True, rivals=(dt_20, dn)),
        ),
    )  # fmt: skip


def look_ahead_experiments() -> Iterator[Experiment]:
    """Weights for champions that look ahead, learned on low boards, where games end soon all the same."""
    settings = CMASettings(iterations=20, population=24, normalise=True, sigma=0.05, start=MEAN_OF_THREE)
    for name, kind, rows, judgement in (
        ("look-ahead", "unknown", 7, Judgement(RULES["10x10"], 400)),
        ("two-piece", "known", 6, Judgement(as_rules("10x8"), 100)),
    ):
        objective = Objective("champion", as_rules(f"10x{rows}"), 60, look_ahead=kind)
        shows = f"looking two moves ahead, the next piece {kind}, learned on {rows} rows from record-10x10-runs on"
        yield Experiment(
            f"record-10x10-{name}", "cma-es", settings, objective, "this course", shows, "not tried", curve=Curve(0),
            averaged=10, judgements=(judgement,),
        )  # fmt: skip


_MAKERS = (
    genetic_experiments, noise_experiments, feature_experiments, cma_experiments, racing_experiments,
    validation_experiments, record_experiments, look_ahead_experiments,
)  # fmt: skip
EXPERIMENTS = Catalogue("experiment", {one.name: one for make in _MAKERS for one in make()})
