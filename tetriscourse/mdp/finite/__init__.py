"""Finite Markov decision processes: Bellman's equations, small worlds, and Tetris on a very small board."""
