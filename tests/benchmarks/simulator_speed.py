"""Moves a second of the simulator, stored for the results: python tests/benchmarks/simulator_speed.py [--save]

The figures of `tetriscourse bench --yardstick tests/benchmarks/yardstick.c`, as a table. Run it on a quiet machine.
"""

import platform
import sys
from pathlib import Path

from tetriscourse.course.results import ResultTable
from tetriscourse.simulator.bench import measured

YARDSTICK = Path(__file__).parent / "yardstick.c"


def main() -> None:
    """Measure, print, and store."""
    report = measured(str(YARDSTICK))
    table = ResultTable(
        command="python tests/benchmarks/simulator_speed.py",
        columns={"what": "{what}", "moves a second": "{moves:,}", "times the C program": "{times}"},
        seed="1",
        machine=f"one core of {platform.machine()} with AVX-512",
    )
    for name, moves in report["moves_per_second"].items():
        table.add({"what": name, "moves": moves, "times": report["ratio"][name]})
    threads, speed_up = report["threads"], report["speed_up"]
    print(f"{threads} threads: {speed_up} times; starts {report['first_start_seconds']} s, {report['start_seconds']} s")
    if "--save" in sys.argv:
        table.save("speed-simulator")


if __name__ == "__main__":
    main()
