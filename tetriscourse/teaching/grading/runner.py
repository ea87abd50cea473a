"""The process that runs one submission: cell after cell, and at each check cell a judgement in a fork.

The job comes as JSON on stdin; what happens is told in JSON lines on a pipe of its own, each behind a secret that
the cells do not know. The seal is looked at after every cell and before anything is said of it. A judge runs in a
forked copy of the process at the place where its check cell stands: what an answer does there (end Python, eat all
memory, never return) costs this exercise and nothing else.
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

GRACE = 5.0  # seconds between the alarm that an answer may swallow and the kill that it may not

LONGEST, MOST = 2000, 200_000  # characters of one text, bytes of one verdict


def main() -> None:
    """Run the job and end without giving the cells a last word."""
    job = json.loads(sys.stdin.buffer.read())
    limit(job["memory"], job["processor"])
    prepare(Path(job["work"]), job["warm"])
    leave, (say, forget) = os._exit, channel(job.pop("channel"), job.pop("secret"))
    try:
        prepared(job, say, forget)()
        say({"say": "done"})
    except BaseException:  # the rehearsal shows why
        print(traceback.format_exc(), file=sys.__stderr__, flush=True)
    finally:
        leave(0)


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


Say = Callable[[dict[str, Any]], None]


def channel(descriptor: int, secret: str) -> tuple[Say, Callable[[], None]]:
    """How to tell the grader something, and how a fork forgets it; without the channel there is nothing left to do."""
    write, close, leave, written = os.write, os.close, os._exit, writing()

    def say(message: dict[str, Any]) -> None:
        line = f"{secret} {written(message)}\n".encode()
        try:
            while line:
                line = line[write(descriptor, line) :]
        except OSError:
            leave(3)

    return say, lambda: close(descriptor)


def writing() -> Callable[[Any], str]:
    """JSON of plain values, without a name that a cell could replace; what is already JSON is bytes."""
    quoted, kind, numeral, texts, tables, raw = json.encoder.encode_basestring_ascii, type, repr, str, dict, bytes

    def written(value: Any) -> str:
        if kind(value) is tables:
            return "{" + ", ".join([f"{quoted(key)}: {written(one)}" for key, one in value.items()]) + "}"
        if kind(value) is raw:
            return str_of(value, "utf-8", "replace")
        return quoted(value) if kind(value) is texts else numeral(value)

    str_of = raw.decode
    return written


# --- one pass over the cells --------------------------------------------------------------------
# Once a cell has run, every name that is looked up in a module, a class or an object may be the cell's. Therefore all
# that speaks or decides is kept in variables of these functions, and the seal is looked at before anything is said.


def prepared(job: dict[str, Any], say: Say, forget: Callable[[], None]) -> Callable[[], None]:
    """The whole pass, ready to begin."""
    exercises = known_exercises(job["chapter"], job["judges"])
    judged_here = [id for id, one in exercises.items() if not one.is_prose and id not in job["done"]]
    preload()
    shell, left_out = interactive_shell()
    from tetriscourse.teaching.grading.seal import guard, seal

    refusals, free = guard(job["readable"], job["hidden"], job["writable"])
    broken = seal(free)
    run_cell = cells(float(job["seconds"]), shell, say, broken, {"refused": refusals, "skipped": left_out})
    apart = forks(job, answers(job, exercises, shell, broken, refusals), forget, free)
    judge = judging(judged_here, apart, say)

    def everything() -> None:
        say({"say": "ready"})
        for number, step in enumerate(job["steps"]):
            if number not in job["skip"] and step["source"].strip():
                say({"say": "cell", "cell": number})
                run_cell(number, step["source"])
            for id in step["checks"]:
                judge(id, False)
        for id in [*judged_here]:  # the answer stands below its check, or the check was in a cell left out
            judge(id, True)

    return everything


def cells(
    seconds: float, shell: Any, say: Say, broken: Callable[[], str], tried: dict[str, list[str]]
) -> Callable[[int, str], None]:
    """How to run one cell as a notebook would, and tell what it tried."""
    from tetriscourse.course.checking import limited

    devnull, opened, system, text_of = os.devnull, open, sys, told

    def run(number: int, source: str) -> None:
        error: BaseException | None
        try:
            system.stdout, system.stderr = opened(devnull, "w"), opened(devnull, "w")
            with limited(seconds):
                ran = shell.run_cell(source, silent=True)
            error = ran.error_before_exec or ran.error_in_exec
        except BaseException as stopped:
            error = stopped
        kind, text = text_of(error)  # an error may be the cell's own class: this, too, is before the seal
        if changed := broken():
            say({"say": "tampered", "cell": number, "text": changed})
            return
        if error is not None:
            say({"say": "error", "cell": number, "kind": kind, "text": text})
        for what, texts in tried.items():
            while texts:
                say({"say": what, "cell": number, "text": texts.pop(0)})

    return run


def judging(waiting: list[str], apart: Callable[[str], tuple[bytes, bytes]], say: Say) -> Callable[[str, bool], None]:
    """How to judge an exercise, once; without an answer yet, the end of the notebook is waited for."""

    def judge(id: str, last: bool) -> None:
        if id not in waiting:
            return
        say({"say": "judging", "exercise": id})
        state, found = apart(id)
        if state != b"open" or last:
            waiting.remove(id)
            say({"say": "verdict", "exercise": id, "found": found})

    return judge


def forks(
    job: dict[str, Any], answer: Callable[[str, int, bytes], None], forget: Callable[[], None], free: list[bool]
) -> Callable[[str], tuple[bytes, bytes]]:
    """How a fork of this process is asked; its end is waited for as long as its seeds may take."""
    fork, pipe, close, kill, wait, chance = os.fork, os.pipe, os.close, os.kill, os.waitpid, secrets.token_hex
    read, now, understand, exit_code = reading(), time.monotonic, understood, os.waitstatus_to_exitcode
    seconds, deadly = float(job["seconds"]) * len(job["seeds"]) + GRACE, signal.SIGKILL

    def apart(id: str) -> tuple[bytes, bytes]:
        token, (reader, writer) = chance(8).encode(), pipe()
        free[0] = True  # this fork is not the submission's
        child = fork()
        free[0] = False
        if child == 0:
            close(reader)
            forget()
            answer(id, writer, token)
        close(writer)
        found = read(reader, now() + seconds)
        free[0] = True
        kill(child, deadly)
        free[0] = False
        code = exit_code(wait(child, 0)[1])
        close(reader)
        return understand(found, token, code)

    return apart


def answers(
    job: dict[str, Any], exercises: dict[str, Any], shell: Any, broken: Callable[[], str], refusals: list[str]
) -> Callable[[str, int, bytes], None]:
    """The work of a fork: judge with every seed, report the one that gives fewest points, end."""
    from tetriscourse.course.checking import judged

    write, leave, plain, seeds, seconds = os.write, os._exit, portable, tuple(job["seeds"]), float(job["seconds"])
    encode = json.dumps

    def found_with(id: str) -> dict[str, Any]:
        worst: dict[str, Any] = {}
        for number, seed in enumerate(seeds):
            outcome = judged(exercises[id], shell.user_ns, seed, seconds)
            if changed := broken():  # before the outcome is put into words, and again afterwards
                return {"state": "tampered", "text": changed, "shown": []}
            found = plain(exercises[id], outcome)
            if not worst or found["points"] < worst["points"]:
                worst = found | {"other": number > 0}
            if not worst["points"]:
                break
        return worst

    def answer(id: str, writer: int, token: bytes) -> None:
        try:
            changed = broken()
            found = {} if changed else found_with(id)
            if changed := changed or broken():
                found = {"state": "tampered", "text": changed, "shown": []}
            line = encode(found | {"refusals": refusals}).encode()
            write(writer, token + b" " + found["state"].encode() + b" " + line[:MOST] + b"\n")
        finally:
            leave(0)

    return answer


# --- what it stands on --------------------------------------------------------------------------


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


SHELL_MAGICS = ("pip", "conda", "mamba", "micromamba", "uv", "system", "sx")
SCRIPTS = ("bash", "sh", "script", "perl", "ruby", "javascript", "js", "system", "sx")
"""Magics that start other programs: of a line, of a whole cell."""


def interactive_shell() -> tuple[Any, list[str]]:
    """An IPython without history or a screen, and a list of the commands that it left out: cells go on after them."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell: Any = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.showtraceback = shell.showsyntaxerror = shell.ask_exit = lambda *args, **kwargs: None
    shell.enable_gui = lambda gui=None: None
    shell.enable_matplotlib = lambda gui=None: (gui, "agg")
    left_out: list[str] = []

    def leave_out(sign: str) -> Callable[..., list[str]]:
        def command(line: str = "", *rest: Any, **named: Any) -> list[str]:
            if len(left_out) < 20:
                left_out.append(exact(f"{sign}{line}".rstrip()))
            return []

        return command

    shell.system = shell.system_raw = shell.system_piped = shell.getoutput = leave_out("!")
    for kind, names in (("line", SHELL_MAGICS), ("cell", SCRIPTS)):
        for name in names:
            shell.register_magic_function(leave_out(("%%" if kind == "cell" else "%") + f"{name} "), kind, name)
    return shell, left_out


