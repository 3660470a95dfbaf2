"""Kernel: a hand of Albastini as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.albastini.cards import PACK
from games.bots.playout_policy import CardWeights, PolicyWeights
from games.bots.trick_kernel import TrickKernel

# By strength, weakest card first; found by tables of weights playing each other, again and again.
_FOR_TWO = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(2.7, -18.2, -8.4, -5.4, 7.8, 19.7, 9.5, -11.1, -25.8),
        lead_trump=(-11.1, -43.4, -16.2, 13.6, 11.6, 6.7, -1.7, -19.6, -37.3),
        keep_plain=(-3.2, -2.6, -3.7, -4.8, -5.3, -2.1, -3.5, 1.9, -0.2),
        keep_trump=(19.8, 15.9, 9.8, 27.6, 7.1, 11.0, 11.3, 17.6, 27.1),
    ),
    after=CardWeights(
        lead_plain=(12.2, 3.2, -6.3, -23.9, 13.0, 12.3, -14.5, -1.0, -4.3),
        lead_trump=(7.2, 5.2, -26.9, -9.3, 2.7, -3.4, -24.3, -24.9, -18.5),
        keep_plain=(-13.5, -8.1, -1.8, 12.3, -11.4, 16.2, -10.9, -8.7, 4.2),
        keep_trump=(0.2, 4.2, 4.6, 4.7, -4.3, 2.8, 4.1, 8.9, 19.9),
    ),
)
_IN_TEAMS = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(-1.7, -10.8, -3.9, -6.4, -7.3, 18.9, 13.5, -10.4, -24.3),
        lead_trump=(-14.1, -41.7, -10.8, 12.5, 11.3, 10.9, -3.0, -22.5, -49.8),
        keep_plain=(-4.4, -3.7, -4.7, -5.1, -4.7, -5.9, -3.9, 0.5, 0.2),
        keep_trump=(18.7, 6.7, 9.2, 21.2, 8.5, 9.1, 14.7, 18.7, 33.1),
    ),
    after=CardWeights(
        lead_plain=(-0.2, 6.8, -9.3, -23.6, 9.5, 8.2, -19.0, -3.1, -7.4),
        lead_trump=(11.1, 11.7, -27.1, -6.5, 5.9, -0.7, -19.4, -27.1, -22.5),
        keep_plain=(-10.8, -6.7, -9.5, 5.8, -11.1, 14.8, -10.6, -6.1, -0.2),
        keep_trump=(5.8, -1.1, 0.5, 3.0, -4.1, 4.9, 5.8, 11.4, 23.5),
    ),
)
_EACH_ALONE = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(4.2, -14.9, -4.6, -9.1, 12.8, 26.4, 14.3, -8.4, -25.0),
        lead_trump=(-12.6, -39.1, -15.0, 9.7, 10.5, -1.2, 1.5, -22.0, -35.1),
        keep_plain=(1.3, -0.8, -7.1, -9.5, -1.0, -4.2, 3.2, -5.4, -1.1),
        keep_trump=(20.2, 7.5, 27.0, 33.6, 12.9, 14.3, 21.5, 24.3, 22.5),
    ),
    after=CardWeights(
        lead_plain=(5.1, 0.9, -5.1, -21.9, 12.0, 15.7, -17.8, 6.4, -2.7),
        lead_trump=(5.6, 10.7, -23.8, -9.6, 5.4, -5.8, -23.0, -25.7, -29.8),
        keep_plain=(-11.1, -10.2, -3.7, 13.7, -14.4, 12.1, -8.9, -13.1, -6.8),
        keep_trump=(-1.9, 0.0, 4.6, 4.7, -2.9, 5.6, 10.1, 15.6, 28.2),
    ),
)
KERNEL = TrickKernel(PACK, _FOR_TWO, _IN_TEAMS, _EACH_ALONE)
