"""`tetriscourse learn`: Q-learning, with a table or a network, policies from samples; what each player is worth."""

from __future__ import annotations

import argparse
import json
import textwrap
import time
import warnings
from dataclasses import asdict
from math import isfinite
from typing import Any

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.arguments import LARGEST, MOST_GAMES, Parser, whole
from tetriscourse.cli.learned_policies import (
    came_out,
    described,
    is_policy,
    of_policy,
    policy_learner,
    rows_of_policy,
    rows_of_runs,
)
from tetriscourse.cli.output import duration, is_talkative, say, say_interrupted, settings_list, shows_progress
from tetriscourse.errors import InputError, one_of

SUMMARY = "learn by Q-learning, policy iteration, policy gradients, classification"
EXAMPLES = """\
  tetriscourse learn --list                       the methods; with a METHOD, its settings
  tetriscourse learn q-learning --width 6 --height 6 --watch
        a table learns the domino game; prints the proof that it plays forever, and shows a game
  tetriscourse learn q-learning --rules research --width 4 --height 4 --set actions=placements --set gamma=1
  tetriscourse learn deep-q-domino                a network learns it from the cells, in a few seconds
  tetriscourse learn deep-q --checkpoint run.npz  a network learns Tetris, in a minute or two; --resume continues
  tetriscourse learn deep-q --set double=yes --set hidden=64,64 --seed 3 --save player.npz
        keeps the player in a file, for simulate --player player.npz and play --agent player.npz
  tetriscourse learn cbmpi --seeds 5              five runs: the median and the range of what they reach"""

METHODS = {
    "q-learning": "a table of Q, as in chapter 8 of Muller and Ponton 2019: by default the domino game on 8x8",
    "deep-q-domino": "a network that sees the cells, chapter 9: by default the domino game on 6x6",
    "deep-q": "a network that values moves by their features: Tetris",
    "deep-q-afterstates": "a network that values the boards after moves by their features: Tetris",
}
NETWORKS = ("deep-q", "deep-q-afterstates")  # their players can be saved
MOST_SEEDS = 1000
JUDGING_SEED = 2026  # the seed of the games that a learned player is judged by; no learner plays them
WATCHED_PIECES = 100  # pieces of a watched game where there is no terminal, and nobody to end it


def add_options(parser: Parser) -> None:
    parser.add_argument("method", nargs="?", metavar="METHOD", help="one of those that --list explains")
    parser.switch("--list", "list the methods, or the settings of one")
    parser.rules(None, "domino; research for deep-q; that of the paper for policies")
    parser.option("--features SET", "of deep-q (default: tetrisbot) or of a policy (default: the paper's)")
    parser.option("--seed S", "random seed of the run (default: 0)", whole(0, LARGEST))
    parser.option("--seeds N", "learn a policy N times, from this seed on (default: 1)", whole(1, MOST_SEEDS))
    parser.settings()
    parser.run_files("keep the run in a file", "keep the player of deep-q in a new file")
    parser.option("--games N", "games that a player is judged by (default: 100)", whole(1, MOST_GAMES), 100)
    parser.switch("--watch", "watch a game afterwards")
    parser.output()


def run(options: argparse.Namespace) -> int:
    """Learn what the options ask for and print the outcome."""
    if options.list:
        print(listing(options.method))
        return 0
    if options.method is None:
        raise InputError(f"METHOD is missing; give one of {', '.join(methods())} (--list explains them)")
    if options.seeds is not None:
        return several(options)
    learner = chosen_learner(options)
    check_can_be_judged(learner)
    arguments.check_run_files(options)
    if options.save and options.method not in NETWORKS:
        raise InputError(f"--save is {options.save!r}; only deep-q has a player to save: keep a run with --checkpoint")
    started = time.perf_counter()
    learner.learn(options.checkpoint, shows_progress(options), resume=options.resume)
    seconds = time.perf_counter() - started
    if learner.done < learner.goal and learner.stopping:
        return say_interrupted(f" after {learner.done:,} {learner.unit}s", options.checkpoint)
    scores = None if is_provable(learner) else judged(learner, options.games)
    data = outcome(learner, options.method, scores)
    print(json.dumps({**data, "seconds": round(seconds, 1)}, allow_nan=False) if options.json else report(data, scores))
    if options.save:
        learner.player().save(options.save)
    if is_talkative(options):
        say(f"learned in {duration(seconds)} on this machine")
    if options.watch:
        watch(learner)
    return 0


