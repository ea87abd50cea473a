"""What the sub-commands of `tetriscourse` can be told: their options, and the examples that their help shows."""

from __future__ import annotations

from collections.abc import Callable

from tetriscourse.cli.arguments import Parser, number, seconds, whole

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
  tetriscourse lab                        the course of this clone, or a working copy in ./tetriscourse-course
  tetriscourse lab my-course              a working copy in a folder of your own; it is made if missing
        next time, new chapters come in; what you have written is never overwritten
  tetriscourse lab my-course --no-start   only make it, or bring it up to date
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

BUILD_EXAMPLES = """examples:
  tetriscourse build                      every notebook of this clone, from the .py files beside them
  tetriscourse build 03                   one chapter: lecture, solutions, exercises
  tetriscourse build 03 04 panels         several"""

PROGRESS_EXAMPLES = """examples:
  tetriscourse progress                   every chapter: exercises done, tried and to come
  tetriscourse progress --json            one JSON object, for a script
  tetriscourse progress --forget          start from nothing again"""

RELEASE_EXAMPLES = """examples:
  tetriscourse release hand-out                  lectures and exercises in a folder, without the solutions
  tetriscourse release hand-out 00 01 02         some chapters
  tetriscourse release hand-out --as zip         the same as hand-out.zip
  tetriscourse release my-course --as nbgrader   for teachers only: a tree for nbgrader, with the solutions"""

CHECK_EXAMPLES = """examples:
  tetriscourse check                      run all lectures and solutions, and compare every output
  tetriscourse check 03                   one chapter
  tetriscourse check 00 04 panels         several"""

GRADE_EXAMPLES = """examples:
  tetriscourse grade submitted                   a folder a student: grades.csv, grades.html and feedback/ are written
  tetriscourse grade submitted --chapter 01 --chapter 02 --out week-3.csv
        some chapters; every student has a row, what was not handed in stays empty
  tetriscourse grade submitted --seconds 60 --memory 8   for slow answers: a minute a cell, 8 gigabytes a notebook
  tetriscourse grade submitted --jobs 8 --feedback for-students
  tetriscourse grade submitted --no-sandbox      without bubblewrap: only submissions of people you trust"""


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
    parser.add_argument("--draw", metavar="HOW", help="independent, bag or by-turns")
    parser.add_argument("--game-over", metavar="WHEN", help="overflow, overflow-after-clearing or top-row")
    parser.add_argument("--losing-moves", metavar="HOW", help="refused or allowed")


def lab_options(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="a folder of your own to work in")
    parser.add_argument("--port", type=whole(1, 65535), metavar="P", help="the port of the server")
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    parser.add_argument("--no-start", action="store_true", help="make or update the working copy, and stop")


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


def build_options(parser: Parser) -> None:
    parser.add_argument("chapters", nargs="*", default=[], metavar="NN", help="chapters to build (default: all)")


def progress_options(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--forget", action="store_true", help="delete what is kept, and stop")


def release_options(parser: Parser) -> None:
    parser.add_argument("folder", metavar="DIR", help="where it goes: a new or empty folder, or a former release")
    parser.add_argument("chapters", nargs="*", default=[], metavar="NN", help="chapters to release (default: all)")
    form = "folder (default), zip, or nbgrader"
    parser.add_argument("--as", dest="form", default="folder", metavar="FORM", help=form)


def check_options(parser: Parser) -> None:
    parser.add_argument("chapters", nargs="*", default=[], metavar="NN", help="chapters to check (default: all)")


def grade_options(parser: Parser) -> None:
    parser.add_argument("submissions", metavar="SUBMISSIONS", help="a folder with one folder or zip file a student")
    parser.add_argument("--out", default="grades.csv", metavar="FILE", help="the table (default: grades.csv)")
    feedback = "a page for each student (default: feedback/ beside the table)"
    parser.add_argument("--feedback", metavar="DIR", help=feedback)
    parser.add_argument("--chapter", action="append", metavar="NN", help="only this one; may be repeated")
    limit = "longest time of a cell or check; ten times that for a notebook (default: 30)"
    parser.add_argument("--seconds", type=number, default=30.0, metavar="S", help=limit)
    parser.add_argument("--memory", type=number, default=4.0, metavar="GB", help="of a notebook (default: 4)")
    parser.add_argument("--jobs", type=whole(1, MOST_THREADS), default=2, metavar="N", help="at once (default: 2)")
    parser.add_argument("--no-sandbox", action="store_true", help="do not use bubblewrap, even if it is installed")


HELP: dict[str, tuple[Callable[[Parser], None], str, str]] = {
    "lab": (lab_options, "start JupyterLab on the course", LAB_EXAMPLES),
    "play": (play_options, "play or watch a game in the terminal", PLAY_EXAMPLES),
    "simulate": (simulate_options, "play many games fast and say how good a player is", SIMULATE_EXAMPLES),
    "train": (train_options, "learn a player's weights, or repeat an experiment of the papers", TRAIN_EXAMPLES),
    "learn": (learn_options, "learn by Q-learning, with a table or a network", LEARN_EXAMPLES),
    "solve": (solve_options, "solve Tetris on a small board exactly", SOLVE_EXAMPLES),
    "bench": (bench_options, "measure moves a second on this machine", BENCH_EXAMPLES),
    "build": (build_options, "execute the sources of the notebooks and write them (for authors)", BUILD_EXAMPLES),
    "progress": (progress_options, "show which exercises you have done", PROGRESS_EXAMPLES),
    "release": (release_options, "write a hand-out without solutions (for teachers)", RELEASE_EXAMPLES),
    "check": (check_options, "run the course and compare every output (for teachers)", CHECK_EXAMPLES),
    "grade": (grade_options, "run and judge what students handed in (for teachers)", GRADE_EXAMPLES),
}
"""Of each sub-command: its options, what it does, examples."""
