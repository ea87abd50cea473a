"""Checkpoints: a run as data in one file, npz without pickle, replaced as a whole or not at all."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown

FORMAT = "tetriscourse checkpoint 1"
Description = dict[str, Any]


def write(path: Path, description: Description, arrays: Mapping[str, Any]) -> None:
    """Store a run; whoever reads the file meets the old run or the new one, never a mixture."""
    text = json.dumps({"format": FORMAT, "version": version("tetriscourse"), "run": description})
    content = packed({"description": np.frombuffer(text.encode(), np.uint8), **arrays})
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"checkpoint is {str(path)!r}; it cannot be written: {error.strerror or error}") from None


def packed(arrays: Mapping[str, Any]) -> bytes:
    """An npz file; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
            # A fixed date: the default is the present time.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    return buffer.getvalue()


def read(path: Path) -> tuple[Description, dict[str, Any]]:
    """A stored run: its description and its arrays."""
    try:
        with zipfile.ZipFile(path) as archive:
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
            }
    except OSError as error:
        raise InputError(f"checkpoint is {str(path)!r}; it cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, ValueError, EOFError, KeyError):
        raise InputError(f"checkpoint is {str(path)!r}; the file is damaged or no checkpoint") from None
    try:
        header = json.loads(arrays.pop("description").tobytes())
        form, made_by, run = header["format"], header["version"], header["run"]
    except (KeyError, ValueError, TypeError):
        raise InputError(f"checkpoint is {str(path)!r}; the file is no checkpoint of tetriscourse") from None
    here = version("tetriscourse")
    if form != FORMAT or made_by != here:
        raise InputError(
            f"checkpoint is {str(path)!r}; it was written by version {made_by}, and only that version can go on "
            f"with it (this is {here})"
        )
    return run, arrays


def check_same(path: Path, found: Description, wanted: Description) -> None:
    """An error that names the first difference between the stored run and the one that was asked for."""
    for name, there, here in differences(found, wanted):
        raise InputError(
            f"checkpoint is {str(path)!r}; it belongs to another run: "
            f"{name} is {shown(there)} there and {shown(here)} here"
        )


def differences(there: Any, here: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """What differs between two descriptions, by name."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *(key for key in here if key not in there)]:
            yield from differences(there.get(key), here.get(key), f"{name}.{key}" if name else key)
    elif there != here:
        yield name, there, here
