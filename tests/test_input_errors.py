"""Bad input, in the library and in the command: one line with the argument, the value and what is allowed."""

import re
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from tetriscourse import cli
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.moves import moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.players import PLAYERS, Filter, Player

NAN, INF = float("nan"), float("inf")
ALLOWED = re.compile(r"must|allowed|takes|has 7 pieces|a cell is one of|a board has|outside 0 to|needs|comes equally")


def check_message(message, argument, value):
    """One line that names the argument, shows the value and says what is allowed."""
    assert "\n" not in message
    assert re.search(rf"(?<!\w){re.escape(argument)}(?!\w)", message)
    assert value in message
    assert ALLOWED.search(message)


# --- the library --------------------------------------------------------------------------------

LIBRARY = {
    # rules
    "too narrow": (lambda: Rules(width=3), "width", "3"),
    "too wide": (lambda: Rules(width=17), "width", "17"),
    "too low": (lambda: Rules(height=3), "height", "3"),
    "too high": (lambda: Rules(height=29), "height", "29"),
    "a size in words": (lambda: Rules(height="20"), "height", "'20'"),
    "half a column": (lambda: Rules(width=9.5), "width", "9.5"),
    "no size": (lambda: Rules(width=None), "width", "None"),
    "a size that is a truth": (lambda: Rules(width=True), "width", "True"),
    "an unknown bag": (lambda: Rules(bag="rapd"), "bag", "'rapd'; did you mean 'rapid'?"),
    "an unknown way to draw": (lambda: Rules(draw="bags"), "draw", "'bags'; did you mean 'bag'?"),
    "an unknown end": (lambda: Rules(game_over="over"), "game_over", "'over'; did you mean 'overflow'?"),
    "an unknown habit": (lambda: Rules(losing_moves="allow"), "losing_moves", "did you mean 'allowed'?"),
    "an unknown entry": (lambda: Rules(entry="abov"), "entry", "did you mean 'above'?"),
    "an unknown scoring": (lambda: Rules(scoring="line"), "scoring", "did you mean 'lines'?"),
    "fewer than no pieces": (lambda: Rules(max_pieces=-1), "max_pieces", "-1"),
    "endless pieces": (lambda: Rules(max_pieces=INF), "max_pieces", "inf"),
    "three pieces known": (lambda: Rules(pieces_known=3), "pieces_known", "3"),
    "a name on two lines": (lambda: Rules(bag="a\nb"), "bag", r"'a\nb'"),
    "no bag": (lambda: Rules(bag=None), "bag", "None"),
    "a number as a choice": (lambda: Rules(draw=1), "draw", "1"),
    "an array as a choice": (lambda: Rules(draw=np.zeros((40, 40))), "draw", "array([[0., 0., 0."),
    "an array as a size": (lambda: Rules(width=np.zeros((40, 40))), "width", "array([[0., 0., 0."),
    "a size too long to be written": (lambda: Rules(width=10**5000), "width", "thousands of digits"),
    # probabilities
    "too few probabilities": (lambda: Rules(probabilities=(1, 2)), "probabilities", "2 values"),
    "no probabilities": (lambda: Rules(probabilities=()), "probabilities", "0 values"),
    "a negative probability": (lambda: Rules(probabilities=[-1, 1, 1, 1, 1, 1, 1]), "probabilities", "-1.0"),
    "no chance at all": (lambda: Rules(probabilities=[0] * 7), "probabilities", "0.0"),
    "an undefined probability": (lambda: Rules(probabilities=[1, NAN, 1, 1, 1, 1, 1]), "probabilities", "[1] is nan"),
    "one probability": (lambda: Rules(probabilities=3), "probabilities", "3"),
    "probabilities in words": (lambda: Rules(probabilities="1111111"), "probabilities", "'1111111'"),
    "an unknown piece": (lambda: Rules(probabilities={"Q": 1}), "probabilities", "'Q'"),
    "unequal turns": (lambda: Rules(draw="by-turns", probabilities={"S": 1, "Z": 2}), "probabilities", "'by-turns'"),
    "an unequal bag": (lambda: Rules(draw="bag", probabilities=[1] * 7), "probabilities", "draw='bag'"),
    # boards
    "a board of one row of numbers": (lambda: Board([1, 2]), "cells", "1 dimensions"),
    "a colour that does not exist": (lambda: Board([[9] * 4] * 4), "cells", "0 to 8"),
    "a ragged board": (lambda: Board([[0, 1], [1]]), "cells", "[[0, 1], [1]]"),
    "a huge colour": (lambda: Board([[300] * 4] * 4), "cells", "300"),
    "a negative colour": (lambda: Board([[0, 0, 0, -1]] * 4), "cells", "-1"),
    "an endless colour": (lambda: Board([[10**400] * 4] * 4), "cells", "1000"),
    "an undefined cell": (lambda: Board([[NAN] * 4] * 4), "cells", "nan"),
    "half a cell": (lambda: Board([[0, 0, 0, 0.5]] * 4), "cells", "0.5"),
    "a missing cell": (lambda: Board([[0, 0, 0, None]] * 4), "cells", "None"),
    "a cell in words": (lambda: Board([["a"] * 4] * 4), "cells", "'a'"),
    "no cells": (lambda: Board(None), "cells", "0 dimensions"),
    "a board's height in words": (lambda: Board([[0] * 4] * 4, height="a"), "height", "'a'"),
    "half a column of a board": (lambda: Board.empty(9.5, 20), "width", "9.5"),
    "no text": (lambda: Board.from_text(None), "text", "None"),
    "a text without rows": (lambda: Board.from_text(""), "text", "''"),
    "a text of blanks": (lambda: Board.from_text(" \n ", height=20), "text", r"' \n '"),
    "a height in words": (lambda: Board.from_text("X...", height="a"), "height", "'a'"),
    "an empty board without width": (lambda: Board.empty(3, 20), "width", "3"),
    "a ragged text": (lambda: Board.from_text("XX..\nXX.", height=20), "text", "3 and 4"),
    "a strange character": (lambda: Board.from_text("XX?.", height=20), "text", "'?'"),
    "a text above its board": (lambda: Board.from_text("X...\n" * 6, height=5), "text", "6 rows"),
    "a text above every board": (lambda: Board.from_text("X...\n" * 29), "height", "29"),
    "a text for a low board": (lambda: Board.from_text("X..."), "height", "1"),
    "a text for a narrow board": (lambda: Board.from_text("X..\n" * 4), "width", "3"),
    "rules for another board": (lambda: moves(Board.empty(), PIECES["T"], Rules(8)), "rules", "8x20"),
    "a piece with another name": (
        lambda: moves(Board.empty(), "t"), "piece", "piece is 't'; did you mean 'T'? (allowed: I, O, T",
    ),
    "no piece": (lambda: moves(Board.empty(), None), "piece", "None"),
    # players
    "an unknown piece, for a player": (lambda: PLAYERS["dn"].choose(Board.empty(), "U"), "piece", "'U'"),
    "an unknown piece, for a filter": (
        lambda: PLAYERS["filter-heights"].choose(Board.empty(), "U"), "piece", "'U'",
    ),
    "an unknown next piece": (
        lambda: PLAYERS["dn"].choose(Board.empty(), PIECES["O"], "U"), "next_piece", "'U'",
    ),
    "a huge weight": (lambda: Player("tetrisbot", [0, 10**400, 0, 0]), "weights", "[1] is 1000"),
    "a weight too long to be written": (lambda: Player("tetrisbot", [10**5000, 0, 0, 0]), "weights", "thousands"),
    "no feature set": (lambda: Player(None, [1]), "features", "None"),
    "a number as a feature set": (lambda: Player(7, [1]), "features", "7"),
    "too few weights": (lambda: Player("dn", [1] * 7), "weights", "7 values; feature set dn takes 8"),
    "too many weights": (lambda: Player("dn", [1] * 9), "weights", "9 values; feature set dn takes 8"),
    "no weights": (lambda: Player("dn", []), "weights", "0 values; feature set dn takes 8"),
    "an undefined weight": (lambda: Player("tetrisbot", [1, 2, 3, NAN]), "weights", "[3] is nan"),
    "an endless weight": (lambda: Player("tetrisbot", [1, -INF, 3, 4]), "weights", "[1] is -inf"),
    "a weight in words": (lambda: Player("tetrisbot", ["a", 0, 0, 0]), "weights", "[0] is 'a'"),
    "weights in words": (lambda: Player("tetrisbot", "1234"), "weights", "'1234'"),
    "one weight alone": (lambda: Player("tetrisbot", 1), "weights", "1"),
    "an unknown feature set": (lambda: Player("delacherie", [1]), "features", "did you mean 'dellacherie'?"),
    "an unknown feature": (lambda: Player(["hole"], [1]), "features", "'hole'; did you mean 'holes'?"),
    "a number as a feature": (lambda: Player([3], [1]), "features", "3"),
    "no features": (lambda: Player([], [1]), "features", "empty"),
    "weights for another width": (
        lambda: Player("bertsekas", [1] * 13).choose(Board.empty(), PIECES["T"]), "weights", "13 values",
    ),
    "no criteria": (lambda: Filter([]), "criteria", "[]"),
    "criteria in one word": (lambda: Filter("holes"), "criteria", "'holes'"),
    "a number as a criterion": (lambda: Filter([3]), "criteria", "3"),
    "a number as criteria": (lambda: Filter(7), "criteria", "7"),
    "an unknown criterion": (lambda: Filter(["hols"]), "criteria", "'hols'; did you mean 'holes'?"),
    "a criterion of many values": (lambda: Filter(["column_heights"]), "criteria", "'column_heights'"),
}  # fmt: skip

