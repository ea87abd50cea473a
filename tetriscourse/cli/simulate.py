"""`tetriscourse simulate`: play many games fast and say how good a player is."""

from __future__ import annotations

import argparse

import tetriscourse as tc
from tetriscourse.cli.arguments import (
    LARGEST,
    MOST_GAMES,
    OPTIMAL,
    Parser,
    check_run_files,
    chosen_player,
    chosen_rules,
    looking_ahead,
    whole,
)
from tetriscourse.cli.output import is_talkative, say, say_interrupted, shows_progress

SUMMARY = "play many games fast and say how good a player is"
EXAMPLES = """\
  tetriscourse simulate --player dellacherie --rules 10x16
        100 games on a low board: the mean, and how wide its interval still is
  tetriscourse simulate --player dn --rules 10x10 --games 1600
        16 times as many games, a quarter of the width
  tetriscourse simulate --player tetrisbot --rules tetrisbot --max-pieces 500
        500 pieces a game cap the lines: every good player looks the same
  tetriscourse simulate --features tetrisbot --weights=0.5,-0.5,-0.6,-0.2 --rules 10x10
        your own weights, one for each feature of the set
  tetriscourse simulate --player dn --rules 10x10 --look-ahead --games 20
        the same player, two moves deep: the next piece unknown; --look-ahead known shows it
  tetriscourse simulate --player dn --rules 10x10 --seed 3 --json
        every game in one JSON object, for a script
  tetriscourse simulate --player dn --checkpoint dn.npz
        long games: after Ctrl-C or a power cut, repeat the command with --resume to continue"""


def add_options(parser: Parser) -> None:
    parser.option("--player NAME", "a published player, 'optimal', or a file written by learn --save or solve --save")
    parser.option("--features SET", "a feature set, together with --weights")
    parser.option("--weights w1,w2,...", "one number for each feature of the set")
    parser.search()
    parser.rules("research")
    parser.shared("--max-pieces M", "--threads T")
    parser.option("--seed S", "which pieces come (default: 0)", whole(0, LARGEST))
    parser.option("--games N", "number of games (default: 100)", whole(1, MOST_GAMES), 100)
    parser.run_files("keep the games that are over in a file")
    parser.variants()
    parser.output("do not show progress or speed")
    parser.switch("--list", "list players, rules, and the features of each set")


def run(options: argparse.Namespace) -> int:
    """Play the games and print a summary."""
    if options.list:
        return list_names()
    from tetriscourse.cli.score_report import as_json, as_table

    check_run_files(options)
    rules = chosen_rules(options)
    player = looking_ahead(chosen_player(options, rules), options)
    if isinstance(player, tc.Player | tc.LookAhead):
        player.check_width(rules.width)
    scores = tc.simulate(
        player, rules, games=options.games, seed=options.seed or 0, threads=options.threads,
        progress=shows_progress(options), checkpoint=options.checkpoint, resume=options.resume,
    )  # fmt: skip
    print(as_json(scores) if options.json else as_table(scores))
    if scores.interrupted:
        return say_interrupted(f" after {len(scores)} of {options.games} games", options.checkpoint)
    if is_talkative(options):
        say(f"{scores.moves_per_second:,.0f} moves a second per core, {scores.threads} threads")
    return 0


def list_names() -> int:
    """Print everything that has a name: players, rules, feature sets."""
    print("players")
    for name, player in tc.PLAYERS.items():
        print(f"  {name:18} {player.source}")
    print(f"  {OPTIMAL:18} the best possible player, on boards small enough to be solved: 5x5, 4x6")
    print("rules")
    for name, rules in tc.RULES.items():
        print(f"  {name:18} {rules}")
    print("feature sets, with the order of their weights")
    for name, chosen in tc.FEATURE_SETS.items():
        print(f"  {name:18} {', '.join(feature.name for feature in chosen.features)}")
    return 0