def several(options: argparse.Namespace) -> int:
    """Learn a policy several times, and print the outcome of each run."""
    for name in ("checkpoint", "save"):
        if getattr(options, name):
            raise InputError(f"--{name} is {getattr(options, name)!r}; it is allowed only without --seeds")
    one_of("METHOD", options.method, tc.POLICIES)
    first, runs = options.seed or 0, list[dict[str, Any]]()
    for seed in range(first, first + options.seeds):
        options.seed = seed
        learner = chosen_learner(options)
        started = time.perf_counter()
        learner.learn(progress=shows_progress(options))
        if learner.stopping:
            return say_interrupted(f" after {len(runs)} of {options.seeds} runs", None)
        seconds = round(time.perf_counter() - started, 1)
        runs.append({**outcome(learner, options.method, judged(learner, options.games)), "seconds": seconds})
    print(json.dumps({"runs": runs}, allow_nan=False) if options.json else rows_of_runs(runs))
    return 0


def chosen_learner(options: argparse.Namespace) -> Any:
    """The learner that the options describe."""
    method = one_of("METHOD", options.method, methods())
    if method in tc.POLICIES:
        return policy_learner(options, settings_of(method))
    options.rules = options.rules or ("research" if method in NETWORKS else "domino")
    if method == "deep-q-domino" and options.width is None and options.height is None:
        options.width = options.height = 6
    rules, seed, settings = arguments.chosen_rules(options), options.seed or 0, settings_of(method)
    given = arguments.changed_settings(options, settings)
    if options.features is not None and method not in NETWORKS:
        raise InputError(f"--features is {options.features!r}; only deep-q sees features")
    if method == "q-learning":
        return tc.QLearning(rules, seed=seed, **given)
    if method == "deep-q-domino":
        return tc.DeepQ(tc.DominoGrid(rules.width, rules.height, rules=rules), settings, seed, **given)
    seen = {} if options.features is None else {"features": one_of("--features", options.features, tc.FEATURE_SETS)}
    problem = tc.MoveValues if method == "deep-q" else tc.AfterstateValues
    return tc.DeepQ(problem(rules, **seen), settings, seed, **given)


def settings_of(method: str) -> Any:
    """The settings that a method starts from."""
    if method in tc.POLICIES:
        return tc.POLICIES[method].settings
    from tetriscourse.mdp.deep_q.learner import DEEP_Q
    from tetriscourse.mdp.q_learning.settings import QSettings

    return QSettings() if method == "q-learning" else DEEP_Q["tetris" if method in NETWORKS else "domino"]


def listing(method: str | None) -> str:
    """The methods, or the settings of one."""
    if method is None:
        rows = []
        for name, text in methods().items():
            rows += [f"{name:18} {text}", *([f"{'':18} {came_out(name)}"] if name in tc.POLICIES else [])]
        return "\n".join(rows)
    return settings_list(method, settings_of(one_of("METHOD", method, methods())))


def rules_of(learner: Any) -> tc.Rules:
    """The rules of the game that is learned."""
    if is_policy(learner):
        return learner.source.rules  # type: ignore[no-any-return]
    rules: tc.Rules = learner.rules if isinstance(learner, tc.QLearning) else learner.problem.rules
    return rules


def methods() -> dict[str, str]:
    """Every method, and what it is."""
    return METHODS | {name: described(one) for name, one in tc.POLICIES.items()}


def values_moves(learner: Any) -> bool:
    """Whether it learns to value moves: a network, or the weights of a policy."""
    return is_policy(learner) or (isinstance(learner, tc.DeepQ) and isinstance(learner.problem, tc.MoveValues))


