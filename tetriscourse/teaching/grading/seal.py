"""Inside the process that runs a submission: notice what was replaced, and refuse what no exercise needs.

A seal remembers every function, class and table of the course and of numpy before the first cell runs, and names
the first that is another one later. The guard is an audit hook: it refuses to open files elsewhere, to reach the
network, and to start or signal processes. Python cannot be locked up from within; the sandbox around it can.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

PLAIN = ("builtins", "contextlib", "copy", "dataclasses", "functools", "io", "json", "math", "os", "posixpath",
         "secrets", "select", "signal", "_signal", "threading", "time", "types")  # fmt: skip
"""Modules of the standard library that judges, and what runs them, stand on."""

Watched = tuple[str, Mapping[Any, Any], Any, Any, list[tuple[FunctionType, Any, Any, Any]]]
"""A name for people, where the thing is kept, under which key, the thing, and the code of its functions."""


def seal(free: list[bool] | None = None) -> Callable[[], str]:
    """Remember how everything is now; what is returned names the first thing that has changed since, or nothing."""
    switch = [True] if free is None else free
    modules = {name: module for name, module in sys.modules.items() if is_watched(module)}
    watched = [one for module in modules.values() for one in things_of(module)]
    watched += [entry(f"the module {name}", sys.modules, name) for name in modules]

    def compared() -> str:
        # Without a name that is looked up outside of here: a cell could have replaced what it means.
        for label, holder, key, value, functions in watched:
            if holder.get(key) is not value:
                return label
            for one, code, defaults, named in functions:
                if one.__code__ is not code or one.__defaults__ is not defaults or one.__kwdefaults__ is not named:
                    return label
        return ""

    def broken() -> str:
        switch[0] = True  # the guard would ask at each function who looks into it
        try:
            return compared()
        finally:
            switch[0] = False

    return broken


def is_watched(module: Any) -> bool:
    """Whether judges depend on a module."""
    name = getattr(module, "__name__", "")
    return isinstance(module, ModuleType) and name.split(".")[0] in (*PLAIN, "tetriscourse", "numpy")


def things_of(module: ModuleType) -> Iterator[Watched]:
    """The functions, classes, constants and tables of a module, and what these consist of."""
    ours = module.__name__.startswith("tetriscourse")
    course = module.__name__.startswith(("tetriscourse.course", "tetriscourse.teaching"))
    for name, value in list(vars(module).items()):
        label = f"{module.__name__}.{name}"
        if callable(value) or isinstance(value, ModuleType | dict) or name.isupper():
            yield entry(label, vars(module), name)
        if isinstance(value, type) and value.__module__ == module.__name__:
            parts = [key for key, part in vars(value).items() if is_code(part) or (course and not key.startswith("_"))]
            yield from (entry(f"{label}.{key}", vars(value), key) for key in parts)
        if ours and isinstance(value, dict) and not name.startswith("__"):
            for key, one in value.items():
                yield entry(f"{label}[{key!r}]", value, key)
                if type(one).__module__.startswith("tetriscourse") and hasattr(one, "__dict__"):
                    yield from (entry(f"{label}[{key!r}].{part}", vars(one), part) for part in vars(one))


def entry(label: str, holder: Mapping[Any, Any], key: Any) -> Watched:
    """One thing to remember."""
    value = holder[key]
    return label, holder, key, value, [(one, *inside(one)) for one in functions_of(value)]


def is_code(value: Any) -> bool:
    """Whether an attribute of a class is something that runs."""
    return callable(value) or isinstance(value, property | classmethod | staticmethod) or hasattr(value, "func")


def functions_of(value: Any) -> list[FunctionType]:
    """The functions that a function, property or wrapper runs."""
    parts = [value, *(vars_of(value, name) for name in ("fget", "__func__", "__wrapped__", "func", "py_func"))]
    return [part for part in parts if isinstance(part, FunctionType)]


def vars_of(value: Any, name: str) -> Any:
    """An attribute of something that is not a class or module; none when there is none."""
    return None if isinstance(value, type | ModuleType) else getattr(value, name, None)


def inside(function: FunctionType) -> tuple[Any, Any, Any]:
    """Everything that determines what a function does."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


REACHING = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
            "socket.gethostbyname", "socket.gethostbyaddr")  # fmt: skip
STARTING = ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen",
            "pty.spawn", "os.kill", "os.killpg", "signal.pthread_kill")  # fmt: skip
