"""The judges of chapter 00."""
