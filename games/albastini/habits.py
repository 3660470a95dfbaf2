"""The numbers by which playouts play Albastini, weakest card first: see ``Thrift``.

They were found by tables of numbers playing each other, two at a table.
"""

from games.albastini.kernel import DECK
from games.thrift import Habits, Thrift

_DRAWING = Habits(
    lead_plain=(-1.1, -29.5, -13.4, -8.2, 11.0, 6.9, 17.0, -17.4, -23.7),
    lead_trump=(1.6, -36.3, -17.7, 2.3, 2.5, 12.0, -1.0, -22.7, -30.9),
    keep_plain=(-4.1, -2.7, -6.3, -4.9, -0.6, -1.3, -2.4, 2.4, 2.6),
    keep_trump=(2.3, 17.5, 14.6, 30.0, 5.4, 11.5, 11.7, 18.6, 26.4),
)
_AFTER = Habits(
    lead_plain=(9.4, -4.1, 1.7, -23.6, 14.7, 11.0, -15.3, 9.4, 1.6),
    lead_trump=(4.4, -1.2, -28.0, -3.8, 0.8, -5.7, -19.1, -29.5, -23.3),
    keep_plain=(-1.6, -4.9, -1.1, 17.2, -13.2, 9.5, -13.6, -3.5, 3.6),
    keep_trump=(3.8, 6.8, 3.8, -0.4, -4.1, 5.4, 1.0, 2.8, 18.3),
)
PLAYOUT = Thrift(DECK, drawing=_DRAWING, after=_AFTER)
