"""Public pages of the rules: how to play each game, and its searchable rule book."""
