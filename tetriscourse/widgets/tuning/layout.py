"""The blocks of the tune panel, and the choices in its menus."""

from __future__ import annotations

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.game.rules import RULES, Rules, as_rules, short_name
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.widgets import blocks
from tetriscourse.widgets.blocks import Spec, button, check, column, controls, row, select, text
from tetriscourse.widgets.step_controls import SPEEDS
from tetriscourse.widgets.tuning.contest import Contestant
from tetriscourse.widgets.tuning.weights import OWN, Tuned, origins

BOARD_ROOM, RIVAL_ROOM = 300, 144  # pixels for a board alone, for each of two: they fit into a row of 1030
LARGEST_CELL = 28


def arranged(tuned: Tuned, rules: Rules, has_rival: bool) -> Spec:
    """The blocks: sliders, boards, scores; below them the moves and the code."""
    menus = controls(
        "menus",
        select("origin", "start from", origins(tuned.own)),
        button("reset", "Reset", "back to the weights that it started from"),
        check("normalise", "normalise", "show the weights with length 1: only their direction matters"),
        select("rules", "board", rule_options(rules), "board and rules of the game and of the many games"),
        button("freeze", "Freeze as rival", "let the present player play on the same pieces, for comparison"),
    )
    play = controls(
        "play",
        button("play", "Play"),
        button("step", "Step", "one piece"),
        button("new_game", "New game", "the next one of the seed"),
    )
    pace = controls("pace", select("speed", "pieces", list(SPEEDS)))
    many = controls(
        "many",
        blocks.number("games", "games at most"),
        check("log", "log", "a logarithmic scale for the share of games"),
    )
    boards = [column(blocks.board("board"), text("status", "soft"))]
    if has_rival:
        boards.append(column(blocks.board("rival_board"), text("rival_status", "soft")))
    seen = column(row(*boards), play, pace)
    scores = column(blocks.drawing("scores"), text("summary", "narrow", live=True), many)
    return column(
        menus, text("notice", live=True), row(sliders(tuned), seen, scores),
        column(text("words", live=True), blocks.table("moves")),
        column(*([text("kept", "soft")] if tuned.normalised else []), blocks.code("code", "Copy as code")),
    )  # fmt: skip


def cell_size(rules: Rules, has_rival: bool) -> int:
    """Pixels of a cell: one board or two fill the room beside the sliders, so that captions do not widen it."""
    across = RIVAL_ROOM if has_rival else BOARD_ROOM
    return max(6, min(LARGEST_CELL, across // rules.width, BOARD_ROOM // rules.height))


def sliders(tuned: Tuned) -> Spec:
    """A slider for each weight: those of single features first, those of columns in a narrower list."""
    limit = tuned.shown_limit
    single: list[Spec] = []
    columns: list[Spec] = []
    for number_, ((feature, place), name) in enumerate(zip(tuned.members, tuned.labels, strict=True)):
        item = blocks.slider(f"weight:{number_}", name, -limit, limit, help=feature.describe)
        (single if place is None else columns).append(item)
    lists = [controls("weights", *single, vertical=True, style="weights")] if single else []
    lists += [controls("column_weights", *columns, style="compact")] if columns else []
    return column(*lists)


def chosen_player(player: str | Player) -> tuple[Player | None, str]:
    """Your own player, if it is one, and where to start from."""
    linear = {name: one for name, one in PLAYERS.items() if isinstance(one, Player)}
    if isinstance(player, str):
        return None, f"player:{one_of('player', player, linear)}"
    if not isinstance(player, Player):
        raise InputError(f"player is {shown(player)}; it must be a Player, which has weights, or the name of one")
    named = linear.get(player.name) == player
    return (None, f"player:{player.name}") if named else (player, OWN)


def chosen_rival(rival: str | Contestant, rules: Rules) -> Contestant:
    """A player that can play under these rules."""
    if isinstance(rival, str):
        rival = PLAYERS[one_of("rival", rival, PLAYERS)]
    elif not isinstance(rival, Contestant):
        raise InputError(f"rival is {shown(rival)}; it must be a Player, a Filter, a LookAhead or the name of one")
    if not isinstance(rival, Filter):
        rival.check_width(rules.width)
    return rival


def chosen_rules(rules: str | Rules) -> Rules:
    """Rules under which the player knows one piece."""
    found = as_rules(rules)
    if found.pieces_known != 1:
        raise InputError(f"rules is {shown(rules)}; here the player must know one piece (pieces_known=1)")
    return found


def rule_options(given: Rules | None = None) -> list[tuple[str, str]]:
    """The boards to choose from: the one that was given, then the smallest first."""
    rules = {name: one for name, one in RULES.items() if one.pieces_known == 1}
    names = sorted(rules, key=lambda name: (rules[name].width * rules[name].height, name))
    options = [(name, sized(name, rules[name])) for name in names]
    if given is None or short_name(given) in names:
        return options
    return [(short_name(given), sized(short_name(given), given)), *options]


def sized(name: str, rules: Rules) -> str:
    """The name of rules, with the size of the board."""
    size = f"{rules.width}x{rules.height}"
    return name if size in name else f"{name} ({size})"
