"""Results that take minutes or hours to compute: stored as data, shown as tables, each with the command that makes it.

The scripts in tests/benchmarks write the files in tables/ when they are run with --save; notebooks/results.ipynb shows
them. The outcomes of training have files of their own, in optimizers/results.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from tetriscourse.errors import one_of, readable
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.experiments import (
    Experiment,
    curve_means,
    judged_runs,
    stored_results,
    unfinished_names,
)

TABLES = Path(__file__).parent / "tables"

Record = dict[str, Any]


@dataclass
class ResultTable:
    """Records, and how each is written as a row: a template for every column."""

    command: str
    columns: dict[str, str]  # templates by heading, such as {"mean": "{mean:,.0f} lines"}
    rows: list[Record] = field(default_factory=list)
    seed: str = ""
    machine: str = ""  # where times were measured
    version: str = field(default_factory=lambda: version("tetriscourse"))

    def head(self) -> str:
        """The headings, and the line below them."""
        return f"| {' | '.join(self.columns)} |\n|{'---|' * len(self.columns)}"

    def row(self, record: Record) -> str:
        """A record as a row of the table."""
        return f"| {' | '.join(template.format(**record) for template in self.columns.values())} |"

    def caption(self) -> str:
        """The command that makes the table, and what its figures depend on."""
        parts = (self.seed and f"seed {self.seed}", f"version {self.version}", self.machine)
        return f"`{self.command}` ({', '.join(filter(None, parts))})"

    def add(self, record: Record) -> None:
        """Append a record and print its row, the headings before the first: for scripts that take long."""
        if not self.rows:
            print(self.head())
        self.rows.append(record)
        print(self.row(record), flush=True)

    def save(self, name: str) -> None:
        """Store the table in the package."""
        facts = asdict(self)
        rows = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in facts.pop("rows"))
        text = json.dumps(facts, ensure_ascii=False, indent=1).removesuffix("\n}")
        (TABLES / f"{name}.json").write_text(f'{text},\n "rows": [\n{rows}\n ]\n}}\n', "utf-8")

    def __str__(self) -> str:
        return "\n".join([self.head(), *map(self.row, self.rows), "", self.caption()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return str(self)


def table_names() -> list[str]:
    """The tables that are stored."""
    return sorted(path.stem for path in TABLES.glob("*.json"))


def stored_table(name: str) -> ResultTable:
    """A stored table."""
    return ResultTable(**json.loads((TABLES / f"{one_of('table', name, table_names())}.json").read_text("utf-8")))


def learned_table(*beginnings: str) -> ResultTable:
    """Experiments (all, or those whose names begin so), what was published about each, and what came out here."""
    results = stored_results()
    rows = [
        {"name": name, "shows": description(one, results[name]), "published": one.published, **learned(results[name])}
        for name, one in EXPERIMENTS.items()
        if name in results and name.startswith(beginnings or "")
    ]
    columns = {
        "experiment": "{name}", "what it does": "{shows}", "published": "{published}", "here": "{here}",
        "learned in": "{runs} x {games:,.0f} games", "seconds": "{took}",
    }  # fmt: skip
    return ResultTable("tetriscourse train NAME", columns, rows, "1", "two cores, often with other work")


def rivals_table(*names: str) -> ResultTable:
    """The known players that were judged in the same games as the learned player of an experiment, and that one."""
    results = stored_results()
    rows = [{"name": name, **one} for name in names for one in results[name]["judged"]]
    columns = {
        "experiment": "{name}", "player": "{player}", "board": "{rules}", "games": "{games:,}",
        "lines": "{mean:,.0f}", "95 %": "{low:,.0f} to {high:,.0f}", "published": "{published}",
    }  # fmt: skip
    return ResultTable("tetriscourse train NAME --thorough", columns, rows)


def description(experiment: Experiment, result: Mapping[str, Any]) -> str:
    """The experiment in words; of an unfinished one, also the number of iterations made."""
    if experiment.name not in unfinished_names():
        return experiment.shows
    return f"{experiment.shows}; {result['runs'][0]['iterations']} of {experiment.settings.iterations} iterations"


def learned(result: Mapping[str, Any]) -> Record:
    """The outcome of an experiment as a record."""
    runs = result["runs"]
    games = sum(one["games"] for one in runs) / len(runs)
    took = "in parts" if result["seconds"] is None else f"{result['seconds']:,.0f}"
    return {"here": outcome(result), "runs": len(runs), "games": games, "took": took}


def outcome(result: Mapping[str, Any]) -> str:
    """The score of the learned player, or of each run's, in games of its own; else the end of the learning curves."""
    if runs := judged_runs(result):
        return f"{extent(runs)} {result['judged'][0]['score']}"
    judged = [
        f"{readable(one['mean'])} {one['score']} on {one['rules']} ({readable(one['low'])} to {readable(one['high'])})"
        for one in result["judged"]
        if one["player"].endswith("learned")  # or look-ahead:learned
    ]
    if judged:
        return "; ".join(judged)
    return f"{extent(curve_means(result))} lines"


def extent(means: Sequence[float]) -> str:
    """The median of some runs, with the lowest and the highest; of one run, its mean."""
    if len(means) == 1:
        return readable(means[0])
    return f"median {readable(median(means))}, {readable(min(means))} to {readable(max(means))}"