def is_provable(learner: Any) -> bool:
    """Whether the outcome is a proof of endless play, instead of the scores of games."""
    return len(rules_of(learner).pieces) == 1 and not values_moves(learner)


def check_can_be_judged(learner: Any) -> None:
    """Raise an error if nothing could be said about the outcome."""
    commands = not values_moves(learner) and getattr(learner.settings, "actions", "commands") == "commands"
    if commands and not is_provable(learner):
        raise InputError(
            f"rules is {rules_of(learner)}; with commands only a game of one piece can be judged: "
            "learn q-learning with --set actions=placements, or deep-q"
        )


def judged(learner: Any, games: int) -> tc.Scores:
    """Games of the learned player."""
    from tetriscourse.simulator import SlowWarning

    player = learner.player() if values_moves(learner) else learner
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowWarning)  # a few seconds are not worth a warning
        return tc.simulate(player, rules_of(learner), games=games, seed=JUDGING_SEED, progress=False)


def outcome(learner: Any, method: str, scores: tc.Scores | None) -> dict[str, Any]:
    """The outcome as plain data: with a proof, or with the scores of games."""
    from tetriscourse.game.rules import short_name

    rules = rules_of(learner)
    data = {
        "method": method, "rules": asdict(rules), "game": short_name(rules), "seed": learner.seed,
        f"{learner.unit}s": learner.done,
    }  # fmt: skip
    if isinstance(learner, tc.QLearning):
        data["states"] = len(learner.table)
    if is_policy(learner):
        data |= of_policy(learner, method)
    if scores is not None:
        return data | summary(scores)
    proof = tc.prove_endless(learner)
    return data | {
        "endless": proof.found, "proof": str(proof), "actions": f"{proof.noun}s",
        "before": proof.before, "cycle": proof.cycle,
    }  # fmt: skip


def summary(scores: tc.Scores) -> dict[str, Any]:
    """The scores in a few numbers, in lines except for the mean of pieces; None where one is not finite."""
    low, high = scores.interval()
    numbers = {"mean": scores.mean, "low": low, "high": high, "mean_pieces": scores.mean_of("pieces")}
    ends = {"shortest": int(scores.lines.min()), "longest": int(scores.lines.max())} if len(scores) else {}
    return {"games": len(scores), **{name: x if isfinite(x) else None for name, x in numbers.items()}, **ends}


def report(data: dict[str, Any], scores: tc.Scores | None) -> str:
    """The outcome as text."""
    from tetriscourse.cli.score_report import as_table

    rows = [("method", data["method"])]
    counted = ("episodes", "steps", "iterations", "moves", "states")
    rows += [(name, f"{data[name]:,}") for name in counted if name in data]
    rows += [("seed", str(data["seed"]))]
    if scores is None:
        rows[1:1] = [("rules", data["game"])]  # which the table of scores has already
        rows += rows_of_proof(data)
    lines = [textwrap.fill(f"{name:12} {value}", 110, subsequent_indent=" " * 13) for name, value in rows]
    of_scores = [] if scores is None else [as_table(scores)]
    return "\n".join([*lines, *of_scores, *(rows_of_policy(data) if "weights" in data else [])])


def rows_of_proof(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Whether the player plays forever, and how."""
    rows = [("proof", data["proof"])]
    if data["endless"]:
        first = [*data["before"], "then"] if data["before"] else []
        actions = " ".join([*first, "forever", *data["cycle"]])
        rows += [(data["actions"], textwrap.shorten(actions, 600, placeholder=" ..."))]
    return rows


def watch(learner: Any) -> None:
    """Show a game of the learned player; without a terminal, its first pieces."""
    from tetriscourse.agents import agent_of
    from tetriscourse.cli.terminal_game import play
    from tetriscourse.terminal import Screen

    agent: Any = learner.agent() if isinstance(learner, tc.QLearning) else learner.player()
    if values_moves(learner):
        agent = agent_of(agent)
    play(agent, rules_of(learner), max_blocks=0 if Screen().is_live else WATCHED_PIECES)
