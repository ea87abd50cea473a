"""Judges of the exercises, a module for each chapter, and what several of them need."""
