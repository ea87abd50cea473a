"""Students' agents: made, let play, and kept away from the library's judgement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from tetriscourse.agents import AGENTS, RandomCommands, RandomPlacements
from tetriscourse.course.outcomes import NotAttempted, Wrong, is_missing
from tetriscourse.features import Feature, FeatureSet
from tetriscourse.game.engine import Callback, Engine
from tetriscourse.players import Criterion, Filter, Player

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
