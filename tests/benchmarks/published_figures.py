"""Play the published players and print what comes out beside the published figures, as a table in Markdown.

    python tests/benchmarks/published_figures.py             everything, about an hour on two cores
    python tests/benchmarks/published_figures.py --save      the same, stored for notebooks/results.ipynb
    python tests/benchmarks/published_figures.py 10x10 tetrisbot   only the parts named; --save keeps the other rows
"""

from __future__ import annotations

import sys
from dataclasses import replace

from tetriscourse.course.results import Record, ResultTable, stored_table
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import PLAYERS
from tetriscourse.simulator import simulate

SEED = 2026
TABLE = ResultTable(
    "python tests/benchmarks/published_figures.py",
    {
        "player": "{player}", "rules": "{rules}", "games": "{games:,}", "mean": "{mean:,.0f} {counted}",
        "95 % interval": "{low:,.0f} to {high:,.0f}", "published": "{published}",
    },
    seed=str(SEED),
)  # fmt: skip
LOSING = RULES["losing-allowed"]
MDPTETRIS_ORDER = replace(RULES["tetrisbot"], bag="research")

# part: (player, rules, games, published figures with their sources, what is counted)
RUNS: dict[str, list[tuple[str, Rules, int, str, str]]] = {
    "10x10": [
        ("dellacherie", RULES["10x10"], 6400, "2,415 ± 4.5 % measured on MDPTetris", "lines"),
        ("dn", RULES["10x10"], 6400, "3,858 ± 4.5 % measured; 3,800 published", "lines"),
        ("dt-10", RULES["10x10"], 6400, "4,841 ± 5 % measured; 5,000 published", "lines"),
        ("dt-20", RULES["10x10"], 6400, "4,384 ± 5 % measured; 4,300 published", "lines"),
        ("rv-ce", RULES["10x10"], 6400, "5,121 ± 5 % measured; 5,379 by its authors", "lines"),
        ("el-tetris", RULES["10x10"], 6400, "", "lines"),
    ],
    "tetrisbot": [
        ("filter-heights", RULES["tetrisbot"], 1600, "76,308 ± 20 % (MP)", "points"),
        ("filter-bumpiness", RULES["tetrisbot"], 1600, "233,573 ± 20 % (MP)", "points"),
        ("tetrisbot-1", RULES["tetrisbot"], 1600, "186,510 ± 20 % (MP)", "points"),
        ("tetrisbot-2", RULES["tetrisbot"], 1600, "125,049 ± 20 % (MP)", "points"),
        ("tetrisbot-3", RULES["tetrisbot"], 1600, "518,412 ± 20 % (MP)", "points"),
        ("tetrisbot-4", RULES["tetrisbot"], 1600, "86,686 ± 20 % (MP, picture)", "points"),
        ("tetrisbot-5", RULES["tetrisbot"], 1600, "90,408 ± 20 % (MP, picture)", "points"),
        ("tetrisbot-6", RULES["tetrisbot"], 1600, "155,412 ± 20 % (MP, picture)", "points"),
        ("tetrisbot-7", RULES["tetrisbot"], 1600, "500,870 ± 20 % (MP, picture)", "points"),
        ("tetrisbot", RULES["tetrisbot"], 1600, "548,058 ± 20 % (MP's program, later)", "points"),
        ("tetrisbot", MDPTETRIS_ORDER, 1600, "MDPTetris's order of orientations", "points"),
    ],
    "10x16": [
        ("dellacherie", RULES["10x16"], 800, "281,731 ± 5 %; 220,000 ± 20 % (TS); 250,000 (B)", "lines"),
        ("dellacherie", replace(RULES["after-clearing"], height=16), 800, "323,874 ± 5 %", "lines"),
        ("dn", RULES["10x16"], 400, "940,652 ± 7 %; 910,000 ± 5 % (TS)", "lines"),
    ],
    "10x20": [
        ("dellacherie", LOSING, 100, "850,000 ± 20 % (TS)", "lines"),
        ("dellacherie", RULES["top-row"], 100, "2.5 M ± 20 % (TS)", "lines"),
        ("dellacherie", Rules(height=19), 100, "the same by another name", "lines"),
        ("dellacherie", RULES["research"], 100, "7.35 M ± 20 %; 5.2 M ± 20 % (TS); 6.6 M (B)", "lines"),
        ("dn", RULES["research"], 100, "41.5 M ± 40 %; 35 M ± 20 % (TS); 31 M by Scherrer et al.", "lines"),
        ("dt-10", RULES["research"], 100, "29 M by its authors", "lines"),
        ("dt-20", RULES["research"], 100, "51 M by its authors", "lines"),
    ],
}


def label(rules: Rules) -> str:
    """The name of the rules, or what differs from those of a name."""
    named = {**RULES, "tetrisbot, bag research": MDPTETRIS_ORDER}
    return next((name for name, known in named.items() if known == rules), str(rules))


def main(parts: list[str]) -> None:
    """Print the table of the parts named, or of all."""
    for part in parts or RUNS:
        for name, rules, games, published, counted in RUNS[part]:
            scores = simulate(PLAYERS[name], rules, games=games, seed=SEED)
            low, high = scores.interval(of=counted)
            TABLE.add({
                "player": name, "rules": label(rules), "games": games, "mean": round(scores.mean_of(counted)),
                "low": round(low), "high": round(high), "counted": counted, "published": published,
            })  # fmt: skip


def merged(played: list[Record], stored: list[Record]) -> list[Record]:
    """The rows of all runs in the order of `RUNS`: those just played, and of the others what was stored before."""
    known = {(row["player"], row["rules"]): row for row in [*stored, *played]}
    keys = [(name, label(rules)) for part in RUNS.values() for name, rules, *_ in part]
    return [known[key] for key in keys if key in known]


if __name__ == "__main__":
    main([part for part in sys.argv[1:] if part != "--save"])
    if "--save" in sys.argv:
        TABLE.rows = merged(TABLE.rows, stored_table("published").rows)
        TABLE.save("published")
