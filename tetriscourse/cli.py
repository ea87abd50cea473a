"""The `tetriscourse` command: start the course, play, simulate, train, learn, solve, measure.

Everything but the standard library is imported when a sub-command runs, so that --help answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetriscourse.arguments import (
    Parser,
    chosen_player,
    chosen_rules,
    number,
    refuse,
    seconds,
    whole,
    with_joined_weights,
)
from tetriscourse.errors import InputError, one_of

if TYPE_CHECKING:
    from tetriscourse.game.rules import Rules
    from tetriscourse.mdp.optimal import OptimalPlayer

LARGEST, MOST_GAMES, MOST_THREADS = 2**63 - 1, 10**8, 1024

TOUR = """a short tour:
  tetriscourse lab                                 the course, in your browser
  tetriscourse play                                a game by keyboard, here
  tetriscourse play --agent dellacherie            watch a player that was tuned by hand in 2003
  tetriscourse simulate --player dn --rules 10x10  what a learned one scores, and how sure that is
  tetriscourse train genetic-3                     let one learn, as in a paper of 2019: hours then, seconds now
  tetriscourse learn q-learning --width 6 --height 6   a table learns to play a small game without end
  tetriscourse solve --width 5 --height 5          the best possible play on a small board, exactly
  tetriscourse bench                               how many moves a second this machine makes

`tetriscourse COMMAND --help` shows the options of a command, with examples."""

LAB_EXAMPLES = """examples:
  tetriscourse lab                        the course of this clone, or the current folder
  tetriscourse lab my-course              a folder of your own; it is made if missing
  tetriscourse lab --no-browser --port 9999   on a machine without a screen: prints the address to open
  tetriscourse lab -- --ip=0.0.0.0        what follows -- goes to JupyterLab as it is"""

PLAY_EXAMPLES = """examples:
  tetriscourse play                               arrow keys move and turn, space drops, q quits
  tetriscourse play --pause 0                     pieces wait for you: they fall only when you press a key
  tetriscourse play --agent dellacherie           watch a player; it always meets the same pieces
  tetriscourse play --agent dn --seed 7 --pause 0.05  other pieces, faster
  tetriscourse play --list                        all agents and where they come from"""

SIMULATE_EXAMPLES = """examples:
  tetriscourse simulate --player dellacherie --rules 10x16
        100 games on a low board: the mean, and how wide its interval still is
  tetriscourse simulate --player dn --rules 10x10 --games 1600
        16 times the games, a quarter of the width
  tetriscourse simulate --player tetrisbot --rules tetrisbot --max-pieces 500
        games of 500 pieces cap the lines: every good player looks the same
  tetriscourse simulate --features tetrisbot --weights=0.5,-0.5,-0.6,-0.2 --rules 10x10
        weights of your own, one for each feature of the set
  tetriscourse simulate --player dn --rules 10x10 --seed 3 --json
        every game as one JSON object, for a script"""

TRAIN_EXAMPLES = """examples:
  tetriscourse train --list                       every experiment of the papers, and how long it takes
  tetriscourse train genetic-3                    one of them: the result beside the published one
  tetriscourse train cma-es --features dn --rules harder --games 20 --iterations 30
        weights of your own, learned on harder games
  tetriscourse train cma-es --list                what can be set, for --set NAME=VALUE
  tetriscourse train cross-entropy --features bertsekas --rules 10x10 --set noise=linear --set rho=0.2
  tetriscourse train szita-constant --checkpoint run.npz
        Ctrl-C, a power cut: nothing is lost; the same line with --resume goes on where it was
  tetriscourse train boumaza-dn --dask local      on a Dask cluster: local, or tcp://host:8786"""

LEARN_EXAMPLES = """examples:
  tetriscourse learn --list                       the methods; with a METHOD, its settings
  tetriscourse learn q-learning --width 6 --height 6 --watch
        a table learns the domino game; the proof that it plays without end is printed, and a game shown
  tetriscourse learn q-learning --set actions=placements
  tetriscourse learn q-learning --rules research --width 4 --height 4 --set actions=placements --set gamma=1
  tetriscourse learn deep-q-domino                a network learns it from the cells, in some seconds
  tetriscourse learn deep-q --checkpoint run.npz  a network learns Tetris, in a minute or two; --resume goes on
  tetriscourse learn deep-q --set double=yes --set hidden=64,64 --seed 3 --save player.npz
        the player goes to a file, for simulate --player player.npz and play --agent player.npz"""

