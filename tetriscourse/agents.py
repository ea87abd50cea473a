"""Agents: they play in the Engine. Called with the engine, an agent returns the next command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tetriscourse.errors import InputError, shown
from tetriscourse.features import FeatureSet
from tetriscourse.game.commands import COMMANDS
from tetriscourse.game.engine import AGENTS, Agent, Engine, as_agent
from tetriscourse.game.moves import Move
from tetriscourse.game.random import AGENT_STREAM, TIE_STREAM, Chance
from tetriscourse.game.rules import Entry
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import PLAYERS, Criterion, Filter, Player
from tetriscourse.terminal import HumanAgent

__all__ = ["AGENTS", "Agent", "Engine", "agent_of", "as_agent"]


class Named:
    """An agent whose repr is its name."""

    name: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"


def placing(move: Move) -> str:
    """The command that makes a move."""
    return f"P:{move.column}:{move.orientation}"


def chance_of_turn(engine: Engine) -> Chance:
    """Random numbers that depend only on the game and the turn, so that a game can be repeated."""
    return Chance(engine.seed, engine.game, AGENT_STREAM, position=engine.turns)


class RandomCommands(Named):
    """Presses keys at random."""

    name = "random-commands"
    describe = "one of L R H T D N at random, each turn"

    def __call__(self, engine: Engine) -> str:
        return chance_of_turn(engine).pick(COMMANDS)


class RandomPlacements(Named):
    """Places each piece at random."""

    name = "random-placements"
    describe = "any column and rotation at random, each piece"

    def __call__(self, engine: Engine) -> str:
        column, rotation = chance_of_turn(engine).pick(engine.placements())
        return f"P:{column}:{rotation}"


class FilteringAgent(Named):
    """Keeps the best moves by one criterion after another; chance decides among the rest."""

    def __init__(self, criteria: Sequence[str | Criterion] | Filter):
        self.filter = criteria if isinstance(criteria, Filter) else Filter(criteria)
        self.name = self.filter.name
        self.describe = "keeps the moves with " + ", then ".join(map(str, self.filter.criteria))

    def __call__(self, engine: Engine) -> str:
        left = self.filter.stages(engine.moves())[-1]
        # One random number for each piece, as in games that count pieces and not turns.
        return placing(Chance(engine.seed, engine.game, TIE_STREAM, position=engine.blocks_played).pick(left))


class Valuing(Protocol):
    """A player that values moves: a Player, or a network."""

    name: str
    features: FeatureSet

    def value(self, move: Move) -> float:
        """The value of a move."""

    def check_width(self, width: int) -> None:
        """An error if it cannot play on this width."""


class EvaluatingAgent(Named):
    """Takes the move that a player values most; ties: the first."""

    def __init__(self, player: Any):
        self.player: Valuing = player
        self.name = self.player.name
        self.describe = f"takes the best move by the features {self.player.features.name}"

    def __call__(self, engine: Engine) -> str:
        self.player.check_width(engine.rules.width)
        return placing(max(engine.moves(), key=self.player.value))


class TwoPieceAgent(Named):
    """Takes the move that a player values most together with the best answer of the next piece; ties: the first."""

    def __init__(self, player: Player):
        self.player, self.name = player, f"two-piece:{player.name}"
        self.describe = f"takes the best pair of moves by the features {player.features.name}"

    def __call__(self, engine: Engine) -> str:
        self.player.check_width(engine.rules.width)
        rules = replace(engine.rules, entry=Entry.SPAWN)  # as pieces enter the engine
        return placing(max(engine.moves(), key=lambda move: self.player.pair(move, engine.next_piece, rules)))


class LookAheadAgent(Named):
    """Takes the first move of the best plan."""

    def __init__(self, player: LookAhead):
        self.player, self.name = player, player.name
        pieces = "the next piece" if player.sees_next else "every piece that may come next"
        self.describe = f"looks at the answers of {pieces} by the features {player.player.features.name}"

    def __call__(self, engine: Engine) -> str:
        self.player.check_width(engine.rules.width)
        rules = replace(engine.rules, entry=Entry.SPAWN)  # as pieces enter the engine
        move = self.player.best(engine.moves(), engine.next_piece, rules)
        assert move is not None, "a running engine has moves"
        return placing(move)


def agent_of(player: Any) -> Agent:
    """The agent that plays like a player, or like the player of this name."""
    if isinstance(player, str):
        player = PLAYERS.named(player)
    if isinstance(player, Filter):
        return FilteringAgent(player)
    if isinstance(player, LookAhead):
        return LookAheadAgent(player)
    if not hasattr(player, "agent") and not (hasattr(player, "value") and hasattr(player, "features")):
        raise InputError(f"player is {shown(player)}; only one that values moves by features can play in the engine")
    own: Agent = player.agent() if hasattr(player, "agent") else EvaluatingAgent(player)
    return own


@dataclass(frozen=True)
class AgentOf:
    """How to make the agent of a player."""

    player: Player | Filter
    make: Callable[[Any], Agent] = agent_of

    def __call__(self) -> Agent:
        return self.make(self.player)

    def __repr__(self) -> str:
        return f"{self.make.__name__}({self.player.name!r})"


AGENTS.of = agent_of
AGENTS.update({
    "human": HumanAgent,
    "random-commands": RandomCommands,
    "random-placements": RandomPlacements,
    **{name: AgentOf(player) for name, player in PLAYERS.items()},
    **{
        f"two-piece:{name}": AgentOf(player, TwoPieceAgent)
        for name, player in PLAYERS.items()
        if isinstance(player, Player)
    },
})  # fmt: skip
