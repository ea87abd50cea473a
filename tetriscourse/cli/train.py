"""`tetriscourse train`: from the words of the command line to an experiment, and its outcome as text or JSON."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
import textwrap
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tetriscourse.cli.arguments import check_folder, chosen_rules, duration, one_setting
from tetriscourse.errors import InputError, one_of
from tetriscourse.features import FEATURE_SETS
from tetriscourse.inference import readable
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.evaluation import dask_executor
from tetriscourse.optimizers.experiments import METHODS, Experiment, Judgement, curve_means, stored_results
from tetriscourse.optimizers.objectives import Objective

RULES_OPTIONS = ("width", "height", "max_pieces")


def run(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Train what the options ask for and say what came out."""
    if options.list:
        print(listing(options.method))
        return 0
    if options.method is None:
        raise InputError(f"METHOD is missing; give one of {', '.join(METHODS)}, or an experiment (--list shows them)")
    experiment = chosen_experiment(options)
    check_folder("--save", options.save)
    if options.resume and options.checkpoint is None:
        raise InputError("--resume is given; it needs --checkpoint FILE, the run to go on with")
    started = time.perf_counter()
    progress = False if options.quiet or options.json else sys.stderr.isatty()
    place = nullcontext((None, options.threads)) if options.dask is None else dask_executor(options.dask)
    with place as (executor, workers):
        outcome = experiment.run(
            options.checkpoint, executor, progress, options.resume, workers, options.thorough,
            patience=options.patience, target=options.target,
        )  # fmt: skip
    seconds = time.perf_counter() - started
    data = {"command": repeatable(words), "version": version("tetriscourse"), **outcome.as_data()}
    if options.save and outcome.complete:
        text = json.dumps(data | {"seconds": round(seconds, 1)}, separators=(",", ":"), allow_nan=False)
        Path(options.save).write_text(text.replace('],"', '],\n"') + "\n")
    print(json.dumps(data, allow_nan=False) if options.json else outcome.report())
    if not outcome.complete:
        file = experiment.checkpoint(options.checkpoint, len(outcome.trainings) - 1)
        kept = f"; {file} holds the run: the same line with --resume goes on" if file else ""
        print(f"tetriscourse: interrupted{kept}", file=sys.stderr)
        return 130
    if not (options.quiet or options.json):
        print(f"{duration(seconds)} on this machine", file=sys.stderr)
    return 0


def repeatable(words: Sequence[str]) -> str:
    """The line that gives this outcome, without where it was written."""
    text = shlex.join(["tetriscourse", *words])
    return re.sub(r" --(save|checkpoint|dask|threads)[ =]\S+| --(resume|quiet|json)\b", "", text)


# --- what was asked for ---------------------------------------------------------------------------


def chosen_experiment(options: argparse.Namespace) -> Experiment:
    """A named experiment, or one made of a method and its options; with the changes that were asked for."""
    name = one_of("METHOD", options.method, [*METHODS, *EXPERIMENTS])
    base = own_experiment(options) if name in METHODS else EXPERIMENTS[name]
    if name in EXPERIMENTS:
        for option in ("features", "rules", "score", "pieces", *RULES_OPTIONS):
            if getattr(options, option) is not None:
                raise InputError(
                    f"--{option.replace('_', '-')} is {getattr(options, option)!r}; the experiment {name} fixes it: "
                    f"train {base.method} with options of your own instead"
                )
    given = dict(one_setting(text, base.settings) for text in options.set or ())
    if options.iterations is not None:
        given["iterations"] = options.iterations
    return base.changed(
        runs=options.runs, seed=options.seed, games=options.games, racing=options.racing, curve=options.curve, **given
    )  # fmt: skip


def own_experiment(options: argparse.Namespace) -> Experiment:
    """A method on features and rules of one's choice, judged on the rules that it learned on."""
    features = one_of("--features", options.features or "dn", FEATURE_SETS)
    options.rules = options.rules or "harder"
    rules = chosen_rules(options, RULES_OPTIONS)
    method = METHODS[options.method]
    objective = Objective(
        features, rules, options.games or 20, options.score or "lines", options.pieces or "common",
        signs="usual" if method.positive else (),
    )  # fmt: skip
    normalise = {"normalise": True} if options.method == "cma-es" else {}
    judgement = Judgement(replace(rules, max_pieces=0), 100, score=objective.score)
    return Experiment(options.method, options.method, method.Settings(**normalise), objective, judgements=(judgement,))


# --- what came out --------------------------------------------------------------------------------


def listing(method: str | None) -> str:
    """Every experiment with what it reproduces, what was published and how long it takes; or a method's settings."""
    if method is not None and method in METHODS:
        chosen = METHODS[method].Settings
        rows = [f"settings of {method}, for --set NAME=VALUE"]
        rows += [f"  {one.name:26} {one.metadata['text']} (default: {one.default})" for one in fields(chosen)]
        return "\n".join(rows)
    results, rows = stored_results(), []
    shown = EXPERIMENTS if method is None else {one_of("METHOD", method, EXPERIMENTS): EXPERIMENTS[method]}
    for name, one in shown.items():
        took = f"takes {duration(results[name]['seconds'])}" if name in results else "not measured"
        text = f"{one.shows}. {one.source}. Published: {one.published}. Here: {found(results.get(name))}{took}."
        rows += [name, textwrap.indent(textwrap.fill(text, 110), "    ")]
    methods = [f"{name:15} {(one.__doc__ or '').splitlines()[0]}" for name, one in METHODS.items()]
    if method is None:
        rows += ["", "methods, with --features and --rules of your own (--list METHOD shows their settings)", *methods]
    return "\n".join(rows)


def found(result: Any) -> str:
    """What a stored outcome says, in a few words."""
    if result is None:
        return ""
    judged = [f"{readable(one['mean'])} {one['score']} on {one['rules']}" for one in result["judged"]]
    if judged:
        return ", ".join(judged[:1]) + "; "
    means = curve_means(result)
    extent = f"{readable(min(means))} to {readable(max(means))}" if len(means) > 1 else readable(means[0])
    return f"{extent} {result['score']}; "
