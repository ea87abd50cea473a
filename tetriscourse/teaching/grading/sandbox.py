"""The walls around a submission: bubblewrap when that is installed, and how much a submission may use."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/ld.so.cache",
          "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/fonts", "/etc/localtime")  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """Limits of a submission: seconds for one cell or check, seconds in all, bytes of memory."""

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
        """A sentence for the teacher."""
        if self.bwrap:
            return "Each notebook runs in bubblewrap: no network, no files but Python and the course, nothing written."
        return (
            f"WITHOUT A SANDBOX ({self.reason}): each notebook runs in a process of its own whose Python refuses files "
            "elsewhere, the network and processes, but code that wants to get around that can. Grade only submissions "
            "of people you trust this way, or install bubblewrap."
        )

    @property
    def readable(self) -> list[str]:
        """Folders that a submission may read: the system's libraries, this Python, this package."""
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
