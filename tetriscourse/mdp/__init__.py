"""Decisions over time: finite MDPs, small Tetris solved exactly, Q-learning with a table and with a network."""
