"""The `tetriscourse` command, a module a sub-command."""

from tetriscourse.cli.command import main

__all__ = ["main"]
