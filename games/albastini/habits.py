"""The numbers by which playouts play Albastini, weakest card first: see ``Thrift``.

They were found by tables of numbers playing each other, thousands of times.
"""

from games.albastini.kernel import DECK
from games.mode import Mode
from games.thrift import Habits, Thrift

_FOR_TWO = Thrift(
    DECK,
    drawing=Habits(
        lead_plain=(2.7, -18.2, -8.4, -5.4, 7.8, 19.7, 9.5, -11.1, -25.8),
        lead_trump=(-11.1, -43.4, -16.2, 13.6, 11.6, 6.7, -1.7, -19.6, -37.3),
        keep_plain=(-3.2, -2.6, -3.7, -4.8, -5.3, -2.1, -3.5, 1.9, -0.2),
        keep_trump=(19.8, 15.9, 9.8, 27.6, 7.1, 11.0, 11.3, 17.6, 27.1),
    ),
    after=Habits(
        lead_plain=(12.2, 3.2, -6.3, -23.9, 13.0, 12.3, -14.5, -1.0, -4.3),
        lead_trump=(7.2, 5.2, -26.9, -9.3, 2.7, -3.4, -24.3, -24.9, -18.5),
        keep_plain=(-13.5, -8.1, -1.8, 12.3, -11.4, 16.2, -10.9, -8.7, 4.2),
        keep_trump=(0.2, 4.2, 4.6, 4.7, -4.3, 2.8, 4.1, 8.9, 19.9),
    ),
)
_FOR_MORE = Thrift(
    DECK,
    drawing=Habits(
        lead_plain=(-1.7, -10.8, -3.9, -6.4, -7.3, 18.9, 13.5, -10.4, -24.3),
        lead_trump=(-14.1, -41.7, -10.8, 12.5, 11.3, 10.9, -3.0, -22.5, -49.8),
        keep_plain=(-4.4, -3.7, -4.7, -5.1, -4.7, -5.9, -3.9, 0.5, 0.2),
        keep_trump=(18.7, 6.7, 9.2, 21.2, 8.5, 9.1, 14.7, 18.7, 33.1),
    ),
    after=Habits(
        lead_plain=(-0.2, 6.8, -9.3, -23.6, 9.5, 8.2, -19.0, -3.1, -7.4),
        lead_trump=(11.1, 11.7, -27.1, -6.5, 5.9, -0.7, -19.4, -27.1, -22.5),
        keep_plain=(-10.8, -6.7, -9.5, 5.8, -11.1, 14.8, -10.6, -6.1, -0.2),
        keep_trump=(5.8, -1.1, 0.5, 3.0, -4.1, 4.9, 5.8, 11.4, 23.5),
    ),
)


def thrift(mode: Mode) -> Thrift:
    """Return the rule by which playouts of this mode are played."""
    return _FOR_TWO if mode.seats == 2 else _FOR_MORE
