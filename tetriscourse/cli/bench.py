"""`tetriscourse bench`: moves a second on this machine."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tetriscourse.cli.arguments import Parser, seconds
from tetriscourse.cli.output import say
from tetriscourse.errors import InputError

SUMMARY = "measure moves a second on this machine"
EXAMPLES = """\
  tetriscourse bench                      moves a second for each feature set, on one thread and on all
  tetriscourse bench --seconds 0.2        a quick look
  tetriscourse bench --yardstick game.c   compared with a C program
  tetriscourse bench --json               one JSON object, for a script"""


def add_options(parser: Parser) -> None:
    parser.switch("--json", "print one JSON object")
    parser.option("--yardstick FILE", "a C program to compare with")
    parser.option("--seconds S", "time for a measurement (default: 1)", seconds, 1.0)


def run(options: argparse.Namespace) -> int:
    """Measure, and print what was found."""
    if options.yardstick is not None and not Path(options.yardstick).is_file():
        raise InputError(f"--yardstick is '{options.yardstick}'; it must be a file with a C program")
    from tetriscourse.simulator.bench import measured

    say("Measuring; this takes about a minute, longer if the simulator has to be compiled first ...")
    report = measured(yardstick=options.yardstick, seconds=options.seconds)
    print(json.dumps(report) if options.json else table(report))
    return 0


def table(report: dict[str, Any]) -> str:
    """The measurements for a person."""
    ratios = report.get("ratio")
    lines = [f"{'features':26} {'moves/s, one core':>18}" + ("  times the yardstick" if ratios else "")]
    for name, rate in report["moves_per_second"].items():
        lines.append(f"{name:26} {rate:18,}" + (f"{ratios[name]:21.1f}" if ratios else ""))
    if "yardstick" in report:
        lines.append(f"{'yardstick':26} {report['yardstick']:18,}")
    lines += [
        f"dn, looking ahead with the next piece {kind}, values {rate:,} placements a second."
        for kind, rate in report["placements_per_second"].items()
    ]
    lines += [
        f"{report['threads']} threads play {report['speed_up']} times as fast as one.",
        f"First start, compiling: {report['first_start_seconds']} s; later starts: {report['start_seconds']} s.",
    ]
    return "\n".join(lines)
