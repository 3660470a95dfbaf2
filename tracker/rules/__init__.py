"""The rules for everybody: how to play each game, and its rule book to be searched."""
