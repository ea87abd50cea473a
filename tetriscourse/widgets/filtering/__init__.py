"""Filter: criteria in order, and the moves that survive each."""
