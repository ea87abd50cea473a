"""`tetriscourse learn`: Q-learning with a table or with a network, and what came out."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time
import warnings
from dataclasses import asdict, fields
from math import isfinite
from typing import Any

from tetriscourse.cli.arguments import check_folder, chosen_rules, duration, one_setting
from tetriscourse.cli.score_report import as_table
from tetriscourse.errors import InputError, one_of
from tetriscourse.features import FEATURE_SETS
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.settings import DEEP_Q
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.simulator import simulate
from tetriscourse.simulator.run import SlowWarning
from tetriscourse.statistics import Scores

METHODS = {
    "q-learning": "a table of Q, as in chapter 8 of Muller and Ponton 2019: by default the domino game on 8x8",
    "deep-q-domino": "a network that sees the cells, chapter 9: by default the domino game on 6x6",
    "deep-q": "a network that sees the features of the board after a move: Tetris",
}
RULES_OF = {"q-learning": "domino", "deep-q-domino": "domino", "deep-q": "research"}
JUDGES = 2026
"""The seed of the games by which a learned player is judged; no learner plays them."""
WATCHED_PIECES = 100
"""After so many pieces a watched game ends where there is no terminal, and nobody to end it."""


def run(options: argparse.Namespace) -> int:
    """Learn what the options ask for, and say what came out."""
    if options.list:
        print(listing(options.method))
        return 0
    if options.method is None:
        raise InputError(f"METHOD is missing; give one of {', '.join(METHODS)} (--list explains them)")
    learner = chosen_learner(options)
    check_judged(learner)
    check_folder("--save", options.save)
    if options.save and options.method != "deep-q":
        raise InputError(f"--save is {options.save!r}; only deep-q has a player to save: keep a run with --checkpoint")
    if options.resume and options.checkpoint is None:
        raise InputError("--resume is given; it needs --checkpoint FILE, the run to go on with")
    started = time.perf_counter()
    progress = False if options.quiet or options.json else sys.stderr.isatty()
    learner.learn(options.checkpoint, progress, resume=options.resume)
    seconds = time.perf_counter() - started
    if learner.done < learner.goal and learner.stopping:
        file = options.checkpoint
        kept = f"; {file} holds the run: the same line with --resume goes on" if file else ""
        print(f"tetriscourse: interrupted after {learner.done:,} {learner.unit}s{kept}", file=sys.stderr)
        return 130
    scores = None if is_proved(learner) else judged(learner, options.games)
    data = found(learner, options.method, scores)
    print(json.dumps({**data, "seconds": round(seconds, 1)}, allow_nan=False) if options.json else report(data, scores))
    if options.save:
        learner.player().save(options.save)
    if not (options.quiet or options.json):
        print(f"learned in {duration(seconds)} on this machine", file=sys.stderr)
    if options.watch:
        watch(learner)
    return 0


def chosen_learner(options: argparse.Namespace) -> Any:
    """The learner that the options describe."""
    method = one_of("METHOD", options.method, METHODS)
    options.rules = options.rules or RULES_OF[method]
    if method == "deep-q-domino" and options.width is None and options.height is None:
        options.width = options.height = 6
    rules, seed = chosen_rules(options, ("width", "height")), options.seed or 0
    settings = settings_of(method)
    given = dict(one_setting(text, settings) for text in options.set or ())
    if options.features is not None and method != "deep-q":
        raise InputError(f"--features is {options.features!r}; only deep-q sees features")
    if method == "q-learning":
        return QLearning(rules, seed=seed, **given)
    if method == "deep-q-domino":
        return DeepQ(DominoGrid(rules.width, rules.height, rules=rules), settings, seed, **given)
    features = one_of("--features", options.features or "tetrisbot", FEATURE_SETS)
    return DeepQ(AfterstateValues(rules, features), settings, seed, **given)


def settings_of(method: str) -> Any:
    """The settings that a method begins with."""
    return QSettings() if method == "q-learning" else DEEP_Q["tetris" if method == "deep-q" else "domino"]


# --- what came out --------------------------------------------------------------------------------


def found(learner: Any, method: str, scores: Scores | None) -> dict[str, Any]:
    """What was learned, as plain data: with a proof, or with the scores of games."""
    rules = rules_of(learner)
    data = {
        "method": method, "rules": asdict(rules), "game": short_name(rules), "seed": learner.seed,
        f"{learner.unit}s": learner.done,
    }  # fmt: skip
    if isinstance(learner, QLearning):
        data["states"] = len(learner.table)
    if scores is not None:
        return data | summary(scores)
    proof = prove_endless(learner)
    return data | {
        "endless": proof.found, "proof": str(proof), "actions": f"{proof.noun}s",
        "before": proof.before, "cycle": proof.cycle,
    }  # fmt: skip


def summary(scores: Scores) -> dict[str, Any]:
    """The games of what was learned, in numbers: lines, but for the mean of pieces; None: not finite."""
    low, high = scores.interval()
    numbers = {"mean": scores.mean, "low": low, "high": high, "mean_pieces": scores.mean_of("pieces")}
    ends = {"shortest": int(scores.lines.min()), "longest": int(scores.lines.max())} if len(scores) else {}
    return {"games": len(scores), **{name: x if isfinite(x) else None for name, x in numbers.items()}, **ends}


def rules_of(learner: Any) -> Rules:
    """The game that it has learned."""
    rules: Rules = learner.rules if isinstance(learner, QLearning) else learner.problem.rules
    return rules


def is_network_player(learner: Any) -> bool:
    """Whether what was learned is a network that values moves."""
    return isinstance(learner, DeepQ) and isinstance(learner.problem, AfterstateValues)


def is_proved(learner: Any) -> bool:
    """Whether it is asked of what was learned to play without end, and not to play some games."""
    return len(rules_of(learner).pieces) == 1 and not is_network_player(learner)


def check_judged(learner: Any) -> None:
    """An error if nothing could be said about what will be learned."""
    commands = not is_network_player(learner) and getattr(learner.settings, "actions", "commands") == "commands"
    if commands and not is_proved(learner):
        raise InputError(
            f"rules is {rules_of(learner)}; with commands only a game of one piece can be judged: "
            "learn q-learning with --set actions=placements, or deep-q"
        )


def judged(learner: Any, games: int) -> Scores:
    """Games of what was learned."""
    player = learner.player() if is_network_player(learner) else learner
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowWarning)  # some seconds: worth no words
        return simulate(player, rules_of(learner), games=games, seed=JUDGES, progress=False)


def report(data: dict[str, Any], scores: Scores | None) -> str:
    """The same as text."""
    rows = [("method", data["method"])]
    rows += [(name, f"{data[name]:,}") for name in ("episodes", "steps", "states") if name in data]
    rows += [("seed", str(data["seed"]))]
    if scores is None:
        rows[1:1] = [("rules", data["game"])]  # which the table of scores has already
        rows += rows_of_proof(data)
    lines = [textwrap.fill(f"{name:12} {value}", 110, subsequent_indent=" " * 13) for name, value in rows]
    return "\n".join([*lines, *([] if scores is None else [as_table(scores)])])


def rows_of_proof(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Whether what was learned plays without end, and how."""
    rows = [("proof", data["proof"])]
    if data["endless"]:
        first = [*data["before"], "then"] if data["before"] else []
        commands = " ".join([*first, "for ever", *data["cycle"]])
        rows += [(data["actions"], textwrap.shorten(commands, 600, placeholder=" ..."))]
    return rows


def watch(learner: Any) -> None:
    """Show a game of what was learned; without a terminal, the first pieces of it."""
    from tetriscourse.agents import agent_of
    from tetriscourse.cli.play import play
    from tetriscourse.terminal import Screen

    agent = agent_of(learner.player()) if is_network_player(learner) else agent_with_commands(learner)
    play(agent, rules_of(learner), max_blocks=0 if Screen().is_live else WATCHED_PIECES)


def agent_with_commands(learner: Any) -> Any:
    """Who plays in the engine as a table, or a network of cells, says."""
    return learner.agent() if isinstance(learner, QLearning) else learner.player()


def listing(method: str | None) -> str:
    """The methods, or the settings of one."""
    if method is None:
        return "\n".join(f"{name:15} {text}" for name, text in METHODS.items())
    settings = settings_of(one_of("METHOD", method, METHODS))
    rows = [f"settings of {method}, for --set NAME=VALUE"]
    for one in fields(settings):
        rows.append(f"  {one.name:16} {one.metadata['text']} (default: {getattr(settings, one.name)})")
    return "\n".join(rows)
