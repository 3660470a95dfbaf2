"""Kernel: a deal of Briscola as ``fast_tricks`` plays it, cards as numbers, trumps first."""

from games.bots.fast_tricks import Position
from games.bots.trick_kernel import TrickKernel
from games.briscola.cards import NUMBERS, PACK
from games.briscola.play.policy_weights import EACH_ALONE, FOR_TWO, IN_TEAMS

KERNEL = TrickKernel(PACK, FOR_TWO, IN_TEAMS, EACH_ALONE)


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
