"""The process that runs one submission: cell after cell, and at each check cell a judgement in a fork.

The job comes as JSON on stdin; what happens is told in JSON lines on a pipe of its own, each behind a secret that
the cells do not know. A judge runs in a forked copy of the process at the place where its check cell stands: what
an answer does there (end Python, eat all memory, never return) costs this exercise and nothing else.
"""

from __future__ import annotations

import json
import os
import pkgutil
import resource
import runpy
import secrets
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

GRACE = 5.0
"""Seconds between the alarm that an answer may swallow and the kill that it may not."""

LONGEST, MOST = 2000, 200_000
"""Characters of one text, bytes of one verdict."""


def main() -> None:
    """Run the job and end without giving the cells a last word."""
    job = json.loads(sys.stdin.buffer.read())
    limit(job["memory"], job["processor"])
    prepare(Path(job["work"]), job["warm"])
    say = channel(job.pop("channel"), job.pop("secret"))
    try:
        Run(job, say).everything()
        say({"say": "done"})
    except BaseException:  # the rehearsal shows why
        print(traceback.format_exc(), file=sys.__stderr__, flush=True)
    finally:
        os._exit(0)


def limit(memory: int, processor: int) -> None:
    """Bound what this process may use; what is started from it inherits that."""
    for name, most in (("AS", memory), ("CPU", processor), ("FSIZE", 2**28), ("CORE", 0), ("NPROC", 4096)):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            try:
                resource.setrlimit(kind, (most, most))
            except (OSError, ValueError):  # macOS has no limit of the address space
                continue


def prepare(work: Path, warm: str) -> None:
    """A working folder with a copy of the compiled code, which a submission may spoil for itself only."""
    cache = Path(os.environ["NUMBA_CACHE_DIR"])
    if warm and warm != str(cache):
        shutil.copytree(warm, cache, dirs_exist_ok=True)
    for folder in (cache, work, Path(os.environ["HOME"])):
        folder.mkdir(parents=True, exist_ok=True)
    os.chdir(work)


def channel(descriptor: int, secret: str) -> Callable[[dict[str, Any]], None]:
    """How to tell the grader something; without the channel there is nothing left to do."""

    def say(message: dict[str, Any]) -> None:
        line = f"{secret} {json.dumps(message)}\n".encode()
        try:
            while line:
                line = line[os.write(descriptor, line) :]
        except OSError:
            os._exit(3)

    say.descriptor = descriptor  # type: ignore[attr-defined]
    return say


class Run:
    """One pass over the cells of a submission."""

    def __init__(self, job: dict[str, Any], say: Callable[[dict[str, Any]], None]):
        from tetriscourse.course.checking import judged, limited

        self.job, self.say, self.seconds = job, say, float(job["seconds"])
        self.exercises = known_exercises(job["chapter"], job["judges"])
        self.judged, self.limited, self.open = judged, limited, [id for id in self.exercises if id not in job["done"]]
        preload()
        self.shell = interactive_shell()
        from tetriscourse.course.grading.seal import Guard, seal

        self.broken = seal()
        self.guard = Guard(job["readable"], job["hidden"], job["writable"])

    def everything(self) -> None:
        """Run the cells that are not left out, judge at each check, and at the end what still has no answer."""
        self.say({"say": "ready"})
        for number, step in enumerate(self.job["steps"]):
            if number not in self.job["skip"] and step["source"].strip():
                self.say({"say": "cell", "cell": number})
                self.cell(number, step["source"])
            for id in step["checks"]:
                self.judge(id, last=False)
        for id in list(self.open):  # the answer stands below its check, or the check was in a cell left out
            self.judge(id, last=True)

    def cell(self, number: int, source: str) -> None:
        """Run one cell as a notebook would, and tell what it tried."""
        sys.stdout, sys.stderr = open(os.devnull, "w"), open(os.devnull, "w")  # noqa: SIM115
        error: BaseException | None
        try:
            with self.limited(self.seconds):
                ran = self.shell.run_cell(source, silent=True)
            error = ran.error_before_exec or ran.error_in_exec
        except BaseException as stopped:
            error = stopped
        if error is not None:
            kind, text = told(error)
            self.say({"say": "error", "cell": number, "kind": kind, "text": text})
        self.tell_refusals(self.guard.refusals, number)
        if changed := self.broken():
            self.say({"say": "tampered", "cell": number, "text": changed})

    def tell_refusals(self, refusals: list[str], number: int | None = None) -> None:
        """What was tried and not allowed."""
        for text in refusals:
            self.say({"say": "refused", "cell": number, "text": text[:LONGEST]})
        refusals.clear()

    def judge(self, id: str, last: bool) -> None:
        """Judge an exercise, once; without an answer yet, the end of the notebook is waited for."""
        if id not in self.open or self.exercises[id].is_prose:
            return
        self.say({"say": "judging", "exercise": id})
        found = self.apart(id)
        self.tell_refusals(found.pop("refusals", []))
        if found["state"] != "open" or last:
            self.open.remove(id)
            self.say({"say": "verdict", "exercise": id, **found})

    def apart(self, id: str) -> dict[str, Any]:
        """What a fork of this process finds; its end is waited for as long as its seeds may take."""
        token, (reader, writer) = secrets.token_hex(8), os.pipe()
        with self.guard.lifted():
            child = os.fork()
        if child == 0:
            os.close(reader)
            os.close(self.say.descriptor)  # type: ignore[attr-defined]
            self.answer(id, writer, token)
        os.close(writer)
        found = read_until(reader, time.monotonic() + self.seconds * len(self.job["seeds"]) + GRACE)
        with self.guard.lifted():
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(reader)
        return understood(found, token, code)

    def answer(self, id: str, writer: int, token: str) -> None:
        """In the fork: judge with every seed, say the worst, end."""
        try:
            found: dict[str, Any] = {}
            for number, seed in enumerate(self.job["seeds"]):
                outcome = self.judged(self.exercises[id], self.shell.user_ns, seed, self.seconds)
                found = portable(self.exercises[id], outcome)
                if found["state"] != "right":
                    found["other"] = number > 0
                    break
            changed = self.broken()
            found = {"state": "tampered", "text": changed, "shown": []} if changed else found
            line = f"{token} {json.dumps(found | {'refusals': self.guard.refusals})}\n".encode()
            os.write(writer, line[:MOST])
        finally:
            os._exit(0)