SOLVE_EXAMPLES = """examples:
  tetriscourse solve --width 4 --height 4         the best possible play, exactly, in a second
  tetriscourse solve --width 5 --height 5 --player dellacherie --player dn
        6 million boards, and how far from the best these players are
  tetriscourse solve --width 5 --height 5 --game-over overflow-after-clearing
  tetriscourse solve --width 4 --height 4 --draw bag --two-piece
  tetriscourse solve --rules domino --width 4 --height 4 --gamma 0.9
        a game that can be played for ever has a value only if the future counts less
  tetriscourse solve --width 5 --height 5 --json  one JSON object, for a script"""

BENCH_EXAMPLES = """examples:
  tetriscourse bench                      moves a second for each feature set, one thread and all
  tetriscourse bench --seconds 0.2        a quick look
  tetriscourse bench --yardstick game.c   the same beside a C program
  tetriscourse bench --json               one JSON object, for a script"""


# --- options -------------------------------------------------------------------


def add_rules(
    parser: Parser,
    default: str | None,
    seed: str = "which pieces come (default: 0; when you play by hand, any)",
) -> None:
    """The options that choose the rules."""
    named = f"a game by name (default: {default or 'harder'})"
    parser.add_argument("--rules", default=default, metavar="NAME", help=named)
    parser.add_argument("--width", type=whole(), metavar="W", help="columns, instead of those of the rules")
    parser.add_argument("--height", type=whole(), metavar="H", help="rows, instead of those of the rules")
    parser.add_argument("--max-pieces", type=whole(0, LARGEST), metavar="M", help="pieces after which a game stops")
    parser.add_argument("--seed", type=whole(0, LARGEST), metavar="S", help=seed)


def add_variants(parser: Parser) -> None:
    """The options that change single rules."""
    two_piece = "the next piece is known too"
    parser.add_argument("--two-piece", dest="pieces_known", action="store_const", const=2, help=two_piece)
    parser.add_argument("--draw", metavar="HOW", help="independent or bag")
    parser.add_argument("--game-over", metavar="WHEN", help="overflow, overflow-after-clearing or top-row")
    parser.add_argument("--losing-moves", metavar="HOW", help="refused or allowed")


