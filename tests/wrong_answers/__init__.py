"""Plausible wrong answers to every checked exercise, one module a chapter."""
