"""The numbers by which playouts play Albastini, weakest card first: see ``Thrift``.

They were found by tables of numbers playing each other, two at a table.
"""

from games.albastini.kernel import DECK
from games.thrift import Habits, Thrift

_DRAWING = Habits(
    lead_plain=(2.7, -18.2, -8.4, -5.4, 7.8, 19.7, 9.5, -11.1, -25.8),
    lead_trump=(-11.1, -43.4, -16.2, 13.6, 11.6, 6.7, -1.7, -19.6, -37.3),
    keep_plain=(-3.2, -2.6, -3.7, -4.8, -5.3, -2.1, -3.5, 1.9, -0.2),
    keep_trump=(19.8, 15.9, 9.8, 27.6, 7.1, 11.0, 11.3, 17.6, 27.1),
)
_AFTER = Habits(
    lead_plain=(12.2, 3.2, -6.3, -23.9, 13.0, 12.3, -14.5, -1.0, -4.3),
    lead_trump=(7.2, 5.2, -26.9, -9.3, 2.7, -3.4, -24.3, -24.9, -18.5),
    keep_plain=(-13.5, -8.1, -1.8, 12.3, -11.4, 16.2, -10.9, -8.7, 4.2),
    keep_trump=(0.2, 4.2, 4.6, 4.7, -4.3, 2.8, 4.1, 8.9, 19.9),
)
PLAYOUT = Thrift(DECK, drawing=_DRAWING, after=_AFTER)