# Unusual, but clear enough to be used: what is made of it.
USED = {
    "a float as a width": (lambda: repr(Rules(width=10.0).width), "10"),
    "a float as a height": (lambda: repr(Rules(height=20.0).height), "20"),
    "a float as a limit": (lambda: repr(Rules(max_pieces=1e3).max_pieces), "1000"),
    "a number of numpy as a choice": (lambda: type(Rules(pieces_known=np.int64(2)).pieces_known), int),
    "a float as a board's size": (lambda: Board.empty(10.0, 20), Board.empty(10, 20)),
    "a float as a height of a text": (lambda: Board.from_text("X...", 4.0).height, 4),
    "floats and truths as cells": (lambda: Board([[1.0, False, True, 0]] * 4), Board.from_text("X.X.\n" * 4)),
    "no more cells": (lambda: Board.from_text("X.X.\n" * 4).with_cells([]), Board.from_text("X.X.\n" * 4)),
    "a tiny weight": (lambda: Player("tetrisbot", [5e-324, 0, 0, 0]).integers, (1, 0, 0, 0)),
    "a weight that fills a float": (lambda: Player("tetrisbot", [1e308, 0, 0, -1e308]).unit, 2.0**1004),
    "weights of nothing": (lambda: Player("tetrisbot", [0, 0, 0, 0]).integers, (0, 0, 0, 0)),
    "huge probabilities": (lambda: first_pieces([1e308] * 7), [*map(str, islice(PieceSequence(Rules(), 0, 0), 99))]),
    "tiny probabilities": (lambda: first_pieces([5e-324] * 7), [*map(str, islice(PieceSequence(Rules(), 0, 0), 99))]),
}


