"""Judges of chapter 14: learning a policy."""
