"""The numbers by which playouts play Mambassa: how often another hand is lower at the end.

They were counted over deals in which everybody at the table went by them; three at a
table or eight make little difference.
"""

from functools import cache

from games.game import Options
from games.mambassa.playout import Rule
from games.mambassa.worth import QUARANTUNA, Ranks, ranks

ENOUGH = 0.93  # the chance with which playouts stand

# By points, from 0 to 38.
_POINTS = (
    0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.001, 0.001,
    0.001, 0.002, 0.003, 0.004, 0.005, 0.007, 0.009, 0.013, 0.019, 0.025,
    0.033, 0.046, 0.062, 0.075, 0.096, 0.118, 0.142, 0.171, 0.200, 0.226,
    0.251, 0.279, 0.315, 0.341, 0.362, 0.377, 0.382, 0.390, 0.402,
)  # fmt: skip
# By class above the points: its lowest hand, its highest, and how many steps lie between.
_ABOVE = ((0.41, 0.60, 40), (0.61, 0.86, 10), (0.87, 0.955, 40), (0.955, 0.98, 9))


def rule(options: Options, players: int, enough: float = ENOUGH) -> Rule:
    """Return the rule by which playouts of this house, for so many, are played."""
    return _rule(ranks(options), players, enough)


@cache
def _rule(house: Ranks, players: int, enough: float) -> Rule:
    return Rule(house, chances(players), enough)


@cache
def chances(players: int) -> list[float]:
    """Return by its worth how often a hand is not the lowest of so many."""
    lower = [*_POINTS, *[_POINTS[-1]] * (100 - len(_POINTS))]
    for least, most, steps in _ABOVE:
        lower += [least + (most - least) * min(step / steps, 1.0) for step in range(100)]
    lower += [1.0] * (200 + QUARANTUNA - len(lower))
    return [1 - (1 - share) ** (players - 1) for share in lower]
