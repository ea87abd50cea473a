"""How many processors this process may use: on a shared machine often fewer than it has."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")


@lru_cache(maxsize=1)
def usable_processors() -> int:
    """Processors that the process may use: its affinity, cut by the limits of its control groups."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([affinity, *map(math.ceil, quotas(CGROUPS, MEMBERSHIP))]))


def quotas(cgroups: Path, membership: Path) -> Iterator[float]:
    """The limits of the control groups we are in, in processors; on other systems than Linux there are none."""
    with suppress(OSError):
        for line in membership.read_text().splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers == "":  # version 2: one tree, and every group on the way up may have a limit
                folder = cgroups / group.lstrip("/")
                for one in (folder, *folder.parents):
                    if one.is_relative_to(cgroups):
                        yield from quota(read_numbers(one / "cpu.max"))
            elif "cpu" in controllers.split(","):
                for folder in (cgroups / controllers / group.lstrip("/"), cgroups / "cpu"):
                    limit, period = (read_numbers(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
                    yield from quota([*limit, *period])


def read_numbers(path: Path) -> list[int]:
    """The whole numbers in a file of a control group; 'max', like a missing file, is none."""
    try:
        return [int(word) for word in path.read_text().split() if word != "max"]
    except (OSError, ValueError):
        return []


def quota(numbers: list[int]) -> Iterator[float]:
    """Processors from the microseconds that may be used in each period; -1 means no limit."""
    if len(numbers) == 2 and min(numbers) > 0:
        yield numbers[0] / numbers[1]
