"""Watch any game or player, move by move."""
