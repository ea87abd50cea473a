"""Plausible wrong answers of chapter 13."""

WRONG: dict[str, list[str]] = {}