SPYING = ("sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile",
          "object.__getattr__", "object.__setattr__", "gc.get_objects", "gc.get_referrers", "gc.get_referents",
          "ctypes.dlopen", "ctypes.dlsym", "ctypes.string_at", "ctypes.cdata", "code.__new__",
          "marshal.loads")  # fmt: skip
PASSING_ON = ("/inspect.py", "/traceback.py", "/ctypes/__init__.py", "/logging/__init__.py", "/string.py", "/bdb.py")
CHANGING = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown",
            "os.truncate", "os.utime", "os.setxattr", "shutil.rmtree", "shutil.move", "shutil.copyfile")  # fmt: skip
LISTING = ("os.listdir", "os.scandir", "sqlite3.connect")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def guard(readable: Sequence[str], hidden: Sequence[str], writable: Sequence[str]) -> tuple[list[str], list[bool]]:
    """Refuse files elsewhere, the network and processes: what was refused, and a switch for the runner's own forks."""
    refusals: list[str] = []
    free = [False]
    ours: dict[str, bool] = {}
    read, hide, write = (tuple(os.path.realpath(one) for one in many) for many in (readable, hidden, writable))
    below, resolved, looking, folder = within, os.path.realpath, caller, os.path.isdir

    def trusted(name: str) -> bool:
        if name not in ours:  # asked thousands of times by compilers, hence remembered
            ours[name] = name.startswith("<frozen") or below(resolved(name), read)
        return ours[name]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if free[0]:
            return
        if event in STARTING or event in REACHING:
            refuse("the network" if event in REACHING else "other processes", event)
        elif event in SPYING or (event == "compile" and isinstance(arguments[1], str) and trusted(arguments[1])):
            free[0] = True  # looking for the caller is spying, too
            name = looking()
            free[0] = False
            if not trusted(name):
                refuse("looking behind the scenes", event)
        elif event == "open":
            changes = bool((arguments[2] or 0) & WRITING)
            look(arguments[0], write if changes else read + write, "writing" if changes else "reading")
        elif event in LISTING:
            look(arguments[0], read + write, "reading", quiet=True)
        elif event in CHANGING:
            for path in arguments[:2]:
                look(path, write, "writing")

    def look(path: Any, roots: tuple[str, ...], doing: str, quiet: bool = False) -> None:
        if not isinstance(path, str | bytes | os.PathLike):  # a descriptor, or a mode
            return
        real = resolved(os.fsdecode(path))
        memory = real.startswith("/proc/") and real.endswith("/mem")
        if real == os.devnull or (below(real, roots) and not below(real, hide) and not memory):
            return
        # Looking for modules lists folders that cannot be seen here; that is not the student's doing.
        refuse(f"{doing} outside the working folder", real, quiet or folder(real))

    def refuse(what: str, detail: str, quiet: bool = False) -> None:
        if not quiet and len(refusals) < 20:
            refusals.append(f"{what} ({detail[:300]})")
        raise PermissionError(f"not allowed while grading: {what} ({detail})")

    bind_signals(refuse)
    logging._srcfile = None  # else writing to a log would look for its caller, too
    sys.addaudithook(hook)
    return refusals, free


def bind_signals(refuse: Callable[[str, str], None]) -> None:
    """Let only this package handle signals: a handler is handed the frame that it interrupts."""
    basis: Any = sys.modules["_signal"]  # what the module signal stands on
    handle, package, plain = basis.signal, str(Path(__file__).parents[2]), FunctionType
    below, resolved = within, os.path.realpath
    usual = [signal.SIG_DFL, signal.SIG_IGN, basis.default_int_handler, signal.default_int_handler]

    def guarded(number: int, handler: Any) -> Any:
        ours = type(handler) is plain and below(resolved(handler.__code__.co_filename), (package,))
        if not ours and type(handler) is not int and not any(handler is one for one in usual):
            refuse("looking behind the scenes", "a handler of signals")
        return handle(number, handler)

    basis.signal = guarded


def caller() -> str:
    """The file of the code whose doing is looked at; modules that only pass frames on do not count."""
    frame = sys._getframe(2)
    while frame.f_back and frame.f_code.co_filename.endswith(PASSING_ON):
        frame = frame.f_back
    return frame.f_code.co_filename


def within(path: str, roots: Sequence[str]) -> bool:
    """Whether a path is one of the folders or below."""
    return any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)