def lab_options(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the folder to work in; it is made if missing")
    parser.add_argument("--port", type=whole(1, 65535), metavar="P", help="the port of the server")
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")


def play_options(parser: Parser) -> None:
    parser.add_argument("--agent", default="human", metavar="NAME", help="who plays (default: human)")
    parser.add_argument("--list", action="store_true", help="list the agents with their sources, and stop")
    add_rules(parser, "tetrisbot")
    parser.add_argument("--pause", type=seconds, metavar="SECONDS", help="time between turns; for you: to think")


def simulate_options(parser: Parser) -> None:
    parser.add_argument("--player", metavar="NAME", help="a published player, optimal, or a file of learn --save")
    parser.add_argument("--features", metavar="SET", help="a feature set, with --weights")
    parser.add_argument("--weights", metavar="w1,w2,...", help="one number for each feature of the set")
    add_rules(parser, "research")
    parser.add_argument("--games", type=whole(1, MOST_GAMES), default=100, metavar="N", help="how many (default: 100)")
    parser.add_argument("--threads", type=whole(1, MOST_THREADS), metavar="T", help="at once (default: all cores)")
    add_variants(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress, no speed")
    parser.add_argument("--list", action="store_true", help="list the players, the rules, and the features of each set")


def train_options(parser: Parser) -> None:
    parser.add_argument("method", nargs="?", metavar="METHOD", help="genetic, cross-entropy, cma-es, or an experiment")
    parser.add_argument("--list", action="store_true", help="list the experiments, or the settings of a method")
    parser.add_argument("--features", metavar="SET", help="what the player sees (default: dn)")
    add_rules(parser, None, "chance of the run: candidates and pieces (default: 1)")
    parser.add_argument("--games", type=whole(1, MOST_GAMES), metavar="N", help="games of each candidate (default: 20)")
    parser.add_argument("--score", metavar="WHAT", help="lines (default) or points")
    parser.add_argument("--pieces", metavar="WHOSE", help="common to all candidates (default), or own")
    parser.add_argument("--iterations", type=whole(1, LARGEST), metavar="N", help="when to stop at the latest")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="any other setting; may be repeated")
    racing = "stop the games of losers early: hoeffding, bernstein or tetris bounds"
    parser.add_argument("--racing", metavar="BOUND", help=racing)
    parser.add_argument("--runs", type=whole(1, 10_000), metavar="N", help="runs, whose mean is the player")
    curve = "games of the favourite after each iteration (default: 30)"
    parser.add_argument("--curve", type=whole(0, MOST_GAMES), metavar="N", help=curve)
    parser.add_argument("--target", type=number, metavar="X", help="stop when the learning curve reaches X")
    patience = "stop when the learning curve has not risen for N iterations"
    parser.add_argument("--patience", type=whole(1, LARGEST), metavar="N", help=patience)
    checkpoint = "keep the run in a file (FILE-01, FILE-02, ... for several runs)"
    parser.add_argument("--checkpoint", metavar="FILE", help=checkpoint)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, if there is one")
    parser.add_argument("--threads", type=whole(1, MOST_THREADS), metavar="T", help="at once (default: all cores)")
    parser.add_argument("--dask", metavar="ADDRESS", help="play on a Dask cluster: local, or tcp://host:8786")
    parser.add_argument("--thorough", action="store_true", help="judge also by games that take half an hour")
    parser.add_argument("--save", metavar="FILE", help="write the outcome to a new JSON file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress, no time")


def learn_options(parser: Parser) -> None:
    parser.add_argument("method", nargs="?", metavar="METHOD", help="q-learning, deep-q-domino or deep-q")
    parser.add_argument("--list", action="store_true", help="list the methods, or the settings of one")
    parser.add_argument("--rules", metavar="NAME", help="a game by name (default: domino; for deep-q research)")
    parser.add_argument("--width", type=whole(), metavar="W", help="columns, instead of those of the rules")
    parser.add_argument("--height", type=whole(), metavar="H", help="rows, instead of those of the rules")
    parser.add_argument("--features", metavar="SET", help="what deep-q sees (default: tetrisbot)")
    parser.add_argument("--seed", type=whole(0, LARGEST), metavar="S", help="chance of the run (default: 0)")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="any setting; may be repeated")
    parser.add_argument("--checkpoint", metavar="FILE", help="keep the run in a file")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, if there is one")
    games = "games by which a player is judged (default: 100)"
    parser.add_argument("--games", type=whole(1, MOST_GAMES), default=100, metavar="N", help=games)
    parser.add_argument("--watch", action="store_true", help="watch a game afterwards")
    parser.add_argument("--save", metavar="FILE", help="keep the player of deep-q, for NetworkPlayer.load in Python")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress, no time")


def solve_options(parser: Parser) -> None:
    parser.add_argument("--rules", default="research", metavar="NAME", help="a game by name (default: research)")
    parser.add_argument("--width", type=whole(), metavar="W", help="columns, instead of those of the rules")
    parser.add_argument("--height", type=whole(), metavar="H", help="rows, instead of those of the rules")
    add_variants(parser)
    player = "its exact value too; may be repeated"
    parser.add_argument("--player", action="append", metavar="NAME", help=player)
    gamma = "how much the next move counts beside this one (default: 1)"
    parser.add_argument("--gamma", type=number, default=1.0, metavar="G", help=gamma)
    parser.add_argument("--tolerance", type=number, default=1e-6, metavar="E", help="largest error (default: 1e-6)")
    memory = "gigabytes that may be used (default: 2)"
    parser.add_argument("--memory", type=number, default=2.0, metavar="GB", help=memory)
    parser.add_argument("--save", metavar="FILE", help="keep the solution in a file, for Solution.load in Python")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress, no time")


def bench_options(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--yardstick", metavar="FILE", help="a C program to compare with")
    parser.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="time for a measurement (default: 1)")


# --- the commands -------------------------------------------------------------------------------


def course_folder(given: str | None) -> Path:
    """The folder to work in: the one given, else the clone that this is run from, else the current one."""
    here = Path.cwd()
    if given is None:
        clones = (here, *here.parents, Path(__file__).resolve().parent.parent)
        return next((one for one in clones if (one / "notebooks").is_dir() and (one / "tetriscourse").is_dir()), here)
    try:
        Path(given).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"DIR is '{given}'; it must be a folder that can be made ({error.strerror})") from None
    return Path(given).resolve()


