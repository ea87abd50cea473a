"""Judges of chapter 00: welcome."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import isfinite
from numbers import Integral
from typing import Any

from tetriscourse.course.differences import is_number
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped, expected
from tetriscourse.errors import InputError, counted
from tetriscourse.game.board import MIN_SIZE, Board
from tetriscourse.game.moves import Move
from tetriscourse.game.rules import RULES
from tetriscourse.games import Game, play_game
from tetriscourse.players import PLAYERS
from tetriscourse.simulator import simulate

MANY = 1_600  # games: good for 5 % (chapter 05). With seed 2, their mean agrees with that of four times as many games.


@exercise("00.1", "A guess", answers="guess", points=1)
def guess_is_near(guess: Any, *, seed: int) -> Outcome:
    """Right within a factor of two of the champion's mean, which does not depend on the seed."""
    if not is_number(guess) or not isfinite(guess):
        return expected("a number of rows, such as `100`", guess)
    guessed, mean = float(guess), champions_mean()
    if mean / 2 <= guessed <= 2 * mean:
        return Right(f"We let it play {MANY:,} games, and it cleared {mean:,.0f} rows a game on average.")
    factor = max(mean / guessed, guessed / mean) if guessed > 0 else float("inf")
    times = "more than a hundred times" if factor > 100 else "more than ten times" if factor > 10 else ""
    if times:
        said = f"It clears {times} as many." if guessed < mean else f"That is {times} as many as it clears."
    else:
        said = f"It clears {'more' if guessed < mean else 'fewer'}, but you are within a factor of ten."
    return Wrong(f"You guess {guessed:,.0f} rows. {said} Guess again!")


@cache
def champions_mean() -> float:
    """The champion's mean on the low board, in rows a game."""
    return simulate(PLAYERS["dellacherie"], RULES["10x10"], games=MANY, seed=2, progress=False).mean


WANTED_HEIGHTS, WANTED_HOLES = [3, 1, 0, 2, 2, 4], 2


@exercise("00.2", "A board to order", answers="drawing", points=2)
def board_is_as_ordered(drawing: Any, *, seed: int) -> Outcome:
    """Right when the drawing has the heights and holes that were ordered."""
    try:
        board = drawing if isinstance(drawing, Board) else drawn(drawing)
    except InputError as error:
        return Wrong(f"This cannot be read as a board: {error}")
    if board.width != len(WANTED_HEIGHTS):
        return Wrong(f"Your board has {board.width} columns; {len(WANTED_HEIGHTS)} were ordered.", [board])
    heights = board.heights.tolist()
    if heights != WANTED_HEIGHTS:
        column = next(c for c, wanted in enumerate(WANTED_HEIGHTS) if heights[c] != wanted)
        said = f"Column {column} of your board has height {heights[column]}; {WANTED_HEIGHTS[column]} was ordered."
        turned = Board(board.cells[::-1]).heights.tolist() == WANTED_HEIGHTS
        return Wrong(said + (" Is it upside down?" if turned else ""), [board])
    holes = int(board.heights.sum() - board.full.sum())  # empty cells below the top of their column
    if holes != WANTED_HOLES:
        said = f"The heights are right. Your board has {counted(holes, 'hole')}; {WANTED_HOLES} were ordered."
        return Wrong(said, [board])
    return Right()


def drawn(text: Any) -> Board:
    """The board of a drawing, which may have fewer rows than a board needs."""
    rows = len(str(text).strip().splitlines())
    return Board.from_text(text, height=max(rows, MIN_SIZE))


@exercise("00.3", "Detective work", answers="first_three highest", points=3)
def detective(first_three: Any, highest: Any, *, seed: int) -> Outcome:
    """Right when both numbers are those of the game."""
    moves = watched_game().moves
    true_first = next(number for number, move in enumerate(moves) if move.rows == 3)
    true_highest = max(int(move.after.heights.max()) for move in moves)
    if first_three != true_first:
        return Wrong(about_first(first_three, moves, true_first))
    if highest != true_highest:
        return Wrong(about_highest(highest, true_highest))
    return Right()


@cache
def watched_game() -> Game:
    """The game of exercise 00.3."""
    return play_game(PLAYERS["dellacherie"], replace(RULES["10x10"], max_pieces=200), seed=2026)


def about_first(number: Any, moves: list[Move], truth: int) -> str:
    """Feedback on a wrong `first_three` that does not give the right one away."""
    if not isinstance(number, Integral) or not 0 <= int(number) < len(moves):
        return f"`first_three` is {clipped(number)}; the moves are numbered from 0 to {len(moves) - 1}."
    if number == truth + 1:
        return f"`first_three` is {number}: very close. Moves are counted from 0; did you start at 1?"
    rows = moves[int(number)].rows
    if rows == 3:
        return f"`first_three` is {number}: that move clears three rows, but it is not the first to do so."
    return f"`first_three` is {number}; that move clears {counted(rows, 'row')}, not 3."


def about_highest(height: Any, truth: int) -> str:
    """Feedback on a wrong `highest` that does not give the right one away."""
    if not is_number(height):
        return f"`highest` is {clipped(height)}; a whole number of rows was expected."
    way = "after some move the pile is higher than that" if height < truth else "the pile never gets that high"
    return f"`first_three` is right. `highest` is {height}: {way}."


prose("00.4", "Your first record", points=2, kind="open")
