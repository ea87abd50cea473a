"""Players that were kept in files: by `tetriscourse learn --save`, and by `tetriscourse solve --save`."""

from __future__ import annotations

from tetriscourse.checkpoints import checked_path, read
from tetriscourse.errors import InputError
from tetriscourse.mdp.afterstates import NetworkPlayer
from tetriscourse.mdp.optimal import OptimalPlayer
from tetriscourse.mdp.small_tetris import Solution


def load_player(path: str) -> NetworkPlayer | OptimalPlayer:
    """The network in a file, or the optimal player of a solution."""
    about, _ = read(checked_path(path, "player"), "player")
    if "solution" in about:
        return Solution.load(path).player()
    if "player" in about:
        return NetworkPlayer.load(path)
    raise InputError(f"player is {path!r}; the file holds a run, and no player: use learn --save or solve --save")
