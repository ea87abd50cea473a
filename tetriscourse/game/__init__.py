"""Tetris itself: pieces, boards, rules, moves and the engine, written to be read."""
