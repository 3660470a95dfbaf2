"""Opponents: each a function of what its seat sees, its own dice, and a budget."""

from games.mambassa.beginner import beginner
from games.mambassa.steady import steady
from games.mambassa.strong import strong

__all__ = ["beginner", "steady", "strong"]
