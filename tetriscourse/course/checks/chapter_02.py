"""Judges of chapter 02: engine and agents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from itertools import groupby, islice
from typing import Any
from unittest.mock import patch

import numpy as np

from tetriscourse.agents import AGENTS, RandomCommands, RandomPlacements
from tetriscourse.course.differences import Function, first_difference, first_fault
from tetriscourse.course.exercises import exercise
from tetriscourse.course.outcomes import (
    NotAttempted,
    Outcome,
    Right,
    Wrong,
    climbed,
    clipped,
    expected,
    is_missing,
    nothing_yet,
)
from tetriscourse.errors import InputError
from tetriscourse.features import Feature, FeatureSet
from tetriscourse.game.engine import Callback, Ending, Engine
from tetriscourse.game.rules import RULES, TETRISBOT, PieceSequence, Rules
from tetriscourse.players import Criterion, Filter, Player
from tetriscourse.random_numbers import Draws


@exercise("02.1", "The longest drought", answers="longest_drought", points=1)
def droughts(longest_drought: Function, *, seed: int) -> Outcome:
    """Right when the longest run without a piece is found."""

    def truth(names: str, piece: str) -> int:
        return max((len(list(run)) for is_it, run in groupby(names, piece.__eq__) if not is_it), default=0)

    cases = [(names, piece) for names in words_to_search(seed) for piece in "IS"]
    return first_difference(longest_drought, truth, cases, show="names piece")


def words_to_search(seed: int) -> list[str]:
    """Sequences of pieces as text: tiny ones, then longer ones, drawn freely and from bags."""
    tiny = ["I", "T", "TI", "IT", "TOI", "ITO", "IOI", "IOZI", "TTITITTT"]
    long = [
        "".join(piece.name for piece in islice(PieceSequence(RULES[name], seed, number), length))
        for number, length in enumerate([8, 12, 20, 40, 80, 200]) for name in ("research", "bag")
    ]  # fmt: skip
    return tiny + long


ORDERED = Rules(
    width=8, height=16, bag="rapid", probabilities=(2, 2, 2, 2, 2, 1, 1), game_over="overflow-after-clearing",  # type: ignore[arg-type]
    losing_moves="allowed", entry="spawn", scoring="squares", max_pieces=1000,  # type: ignore[arg-type]
)  # fmt: skip
MEANINGS = {
    "width": "how many columns the board has",
    "height": "how many rows the board has",
    "bag": "which pieces there are: those of TetrisBot",
    "draw": "how the pieces are drawn",
    "probabilities": "how often each piece comes",
    "game_over": "when a move loses: as in TetrisBot's game",
    "losing_moves": "whether a losing move may be taken: as in TetrisBot's game",
    "entry": "where a piece comes from: as in TetrisBot's game",
    "scoring": "what rows are worth",
    "max_pieces": "when the game stops",
    "pieces_known": "how many pieces the player knows: as in TetrisBot's game",
}


@exercise("02.2", "Rules to order", answers="my_rules", points=2)
def rules_to_order(my_rules: Any, *, seed: int) -> Outcome:
    """Right when every field is as ordered."""
    if not isinstance(my_rules, Rules):
        return expected("a `tc.Rules`", my_rules)
    for field in fields(Rules):
        mine, wanted = getattr(my_rules, field.name), getattr(ORDERED, field.name)
        if field.name == "probabilities":
            mine, wanted = shares(my_rules), shares(ORDERED)
        if mine != wanted:
            given = getattr(my_rules, field.name)
            value = str(given) if isinstance(given, str) else given
            return Wrong(f"Look at `{field.name}`, {MEANINGS[field.name]}. Yours is {clipped(value)}.")
    return Right()


def shares(rules: Rules) -> list[float]:
    """The probability of each piece."""
    given = rules.probabilities or (1.0,) * len(rules.pieces)
    return [round(one / sum(given), 9) for one in given]


LOW = replace(TETRISBOT, height=16)  # tetrisBot's game on a board with smaller pictures
MOST_KEYS = 40  # more than any piece needs there


@exercise("02.3", "With keys only", answers="next_key", points=2)
def with_keys(next_key: Function, *, seed: int) -> Outcome:
    """Right when the first piece of some games comes to rest where it should, by keys of one letter."""
    if not callable(next_key):
        return expected("a function", next_key)
    return first_fault(
        walked(next_key, Engine(rules=LOW, seed=seed, game=game), column, rotation)
        for game, column, rotation in targets(seed)
    )


def targets(seed: int) -> Iterator[tuple[int, int, int]]:
    """Games, and where their first piece is to land: (game, column, rotation)."""
    for game in range(30):
        places = Engine(rules=LOW, seed=seed, game=game).placements()
        yield from ((game, *places[k]) for k in Draws(seed, game).below(len(places), 3))


def walked(next_key: Function, engine: Engine, column: int, rotation: int) -> Outcome:
    """Right when the keys bring the falling piece there."""
    keys: list[str] = []
    wish = f"The wish was {engine.piece} with rotation {rotation} in column {column}"
    while engine.blocks_played == 0 and engine.is_running and len(keys) < MOST_KEYS:
        key = next_key(engine, column, rotation)
        if is_missing(key) and not keys:
            return nothing_yet("next_key")
        if is_missing(key):
            said = f"After the keys {in_short(keys)} the next one is missing: a path without `return`?"
            return Wrong(f"{wish}. {said}", [engine.view()])
        if str(key).strip().upper() not in set("LRHTDN"):
            return Wrong(f"`next_key` gives {clipped(key)}; it should be one of the letters L R H T D N.")
        keys.append(str(key).strip().upper())
        engine.play_command(keys[-1])
    move = engine.last_move
    if move is not None and (move.column, move.orientation) == (column, rotation):
        return Right()
    came = f"rotation {move.orientation} in column {move.column}" if move else "no place at all"
    text = f"{wish}; the piece came to rest with {came}. The keys were {in_short(keys)}"
    return Wrong(text, [move.before.with_cells(move.cells, move.piece.name)] if move else [])


def in_short(keys: list[str]) -> str:
    """The first dozen keys."""
    return " ".join(keys[:12]) + (" ..." if len(keys) > 12 else "")


@exercise("02.4", "A flight recorder", answers="recorder", points=2)
def flight_recorder(recorder: Function, *, seed: int) -> Outcome:
    """Right when the log is what the agent said, and the game is the same."""
    if not callable(recorder):
        return expected("a function", recorder)
    return first_fault(
        recorded(recorder, ["D", "N", "L", "R", "H", "D"], Engine(seed=seed, game=game, max_blocks=most))
        for game, most in enumerate((1, 3, 20))
    )


def recorded(recorder: Function, order: list[str], engine: Engine) -> Outcome:
    """Right when the recorder keeps what an agent says, which gives these commands in turn."""
    said: list[str] = []
    log: list[str] = []
    played: list[str] = []

    def talker(engine: Engine) -> str:
        said.append(order[len(said) % len(order)])
        return said[-1]

    agent = recorder(talker, log)
    if is_missing(agent):
        return nothing_yet("recorder")
    if not callable(agent):
        return Wrong(f"`recorder` returns {clipped(agent)}, which the engine cannot call.")
    while engine.is_running and len(played) < 500:
        command = agent(engine)
        if is_missing(command):
            return Wrong("The new agent gives the engine no command: what does it return?")
        played.append(command)
        engine.play_command(command)
    named = (("the old agent said", said), ("the new one played", played), ("the log", log))
    lines = [f"{name}: {' '.join(map(str, commands[:12])) or 'nothing'}" for name, commands in named]
    if played != said:
        return Wrong("The new agent does not play like the old one.", lines)
    return Right() if log == said else Wrong("The log is not what the agent said.", lines)


GAMES, MOST_PIECES = 5, 120


def played_games(agent: Callback, seed: int, games: int = GAMES, most: int = MOST_PIECES) -> list[Engine]:
    """Games by TetrisBot's rules, played to their end or for `most` pieces."""
    engines = [Engine(agent, seed=seed, game=game, max_blocks=most) for game in range(games)]
    for engine in engines:
        while engine.is_running and engine.turns < 30 * most:
            engine.step()
    return engines


