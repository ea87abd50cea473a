"""The `tetriscourse` command: one module per sub-command."""

from tetriscourse.cli.command import main

__all__ = ["main"]
