"""Panels in which somebody learns to decide: Bellman, Q-learning, deep Q-learning."""
