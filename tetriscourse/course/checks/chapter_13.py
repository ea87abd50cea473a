"""Judges of chapter 13: looking ahead."""