def first_pieces(probabilities):
    """The names of the first 99 pieces of a game."""
    return [str(piece) for piece in islice(PieceSequence(Rules(probabilities=probabilities), 0, 0), 99)]


@pytest.mark.parametrize(("call", "argument", "value"), LIBRARY.values(), ids=LIBRARY)
def test_the_library_says_what_is_wrong(call, argument, value):
    with pytest.raises(InputError) as caught:
        call()
    check_message(str(caught.value), argument, value)


@pytest.mark.parametrize(("call", "expected"), USED.values(), ids=USED)
def test_the_library_makes_sense_of_unusual_values(call, expected):
    assert call() == expected


@pytest.mark.parametrize(
    ("argument", "value"),
    [("games", 0), ("games", -5), ("games", 1.5), ("seed", -1), ("seed", "one"), ("threads", 0), ("threads", -2)],
)
def test_the_simulator_says_what_is_wrong(argument, value):
    from tetriscourse.simulator import simulate

    with pytest.raises(InputError) as caught:
        simulate(PLAYERS["dellacherie"], Rules(5, 5), **({"games": 1} | {argument: value}))
    check_message(str(caught.value), argument, repr(value))


def test_the_simulator_counts_the_weights_for_its_board():
    from tetriscourse.simulator import simulate

    with pytest.raises(InputError) as caught:
        simulate(Player("bertsekas", np.ones(13)), Rules(10, 10), games=1)
    check_message(str(caught.value), "weights", "13 values; feature set bertsekas takes 21 on width 10")


# --- the command line ---------------------------------------------------------------------------

DN = "-1,1,-1,-1,-1,-1,-1,-1"

