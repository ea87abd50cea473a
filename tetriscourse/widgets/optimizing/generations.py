"""How one generation came from another: parents, children, survivors; and a picture of all genes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.widgets.charts.marks import label, picture, pixels, rectangle, scale_colour, text_width
from tetriscourse.widgets.optimizing.iterations import Iteration

MOST_SHOWN, MOST_CELLS = 100, 600  # limits for a group in the picture: members, and genes in all
LEVELS = 17  # number of colours for genes


@dataclass(frozen=True, eq=False)
class Generation:
    """How one population came from another: positions in the old population, and in the list of children."""

    old: Floats
    children: Floats
    scores: Floats  # scores of the children
    couples: Ints  # the parents of each child, two positions per row
    stayed: Ints  # old members that survive
    entered: Ints  # children that survive

    @property
    def times_parent(self) -> Ints:
        """The number of children of each old member."""
        return np.bincount(self.couples.ravel(), minlength=len(self.old))


def generation_of(iteration: Iteration) -> Generation:
    """The generation made by an iteration, found by asking the optimizer itself."""
    before = cast(GeneticAlgorithm, iteration.before)
    old = before.population
    survivors = survivors_of(before, iteration)
    if not len(old):
        nobody = np.empty(0, np.int64)
        return Generation(old, iteration.candidates, iteration.scores, nobody.reshape(0, 2), nobody, survivors)
    settings = before.settings
    again = settings.kept if settings.reevaluate else 0  # survivors scored again come before the children
    children, scores = iteration.candidates[again:], iteration.scores[again:]
    parents = before.select(before.draws())
    couples = np.repeat(parents, settings.children_of_a_couple, axis=0)[: len(children)]
    first = again or before._kept_with_old_fitness()
    stayed, entered = survivors[survivors < first], survivors[survivors >= first] - first
    return Generation(old, children, scores, couples, stayed, entered)


def survivors_of(before: GeneticAlgorithm, iteration: Iteration) -> Ints:
    """The new population, best first, as positions among the members that were kept, followed by the candidates.

    A copy of the optimizer makes the choice; each member carries its number as an extra gene.
    """
    copy = deepcopy(before)
    copy.settings = replace(before.settings, encoding="float")  # so that the number survives as a gene
    kept = copy._kept_with_old_fitness()
    tags = np.arange(kept + len(iteration.candidates)) / (kept + len(iteration.candidates))
    of_old = np.zeros(len(before.population))
    of_old[:kept] = tags[:kept]
    copy.population = np.column_stack([before.population, of_old])
    copy.update(np.column_stack([iteration.candidates, tags[kept:]]), iteration.scores)
    return np.rint(copy.population[:, -1] * len(tags)).astype(np.int64)


def gone(there: Ints, members: Floats) -> list[str]:
    """A cross for each member that does not survive."""
    still = set(there.tolist())
    return ["" if k in still else "×" for k in range(len(members))]


Group = tuple[str, Floats, list[str], list[str]]  # a title, members, and the texts above and below each of them


def people_svg(groups: Sequence[Group], names: Sequence[str], description: str, width: float = 960) -> str:
    """Groups side by side: a column for each member, a row for each gene, dark for 1 and light for 0."""
    groups = [shortened(group) for group in groups]
    left = 8 + max(map(text_width, names))
    many = sum(len(members) for _, members, _, _ in groups)
    gap = 16
    side = min(22.0, (width - left - gap * (len(groups) - 1)) / max(1, many))
    height = max(10.0, min(16.0, 120 / len(names)))
    body = "".join(label(left - 5, 32 + height * (k + 0.75), name, "end") for k, name in enumerate(names))
    x = left
    for title, members, above, below in groups:
        body += label(x, 11, title) + columns(x, 32, side, height, members)
        for k, (up, down) in enumerate(zip(above, below, strict=True)):
            middle, size = x + side * (k + 0.5), f' font-size="{pixels(min(11, side + 1))}"'
            body += label(middle, 28, up, "middle", size) + label(
                middle, 42 + height * len(names), down, "middle", size
            )
        x += side * len(members) + gap
    drawn = picture(body, description, width, 48 + height * len(names))
    return drawn.replace('class="tc-chart"', 'class="tc-chart tc-wide"', 1)  # scrolls rather than shrinks


def shortened(group: Group) -> Group:
    """The group, cut to as many members as fit."""
    title, members, above, below = group
    most = min(MOST_SHOWN, MOST_CELLS // members.shape[1])
    cut = f" (the first {most} of {len(members)})" if len(members) > most else ""
    return title + cut, members[:most], above[:most], below[:most]


def columns(x: float, y: float, side: float, height: float, members: Floats) -> str:
    """The genes of members as cells: one path of short strokes for each colour."""
    strokes = [""] * LEVELS
    for k, genes in enumerate(members):
        for g, gene in enumerate(genes):
            if not np.isnan(gene):
                level = round(min(max(float(gene), 0.0), 1.0) * (LEVELS - 1))
                strokes[level] += f"M{x + side * k:.1f} {y + height * (g + 0.5):.1f}h{max(1.0, side - 1):.1f}"
    fills = [scale_colour(level / (LEVELS - 1), 0, 1) for level in range(LEVELS)]
    drawn = "".join(
        f'<path stroke="{fill}" stroke-width="{pixels(height - 1)}" d="{data}"/>'
        for fill, data in zip(fills, strokes, strict=True)
    )
    across, down = max(1.0, side * len(members)) + 1, height * members.shape[1] + 1
    return drawn + rectangle(x - 1, y - 0.5, across, down, ' fill="none" stroke="currentColor" stroke-opacity=".4"')
