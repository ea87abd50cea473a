"""Output that several sub-commands share: rows, lists of settings, durations, and messages on stderr."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import fields
from typing import Any


def is_talkative(options: argparse.Namespace) -> bool:
    """Whether timings go to stderr."""
    return not (options.quiet or options.json)


def shows_progress(options: argparse.Namespace) -> bool:
    """Whether progress bars go to stderr, which needs a terminal."""
    return is_talkative(options) and sys.stderr.isatty()


def say(text: str) -> None:
    """Print a message to stderr."""
    print(text, file=sys.stderr)


def say_interrupted(after: str, checkpoint: object) -> int:
    """Say that a run was interrupted and how to continue it; returns the exit code."""
    resume = f"; {checkpoint} holds the run: repeat the command with --resume to continue" if checkpoint else ""
    say(f"tetriscourse: interrupted{after}{resume}")
    return 130


def in_rows(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what belongs to each, one pair per line."""
    return "\n".join(f"{name:12} {text}" for name, text in rows)


def settings_list(method: str, settings: Any) -> str:
    """Every setting of a method with its meaning and default."""
    rows = [
        f"  {one.name:26} {one.metadata['text']} (default: {getattr(settings, one.name)})" for one in fields(settings)
    ]
    return "\n".join([f"settings of {method}, for --set NAME=VALUE", *rows])


def duration(seconds: float) -> str:
    """A time the way people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
