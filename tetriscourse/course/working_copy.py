"""A working copy of the course, which is updated without touching what a student wrote in it.

A small file in the copy records what was delivered, by a hash of the types and sources of the cells. A notebook that
still has this hash may be replaced by a newer one, whatever its outputs: running a lecture is not writing. Any other
notebook stays as it is, and the newer one is put beside it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from tetriscourse.course.chapters import STEMS, course_files
from tetriscourse.course.renumbering import MOVED, new_name, renumbered
from tetriscourse.errors import InputError, counted
from tetriscourse.files import write_whole

MANIFEST = ".tetriscourse.json"
FOLDERS = ("notebooks", "exercises")  # the folders that a student gets; never the solutions


def students_names(stems: Iterable[str] = STEMS.values()) -> list[str]:
    """The file names of the lectures and exercises of these chapters."""
    return [f"{folder}/{stem}.ipynb" for stem in stems for folder in FOLDERS]


def students_files(top: Path, stems: Iterable[str]) -> dict[str, bytes]:
    """The lectures and exercises of these chapters, as far as they exist, by name."""
    return {name: (top / name).read_bytes() for name in students_names(stems) if (top / name).is_file()}


def fingerprint(name: str, content: bytes) -> str:
    """A hash of a notebook's cells without their outputs; of the whole file if it is not a valid notebook."""
    if name.endswith(".ipynb"):
        try:
            cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(content)["cells"]]
            return sha256(json.dumps(cells).encode()).hexdigest()
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
    return sha256(content).hexdigest()


@dataclass
class Manifest:
    """A record of what was delivered into a folder: fingerprints by name, and the kind and chapters of a release."""

    delivered: dict[str, str] = field(default_factory=dict)
    release: str | None = None
    only: list[str] | None = None

    @staticmethod
    def of(folder: Path) -> Manifest:
        """The one in this folder; empty if it is missing or damaged."""
        try:
            found: Any = json.loads((folder / MANIFEST).read_text("utf-8"))
            only = found.get("only")
            return Manifest(dict(found["delivered"]), found.get("release"), None if only is None else list(only))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return Manifest()

    def as_bytes(self) -> bytes:
        """The contents of its file."""
        known = {name: value for name, value in vars(self).items() if value is not None}
        return (json.dumps(known, indent=1, sort_keys=True) + "\n").encode()


@dataclass
class Changes:
    """The effects of a delivery, by file name."""

    copied: list[str] = field(default_factory=list)
    back: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    beside: list[tuple[str, str]] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The changes in words."""
        said = [("new", self.copied), ("restored", self.back), ("updated", self.updated),
                ("no longer part of it, removed", self.removed)]  # fmt: skip
        kept = [f"{old} is {new} now: the chapter has another number" for old, new in self.moved]
        kept += [f"{old} has your changes and was kept; the new version is {new}" for old, new in self.beside]
        listed = ((what, ", ".join(names) if len(names) <= 4 else counted(len(names), "file")) for what, names in said)
        return [f"{what}: {text}" for what, text in listed if text] + kept


def deliver(files: Mapping[str, bytes], folder: Path, manifest: Manifest) -> Changes:
    """Write the files that are new, missing or unchanged since they were delivered; keep all others."""
    changes = Changes()
    try:
        for name, content in sorted(files.items()):
            deliver_one(name, content, folder, manifest, changes)
        write(folder / MANIFEST, manifest.as_bytes())
    except OSError as error:
        raise InputError(f"{error.filename} cannot be used: {error.strerror}") from None
    return changes


def deliver_one(name: str, content: bytes, folder: Path, manifest: Manifest, changes: Changes) -> None:
    """Bring one file up to date, and record how."""
    newest, last = fingerprint(name, content), manifest.delivered.get(name)
    if not os.path.lexists(folder / name):
        write(folder / name, content)
        (changes.copied if last is None else changes.back).append(name)
    elif (present := fingerprint(name, (folder / name).read_bytes())) == newest:
        pass
    elif present == last:
        write(folder / name, content)
        changes.updated.append(name)
    elif newest != last:
        beside = free_name(name, newest, folder, manifest)
        write(folder / beside, content)
        manifest.delivered[beside] = newest
        changes.beside.append((name, beside))
    manifest.delivered[name] = newest


def free_name(name: str, newest: str, folder: Path, manifest: Manifest) -> str:
    """The name for a newer version: NAME.new.ipynb, or NAME.new-2.ipynb if a student has written in that, and so on."""
    stem, dot, ending = name.rpartition(".")
    count = 1
    while True:
        beside = f"{stem}.new{f'-{count}' if count > 1 else ''}{dot}{ending}"
        path = folder / beside
        untouched = (newest, manifest.delivered.get(beside))
        if not os.path.lexists(path) or (path.is_file() and fingerprint(beside, path.read_bytes()) in untouched):
            return beside
        count += 1


def write(path: Path, content: bytes) -> None:
    """Write a file, and create its folder if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def bring_up_to_date(folder: Path, top: Path | None = None) -> Changes:
    """Create a working copy, or bring in what is new; a hand-out keeps to its own chapters."""
    manifest = Manifest.of(folder)
    moved = move_renumbered(folder, manifest)
    stems = [stem for stem in STEMS.values() if manifest.only is None or stem in manifest.only]
    files = students_files(top or course_files(), stems)
    if not files:
        raise InputError("the notebooks of the course are missing; install tetriscourse again, or build them")
    changes = deliver(files, folder, manifest)
    changes.moved = moved
    return changes


def move_renumbered(folder: Path, manifest: Manifest) -> list[tuple[str, str]]:
    """Give the notebooks of chapters with another number than before their new names; a student's keep their answers.

    Only exercises that were written in are rewritten, with the new numbers in their headings, checks and hints; any
    others are replaced when they are delivered. Nothing is moved onto a file that exists.
    """
    moved = []
    for path in sorted(path for stem in MOVED for kind in FOLDERS for path in (folder / kind).glob(f"{stem}*.ipynb")):
        old = path.relative_to(folder).as_posix()
        new = new_name(old)
        if os.path.lexists(folder / new) or not path.is_file():
            continue
        content = path.read_bytes()
        if fingerprint(old, content) != manifest.delivered.get(old):
            write(path, renumbered(content))
        path.rename(folder / new)
        moved.append((old, new))
        if old in manifest.delivered:
            manifest.delivered[new] = manifest.delivered.pop(old)
    if manifest.only is not None:
        manifest.only = [new_name(stem) for stem in manifest.only]
    return moved
