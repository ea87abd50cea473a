"""`tetriscourse train`: learn a player's weights, or repeat an experiment of the papers."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import textwrap
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.arguments import LARGEST, MOST_GAMES, Parser, number, whole
from tetriscourse.cli.output import duration, is_talkative, say, say_interrupted, settings_list, shows_progress
from tetriscourse.errors import InputError, one_of

SUMMARY = "learn a player's weights, or repeat an experiment of the papers"
EXAMPLES = """\
  tetriscourse train --list                       every experiment of the papers, and how long it takes
  tetriscourse train genetic-3                    one of them: the result beside the published one
  tetriscourse train cma-es --features dn --rules harder --games 20 --iterations 30
        your own weights, learned on harder games
  tetriscourse train cma-es --list                the settings, for --set NAME=VALUE
  tetriscourse train cross-entropy --features bertsekas --rules 10x10 --set noise=linear --set rho=0.2
  tetriscourse train szita-constant --checkpoint run.npz
        after Ctrl-C or a power cut nothing is lost: repeat the command with --resume to continue
  tetriscourse train boumaza-dn --dask local      on a Dask cluster: local, or tcp://host:8786"""


def add_options(parser: Parser) -> None:
    parser.add_argument("method", nargs="?", metavar="METHOD", help="genetic, cross-entropy, cma-es, or an experiment")
    parser.switch("--list", "list the experiments, or the settings of a method")
    parser.option("--features SET", "the features that the player sees (default: dn)")
    parser.search()
    parser.rules(None, "harder")
    parser.shared("--max-pieces M", "--threads T")
    parser.option("--seed S", "random seed of the run, for candidates and pieces (default: 1)", whole(0, LARGEST))
    parser.option("--games N", "games of each candidate (default: 20)", whole(1, MOST_GAMES))
    parser.option("--score WHAT", "lines (default) or points")
    parser.option("--pieces WHOSE", "common to all candidates (default), or own")
    parser.option("--iterations N", "maximum number of iterations", whole(1, LARGEST))
    parser.settings()
    parser.option("--racing BOUND", "drop losing candidates early: hoeffding, bernstein or tetris bounds")
    parser.option("--validation N", "let the best candidates play N other games, which decide", whole(2, MOST_GAMES))
    parser.option("--runs N", "number of runs; the player is their mean", whole(1, 10_000))
    parser.option("--curve N", "games of the favourite after each iteration (default: 30)", whole(0, MOST_GAMES))
    parser.option("--target X", "stop when the learning curve reaches X", number)
    parser.option("--patience N", "stop when the learning curve has not risen for N iterations", whole(1, LARGEST))
    checkpoint = "keep the run in a file (FILE-01, FILE-02, ... for several runs)"
    parser.run_files(checkpoint, "write the outcome to a new JSON file")
    parser.switch("--from-stored", "go on, in a new --checkpoint, from the stored run of an experiment of many hours")
    parser.option("--dask ADDRESS", "play on a Dask cluster: local, or tcp://host:8786")
    parser.switch("--thorough", "also judge the player by games that take half an hour")
    parser.output()


def run(options: argparse.Namespace) -> int:
    """Train what the options ask for and print the outcome."""
    from tetriscourse.optimizers.evaluation import dask_executor
    from tetriscourse.optimizers.experiments import METHODS

    if options.list:
        print(listing(options.method))
        return 0
    if options.method is None:
        raise InputError(f"METHOD is missing; give one of {', '.join(METHODS)}, or an experiment (--list shows them)")
    experiment = chosen_experiment(options)
    arguments.check_run_files(options)
    if options.from_stored:
        begin_where_the_stored_run_ended(options)
    goes_on = any(path is not None and path.exists() for path in experiment.checkpoints(options.checkpoint))
    started = time.perf_counter()
    place = nullcontext((None, options.threads)) if options.dask is None else dask_executor(options.dask)
    with place as (executor, workers):
        outcome = experiment.run(
            options.checkpoint, executor, shows_progress(options), options.resume, workers, options.thorough,
            patience=options.patience, target=options.target,
        )  # fmt: skip
    seconds = time.perf_counter() - started
    data = {"command": repeatable(options.words), "version": tc.__version__, **outcome.as_data()}
    if options.save and outcome.complete:
        taken = None if goes_on else round(seconds, 1)  # only the last part of a run that was resumed is known
        text = json.dumps(data | {"seconds": taken}, separators=(",", ":"), allow_nan=False)
        Path(options.save).write_text(text.replace('],"', '],\n"') + "\n")
    print(json.dumps(data, allow_nan=False) if options.json else outcome.report())
    if not outcome.complete:
        return say_interrupted("", outcome.interrupted_file(options.checkpoint))
    if is_talkative(options):
        say(f"{duration(seconds)} on this machine")
    return 0


