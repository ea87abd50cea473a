"""Bits against floats at the same rates of mutation, bred for a fitness that sees: the figures of chapter 07.

    python tests/benchmarks/encoding_figures.py     some minutes; --save stores the table for the notebooks

In the report a bit, or a whole vector of floats, mutates with probability 0.05: with 64 bits, that is 96 % of the
children against 5 %. Here both encodings are bred at both rates, with the same budget and seeds.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.genetic import GENETIC

SEEDS, GAMES = range(1, 25), 25
BAG = tc.RULES["tetrisbot"]
SEES = tc.Objective("tetrisbot", replace(BAG, draw="independent"), games=2, score="lines", signs="usual")
JUDGED = replace(BAG, max_pieces=20_000)
FLOATS, BITS = GENETIC["example-2"], GENETIC["example-3"]
BY_GENE = replace(FLOATS, mutation="gene")
KINDS = {
    "floats, p for a vector": FLOATS,
    "floats, p for a gene": BY_GENE,
    "floats, p for a gene, as often as bits": replace(BY_GENE, proba_mutation=round(1 - 0.95 ** (64 / 4), 4)),
    "bits, p for a bit": BITS,
    "bits, as seldom as vectors": replace(BITS, proba_mutation=0.05 / 64),
}
TABLE = ResultTable(
    "python tests/benchmarks/encoding_figures.py",
    {
        "genome and mutation": "{kind}", "p": "{p:.4g}", "children that mutate": "{mutated:.0%}",
        "lines a game in the median run": "{median:,.0f}", "quartiles": "{low:,.0f} to {high:,.0f}",
        "runs above the player of three weeks": "{above} of {runs}", "moves a run": "{moves:,.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}",
)  # fmt: skip


def lines(player: tc.Player) -> float:
    """Lines a game with the bag, reckoned from games that are broken off after 20,000 pieces."""
    return tc.simulate(player, JUDGED, GAMES, seed=4, progress=False).exponential_mean


def mutated(settings: tc.GeneticAlgorithm.Settings) -> float:
    """The share of children with a mutation: any of 64 bits, any of four genes, or the vector."""
    chances = 64 if settings.encoding == "binary" else 4 if settings.mutation == "gene" else 1
    return float(1 - (1 - settings.proba_mutation) ** chances)


def main() -> None:
    """A row for each kind of genome and mutation."""
    three_weeks = lines(tc.PLAYERS["tetrisbot-7"])
    print(f"the player of three weeks: {three_weeks:,.0f} lines\n")
    for kind, settings in KINDS.items():
        runs = [tc.train(tc.GeneticAlgorithm(4, settings, seed), SEES, progress=False, curve=0) for seed in SEEDS]
        ends = [lines(run.player()) for run in runs]
        low, median, high = np.quantile(ends, [0.25, 0.5, 0.75])
        TABLE.add({
            "kind": kind, "p": settings.proba_mutation, "mutated": round(mutated(settings), 4),
            "median": round(median), "low": round(low), "high": round(high), "runs": len(runs),
            "above": sum(end > three_weeks for end in ends), "moves": round(np.mean([run.moves for run in runs])),
            "ends": [round(end) for end in ends],
        })  # fmt: skip


if __name__ == "__main__":
    main()
    if "--save" in sys.argv:
        TABLE.save("encoding")
