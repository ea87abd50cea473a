"""Deep Q-learning: a neural network in place of the table."""
