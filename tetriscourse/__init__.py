"""tetriscourse."""
