"""Tetris for Gymnasium: importing this registers the environment "tetriscourse/Tetris-v0".

    import gymnasium
    import tetriscourse.gym

    env = gymnasium.make("tetriscourse/Tetris-v0", rules="10x10", actions="placements")
    envs = gymnasium.make_vec("tetriscourse/Tetris-v0", num_envs=1024, rules="10x10")

`Tetris` (environment.py) explains actions, observations and arguments; `TetrisVector` (vector.py) plays many games at
once. `gymnasium.make("tetriscourse.gym:tetriscourse/Tetris-v0")` works without the second import.
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError:
    raise ImportError('gymnasium is not installed; get it with: pip install "tetriscourse[gym]"') from None

NAME = "tetriscourse/Tetris-v0"

if NAME not in gymnasium.registry:
    gymnasium.register(
        NAME,
        entry_point="tetriscourse.gym.environment:Tetris",
        vector_entry_point="tetriscourse.gym.vector:TetrisVector",
    )
