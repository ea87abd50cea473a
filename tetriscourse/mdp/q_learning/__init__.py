"""Q-learning with a table."""
