"""Kernel: a deal of Briscola as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.bots.fast_tricks import Position
from games.bots.playout_policy import CardWeights, PolicyWeights
from games.bots.trick_kernel import TrickKernel
from games.briscola.cards import NUMBERS, PACK

# By strength, weakest card first; found by tables of weights playing each other, again and again.
_FOR_TWO = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(7.8, -0.7, -0.2, 11.3, -3.9, 26.5, 28.2, 11.0, -20.8, -36.5),
        lead_trump=(-14.2, 1.2, -36.9, -15.7, 22.3, 11.1, 8.2, -9.0, -35.4, -40.9),
        keep_plain=(10.3, 10.4, 10.1, 9.4, 9.6, 11.2, 11.6, 11.9, 12.4, 14.5),
        keep_trump=(17.2, 15.9, 17.5, 15.8, 26.5, 17.2, 19.6, 21.0, 26.3, 33.5),
    ),
    after=CardWeights(
        lead_plain=(20.1, 11.5, 6.3, 1.2, -18.1, 8.1, 12.7, -16.2, 7.4, 1.5),
        lead_trump=(-11.1, 7.7, -5.4, -29.3, -16.6, -2.0, -2.3, -14.2, -35.7, -15.0),
        keep_plain=(-6.5, -4.9, -6.1, -6.2, -6.8, -7.3, -3.2, -12.4, -8.8, -1.2),
        keep_trump=(1.0, 2.3, -1.2, 2.1, 5.7, -18.3, -2.6, 2.6, 5.5, 16.6),
    ),
)
_IN_TEAMS = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(-8.2, -5.8, -6.2, -8.5, -0.9, -7.6, 14.0, 20.7, -19.1, -20.4),
        lead_trump=(-7.4, -5.6, -50.9, -8.3, 7.8, 16.4, 11.4, -9.7, -22.2, -55.8),
        keep_plain=(1.0, 0.9, 0.5, 0.9, 0.7, -1.2, 0.9, 2.0, 2.2, 5.7),
        keep_trump=(6.8, 8.5, 9.7, 10.0, 13.8, 14.7, 12.1, 16.5, 21.2, 36.4),
    ),
    after=CardWeights(
        lead_plain=(7.7, -0.6, 6.1, -7.9, -20.3, 13.0, 10.1, -20.5, -0.5, -17.1),
        lead_trump=(14.5, 9.5, 9.4, -28.5, -6.0, 4.9, -1.7, -18.8, -27.6, -16.3),
        keep_plain=(-4.4, -8.6, -5.1, 0.2, 3.0, -10.6, 9.0, -7.7, -10.3, -5.2),
        keep_trump=(2.3, 6.6, -0.9, 3.1, 6.0, 0.8, 2.1, 2.9, 3.3, 21.6),
    ),
)
_EACH_ALONE = PolicyWeights(
    drawing=CardWeights(
        lead_plain=(17.6, 8.7, -1.4, 10.9, -6.7, 16.1, 21.4, 14.5, -4.1, -13.3),
        lead_trump=(-12.1, -15.8, -39.4, -18.3, 7.7, 5.1, -10.9, -4.2, -23.7, -36.2),
        keep_plain=(3.2, 4.4, 5.0, 3.0, 3.2, 3.3, 4.4, 5.0, 4.1, 7.2),
        keep_trump=(8.4, 11.0, 12.7, 16.0, 19.6, 14.4, 18.9, 17.8, 26.9, 35.4),
    ),
    after=CardWeights(
        lead_plain=(-0.5, 6.3, -1.3, -5.2, -19.5, 16.4, 12.6, -9.6, 5.8, -3.9),
        lead_trump=(3.9, -7.0, 13.4, -25.0, -12.0, 12.7, -4.1, -21.9, -24.1, -27.7),
        keep_plain=(-7.6, -4.7, -6.0, -1.2, 4.2, -13.6, 10.3, -1.8, -7.6, -1.8),
        keep_trump=(1.2, 7.0, -1.6, 3.2, 5.8, -5.9, 6.1, 5.1, 5.7, 23.0),
    ),
)
KERNEL = TrickKernel(PACK, _FOR_TWO, _IN_TEAMS, _EACH_ALONE)


def swap(position: Position, seat: int, card: int) -> None:
    """Let this seat take the card face up, and leave this trump in its place (R10)."""
    hand = position.hands[seat]
    hand.remove(card)
    hand.append(position.stock[0])
    position.stock[0] = card


def foresee_swap(position: Position, number: int) -> None:
    """Swap the trump of this number for its holder at once, if that pays.

    Playouts are too quick to wait for the trick that must be won first.
    """
    card = NUMBERS.index(number)
    if not position.stock or position.stock[0] <= card:
        return
    for seat, hand in enumerate(position.hands):
        if card in hand:
            swap(position, seat, card)
            return