def lab(options: argparse.Namespace) -> int:
    """Start JupyterLab of this very environment, and stop it on Ctrl-C."""
    import subprocess
    from importlib.util import find_spec

    if find_spec("jupyterlab") is None:
        raise InputError("jupyterlab is missing; install tetriscourse together with its dependencies")
    folder = course_folder(options.folder)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command += [f"--ServerApp.port={options.port}"] if options.port else []
    command += ["--no-browser"] if options.no_browser else []
    # Jupyter refuses to run for root unless told; in a container there is often nobody else.
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    print(f"JupyterLab on {folder}; Ctrl-C stops it", file=sys.stderr, flush=True)
    server = subprocess.Popen([*command, *options.rest], cwd=folder)
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0


def play(options: argparse.Namespace) -> int:
    """Play or watch one game in the terminal."""
    from tetriscourse.agents import AGENTS
    from tetriscourse.players import PLAYERS
    from tetriscourse.terminal import play as play_in_terminal

    if options.list:
        for name, make in AGENTS.items():
            source = f" ({PLAYERS[name].source})" if name in PLAYERS else ""
            print(f"{name:24} {make().describe}{source}")
        print(f"{OPTIMAL:24} takes the best possible move, on boards small enough to be solved: --rules 5x5")
        return 0
    name = options.agent
    if not name.endswith(".npz"):
        one_of("--agent", name, [*AGENTS, OPTIMAL])
    rules, seed = chosen_rules(options, ("width", "height")), options.seed
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big") if name == "human" else 0
        if name == "human":
            print(f"these pieces come again with --seed {seed}", file=sys.stderr)
    agent = kept_agent(name, rules) or name
    play_in_terminal(agent, rules, seed=seed, pause=options.pause, max_blocks=options.max_pieces or 0)
    return 0


OPTIMAL = "optimal"
"""The player that is not in a catalogue: it is found by solving the game, if that is small enough."""


def optimal_player(rules: Rules, in_engine: bool = False) -> OptimalPlayer:
    """The best possible player of a small game; in the engine, pieces always enter from the middle."""
    from dataclasses import replace

    from tetriscourse.game.rules import Entry
    from tetriscourse.mdp.small_tetris import solve as solve_exactly

    game = replace(rules, max_pieces=0, entry=Entry.SPAWN if in_engine else rules.entry)
    return solve_exactly(game, progress=sys.stderr.isatty()).player()


def kept_player(name: str | None, rules: Rules, in_engine: bool = False) -> Any:
    """The optimal player, or the one in a file; None: the name is neither."""
    if name == OPTIMAL:
        return optimal_player(rules, in_engine)
    if name is None or not name.endswith(".npz"):
        return None
    from tetriscourse.mdp.files import load_player

    return load_player(name)


def kept_agent(name: str, rules: Rules) -> Any:
    """The same as an agent of the engine."""
    player = kept_player(name, rules, in_engine=True)
    if player is None:
        return None
    from tetriscourse.agents import agent_of

    return agent_of(player)


def list_names() -> int:
    """Everything that can be named: players, rules, feature sets."""
    from tetriscourse.features import FEATURE_SETS
    from tetriscourse.game.rules import RULES
    from tetriscourse.players import PLAYERS

    print("players")
    for name, player in PLAYERS.items():
        print(f"  {name:18} {player.source}")
    print(f"  {OPTIMAL:18} the best possible one, on boards that are small enough to be solved: 5x5, 4x6")
    print("rules")
    for name, rules in RULES.items():
        print(f"  {name:18} {rules}")
    print("feature sets, with the order of their weights")
    for name, chosen in FEATURE_SETS.items():
        print(f"  {name:18} {', '.join(feature.name for feature in chosen.features)}")
    return 0


RULES_OPTIONS = ("width", "height", "max_pieces", "pieces_known", "draw", "game_over", "losing_moves")


def simulate(options: argparse.Namespace) -> int:
    """Play many games and say what came out."""
    if options.list:
        return list_names()
    from tetriscourse.players import Player
    from tetriscourse.reports import as_json, as_table

    rules = chosen_rules(options, RULES_OPTIONS)
    player: Any = kept_player(options.player, rules) or chosen_player(options)
    if isinstance(player, Player):
        player.check_width(rules.width)
    from tetriscourse.simulator import simulate as simulate_games  # slow to load: bad input is told before

    scores = simulate_games(
        player,
        rules,
        games=options.games,
        seed=options.seed or 0,
        threads=options.threads,
        progress=not (options.quiet or options.json) and sys.stderr.isatty(),
    )
    print(as_json(scores) if options.json else as_table(scores))
    if scores.interrupted:
        print(f"tetriscourse: interrupted after {len(scores)} of {options.games} games", file=sys.stderr)
    elif not (options.quiet or options.json):
        print(f"{scores.moves_per_second:,.0f} moves a second of a core, {scores.threads} threads", file=sys.stderr)
    return 130 if scores.interrupted else 0