def made(agent: Any) -> Callback | Wrong | NotAttempted:
    """The agent, or an instance of the class, made without arguments."""
    if any(agent is maker for maker in AGENTS.values()) and not isinstance(agent, type):
        return Wrong("This is not an agent yet: call it, with `()` after it, and it makes one.")
    if isinstance(agent, type):
        try:
            agent = agent()
        except TypeError as error:
            return Wrong(f"An agent of this class cannot be made without arguments: {error}")
    if not callable(agent):
        return Wrong("The engine cannot call it: does the class have a method `__call__(self, engine)`?")
    if is_missing(agent(Engine(seed=0))):
        return NotAttempted("The agent gives no command yet.")
    checked: Callback = agent
    return checked


class LibraryAsked(BaseException):
    """An agent asked the library for its judgement; not an Exception, so that a careless `except` lets it pass."""


@contextmanager
def library_closed() -> Iterator[None]:
    """Refuse every question to a feature, a player or an agent of the library."""

    def refuse(*arguments: Any, **named: Any) -> Any:
        raise LibraryAsked

    asked: list[tuple[type, str]] = [(Feature, "__call__"), (FeatureSet, "values"), (Criterion, "value")]
    asked += [(Filter, "stages"), (Filter, "choose"), (Player, "value"), (Player, "choose")]
    asked += [(RandomPlacements, "__call__"), (RandomCommands, "__call__")]
    with ExitStack() as closed:
        for kind, method in asked:
            closed.enter_context(patch.object(kind, method, refuse))
        yield


