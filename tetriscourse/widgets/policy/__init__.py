"""Policy: probabilities of moves, their gradients, and what a step changes."""
