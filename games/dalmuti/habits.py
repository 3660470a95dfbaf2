"""The numbers by which playouts are played: see ``Habits``.

They were found by tables of numbers playing each other, thousands of times.
"""

from games.dalmuti.cards import HIGHEST
from games.dalmuti.playout import Habits, Rule

_NEVER = HIGHEST + 1

RULE = Rule(
    Habits(
        by_value=(1.0, 0.1, 0.7, 1.5, 0.2),
        by_count=(0.0, 1.7, 0.0, -0.9, -0.4),
        keep=(1, 1, 1, 1, 1, 1, 1, 1, 3),
        broken=(1, 10, _NEVER),
    )
)
