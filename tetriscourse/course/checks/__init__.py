"""The judges of the exercises, one module a chapter."""
