"""The judges of chapter 02."""
