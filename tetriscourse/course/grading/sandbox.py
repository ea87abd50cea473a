"""The walls around a submission: a process of its own, in bubblewrap when that is installed, watched and bounded.

Nothing that comes from it is trusted: it is text of bounded size, in lines of JSON that must be what they should be.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tetriscourse.course.progress import VARIABLE

PACKAGE = Path(__file__).parents[2]
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/ld.so.cache",
          "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/localtime")  # fmt: skip
ALSO_READABLE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/sys/devices/system", "/sys/fs/cgroup", "/dev")
START, GRACE, MOST = 180.0, 8.0, 4 * 2**20
"""Seconds to import everything, seconds beyond the runner's own limits, bytes that a submission may tell."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use: seconds of one cell or check, seconds in all, bytes of memory."""

    seconds: float = 30.0
    memory: int = 4 * 2**30

    @property
    def total(self) -> float:
        """Seconds of a whole notebook, however often it has to be started."""
        return 10 * self.seconds


@dataclass(frozen=True)
class Walls:
    """How submissions are shut in: with bubblewrap, or why not."""

    bwrap: str | None
    reason: str = ""
    hidden: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What this means, in a sentence."""
        if self.bwrap:
            return "Each notebook ran in bubblewrap: no network, no files but Python and the course, nothing written."
        return (
            f"WITHOUT A SANDBOX ({self.reason}): each notebook ran in a process of its own whose Python refuses files "
            "elsewhere, the network and processes, but code that wants to get around that can. Grade only submissions "
            "of people you trust this way, or install bubblewrap."
        )

    @property
    def readable(self) -> list[str]:
        """What a submission may read: the system's libraries, this Python, this package."""
        own = [sys.prefix, sys.base_prefix, str(PACKAGE), *own_packages()]
        return [path for path in dict.fromkeys([*SYSTEM, *own]) if os.path.exists(path)]

    def inside(self, warm: str, writable: str, judges: str | None) -> list[str]:
        """The command that shuts in what follows it."""
        if self.bwrap is None:
            return []
        bind = [part for path in self.readable for part in ("--ro-bind", path, path)]
        judge = ["--ro-bind", judges, judges] if judges else []
        cache = ["--ro-bind", warm, "/tmp/warm"] if warm else []
        kept = ["--bind", writable, "/tmp/kept"] if writable else []
        hide = [part for path in self.hidden if is_below(path, self.readable) for part in ("--tmpfs", path)]
        small, large = ["--size", str(2**26), "--tmpfs"], ["--size", str(2**29), "--tmpfs"]
        return [
            self.bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", *large, "/tmp",
            *bind, *judge, *cache, *kept, *hide, "--proc", "/proc", "--dev", "/dev", *small, "/dev/shm",
            "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp",
        ]  # fmt: skip


def own_packages() -> list[str]:
    """Where packages are that were installed for this user only."""
    return [site.getusersitepackages()] if site.ENABLE_USER_SITE else []


def is_below(path: str, roots: Sequence[str]) -> bool:
    """Whether a folder is inside one of the roots, so that it would be seen."""
    return os.path.isdir(path) and any(Path(root).resolve() in Path(path).resolve().parents for root in roots)


def walls(hidden: Sequence[Path], wanted: bool = True) -> Walls:
    """The best walls that this machine has."""
    kept = tuple(str(path.resolve()) for path in hidden)
    found = shutil.which("bwrap")
    if not wanted:
        return Walls(None, "--no-sandbox was given", kept)
    if found is None:
        return Walls(None, "bubblewrap is not installed", kept)
    tried = Walls(found, "", kept)
    ran = subprocess.run(
        [*tried.inside("", "", None), sys.executable, "-c", ""], capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip
    return tried if ran.returncode == 0 else Walls(None, f"bubblewrap fails here: {ran.stderr.strip()[:200]}", kept)


# --- one process --------------------------------------------------------------------------------


@dataclass
class Notes:
    """What is known of one notebook while it runs and afterwards."""

    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    errors: list[tuple[int, str, str]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
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
        code = f"import sys; sys.path += {paths!r}; from tetriscourse.course.grading.runner import main; main()"
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
                    if message.get("say") == "done":
                        return None
                    if message.get("say") == "ready":
                        began = time.monotonic()  # importing is not the student's time
                    at = self.note(message, at)
                    deadline = min(time.monotonic() + self.allowed(at), began + max(self.left, 0) + GRACE)
                if not some and not self.notes.tampered:
                    self.notes.ended.append(at)
                    return at
                if told > MOST or self.notes.tampered:
                    self.notes.tampered = self.notes.tampered or "floods the channel of results"
                    return at
            return None
        finally:
            self.left -= time.monotonic() - began
            self.notes.seconds += time.monotonic() - began

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
        elif say == "tampered":
            self.notes.tampered = f"replaces {text}"
        elif say == "judging" and id in self.ids:
            return str(id)
        elif say == "verdict" and id in self.ids and id not in self.notes.verdicts and is_verdict(message):
            self.notes.verdicts[str(id)] = message
            self.notes.tampered = f"replaces {text}" if message["state"] == "tampered" else ""
        elif say != "ready":
            self.notes.tampered = "writes into the channel of results"
        return at


def is_verdict(message: dict[str, Any]) -> bool:
    """Whether a verdict is one: a known state, a text, and drawings that are texts or grids of small numbers."""
    shown = message.get("shown")
    return (
        message.get("state") in ("right", "wrong", "open", "tampered")
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
