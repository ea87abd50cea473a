"""Panels about learning to decide: Bellman, Q-learning, deep Q-learning."""
