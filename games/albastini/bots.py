"""Opponents: each a function of what its seat sees, its own dice, and a budget."""

from games.albastini.beginner import beginner
from games.albastini.steady import steady
from games.albastini.strong import strong

__all__ = ["beginner", "steady", "strong"]
