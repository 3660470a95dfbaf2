"""Opponents: each a function of what its seat sees, its own dice, and a budget."""

from games.mambassa.beginner import beginner

__all__ = ["beginner"]
