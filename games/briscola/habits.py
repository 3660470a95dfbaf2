"""The numbers by which playouts play Briscola, weakest card first: see ``Thrift``.

They were found by tables of numbers playing each other, thousands of times.
"""

from games.briscola.kernel import DECK
from games.mode import Mode
from games.thrift import Habits, Thrift

_FOR_TWO = Thrift(
    DECK,
    drawing=Habits(
        lead_plain=(7.8, -0.7, -0.2, 11.3, -3.9, 26.5, 28.2, 11.0, -20.8, -36.5),
        lead_trump=(-14.2, 1.2, -36.9, -15.7, 22.3, 11.1, 8.2, -9.0, -35.4, -40.9),
        keep_plain=(10.3, 10.4, 10.1, 9.4, 9.6, 11.2, 11.6, 11.9, 12.4, 14.5),
        keep_trump=(17.2, 15.9, 17.5, 15.8, 26.5, 17.2, 19.6, 21.0, 26.3, 33.5),
    ),
    after=Habits(
        lead_plain=(20.1, 11.5, 6.3, 1.2, -18.1, 8.1, 12.7, -16.2, 7.4, 1.5),
        lead_trump=(-11.1, 7.7, -5.4, -29.3, -16.6, -2.0, -2.3, -14.2, -35.7, -15.0),
        keep_plain=(-6.5, -4.9, -6.1, -6.2, -6.8, -7.3, -3.2, -12.4, -8.8, -1.2),
        keep_trump=(1.0, 2.3, -1.2, 2.1, 5.7, -18.3, -2.6, 2.6, 5.5, 16.6),
    ),
)
_IN_TEAMS = Thrift(
    DECK,
    drawing=Habits(
        lead_plain=(-1.7, -1.7, -10.8, -3.9, -6.4, -7.3, 18.9, 13.5, -10.4, -24.3),
        lead_trump=(-14.1, -14.1, -41.7, -10.8, 12.5, 11.3, 10.9, -3.0, -22.5, -49.8),
        keep_plain=(-4.4, -4.4, -3.7, -4.7, -5.1, -4.7, -5.9, -3.9, 0.5, 0.2),
        keep_trump=(18.7, 18.7, 6.7, 9.2, 21.2, 8.5, 9.1, 14.7, 18.7, 33.1),
    ),
    after=Habits(
        lead_plain=(-0.2, -0.2, 6.8, -9.3, -23.6, 9.5, 8.2, -19.0, -3.1, -7.4),
        lead_trump=(11.1, 11.1, 11.7, -27.1, -6.5, 5.9, -0.7, -19.4, -27.1, -22.5),
        keep_plain=(-10.8, -10.8, -6.7, -9.5, 5.8, -11.1, 14.8, -10.6, -6.1, -0.2),
        keep_trump=(5.8, 5.8, -1.1, 0.5, 3.0, -4.1, 4.9, 5.8, 11.4, 23.5),
    ),
)
_EACH_ALONE = Thrift(
    DECK,
    drawing=Habits(
        lead_plain=(4.2, 4.2, -14.9, -4.6, -9.1, 12.8, 26.4, 14.3, -8.4, -25.0),
        lead_trump=(-12.6, -12.6, -39.1, -15.0, 9.7, 10.5, -1.2, 1.5, -22.0, -35.1),
        keep_plain=(1.3, 1.3, -0.8, -7.1, -9.5, -1.0, -4.2, 3.2, -5.4, -1.1),
        keep_trump=(20.2, 20.2, 7.5, 27.0, 33.6, 12.9, 14.3, 21.5, 24.3, 22.5),
    ),
    after=Habits(
        lead_plain=(5.1, 5.1, 0.9, -5.1, -21.9, 12.0, 15.7, -17.8, 6.4, -2.7),
        lead_trump=(5.6, 5.6, 10.7, -23.8, -9.6, 5.4, -5.8, -23.0, -25.7, -29.8),
        keep_plain=(-11.1, -11.1, -10.2, -3.7, 13.7, -14.4, 12.1, -8.9, -13.1, -6.8),
        keep_trump=(-1.9, -1.9, 0.0, 4.6, 4.7, -2.9, 5.6, 10.1, 15.6, 28.2),
    ),
)


def thrift(mode: Mode) -> Thrift:
    """Return the rule by which playouts of this mode are played."""
    if mode.seats == 2:
        return _FOR_TWO
    return _EACH_ALONE if mode.individual else _IN_TEAMS
