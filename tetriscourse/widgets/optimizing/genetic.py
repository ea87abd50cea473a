"""Genetic algorithm panel: a population, its parents, their children, and who survives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.genetic import ENCODINGS, SELECTIONS, GeneticAlgorithm, GeneticSettings
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets import blocks
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.curves import key_svg, lines_chart
from tetriscourse.widgets.inputs import option, real, sets, tunes, values, whole
from tetriscourse.widgets.optimizing.generations import Generation, generation_of, gone, people_svg
from tetriscourse.widgets.optimizing.panel import PIECES_SHOWN, Iteration, OptimizerPanel
from tetriscourse.widgets.panel import typed_whole

TETRIS = Objective("tetrisbot", replace(RULES["tetrisbot"], max_pieces=500), games=3, score="points", signs="usual")
"""Games of 500 pieces for points, as in Muller and Ponton 2019."""
SETTINGS = GeneticSettings(population_size=40, iterations=100, normalisation="L2")
"""The first example of Muller and Ponton 2019, with fewer members and more generations."""
MOST_MEMBERS, MOST_POINTS = 200, 100  # limits of the number of members, and of points of each kind in the scatter plot
VIEWS = ("from 0 to 1", "close-up")
NOTE = (
    "Mutation and selection take effect from the next generation on; encoding, members and 'score survivors again' "
    "start over."
)


class GeneticPanel(OptimizerPanel):
    """The genetic algorithm of Muller and Ponton 2019, generation by generation.

    objective: an Objective with signs, a function of `dimension` numbers from 0 to 1, or a name from the menu.
    `optimizer` is the GeneticAlgorithm; `generation` says how its population arose from the one before.
    """

    title = "Genetic algorithm"
    method, usual, own_goals = GeneticAlgorithm, SETTINGS, {"Tetris, 500 pieces": TETRIS}
    settings: GeneticSettings  # settings of the next run
    unit = "generation"
    favourite_is = "the best member"
    averaged = ("members", "population_mean")
    generation: Generation | None = None  # the last generation; None at the start
    view = VIEWS[0]
    child = 0  # the child drawn with its parents, counted from 1; 0: none
    tries = (
        "Press Step twice, then move the slider 'child': a child lies between its parents, unless it has mutated.",
        "The best member was lucky if its other games are worse. Tick 'score survivors again': does the gap close?",
        "Maximise 'sphere' with mutation 0, then with 0.05: without it all members are soon alike, nothing new can be "
        "born, and the best stays where it is below the top.",
        "On the sphere, set the mutation to 1 and reset: the members stay different. Does the best come closer?",
    )

    def read_settings(self) -> None:
        """Keep what only floats have for when the encoding is 'float' again."""
        floats = self.settings if self.settings.encoding == "float" else SETTINGS
        self.of_floats = {"normalisation": floats.normalisation, "mutation": floats.mutation}

    def layout(self) -> list[blocks.Spec]:
        at_once = blocks.controls(
            "knobs",
            blocks.slider("mutation", "mutation", 0, 1, 0.01, "probability; from the next generation on"),
            blocks.select("selection", "selection", SELECTIONS, "from the next generation on"),
            blocks.select("encoding", "encoding", ENCODINGS, "starts over"),
            blocks.number("size", "members", "starts over"),
            blocks.check("again", "score survivors again", "every member plays in every generation; starts over"),
        )
        child = blocks.slider("child", "child", 0, 12, 1, "its parents")
        genes = blocks.controls("axes", *self.axis_menus(), blocks.select("view", "axes", VIEWS), child)
        return [
            blocks.row(self.goal_menu(), genes),
            at_once,
            blocks.text("happened", live=True),
            blocks.drawing("population"),
            blocks.row(
                blocks.column(blocks.drawing("scatter"), blocks.drawing("key")),
                blocks.column(blocks.drawing("curve"), blocks.drawing("diversity")),
                blocks.column(blocks.table("weights"), blocks.text("after", "soft"), blocks.board("board")),
            ),
            blocks.text("note", "soft"),
        ]

    def first_axes(self) -> list[int]:
        return [self.dimension - 2, self.dimension - 1]

    def made(self) -> GeneticAlgorithm:
        """A GeneticAlgorithm with the settings of the controls; on landscapes, nothing is normalised."""
        changes = {} if isinstance(self.objective, Objective) else {"normalisation": "none"}
        return GeneticAlgorithm(self.dimension, self.settings, self.seed, **changes)

    def restart(self) -> None:
        self.generation, self.child = None, 0
        super().restart()

    def apply(self, result: Iteration) -> None:
        super().apply(result)
        self.generation = generation_of(result)
        self.child = min(self.child, len(self.generation.couples))

    when_mutation = tunes("proba_mutation", real("mutation", at_least=0, at_most=1))
    when_selection = tunes("selection", option("selection", SELECTIONS))
    when_size = sets("settings.population_size", whole("members", 2, MOST_MEMBERS), then="reset")
    when_again = sets("settings.reevaluate", bool, then="reset")
    when_view = sets("view", option("axes", VIEWS))

    def when_encoding(self, value: Any) -> None:
        """Change the kind of genome, and start over."""
        encoding = one_of("encoding", value, ENCODINGS)
        changes: Mapping[str, Any] = {"normalisation": "none", "mutation": "vector"}
        if encoding == "float":
            changes = self.of_floats
        self.settings = replace(self.settings, encoding=encoding, **changes)
        self.reset()

    def when_child(self, value: Any) -> None:
        self.child = typed_whole("child", value, 0, self.children_to_show)

    @property
    def children_to_show(self) -> int:
        """The number of children that have parents."""
        return 0 if self.generation is None else len(self.generation.couples)

    def shown(self) -> dict[str, Any]:
        s = self.optimizer.settings
        knobs = values(
            mutation=s.proba_mutation, selection=s.selection, encoding=s.encoding, size=s.population_size,
            again=s.reevaluate,
        )  # fmt: skip
        child = {"value": self.child, "high": max(1, self.children_to_show), "disabled": not self.children_to_show}
        axes = self.axis_data() | values(view=self.view) | {"child": child}
        scatter = self.scatter()
        key = key_svg(scatter, 360)
        return {
            **super().shown(), **self.board_shown(), "knobs": knobs, "note": {"text": NOTE}, "axes": axes,
            "happened": {"text": self.happened()}, "population": {"svg": self.population_svg()},
            "scatter": {"svg": scatter.svg(f"Members by two genes. {self.happened()}")}, "key": {"svg": key},
            "curve": {"svg": self.curve_svg(380, 165)},
            "diversity": {"svg": self.diversity_svg()}, "weights": self.weights_table(),
        }  # fmt: skip

    def board_shown(self) -> dict[str, Any]:
        """The board of the best member's game."""
        played, rules = self.favourite_board(), getattr(self.objective, "rules", RULES["tetrisbot"])
        words = f"its board after {PIECES_SHOWN} pieces" if played else "no game has been played"
        return {"after": {"text": words}, "board": board_data(played or rules.empty_board(), cell=8)}

    def happened(self) -> str:
        """The last generation in words."""
        one = self.generation
        if one is None:
            return "Nobody has been born yet; the first step makes a random population."
        if not len(one.old):
            return f"A random population of {len(one.children)}; from now on, parents have children."
        parents, born = int((one.times_parent > 0).sum()), len(one.children)
        return (
            f"{parents} of {len(one.old)} members had {born} {'child' if born == 1 else 'children'}: "
            f"{len(one.entered)} of these came in, {len(one.old) - len(one.stayed)} old members went."
        )

    def curve_lines(self) -> list[tuple[str, Floats]]:
        """Scores of the population, in which a lucky member keeps its score, and of the best member's other games."""
        history = self.optimizer.history
        lines = [("best member", history["population_best"]), ("mean of members", history["population_mean"])]
        if self.has_curve:
            lines.append(("best member, other games", self.training.log["curve"].mean(axis=1)))
        return lines

    def diversity_svg(self) -> str:
        """Diversity of the population by generation."""
        history = self.optimizer.history
        lines = [("diversity: mean sd of a gene", history["diversity"])] if len(history) else []
        chart = lines_chart(lines, "sd", self.unit, 380, 150, legend="upper right")
        return chart.svg("Diversity by generation")

    def scatter(self, width: float = 360, height: float = 275) -> Chart:
        """Two genes: old members, parents among them, children, and one family."""
        across, up = (self.labels[axis] for axis in self.axes)
        chart = Chart(*self.limits(), across, up, width=width, height=height)
        one = self.generation
        if one is not None:
            parents = one.old[one.times_parent > 0] if len(one.old) else one.old
            born = "children" if len(one.old) else "random population"
            self.draw_vectors(chart, one.old[:MOST_POINTS], 0, "ring", 4, 0.8, "old population")
            self.draw_vectors(chart, parents[:MOST_POINTS], 0, "dot", 4, 0.8, "parents")
            self.draw_vectors(chart, one.children[:MOST_POINTS], 1, "triangle", 4.5, 0.8, born)
            self.draw_family(chart, one)
        self.draw_top(chart)
        return chart

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Limits of the axes: all possible genes, or those that occur."""
        one = self.generation
        if one is None or self.view == VIEWS[0]:
            return (-0.03, 1.03), (-0.03, 1.03)
        x, y = np.concatenate([one.old, one.children])[:, self.axes].T.tolist()
        return Chart.range(x), Chart.range(y)

    def draw_family(self, chart: Chart, one: Generation) -> None:
        """Arrows from two parents to a child."""
        if self.child:
            child = one.children[self.child - 1][self.axes].tolist()
            for parent in one.old[one.couples[self.child - 1]][:, self.axes].tolist():
                chart.arrow(parent, child, 3, 2.2)
            chart.text(child[0], child[1], f" child {self.child}")

    def population_svg(self) -> str:
        """The old population and the children, gene by gene."""
        one = self.generation
        if one is None:
            waiting = np.full((self.optimizer.settings.population_size, self.dimension), np.nan)
            return people_svg([("not yet born", waiting, [], [])], self.labels, self.happened())
        groups = []
        if len(one.old):
            often = [str(times) if times else "" for times in one.times_parent]
            title = "old population, best first, and how many children each has"
            groups.append((title, one.old, often, gone(one.stayed, one.old)))
        who = "children (× does not stay)" if len(one.old) else "random population, in order of birth"
        chosen = self.child - 1
        marks = ["▼" if k == chosen else "" for k in range(len(one.children))]
        groups.append((who, one.children, marks, gone(one.entered, one.children)))
        return people_svg(groups, self.labels, f"Genes by colour. {self.happened()}")
