"""A game in the terminal, played by a person or watched."""

from __future__ import annotations

from tetriscourse.agents import AGENTS, Agent
from tetriscourse.game.drawing import plain, side_by_side
from tetriscourse.game.engine import Engine
from tetriscourse.game.rules import TETRISBOT, Rules
from tetriscourse.terminal import END_OF_INPUT, HumanAgent, Keyboard, Screen, painted, result

WATCH_KEYS = ("p pause     q quit",)
HUMAN_GRAVITY, WATCH_PAUSE = 0.6, 0.2
"""Seconds before the piece falls by itself, and between the turns of an agent, by default."""


def summary(engine: Engine, agent_name: str) -> str:
    """How an agent's game ended, on one line."""
    return f"{result(engine)}; agent {agent_name}, seed {engine.seed}"


def watch(engine: Engine, agent_name: str, pause: float, keyboard: Keyboard, screen: Screen) -> None:
    """Show an agent's game turn by turn, until it is over or q is pressed."""
    while engine.is_running:
        screen.draw(engine, [f"agent {agent_name}", *WATCH_KEYS])
        key = keyboard.wait(pause)
        if key == "p":
            key = keyboard.key()
        if key in ("q", END_OF_INPUT):
            engine.play_command("Q")
        else:
            engine.step()


def play(
    agent: Agent | str = "human",
    rules: Rules | str = TETRISBOT,
    seed: int = 0,
    pause: float | None = None,
    max_blocks: int = 0,
    frames: bool = False,
) -> Engine:
    """Play or watch one game in the terminal; then print the board and a summary.

    pause: seconds between an agent's turns; for a person, seconds after which the piece falls by itself (0: it
    falls only with a key). frames: whether to print every turn where there is no terminal.
    """
    keyboard, screen = Keyboard(), Screen()
    agent = AGENTS.named(agent)() if isinstance(agent, str) else agent
    human = isinstance(agent, HumanAgent)
    if human:
        agent = HumanAgent(HUMAN_GRAVITY if pause is None else pause, keyboard, screen)
    engine = Engine(agent, rules, seed, max_blocks=max_blocks, silent=screen.is_live or not frames)
    try:
        with keyboard, screen:
            if screen.is_live and not human:
                watch(engine, agent.name, WATCH_PAUSE if pause is None else pause, keyboard, screen)
            else:
                engine.run()
    except KeyboardInterrupt:
        if engine.is_running:
            engine.play_command("Q")
    if engine.show is None:
        paint = painted if screen.is_live else plain
        print("\n".join(side_by_side(engine.picture_rows(paint), engine.panel(paint))))
    print(summary(engine, agent.name))
    return engine
