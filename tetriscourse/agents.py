"""Agents: who plays in the Engine. An agent is called with the engine and returns the next command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from tetriscourse.errors import InputError, one_of
from tetriscourse.features import FeatureSet
from tetriscourse.game.engine import COMMANDS, Engine
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import AGENT_STREAM, TIE_STREAM, Chance
from tetriscourse.game.rules import Entry, Rules
from tetriscourse.players import PLAYERS, Criterion, Filter, Player
from tetriscourse.terminal import END_OF_INPUT, HUMAN_KEYS, Keyboard, Screen


class Agent(Protocol):
    """Anything that can be called with an engine and returns a command."""

    @property
    def name(self) -> str:
        """What it is called in AGENTS."""

    @property
    def describe(self) -> str:
        """What it does, in a sentence."""

    def __call__(self, engine: Engine) -> str:
        """The next command."""


def command(move: Move) -> str:
    """The command that makes a move."""
    return f"P:{move.column}:{move.orientation}"


# --- chance --------------------------------------------------------------------------------------


def chance_of_turn(engine: Engine) -> Chance:
    """Random numbers that depend on the game and the turn only, so that a game can be repeated."""
    return Chance(engine.seed, engine.game, AGENT_STREAM, position=engine.turns)


class RandomCommands:
    """Presses keys at random."""

    name = "random-commands"
    describe = "one of L R H T D N at random, each turn"

    def __call__(self, engine: Engine) -> str:
        return chance_of_turn(engine).pick(COMMANDS)


class RandomPlacements:
    """Places each piece at random."""

    name = "random-placements"
    describe = "any column and rotation at random, each piece"

    def __call__(self, engine: Engine) -> str:
        column, rotation = chance_of_turn(engine).pick(engine.placements())
        return f"P:{column}:{rotation}"


# --- judgement -----------------------------------------------------------------------------------


class FilteringAgent:
    """Keeps the best moves by one criterion after the other; chance decides among what is left."""

    def __init__(self, criteria: Sequence[str | Criterion] | Filter):
        self.filter = criteria if isinstance(criteria, Filter) else Filter(criteria)
        self.name = self.filter.name
        self.describe = "keeps the moves with " + ", then ".join(map(str, self.filter.criteria))

    def __call__(self, engine: Engine) -> str:
        left = self.filter.stages(engine.moves())[-1]
        # One number a piece, as when the pieces are counted and not the turns.
        return command(Chance(engine.seed, engine.game, TIE_STREAM, position=engine.blocks_played).pick(left))


class Valuing(Protocol):
    """A player that gives each move a value: a Player, or a network."""

    name: str
    features: FeatureSet

    def value(self, move: Move) -> float:
        """What a move is worth."""

    def check_width(self, width: int) -> None:
        """An error if it cannot play on this width."""


class EvaluatingAgent:
    """Takes the move that a player values most; ties: the first."""

    def __init__(self, player: Any):
        self.player: Valuing = player
        self.name = self.player.name
        self.describe = f"takes the best move by the features {self.player.features.name}"

    def __call__(self, engine: Engine) -> str:
        self.player.check_width(engine.rules.width)
        return command(max(engine.moves(), key=self.player.value))


class TwoPieceAgent:
    """Takes the move that a player values most together with the best answer of the next piece; ties: the first."""

    def __init__(self, player: Player):
        self.player, self.name = player, f"two-piece:{player.name}"
        self.describe = f"takes the best pair of moves by the features {player.features.name}"

    def __call__(self, engine: Engine) -> str:
        self.player.check_width(engine.rules.width)
        rules = replace(engine.rules, entry=Entry.SPAWN)  # as pieces enter the engine
        return command(max(engine.moves(), key=lambda move: self.value(move, engine.next_piece, rules)))

    def value(self, move: Move, next_piece: Piece, rules: Rules) -> tuple[bool, float]:
        """Whether the next piece has a move after this one, and the values of both together."""
        answers = [] if move.loses else moves(move.after, next_piece, rules)
        return bool(answers), self.player.value(move) + max(map(self.player.value, answers), default=0.0)


# --- a person ------------------------------------------------------------------------------------

KEY_COMMANDS = {
    "left": "L", "right": "R", "down": "N", " ": "D", "up": "H",
    "x": "H", "h": "H", "z": "T", "t": "T", "l": "L", "r": "R", "d": "D", "n": "N",
    "q": "Q", END_OF_INPUT: "Q",
}  # fmt: skip


class HumanAgent:
    """A person at the keyboard, or commands on standard input, one a line, when that is not a terminal."""

    name = "human"
    describe = "you, with the arrow keys"

    def __init__(self, gravity: float = 0.0, keyboard: Keyboard | None = None, screen: Screen | None = None):
        self.gravity = gravity
        """Seconds after which the piece falls by itself; 0: it waits for a key."""
        self.keyboard, self.screen = keyboard or Keyboard(), screen or Screen()

    def __call__(self, engine: Engine) -> str:
        if not self.keyboard.is_terminal:
            if self.screen.is_live:
                self.screen.draw(engine)
            return self.command_from_line(engine)
        with self.keyboard:
            return self.command_from_key(engine)

    def command_from_key(self, engine: Engine) -> str:
        """The command for the next key that has one; when time is up, the piece falls."""
        starting = engine.turns == 0
        while True:
            self.draw(engine, "Any key starts the game." if starting else "")
            key = self.keyboard.key(self.gravity if self.gravity and not starting else None)
            if key == "p":
                self.draw(engine, "PAUSED: any key goes on.")
                key = self.keyboard.key()
                key = key if key in ("q", END_OF_INPUT) else ""
            if key is None:
                return "N"
            if key in KEY_COMMANDS:
                return KEY_COMMANDS[key]
            starting = False

    def draw(self, engine: Engine, note: str) -> None:
        """Show the game, the keys and a note."""
        falls = "falls by itself, and with each key" if self.gravity else "falls with each key only"
        self.screen.draw(engine, [*HUMAN_KEYS, "", f"The piece {falls}.", note])

    def command_from_line(self, engine: Engine) -> str:
        """The next command that is allowed; a mistake is reported and the next line read."""
        while line := sys.stdin.readline() if sys.stdin else "":
            text = line.strip() or "N"
            try:
                engine.parsed(text)
                return text
            except InputError as error:
                print(error, file=sys.stderr)
        return "Q"


# --- the catalogue -------------------------------------------------------------------------------


def agent_of(player: Any) -> Agent:
    """The agent that plays like a player: like a filter, as the player itself says, or by the values of moves."""
    if isinstance(player, Filter):
        return FilteringAgent(player)
    own: Agent = player.agent() if hasattr(player, "agent") else EvaluatingAgent(player)
    return own


AGENTS: dict[str, Callable[[], Agent]] = {
    "human": HumanAgent,
    "random-commands": RandomCommands,
    "random-placements": RandomPlacements,
    **{name: partial(agent_of, player) for name, player in PLAYERS.items()},
    **{
        f"two-piece:{name}": partial(TwoPieceAgent, player)
        for name, player in PLAYERS.items()
        if isinstance(player, Player)
    },
}
"""How to make each agent, by name."""


def agent_by_name(name: str) -> Agent:
    """The agent of this name, or an error with the closest one."""
    return AGENTS[one_of("agent", name, AGENTS)]()
