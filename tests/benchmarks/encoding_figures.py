"""Bits against floats at the same rates of mutation, bred for a fitness that sees: the figures of chapter 07.

    python tests/benchmarks/encoding_figures.py           some twenty minutes; --save stores the table for the notebooks
    python tests/benchmarks/encoding_figures.py "Gray's"  only kinds that begin so; the others stay as they are stored

In the report a bit, or a whole vector of floats, mutates with probability 0.05: with 64 bits, that is 96 % of the
children against 5 %. Here both encodings are bred at both rates and without mutation, with the same seeds and numbers
of games; what comes out plays 100 whole games with the bag.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable, stored_table
from tetriscourse.optimizers.genetic import GENETIC
from tetriscourse.random_numbers import Floats

SEEDS, GAMES, JUDGING_SEED = range(1, 25), 100, 2026
BAG = tc.RULES["tetrisbot"]
SEES = tc.Objective("tetrisbot", replace(BAG, draw="independent"), games=2, score="lines", signs="usual")
FLOATS, BITS = GENETIC["example-2"], GENETIC["example-3"]
BY_GENE = replace(FLOATS, mutation="gene")
KINDS = {
    "floats, p for a vector": FLOATS,
    "floats, p for a gene": BY_GENE,
    "floats, p for a gene, as often as bits": replace(BY_GENE, proba_mutation=round(1 - 0.95 ** (64 / 4), 4)),
    "bits, p for a bit": BITS,
    "bits, as seldom as vectors": replace(BITS, proba_mutation=0.05 / 64),
    "floats, no mutation": replace(FLOATS, proba_mutation=0),
    "bits, no mutation": replace(BITS, proba_mutation=0),
    "Gray's bits, p for a bit": replace(BITS, encoding="gray"),
    "Gray's bits, as seldom as vectors": replace(BITS, encoding="gray", proba_mutation=0.05 / 64),
    "Gray's bits, no mutation": replace(BITS, encoding="gray", proba_mutation=0),
}
TABLE = ResultTable(
    "python tests/benchmarks/encoding_figures.py",
    {
        "genome and mutation": "{kind}", "p": "{p:.4g}", "children that mutate": "{mutated:.0%}",
        "lines a game in the median run": "{median:,.0f}", "quartiles": "{low:,.0f} to {high:,.0f}",
        "lowest and highest": "{least:,.0f} to {most:,.0f}",
        "runs above the player of three weeks": "{above} of {runs}",
        "runs that pay less for a row than for a hole": "{corner} of {runs}", "moves a run": "{moves:,.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}",
)  # fmt: skip


def lines(player: tc.Player, games: int = GAMES) -> float:
    """Lines a game with the bag, in whole games of another seed."""
    return tc.simulate(player, BAG, games, seed=JUDGING_SEED, progress=False, threads=1).mean


def mutated(settings: tc.GeneticAlgorithm.Settings) -> float:
    """The share of children with a mutation: any of 64 bits, any of four genes, or the vector."""
    chances = 64 if settings.has_bits else 4 if settings.mutation == "gene" else 1
    return float(1 - (1 - settings.proba_mutation) ** chances)


def in_corner(vector: Floats) -> bool:
    """Whether a row earns less than a hole costs, when all is counted in steps (chapter 04: a + 10 b and b + c)."""
    a, b, c, _ = vector
    return bool(a + 9 * b < c)


def main(beginning: str = "") -> None:
    """A row for each kind of genome and mutation."""
    three_weeks = lines(tc.PLAYERS["tetrisbot-7"], games=1600)
    print(f"the player of three weeks: {three_weeks:,.0f} lines\n")
    for kind, settings in KINDS.items():
        if not kind.startswith(beginning):
            TABLE.add(next(row for row in stored_table("encoding").rows if row["kind"] == kind))
            continue
        trainings = [bred(settings, seed) for seed in SEEDS]
        ends = [round(lines(training.player())) for training in trainings]
        low, median, high = np.quantile(ends, [0.25, 0.5, 0.75])
        TABLE.add({
            "kind": kind, "p": settings.proba_mutation, "mutated": round(mutated(settings), 4),
            "median": round(median), "low": round(low), "high": round(high), "least": min(ends), "most": max(ends),
            "runs": len(ends), "above": sum(end > three_weeks for end in ends), "three_weeks": round(three_weeks),
            "corner": sum(in_corner(training.favourite) for training in trainings),
            "moves": round(np.mean([training.moves for training in trainings])), "ends": ends,
        })  # fmt: skip


def bred(settings: tc.GeneticAlgorithm.Settings, seed: int) -> tc.Training:
    """A run with the fitness that sees."""
    return tc.train(tc.GeneticAlgorithm(4, settings, seed), SEES, progress=False, curve=0, threads=1)


if __name__ == "__main__":
    main(*(word for word in sys.argv[1:] if word != "--save"))
    if "--save" in sys.argv:
        TABLE.save("encoding")
