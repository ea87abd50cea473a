"""Checkpoints: a run as data in one file (npz, no pickle), replaced whole or not at all."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown
from tetriscourse.files import write_whole

FORMAT = "tetriscourse checkpoint 1"
DIGEST_SIZE = 64
SECONDS_BETWEEN_WRITES = 1.0
Description = dict[str, Any]


class Checkpoint:
    """The file of a run; without a path, nothing is stored."""

    def __init__(self, path: str | Path | None, resume: bool = False):
        if path is None and resume:
            raise InputError("resume is True; it needs a checkpoint to go on from")
        self.path = None if path is None else checked_path(path)
        self.exists = self.path is not None and self.path.exists()
        if self.exists and not resume:
            raise InputError(f"checkpoint is {str(path)!r}; the file exists: resume it, or choose another name")
        self.written = 0.0

    def read(self, wanted: Description) -> dict[str, Any]:
        """The arrays in the file, which must belong to this run; none if there is no file yet."""
        if self.path is None or not self.exists:
            return {}
        found, arrays = read(self.path)
        for name, there, here in different_entries(found, wanted):
            raise InputError(
                f"checkpoint is {str(self.path)!r}; it belongs to another run: "
                f"{name} is {shown(there)} there and {shown(here)} here"
            )
        return arrays

    def is_due(self) -> bool:
        """Whether it is time to write the file again."""
        return self.path is not None and time.monotonic() - self.written > SECONDS_BETWEEN_WRITES

    def write(self, description: Description, arrays: Mapping[str, Any]) -> None:
        """Store a run."""
        if self.path is not None:
            write(self.path, description, arrays)
            self.written = time.monotonic()


def checked_path(given: object, argument: str = "checkpoint") -> Path:
    """The path of a file, existing or not."""
    if not isinstance(given, str | Path) or "\0" in str(given):
        raise InputError(f"{argument} is {shown(given)}; it must be the name of a file")
    path = Path(given)
    try:
        is_folder = path.is_dir()
    except OSError as error:  # a name too long, a folder that may not be entered
        raise InputError(f"{argument} is {shown(str(path))}; it must be a file: {error.strerror or error}") from None
    if is_folder:
        raise InputError(f"{argument} is {str(given)!r}; it must be a file, and this is a folder")
    return path


def write(path: Path, description: Description, arrays: Mapping[str, Any], argument: str = "checkpoint") -> None:
    """Store a run; a reader finds the old run or the new one, never a mixture."""
    text = json.dumps({"format": FORMAT, "version": version("tetriscourse"), "run": description})
    content = packed({"description": np.frombuffer(text.encode(), np.uint8), **arrays})
    try:
        write_whole(path, content)
    except OSError as error:
        raise InputError(f"{argument} is {str(path)!r}; it cannot be written: {error.strerror or error}") from None


def packed(arrays: Mapping[str, Any]) -> bytes:
    """An npz file that ends with its own digest; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
            # A fixed date, since the default is the current time.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
        archive.comment = bytes(DIGEST_SIZE)
    content = buffer.getvalue()[:-DIGEST_SIZE]
    return content + digest(content)


def digest(content: bytes) -> bytes:
    """A digest that tells this content from any other."""
    return sha256(content).hexdigest().encode()


def read(path: Path, argument: str = "checkpoint") -> tuple[Description, dict[str, Any]]:
    """A stored run: its description and its arrays."""
    try:
        arrays = unpacked(path.read_bytes())
        header = json.loads(arrays.pop("description").tobytes())
    except OSError as error:
        raise InputError(f"{argument} is {str(path)!r}; it cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, ValueError, KeyError):
        wrong = "the file is damaged, or not a checkpoint of tetriscourse"
        raise InputError(f"{argument} is {str(path)!r}; {wrong}") from None
    here = version("tetriscourse")
    if header["format"] != FORMAT or header["version"] != here:
        raise InputError(
            f"{argument} is {str(path)!r}; it was written by version {header['version']}, and only that version can "
            f"go on with it (this is {here})"
        )
    return header["run"], arrays


def handed_on(source: Path, target: Path) -> None:
    """Write a run that comes with the package as a checkpoint of this version, which must go on with it unchanged."""
    arrays = unpacked(source.read_bytes())
    write(target, json.loads(arrays.pop("description").tobytes())["run"], arrays)


def unpacked(content: bytes) -> dict[str, Any]:
    """The arrays of an npz file whose bytes are all as written."""
    if digest(content[:-DIGEST_SIZE]) != content[-DIGEST_SIZE:]:
        raise ValueError("another digest")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
            for name in archive.namelist()
        }


def different_entries(there: Any, here: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The entries in which two descriptions differ: name, there, here."""
    if isinstance(there, list) and isinstance(here, list):
        there, here = dict(enumerate(there)), dict(enumerate(here))
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *(key for key in here if key not in there)]:
            yield from different_entries(there.get(key), here.get(key), f"{name}.{key}" if name else str(key))
    elif there != here:
        yield name, there, here
