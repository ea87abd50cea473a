"""Plausible wrong answers of chapter 14."""

WRONG: dict[str, list[str]] = {}
