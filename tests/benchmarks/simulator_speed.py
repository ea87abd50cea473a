"""Speed of the simulator, stored for the results: python tests/benchmarks/simulator_speed.py [--save]

The figures of `tetriscourse bench --yardstick tests/benchmarks/yardstick.c`, rollouts, and features of one's own. Run
it on a quiet machine; it takes two or three minutes.
"""

import sys
from pathlib import Path

import llvmlite.binding as llvm
from own_feature_speed import homes, moves_per_second

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.simulator.bench import measured
from tetriscourse.simulator.search_speed import rollout_moves_per_second

YARDSTICK = Path(__file__).parent / "yardstick.c"
COMMAND, MACHINE = "python tests/benchmarks/simulator_speed.py", f"one core of a {llvm.get_host_cpu_name()}"


def moves_table(report: dict) -> ResultTable:
    """Moves a second for each feature set, and how many times those of the C program."""
    columns = {"what": "{what}", "moves a second": "{moves:,}", "times the C program": "{times}"}
    table = ResultTable(COMMAND, columns, seed="1", machine=MACHINE)
    for name, moves in report["moves_per_second"].items():
        table.add({"what": name, "moves": moves, "times": report["ratio"][name]})
    return table


def other_table(report: dict) -> ResultTable:
    """Speed of everything else, and the time to start."""
    table = ResultTable(COMMAND, {"what": "{what}", "figure": "{figure}"}, machine=MACHINE)
    for kind, rate in report["placements_per_second"].items():
        what = f"dn looks ahead, the next piece {kind}"
        table.add({"what": what, "figure": f"{rate / 1e6:.0f} M placements valued a second"})
    rate = rollout_moves_per_second(tc.Rollouts("dn", games=32, moves=20), tc.Rules())
    table.add({"what": "rollouts of dn, 32 games of 20 moves", "figure": f"{rate / 1e6:.1f} M moves a second"})
    rate = moves_per_second(homes)
    table.add({"what": "Dellacherie's features and homes, one's own", "figure": f"{rate / 1e6:.2f} M moves a second"})
    table.add({"what": f"{report['threads']} threads", "figure": f"{report['speed_up']} times as fast as one"})
    table.add({"what": "first start, which compiles", "figure": f"{report['first_start_seconds']:.0f} s"})
    table.add({"what": "later starts", "figure": f"{report['start_seconds']:.1f} s"})
    return table


def main() -> None:
    """Measure, print, and store."""
    report = measured(str(YARDSTICK))
    for name, table in (("speed-simulator", moves_table(report)), ("speed-other", other_table(report))):
        if "--save" in sys.argv:
            table.save(name)


if __name__ == "__main__":
    main()
