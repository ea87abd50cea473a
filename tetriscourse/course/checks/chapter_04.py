"""The judges of chapter 04."""