def exact(text: str, most: slice = slice(LONGEST), part: Callable[..., str] = str.__getitem__) -> str:
    """The beginning of a text, as a real one even if it pretends to be."""
    return part(text, most)


def told(error: BaseException | None) -> tuple[str, str]:
    """The name and the text of an error, which may itself be hostile."""
    try:
        return ("", "") if error is None else (exact(type(error).__name__)[:100], exact(str(error)))
    except BaseException:
        return "an error", ""


def portable(exercise: Any, outcome: Any) -> dict[str, Any]:
    """An outcome as text and grids."""
    from tetriscourse.course.verdicts import Verdict

    verdict = Verdict(exercise, outcome)
    shown = [part for one in verdict.drawings[:6] for part in parts_of(one)]
    said = {"state": verdict.state, "points": verdict.points, "text": str(outcome.text)[:LONGEST]}
    return said | {"shown": shown}


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


def reading() -> Callable[[int, float], bytes | None]:
    """How to read from a pipe until it is closed or says a whole line; None when the time is over."""
    ready, read, now = select.select, os.read, time.monotonic

    def read_until(reader: int, deadline: float) -> bytes | None:
        found = b""
        while len(found) <= 2 * MOST and not found.endswith(b"\n"):
            left = deadline - now()
            if left <= 0 or not ready([reader], [], [], left)[0]:
                return None
            some = read(reader, 65536)
            if not some:
                break
            found += some
        return found

    return read_until


def understood(found: bytes | None, token: bytes, code: int) -> tuple[bytes, bytes]:
    """State and verdict of a fork, the latter as JSON that the grader reads; or what silence means."""
    if found is None:
        text = b"It did not finish in time, and could not be interrupted."
        return b"wrong", b'{"state": "wrong", "shown": [], "late": true, "text": "%s"}' % text
    if not found:
        how = b"signal %d" % -code if code < 0 else b"exit code %d" % code
        text = b"The answer ended Python itself (%s)." % how
        return b"wrong", b'{"state": "wrong", "shown": [], "ended": true, "text": "%s"}' % text
    start, _, rest = found.partition(b" ")
    if start != token:
        return b"tampered", b'{"state": "tampered", "shown": [], "text": "the result of a check"}'
    state, _, line = rest.partition(b" ")
    return state, line.replace(b"\n", b"")
