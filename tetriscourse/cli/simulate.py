"""`tetriscourse simulate`: play many games fast and say how good a player is."""

from __future__ import annotations

import argparse

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.arguments import OPTIMAL, Parser
from tetriscourse.cli.output import is_talkative, say, shows_progress

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
  tetriscourse simulate --player dn --rules 10x10 --seed 3 --json
        every game in one JSON object, for a script"""


def add_options(parser: Parser) -> None:
    player = "a published player, 'optimal', or a file written by learn --save or solve --save"
    parser.add_argument("--player", metavar="NAME", help=player)
    parser.add_argument("--features", metavar="SET", help="a feature set, together with --weights")
    parser.add_argument("--weights", metavar="w1,w2,...", help="one number for each feature of the set")
    arguments.add_rules(parser, "research")
    arguments.add_max_pieces(parser)
    arguments.add_seed(parser, "which pieces come (default: 0)")
    arguments.add_games(parser, 100, "number of games (default: 100)")
    arguments.add_threads(parser)
    arguments.add_variants(parser)
    arguments.add_output(parser, "do not show progress or speed")
    parser.add_argument("--list", action="store_true", help="list players, rules, and the features of each set")


def run(options: argparse.Namespace) -> int:
    """Play the games and print a summary."""
    if options.list:
        return list_names()
    from tetriscourse.cli.score_report import as_json, as_table

    rules = arguments.chosen_rules(options)
    player = arguments.chosen_player(options, rules)
    scores = tc.simulate(
        player, rules, games=options.games, seed=options.seed or 0, threads=options.threads,
        progress=shows_progress(options),
    )  # fmt: skip
    print(as_json(scores) if options.json else as_table(scores))
    if scores.interrupted:
        say(f"tetriscourse: interrupted after {len(scores)} of {options.games} games")
    elif is_talkative(options):
        say(f"{scores.moves_per_second:,.0f} moves a second per core, {scores.threads} threads")
    return 130 if scores.interrupted else 0


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
