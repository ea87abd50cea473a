"""Tune: sliders for weights, a game that follows them, and the scores of many games."""
