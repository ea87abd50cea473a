"""The judges of chapter 03."""