def begin_where_the_stored_run_ended(options: argparse.Namespace) -> None:
    """Make the checkpoint from which the run is resumed."""
    from tetriscourse.optimizers.experiments import begin_from_stored, unfinished_names

    if options.checkpoint is None:
        raise InputError("--from-stored is given; it needs --checkpoint FILE, the run that goes on")
    if options.method not in unfinished_names():
        raise InputError(f"METHOD is {options.method!r}; --from-stored is for {', '.join(unfinished_names())}")
    begin_from_stored(options.method, options.checkpoint)
    options.resume = True


def repeatable(words: Sequence[str]) -> str:
    """The command that gives this outcome, without the options that say where it goes and who computes it."""
    text = shlex.join(["tetriscourse", *words])
    return re.sub(r" --(save|checkpoint|dask|threads)[ =]\S+| --(resume|from-stored|quiet|json)\b", "", text)


def chosen_experiment(options: argparse.Namespace) -> tc.Experiment:
    """A named experiment, or one made of a method and its options; with the changes that were asked for."""
    from tetriscourse.optimizers.experiments import METHODS

    name = one_of("METHOD", options.method, [*METHODS, *tc.EXPERIMENTS])
    base = own_experiment(options) if name in METHODS else tc.EXPERIMENTS[name]
    if name in tc.EXPERIMENTS:
        for option in ("features", "rules", "score", "pieces", "width", "height", "max_pieces", "look_ahead"):
            if getattr(options, option) is not None:
                raise InputError(
                    f"--{option.replace('_', '-')} is {getattr(options, option)!r}; the experiment {name} fixes it: "
                    f"train {base.method} with your own options instead"
                )
    given = arguments.changed_settings(options, base.settings)
    if options.iterations is not None:
        given["iterations"] = options.iterations
    return base.changed(
        runs=options.runs, seed=options.seed, games=options.games, racing=options.racing, curve=options.curve,
        validation=options.validation, **given,
    )  # fmt: skip


def own_experiment(options: argparse.Namespace) -> tc.Experiment:
    """A method on chosen features and rules, judged under the rules that it learned with."""
    from tetriscourse.optimizers.experiments import METHODS
    from tetriscourse.optimizers.outcomes import Judgement

    features = one_of("--features", options.features or "dn", tc.FEATURE_SETS)
    options.rules = options.rules or "harder"
    rules, method = arguments.chosen_rules(options), METHODS[options.method]
    objective = tc.Objective(
        features, rules, options.games or 20, options.score or "lines", options.pieces or "common",
        signs="usual" if method.positive else (), look_ahead=arguments.chosen_search(options),
    )  # fmt: skip
    settings = method.Settings(**({"normalise": True} if options.method == "cma-es" else {}))
    judgement = Judgement(replace(rules, max_pieces=0), 100, score=objective.score)
    return tc.Experiment(options.method, options.method, settings, objective, judgements=(judgement,))


def listing(method: str | None) -> str:
    """Every experiment with what it reproduces, what was published and how long it takes; or a method's settings."""
    from tetriscourse.course.results import description
    from tetriscourse.optimizers.experiments import METHODS, stored_results

    if method is not None and method in METHODS:
        return settings_list(method, METHODS[method].Settings())
    results, rows = stored_results(), []
    shown = tc.EXPERIMENTS if method is None else {one_of("METHOD", method, tc.EXPERIMENTS): tc.EXPERIMENTS[method]}
    for name, one in shown.items():
        seconds = results[name]["seconds"] if name in results else None
        took = "time not measured" if seconds is None else f"takes {duration(seconds)}"
        shows = description(one, results[name]) if name in results else one.shows
        text = f"{shows}. {one.source}. Published: {one.published}. Here: {found(results.get(name))}{took}."
        rows += [name, textwrap.indent(textwrap.fill(text, 110), "    ")]
    if method is None:
        rows += ["", "methods, with your own --features and --rules (METHOD --list shows the settings)"]
        rows += [f"{name:15} {(one.__doc__ or '').splitlines()[0]}" for name, one in METHODS.items()]
    return "\n".join(rows)


def found(result: Any) -> str:
    """A stored outcome in a few words."""
    from tetriscourse.errors import readable
    from tetriscourse.optimizers.experiments import curve_means, judged_runs

    if result is None:
        return ""
    if runs := judged_runs(result):
        extent = f"{readable(min(runs))} to {readable(max(runs))}"
        return f"{readable(median(runs))} {result['judged'][0]['score']} in the median of {len(runs)} runs, {extent}; "
    if result["judged"]:
        first = result["judged"][0]
        return f"{readable(first['mean'])} {first['score']} on {first['rules']}; "
    means = curve_means(result)
    extent = f"{readable(min(means))} to {readable(max(means))}" if len(means) > 1 else readable(means[0])
    return f"{extent} {result['score']}; "