COMMAND = [
    # which player
    ("simulate", "--player", "missing"),
    ("simulate --player delacherie", "--player", "did you mean 'dellacherie'?"),
    ("simulate --player dn --features dn", "--features", "'dn'"),
    (f"simulate --player dn --weights={DN}", "--weights", DN),
    (f"simulate --weights={DN}", "--weights", DN),
    ("simulate --features dn", "--weights", "missing"),
    (f"simulate --features dnn --weights={DN}", "--features", "did you mean 'dn'?"),
    ("simulate --features dn --weights=1,2,3", "weights", "3 values; feature set dn takes 8"),
    ("simulate --features dn --weights -1,2", "weights", "2 values; feature set dn takes 8"),
    ("simulate --features tetrisbot --weights=1,nan,3,4", "--weights[1]", "'nan'"),
    ("simulate --features tetrisbot --weights=-inf,2,3,4", "--weights[0]", "'-inf'"),
    ("simulate --features tetrisbot --weights -inf,2,3,4", "--weights[0]", "'-inf'"),
    ("simulate --features tetrisbot --weights=1,2,x,4", "--weights[2]", "'x'"),
    ("simulate --features tetrisbot --weights=1,2,,4", "--weights[2]", "''"),
    ("simulate --features tetrisbot --weights=", "--weights[0]", "''"),
    (f"simulate --features bertsekas --weights={','.join('1' * 21)} --width 6", "weights", "takes 13 on width 6"),
    # which rules
    ("simulate --player dn --rules reserch", "--rules", "did you mean 'research'?"),
    ("simulate --player dn --width 3", "width", "3"),
    ("simulate --player dn --width 17", "width", "17"),
    ("simulate --player dn --height 29", "height", "29"),
    ("simulate --player dn --height tall", "--height", "'tall'"),
    ("simulate --player dn --max-pieces -1", "--max-pieces", "'-1'"),
    ("simulate --player dn --max-pieces 1.5", "--max-pieces", "'1.5'"),
    ("simulate --player dn --draw bags", "draw", "did you mean 'bag'?"),
    ("simulate --player dn --game-over over", "game_over", "did you mean 'overflow'?"),
    ("simulate --player dn --losing-moves allow", "losing_moves", "did you mean 'allowed'?"),
    ("simulate --player dn --rules harder --draw bag", "probabilities", "draw='bag'"),
    # how many, which, how
    ("simulate --player dn --games 0", "--games", "'0'"),
    ("simulate --player dn --games -3", "--games", "'-3'"),
    ("simulate --player dn --games many", "--games", "'many'"),
    (f"simulate --player dn --games {10**30}", "--games", str(10**30)),
    ("simulate --player dn --threads 0", "--threads", "'0'"),
    ("simulate --player dn --seed -1", "--seed", "'-1'"),
    (f"simulate --player dn --seed {2**63}", "--seed", f"'{2**63}'; it must be a whole number from 0 to {2**63 - 1}"),
    ("simulate --player dn --seed 1.0", "--seed", "'1.0'"),
    # unknown words
    ("simulat", "COMMAND", "did you mean 'simulate'?"),
    ("simulate --player dn --gmaes 3", "option", "'--gmaes'; did you mean '--games'?"),
    ("simulate --player dn extra", "option", "'extra'"),
    ("--json simulate --player dn", "option", "'--json'"),
    ("--verson", "option", "'--verson'; did you mean '--version'?"),
    # other commands
    ("play --rules tetris", "--rules", "did you mean 'tetrisbot'?"),
    ("play --width 99 --agent dn", "width", "99"),
    ("play --pause -1", "--pause", "'-1'"),
    ("play --pause nan", "--pause", "'nan'"),
    ("play --seed x", "--seed", "'x'"),
    ("bench --seconds soon", "--seconds", "'soon'"),
    ("bench --yardstick no/such/file.c", "--yardstick", "'no/such/file.c'"),
    ("lab --port 0", "--port", "'0'"),
    ("lab --port 70000", "--port", "'70000'"),
    ("lab --port http", "--port", "'http'"),
]


@pytest.mark.parametrize(("line", "argument", "value"), COMMAND, ids=[line for line, _, _ in COMMAND])
def test_the_command_says_what_is_wrong(line, argument, value, capsys):
    assert cli.main(line.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("tetriscourse: error: ")
    assert shown.err.endswith(" --help)\n")
    message = shown.err.removesuffix("\n")
    if value == "missing":
        assert f"{argument} is missing" in message
    else:
        check_message(message, argument, value)


@pytest.mark.parametrize("option", ["--games", "--weights", "--player", "--seed"])
def test_an_option_without_its_value_is_named(option, capsys):
    assert cli.main(["simulate", option]) == 2
    assert capsys.readouterr().err == (
        f"tetriscourse: error: {option}: expected one argument (see tetriscourse simulate --help)\n"
    )


def test_an_unknown_agent_has_a_closest_one(capsys):
    assert cli.main(["play", "--agent", "humn"]) == 2
    check_message(capsys.readouterr().err.removesuffix("\n"), "--agent", "'humn'; did you mean 'human'?")


def test_a_file_is_no_folder_to_work_in(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert cli.main(["lab", str(tmp_path / "file")]) == 2
    check_message(capsys.readouterr().err.removesuffix("\n"), "DIR", "file")


def test_a_value_on_two_lines_is_told_on_one(capsys):
    assert cli.main(["simulate", "--player", "d\nn"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_process_ends_with_code_2_and_one_line():
    called = [sys.executable, "-m", "tetriscourse.cli", "simulate", "--player", "dn", "--games", "0"]
    ran = subprocess.run(called, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "tetriscourse: error: --games is '0'; it must be a whole number from 1 to 100000000 "
        "(see tetriscourse simulate --help)\n"
    )
