"""`tetriscourse find-features`: a program chooses its features from a grammar, one change at a time."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from math import isfinite
from typing import Any

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.arguments import LARGEST, MOST_GAMES, Parser, whole
from tetriscourse.cli.output import duration, in_rows, is_talkative, say, say_interrupted, settings_list, shows_progress
from tetriscourse.errors import InputError

SUMMARY = "let a program find the features of a player"
EXAMPLES = """\
  tetriscourse find-features --list               the words of the grammar, and the settings
  tetriscourse find-features --seed 1 --checkpoint search.npz
        from no features to a player, on 10x6, in some minutes; after Ctrl-C, --resume goes on
  tetriscourse find-features --save found.npz     keeps the player: simulate --player found.npz --rules 10x10
  tetriscourse find-features --rules 8x6 --set rounds=3 --set games=10
        a first look: three rounds, on a narrow board
  tetriscourse find-features --start holes --start landing_height
        begins with two features, which it may drop again"""

JUDGING_SEED = 2026  # of the games that judge the player; no search plays them


def add_options(parser: Parser) -> None:
    parser.switch("--list", "list the words of the grammar and the settings")
    parser.rules("10x6")
    parser.shared("--max-pieces M", "--threads T")
    parser.option("--seed S", "random seed of the search (default: 0)", whole(0, LARGEST), 0)
    parser.option("--start NAME", "a feature to begin with (default: none); may be repeated", action="append")
    parser.settings()
    parser.run_files("keep the search in a file", "keep the player in a new file NAME.npz, for simulate --player")
    parser.option("--games N", "games that the player is judged by (default: 400)", whole(1, MOST_GAMES), 400)
    parser.output()


def run(options: argparse.Namespace) -> int:
    """Search for features and print what was chosen, round by round."""
    from tetriscourse.optimizers.search_rounds import FeatureSearchSettings

    if options.list:
        print(listing(FeatureSearchSettings()))
        return 0
    given = arguments.changed_settings(options, FeatureSearchSettings())
    rules, start = arguments.chosen_rules(options), options.start or ()
    search = tc.FeatureSearch(rules, seed=options.seed, start=start, **given)
    arguments.check_run_files(options)
    if options.save and not arguments.is_saved(options.save):
        raise InputError(f"--save is {options.save!r}; it must be NAME.npz, as --player takes only such files")
    started = time.perf_counter()
    search.run(options.checkpoint, shows_progress(options), resume=options.resume, threads=options.threads)
    if search.interrupted:
        print(table(search))
        return say_interrupted(f" after {len(search.history)} rounds", options.checkpoint)
    seconds = time.perf_counter() - started
    player = search.player()
    scores = tc.simulate(player, search.rules, options.games, JUDGING_SEED, options.threads, shows_progress(options))
    if options.save:
        search.save(options.save)
    print(json.dumps(outcome(search, scores), allow_nan=False) if options.json else report(search, scores))
    if is_talkative(options):
        say(f"found in {duration(seconds)} on this machine")
    return 0


def listing(settings: Any) -> str:
    """The words of the grammar, and the settings."""
    words = [f"  {name:26} {one.describe}" for name, one in tc.WORDS.items()]
    return "\n".join(["the words", *words, "", settings_list("find-features", settings)])


def table(search: tc.FeatureSearch) -> str:
    """The rounds: the change that was made, the lines after it, and the changes that met the control."""
    rows = [f"{'round':>5}  {'change':24}{'lines':>9}{'control':>9}  lines as a share of the control's"]
    for k, one in enumerate(search.history):
        rivals = [rival(sign, found) for sign, found in (("+", one.addition), ("-", one.drop)) if found]
        rows.append(f"{k + 1:5}  {one.change or 'none':24}{one.lines:9.2f}{one.control:9.2f}  {', '.join(rivals)}")
    return "\n".join(rows)


def rival(sign: str, found: tuple[str, float, float, float]) -> str:
    """A change that met the control: its share of the control's lines, and the interval."""
    name, ratio, low, high = found
    return f"{sign}{name} {ratio:.3f} ({low:.3f} to {high:.3f})"


def report(search: tc.FeatureSearch, scores: tc.Scores) -> str:
    """The rounds, the features with their weights, and the score of the player."""
    weights = (f"{weight:.4g}" for weight in search.weights)
    found = [f"  {name:24} {weight:>10}" for name, weight in zip(search.features, weights, strict=False)]
    games = sum(one.games for one in search.history)
    rows = in_rows([("stopped", search.stopped), ("games", f"{games:,}"), ("judged", str(scores))])
    return "\n".join([table(search), "", rows, "features", *(found or ["  none"])])


def outcome(search: tc.FeatureSearch, scores: tc.Scores) -> dict[str, Any]:
    """The outcome as plain data; null where a number is not finite."""
    low, high = scores.interval()
    data = {
        "rules": asdict(search.rules), "seed": search.seed, "settings": asdict(search.settings),
        "stopped": search.stopped, "features": search.features, "weights": search.weights.tolist(),
        "rounds": [asdict(one) for one in search.history],
        "games": len(scores), "mean": scores.mean, "low": low, "high": high,
    }  # fmt: skip
    return {name: finite(value) for name, value in data.items()}


def finite(value: Any) -> Any:
    """A value without numbers that are not finite, for which JSON has no word."""
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value