def train(options: argparse.Namespace) -> int:
    """Learn weights, and say what they are worth."""
    from tetriscourse.optimizers.command import run as run_training

    return run_training(options, options.words)


def learn(options: argparse.Namespace) -> int:
    """Learn to decide, with a table or a network."""
    from tetriscourse.mdp.learn_command import run as run_learner

    return run_learner(options)


def solve(options: argparse.Namespace) -> int:
    """Solve a small game exactly."""
    from tetriscourse.mdp.command import run as run_solver

    return run_solver(options)


def bench(options: argparse.Namespace) -> int:
    """Measure the speed of this machine."""
    if options.yardstick is not None and not Path(options.yardstick).is_file():
        raise InputError(f"--yardstick is '{options.yardstick}'; it must be a file with a C program")
    from tetriscourse.simulator.bench import main as measure

    return measure(json=options.json, yardstick=options.yardstick, seconds=options.seconds) or 0


# --- running ------------------------------------------------------------------------------------

Command = tuple[Callable[[Parser], None], Callable[[argparse.Namespace], int], str, str]

COMMANDS: dict[str, Command] = {
    "lab": (lab_options, lab, "start JupyterLab on the course", LAB_EXAMPLES),
    "play": (play_options, play, "play or watch a game in the terminal", PLAY_EXAMPLES),
    "simulate": (simulate_options, simulate, "play many games fast and say how good a player is", SIMULATE_EXAMPLES),
    "train": (train_options, train, "learn a player's weights, or repeat an experiment of the papers", TRAIN_EXAMPLES),
    "learn": (learn_options, learn, "learn by Q-learning, with a table or a network", LEARN_EXAMPLES),
    "solve": (solve_options, solve, "solve Tetris on a small board exactly", SOLVE_EXAMPLES),
    "bench": (bench_options, bench, "measure moves a second on this machine", BENCH_EXAMPLES),
}


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command, and those of its sub-commands."""
    layout = argparse.RawDescriptionHelpFormatter
    about = "A course on game-playing AI, from data structures to deep Q-learning, told through Tetris."
    parser = Parser("tetriscourse", description=about, epilog=TOUR, formatter_class=layout, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    commands, parsers = parser.add_subparsers(metavar="COMMAND", dest="command"), {}
    for name, (add_options, _, summary, examples) in COMMANDS.items():
        parsers[name] = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=examples,
            formatter_class=layout, allow_abbrev=False,
        )  # fmt: skip
        add_options(parsers[name])
    return parser, parsers


def run(arguments: Sequence[str]) -> int:
    """Read the command line and do what it says."""
    parser, parsers = build_parser()
    if arguments and not arguments[0].startswith("-"):
        one_of("COMMAND", arguments[0], COMMANDS)
    known, rest = list(arguments), []
    if arguments[:1] == ["lab"] and "--" in known:
        known, rest = known[: known.index("--")], known[known.index("--") + 1 :]
    options, strange = parser.parse_known_args(with_joined_weights(known))
    if options.version:
        from importlib.metadata import version

        print(f"tetriscourse {version('tetriscourse')}")
        return 0
    if strange:
        refuse(strange[0], parsers.get(options.command, parser))
    if options.command is None:
        parser.print_help()
        return 0
    options.rest, options.words = rest, list(arguments)
    return COMMANDS[options.command][1](options)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; what it returns is the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            code = run(arguments)
        except SystemExit as end:  # argparse has printed a help text
            code = int(end.code or 0)
        print(end="", flush=True)
        return code
    except InputError as error:
        command = f"tetriscourse {arguments[0]}" if arguments and arguments[0] in COMMANDS else "tetriscourse"
        print(f"tetriscourse: error: {' '.join(str(error).split())} (see {command} --help)", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tetriscourse: interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try to write once more
        if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
            return 141
        print(f"tetriscourse: error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
