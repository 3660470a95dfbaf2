"""The numbers by which playouts are played."""

from games.dalmuti.rule import Habits, Rule

RULE = Rule(
    Habits(
        by_value=(1, -1, 0.5, 1),
        by_count=(0, 0, 0, 0),
        keep=(1, 1, 1, 2, 2, 2, 2, 3),
        broken=(1, 1, 8, 8),
    )
)
