"""The watch over one submission: its process is started, listened to, bounded, and started again without a bad cell.

Nothing that comes from it is trusted: it is text of bounded size, in lines of JSON that must be what they should be.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tetriscourse.course.progress import VARIABLE
from tetriscourse.teaching.grading.sandbox import PACKAGE, Limits, Walls, own_packages

ALSO_READABLE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/sys/devices/system", "/sys/fs/cgroup", "/dev")
START, GRACE, MOST = 180.0, 8.0, 4 * 2**20
"""Seconds to import everything, seconds beyond the runner's own limits, bytes that a submission may tell."""


@dataclass
class Notes:
    """Everything known about one notebook, while it runs and afterwards."""

    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    errors: list[tuple[int, str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    skipped: list[tuple[int, str]] = field(default_factory=list)
    late: list[int | str] = field(default_factory=list)
    ended: list[int | str] = field(default_factory=list)
    tampered: str = ""
    unfinished: str = ""
    seconds: float = 0.0


class Watch:
    """Runs one notebook to its end, starting again without the cell that brought the process down."""

    def __init__(self, job: dict[str, Any], walls: Walls, limits: Limits, stop: threading.Event, ids: Sequence[str]):
        self.job, self.walls, self.limits, self.stop, self.ids = job, walls, limits, stop, set(ids)
        self.notes, self.skip, self.left = Notes(), list[int](), limits.total
        self.log: Any = subprocess.DEVNULL  # submissions could fill a file

    def run(self, warm: str = "", keep: str = "") -> Notes:
        """Everything; `warm` is a folder of compiled code to copy, `keep` one to fill."""
        for _ in range(1 if keep else 6):  # model solutions either run or do not
            at = self.once(warm, keep)
            if at is None or self.stop.is_set() or self.notes.tampered:
                return self.notes
            if self.left <= 0:
                self.notes.unfinished = f"the whole notebook took more than {self.limits.total:g} seconds"
                return self.notes
            if at == "start":
                self.notes.unfinished = "Python itself did not start"
                return self.notes
            if isinstance(at, int):
                self.skip.append(at)
            else:
                self.notes.verdicts[at] = {"state": "wrong", "text": "The answer ended Python itself.", "shown": []}
        self.notes.unfinished = "it had to be started again too often"
        return self.notes

    def once(self, warm: str, keep: str) -> int | str | None:
        """One start; the cell or exercise at which it came to a bad end, or None."""
        with place(self.walls, keep) as work, pipe() as (reader, writer):
            secret = secrets.token_hex(16)
            process = self.start(work, warm, keep, secret, writer)
            os.close(writer)
            try:
                return self.follow(reader, secret, process)
            finally:
                end(process)

    def start(self, work: str, warm: str, keep: str, secret: str, writer: int) -> subprocess.Popen[bytes]:
        """The process, with its job on the way."""
        boxed = self.walls.bwrap is not None
        cache = ("/tmp/kept" if boxed else keep) if keep else f"{work}/cache"
        job = self.job | {
            "secret": secret, "channel": writer, "skip": self.skip, "done": list(self.notes.verdicts),
            "seconds": self.limits.seconds, "memory": self.limits.memory,
            "processor": int(4 * self.limits.total + START),
            "work": f"{work}/notebook", "warm": ("/tmp/warm" if boxed else warm) if warm else "",
            "readable": [*self.walls.readable, *ALSO_READABLE], "hidden": self.walls.hidden,
            "writable": [work, cache, *(["/tmp", "/dev/shm"] if boxed else [])],
        }  # fmt: skip
        paths = [str(PACKAGE.parent), *own_packages()]
        code = f"import sys; sys.path += {paths!r}; from tetriscourse.teaching.grading.runner import main; main()"
        shut = self.walls.inside(warm, keep, self.job["judges"])
        process = subprocess.Popen(
            [*shut, sys.executable, "-s", "-P", "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=self.log, env=environment(work, cache), pass_fds=(writer,),
            start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=hand_over, args=(process, json.dumps(job).encode()), daemon=True).start()
        return process

    def follow(self, reader: int, secret: str, process: subprocess.Popen[bytes]) -> int | str | None:
        """Read what it tells until it is done, silent for too long, or gone."""
        at: int | str = "start"
        began = time.monotonic()
        deadline, told, rest = began + START, 0, b""
        try:
            while not self.stop.is_set():
                if time.monotonic() > deadline:
                    self.notes.late.append(at)
                    return at
                if not select.select([reader], [], [], 0.2)[0]:
                    continue
                some = os.read(reader, 65536)
                told += len(some)
                *lines, rest = (rest + some).split(b"\n")
                for line in lines:
                    message = read_message(line, secret)
                    if message.get("say") == "done" and self.is_complete():
                        return None
                    if message.get("say") == "ready":
                        began = time.monotonic()  # importing is not the student's time
                    at = self.note(message, at)
                    if self.notes.tampered:  # what it says afterwards is not worth reading
                        return at
                    deadline = min(time.monotonic() + self.allowed(at), began + max(self.left, 0) + GRACE)
                if not some:
                    self.notes.ended.append(at)
                    return at
                if told > MOST:
                    self.notes.tampered = "floods the channel of results"
                    return at
            return None
        finally:
            self.left -= time.monotonic() - began
            self.notes.seconds += time.monotonic() - began

    def is_complete(self) -> bool:
        """Whether everything that is to be judged has been."""
        return {id for step in self.job["steps"] for id in step["checks"]} <= set(self.notes.verdicts)

    def allowed(self, at: int | str) -> float:
        """How long it may be silent at this place."""
        return self.limits.seconds * (1 if isinstance(at, int) else len(self.job["seeds"])) + 2 * GRACE

    def note(self, message: dict[str, Any], at: int | str) -> int | str:
        """Believe a message as far as it makes sense; return the place where the process now is."""
        say, cell, id = message.get("say"), message.get("cell"), message.get("exercise")
        known = isinstance(cell, int) and 0 <= cell < len(self.job["steps"])
        text = str(message.get("text", ""))
        if say == "cell" and known:
            return int(str(cell))
        if say == "error" and known:
            self.notes.errors.append((int(str(cell)), str(message.get("kind")), text))
        elif say == "refused":
            self.notes.refused.append(text)
        elif say == "skipped" and known:
            self.notes.skipped.append((int(str(cell)), text))
        elif say == "tampered":
            self.notes.tampered = f"replaces {text}"
        elif say == "judging" and id in self.ids:
            return str(id)
        elif say == "verdict" and id == at and id not in self.notes.verdicts and is_verdict(message.get("found")):
            self.judged(str(id), message["found"])
        elif say != "ready":
            self.notes.tampered = "writes into the channel of results"
        return at

    def judged(self, id: str, found: dict[str, Any]) -> None:
        """Keep a verdict, and what its answer was refused."""
        self.notes.verdicts[id] = found
        if found["state"] == "tampered":
            self.notes.tampered = f"replaces {found['text']}"
        refused = found.get("refusals")
        self.notes.refused += [str(text) for text in refused] if isinstance(refused, list) else []


def is_verdict(message: Any) -> bool:
    """Whether a verdict is one: a known state, its points, a text, and drawings: texts or grids of small numbers."""
    shown = message.get("shown") if isinstance(message, dict) else None
    return (
        isinstance(message, dict)
        and message.get("state") in ("right", "partly", "wrong", "open", "tampered")
        and (message["state"] != "partly" or (type(message.get("points")) is int and message["points"] > 0))
        and isinstance(message.get("text"), str)
        and isinstance(shown, list)
        and all(isinstance(part, str) or is_cells(part) for part in shown)
    )


def is_cells(part: Any) -> bool:
    """Whether something is a grid: rows of equal length, not too many, of whole numbers."""
    return (
        isinstance(part, list) and 0 < len(part) <= 1000
        and all(isinstance(row, list) and 0 < len(row) <= 1000 and len(row) == len(part[0]) for row in part)
        and len(part) * len(part[0]) <= 1000
        and all(type(cell) is int and -(2**31) < cell < 2**31 for row in part for cell in row)
    )  # fmt: skip


def read_message(line: bytes, secret: str) -> dict[str, Any]:
    """A line as what it says; what does not begin with the secret says nothing good."""
    start, _, text = line.decode("utf-8", "replace").partition(" ")
    if not secrets.compare_digest(start.encode(), secret.encode()):
        return {"say": "garbage"}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {"say": "garbage"}
    return found if isinstance(found, dict) else {"say": "garbage"}


def environment(work: str, cache: str) -> dict[str, str]:
    """The variables of the process: its own folders, nothing of the teacher's."""
    return {
        "HOME": f"{work}/home", "TMPDIR": work, "NUMBA_CACHE_DIR": cache, "MPLCONFIGDIR": f"{cache}/matplotlib",
        "XDG_CACHE_HOME": cache, "IPYTHONDIR": f"{work}/ipython", "MPLBACKEND": "Agg", VARIABLE: "",
        "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "2",
        "MALLOC_ARENA_MAX": "4",
    }  # fmt: skip


@contextmanager
def place(walls: Walls, keep: str) -> Iterator[str]:
    """A working folder: in memory inside the sandbox, else one that is removed afterwards."""
    if walls.bwrap:
        yield "/tmp/work"
        return
    with tempfile.TemporaryDirectory(prefix="tetriscourse-", ignore_cleanup_errors=True) as folder:
        yield os.path.realpath(folder)


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe whose reading end is closed at the end."""
    reader, writer = os.pipe()
    try:
        yield reader, writer
    finally:
        os.close(reader)


def hand_over(process: subprocess.Popen[bytes], job: bytes) -> None:
    """Write the job to the process, which may be gone already."""
    assert process.stdin is not None
    with suppress(OSError), process.stdin as pipe:
        pipe.write(job)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with everything in its session."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
