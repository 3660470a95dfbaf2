"""Opponents: each a function of what its seat sees, its own dice, and a budget."""

from games.dalmuti.beginner import beginner
from games.dalmuti.seed_bots import original_code, readme
from games.dalmuti.steady import steady
from games.dalmuti.strong import strong

__all__ = ["beginner", "original_code", "readme", "steady", "strong"]
