"""The judges of chapter 05."""