@exercise("02.5", "As low as possible", answers="LowestLanding", points=2)
def lowest_landing(LowestLanding: Any, *, seed: int) -> Outcome:
    """Right when every piece of three games lands as low as it can."""
    agent = made(LowestLanding)
    if isinstance(agent, Wrong | NotAttempted):
        return agent
    lapse = first_fault(first_lapse(agent, Engine(agent, LOW, seed, game, max_blocks=30)) for game in range(3))
    if not isinstance(lapse, Right):
        return lapse
    mine, chance = (
        np.mean([engine.blocks_played for engine in played_games(one, seed)]) for one in (agent, RandomPlacements())
    )
    said = f"In {GAMES} games, stopped at {MOST_PIECES} pieces, it places {mine:.0f} on average; chance {chance:.0f}."
    return Right(said)


def first_lapse(agent: Callback, engine: Engine) -> Wrong | None:
    """Wrong for the first piece of a game that could have landed lower."""
    while engine.is_running:
        lowest, placed = min(move.row for move in engine.moves()), engine.blocks_played
        view, piece = engine.view(), engine.piece
        command = agent(engine)
        try:
            engine.play_command(command)
        except InputError as error:
            return Wrong(f"This is not a command: {error}", [view])
        if engine.blocks_played == placed or engine.last_move is None:
            return Wrong(f"{clipped(command)} does not place the piece.", [view])
        if (row := engine.last_move.row) != lowest:
            said = f"With {clipped(command)} the {piece} lands on row {row}; it could land on row {lowest}."
            return Wrong(said, [view])
    return None


LONG, SHORT, LONGEST_LIFE = (150, 250, 580), (11, 9.5, 8), 600
"""Pieces on each rung of the two ladders, and where a game is stopped. The agent of 02.5 places about 90, the smallest
sum of squared heights 310 to 570, holes and bumpiness nearly all 600; who only drops 12 or 13, upright on the spot 9,
and 8 are the fewest, for seven different pieces cannot fill 22 rows: `python tests/benchmarks/check_bars.py 02.6`."""


@exercise("02.6", "Without any feature", answers="mine", points=3, kind="open")
def without_features(mine: Any, *, seed: int) -> Outcome:
    """Two ladders: to live longer and longer than the lowest landing, or to die faster than who only drops."""
    try:
        with library_closed():
            agent = made(mine)
            if isinstance(agent, Wrong | NotAttempted):
                return agent
            return life_measured(played_games(agent, seed, most=LONGEST_LIFE))
    except LibraryAsked:
        return Wrong("That agent asks the library's features, players or agents. Write one that judges moves itself.")


def life_measured(engines: list[Engine]) -> Outcome:
    """The rungs of long lives, or those of short ones that ended by game over."""
    if any(engine.ending == Ending.QUIT for engine in engines):
        return Wrong("Your agent quits a game (`Q`), and quitting does not count: play until the game is over.")
    if any(engine.is_running for engine in engines):
        return Wrong("Your agent never comes to an end: after thousands of commands a game still goes on.")
    mean = float(np.mean([engine.blocks_played for engine in engines]))
    measured = f"In {GAMES} games, stopped at {LONGEST_LIFE} pieces, your agent places {mean:.1f} pieces on average"
    if mean >= LONG[0]:
        return climbed(f"{measured}, a long life", *rungs(LONG, [mean >= least for least in LONG], "at least"))
    if mean <= SHORT[0]:
        return climbed(f"{measured}, a glorious disaster", *rungs(SHORT, [mean <= most for most in SHORT], "at most"))
    return Wrong(f"{measured}. A long life begins at {LONG[0]}, a glorious disaster is at most {SHORT[0]}.")


def rungs(ladder: Sequence[float], reached: Sequence[bool], how: str) -> tuple[list[str], list[str]]:
    """The rungs that are reached, and those that are not."""
    named = [f"{how} {pieces:g} pieces" for pieces in ladder]
    pairs = list(zip(named, reached, strict=True))
    return [name for name, there in pairs if there], [name for name, there in pairs if not there]
