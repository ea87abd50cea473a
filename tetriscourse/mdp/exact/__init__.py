"""Small Tetris solved exactly: every board, its value, the best player and how far others fall short."""
