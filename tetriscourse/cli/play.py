"""`tetriscourse play`: play or watch a game in the terminal."""

from __future__ import annotations

import argparse
import os

import tetriscourse as tc
from tetriscourse.cli.arguments import LARGEST, OPTIMAL, Parser, chosen_rules, is_saved, seconds, whole
from tetriscourse.cli.output import say
from tetriscourse.errors import one_of

AHEAD = "look-ahead:"  # such agents search, and are in no catalogue
SUMMARY = "play or watch a game in the terminal"
EXAMPLES = """\
  tetriscourse play                               arrow keys move and turn, space drops, q quits
  tetriscourse play --pause 0                     no hurry: pieces fall only when you press a key
  tetriscourse play --agent dellacherie           watch a player; it gets the same pieces every time
  tetriscourse play --agent dn --seed 7 --pause 0.05  other pieces, faster
  tetriscourse play --list                        all agents and where they come from"""


def add_options(parser: Parser) -> None:
    parser.option("--agent NAME", "who plays (default: human)", default="human")
    parser.switch("--list", "list the agents with their sources and exit")
    parser.rules("tetrisbot")
    parser.option("--max-pieces M", "stop the game after M pieces", whole(0, LARGEST), dest="max_blocks")
    parser.option("--seed S", "which pieces come (default: 0; random when you play yourself)", whole(0, LARGEST))
    parser.option("--pause SECONDS", "time between turns; when you play yourself, your time to think", seconds)


def run(options: argparse.Namespace) -> int:
    """Play or watch one game."""
    from tetriscourse.cli.terminal_game import play

    if options.list:
        return list_agents()
    agent, rules, seed = options.agent, chosen_rules(options), options.seed
    if is_saved(agent):
        from tetriscourse.mdp.saved_players import kept_agent

        agent = kept_agent(agent, rules)
    elif agent.startswith(AHEAD):
        from tetriscourse.simulator.choosing import compiled_agent

        agent = compiled_agent(tc.LookAhead(tc.as_player(agent.removeprefix(AHEAD), "--agent")))
    else:
        one_of("--agent", agent, [*tc.AGENTS, OPTIMAL])
    if seed is None and agent == "human":
        seed = int.from_bytes(os.urandom(4), "big")
        say(f"to get these pieces again, use --seed {seed}")
    play(agent, rules, seed=seed or 0, pause=options.pause, max_blocks=options.max_blocks or 0)
    return 0


def list_agents() -> int:
    """Print every agent with its source."""
    for name, make in tc.AGENTS.items():
        source = f" ({tc.PLAYERS[name].source})" if name in tc.PLAYERS else ""
        print(f"{name:24} {make().describe}{source}")
    print(f"{AHEAD + 'dn':24} looks two moves ahead, over all pieces that may come next; or another player of features")
    print(f"{OPTIMAL:24} takes the best possible move, on boards small enough to be solved: --rules 5x5")
    return 0
