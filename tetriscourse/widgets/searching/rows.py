"""The rows of a search tree, as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor, log10
from typing import Any

from tetriscourse.errors import counted
from tetriscourse.game.drawing import MARKS
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Orientation, Piece
from tetriscourse.widgets.blocks import Spec, table_data
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.pictures import PICTURES, Picture, table_lines, text_picture
from tetriscourse.widgets.searching.tree import Answer, Branch, Reply, SearchTree

ANSWERS_SHOWN = 3  # of each piece, the best
LONGEST_FRACTION = 99  # the largest denominator of a chance that is written as a fraction
COLUMNS = ("move", "chance", "own value", "value")


class Rows:
    """Writes a tree as rows: those of the first moves, and below each that is open the pieces, and their answers."""

    def __init__(self, tree: SearchTree, opened: set[str]):
        self.tree, self.opened = tree, opened
        largest = max(map(abs, tree.player.weights), default=0) or 1
        self.decimals = min(6, max(0, 2 - floor(log10(largest))))
        self.ranked = tree.ranked()

    def number(self, exact: Fraction) -> str:
        """A value, with as many decimals as all others."""
        return f"{self.tree.as_value(exact) + 0.0:.{self.decimals}f}".replace("-", "−")

    def rows(self) -> list[Spec]:
        """All rows in sight, from the top."""
        found = []
        for place, branch in enumerate(self.ranked, 1):
            found.append(self._branch(branch, place))
            if str(branch.number) in self.opened:
                for number, reply in enumerate(branch.replies):
                    found += self._reply(branch, reply, number)
        return found

    # --- first moves ------------------------------------------------------------------------------

    def _branch(self, branch: Branch, place: int) -> Spec:
        name, tree = str(branch.number), self.tree
        signs = [["greedy", "greedy"]] if branch is tree.greedy else []
        signs += [["ahead", "looking ahead"]] if branch is tree.choice else []
        if branch.seen and not branch.complete:
            signs += [["note", f"{len(branch.seen)} of {len(branch.replies)} pieces"]]
        own, value = self.number(branch.own), self.value(branch)
        said = [move_name(branch.move), f"own value {own}", f"value {value}" if branch.seen else "not looked at"]
        said += [text for _, text in signs]
        cells = ["", own, value]
        shape = branch.move.shape
        return self._row(
            name, 1, place, len(self.ranked), shape, branch.move.piece, place_name(branch.move), cells, said,
            signs=signs, faint=not branch.seen,
        )  # fmt: skip

    def value(self, branch: Branch) -> str:
        """The value of a first move with the answers, as far as it is known, or the chance that there is none."""
        if not branch.seen:
            return "?"
        lost = self.tree.chance_lost(branch)
        if lost:
            return "lost" if lost == 1 else f"lost {chance_text(lost)}"
        return self.number(self.tree.worth(branch)[1])

    def sum(self, branch: Branch) -> str:
        """How the value of a first move comes about, in words."""
        own = f"{move_name(branch.move)}: own value {self.number(branch.own)}"
        if not branch.seen:
            return f"{own}; its answers have not been looked at yet."
        if self.tree.chance_lost(branch):
            pieces = ", ".join(str(one.piece) for one in branch.replies if one.lost)
            return (
                f"{own}; lost if {pieces} follows. A move with a smaller chance of that is better, whatever its value."
            )
        worth = self.tree.worth(branch)[1]
        mean = "best answer" if len(branch.replies) == 1 else "mean of the best answers"
        part = "" if branch.complete else f" to {len(branch.seen)} of {len(branch.replies)} pieces"
        return f"{own} + {mean}{part} {self.number(worth - branch.own)} = {self.number(worth)}"

    # --- pieces and answers -----------------------------------------------------------------------

    def _reply(self, branch: Branch, reply: Reply, number: int) -> list[Spec]:
        """The row of a piece, and those of its best answers if it is open."""
        name, chance = f"{branch.number}/{number}", chance_text(reply.chance)
        value = self.reply_value(reply)
        answers = reply.answers or []
        signs = [["note", counted(len(answers), "answer")]] if answers else []
        known = f"best answer {value}" if reply.looked_at else "not looked at"
        said = [f"then {reply.piece}", f"chance {chance}", known]
        found = [
            self._row(
                name, 2, number + 1, len(branch.replies), reply.piece.orientations[0], reply.piece,
                f"then {reply.piece}", [chance, "", value], said, signs=signs, faint=not reply.looked_at,
            )
        ]  # fmt: skip
        if name in self.opened:
            best = answers[:ANSWERS_SHOWN]
            found += [self._answer(name, one, place, len(best)) for place, one in enumerate(best)]
        return found

    def reply_value(self, reply: Reply) -> str:
        """The value of the best answer, as far as it is known."""
        if not reply.looked_at:
            return "?"
        if reply.lost:
            return "lost" if self.tree.price is None else f"lost: {self.number(self.tree.price)}"
        return self.number(self.tree.best_answer(reply))

    def _answer(self, above: str, answer: Answer, place: int, of: int) -> Spec:
        move, value = answer.move, self.number(answer.value)
        said = [move_name(move), f"own value {value}", *(["best answer"] if place == 0 else [])]
        signs = [["best", "best answer"]] if place == 0 else []
        cells = ["", value, ""]
        return self._row(
            f"{above}/{place}", 3, place + 1, of, move.shape, move.piece, place_name(move), cells, said, signs=signs
        )

    def _row(
        self, name: str, level: int, place: int, of: int, shape: Orientation, piece: Piece, text: str,
        cells: list[str], said: list[str], signs: list[list[str]], faint: bool = False,
    ) -> Spec:  # fmt: skip
        """One row: where it is in the tree, what is drawn and written, and what is said."""
        return {
            "id": name, "level": level, "place": place, "of": of, "open": name in self.opened if level < 3 else None,
            "shape": [list(cell) for cell in shape.cells], "mark": piece.name if piece.name in MARKS else "X",
            "name": text, "cells": cells, "label": ", ".join(said), "signs": signs, "faint": faint,
        }  # fmt: skip


def place_name(move: Move) -> str:
    """'column 3'; the shape is drawn beside it."""
    return f"column {move.column}" + (f", clears {move.rows}" if move.rows else "") + (", loses" * move.loses)


def chance_text(chance: Fraction) -> str:
    """'1/7', or a percentage where the fraction would be long."""
    if chance.denominator <= LONGEST_FRACTION:
        return str(chance)
    return f"{float(chance):.1%}"


def tree_picture(data: Mapping[str, Any]) -> Picture:
    """The still picture of a tree: its rows as a table."""
    lines = [["  " * (row["level"] - 1) + row["label"].partition(",")[0], *row["cells"]] for row in data["rows"]]
    marked = next((n for n, row in enumerate(data["rows"]) if row["id"] == data["selected"]), None)
    style = 'font-family="monospace" xml:space="preserve"'
    return text_picture(table_lines(table_data(data["columns"], lines, marked)), style)


PICTURES["tree"] = tree_picture
