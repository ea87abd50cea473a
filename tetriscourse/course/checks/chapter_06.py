"""The judges of chapter 06."""
