"""Opponents: each a function of what its seat sees, its own dice, and a budget."""

from games.briscola.beginner import beginner
from games.briscola.steady import steady
from games.briscola.strong import strong

__all__ = ["beginner", "steady", "strong"]