def known_exercises(chapter: str, judges: str | None) -> dict[str, Any]:
    """The exercises of a chapter, from the package or from a file that registers others."""
    from tetriscourse.course import exercises

    if judges is None:
        return exercises.exercises(chapter)
    runpy.run_path(judges)
    return {id: one for id, one in sorted(exercises._EXERCISES.items()) if one.chapter == chapter}


def preload() -> None:
    """Import the whole package, so that everything in it is there to be sealed."""
    import tetriscourse

    for module in pkgutil.walk_packages(tetriscourse.__path__, "tetriscourse."):
        try:
            import_module(module.name)
        except ImportError:  # an extra that is not installed
            continue


def interactive_shell() -> Any:
    """An IPython without history or a screen: cells may use its magics."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell: Any = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.showtraceback = shell.showsyntaxerror = shell.ask_exit = lambda *args, **kwargs: None
    return shell


def told(error: BaseException) -> tuple[str, str]:
    """The name and the text of an error, which may itself be hostile."""
    try:
        return type(error).__name__[:100], str(error)[:LONGEST]
    except BaseException:
        return "an error", ""


def portable(exercise: Any, outcome: Any) -> dict[str, Any]:
    """An outcome as text and grids."""
    from tetriscourse.course.verdicts import Verdict

    verdict = Verdict(exercise, outcome)
    shown = [part for one in verdict.drawings[:6] for part in parts_of(one)]
    return {"state": verdict.state, "text": str(outcome.text)[:LONGEST], "shown": shown}


def parts_of(value: Any) -> list[Any]:
    """One part of a counterexample: a grid of cells to draw, or text."""
    from tetriscourse.course.verdicts import as_text, is_grid
    from tetriscourse.game.board import Board
    from tetriscourse.game.moves import Move

    if isinstance(value, Move):
        return [*parts_of(value.before), str(value)[:LONGEST]]
    cells = value.cells if isinstance(value, Board) else value if is_grid(value) else None
    if cells is not None and cells.size <= 1000:
        return [[[int(cell) for cell in row] for row in cells]]
    return [as_text(value)[:LONGEST]]


def read_until(reader: int, deadline: float) -> bytes | None:
    """What comes from a pipe until it is closed or says a whole line; None when the time is over."""
    found = b""
    while len(found) <= MOST and not found.endswith(b"\n"):
        if not select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return None
        some = os.read(reader, 65536)
        if not some:
            break
        found += some
    return found


def understood(found: bytes | None, token: str, code: int) -> dict[str, Any]:
    """The verdict of a fork, or what its silence means."""
    if found is None:
        text = "It did not finish in time, and could not be interrupted."
        return {"state": "wrong", "text": text, "shown": [], "late": True}
    secret, _, text = found.decode("utf-8", "replace").partition(" ")
    if found and secret != token:
        return {"state": "tampered", "text": "the result of a check", "shown": []}
    if not found:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return {"state": "wrong", "text": f"The answer ended Python itself ({how}).", "shown": [], "ended": True}
    return dict(json.loads(text))
