"""A steady player of the club: knows a good hand when it is there, and improves a bad one."""

from random import Random

from games.mambassa.beginner import swapped
from games.mambassa.cards import Card
from games.mambassa.moves import Call, Draw, Move, Swap
from games.mambassa.ranking import HandClass, Strength, best_sum, strength
from games.mambassa.view import View
from games.playing import Budget

GOOD: Strength = (HandClass.SHORT_SEQUENCE,)  # three in order, or better: time to knock
FAIR: Strength = (HandClass.POINTS, 27)  # what a dealer does not give back


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    if view.offer:
        return Call.KEEP if strength(view.offer, view.options) >= FAIR else Call.LEAVE
    now = strength(view.hand, view.options)
    if Call.TAKE_MONTE in view.legal and (move := _change(view, now)):
        return move
    draws = [move for move in view.legal if isinstance(move, Draw)]
    if draws:
        idle = [move for move in draws if _lost(view, move.discard) == 0]
        if idle or now < FAIR:
            return min(draws, key=lambda move: (_lost(view, move.discard), move.discard.points))
    return Call.KNOCK if Call.KNOCK in view.legal and now >= GOOD else Call.STAND


def _change(view: View, now: Strength) -> Move | None:
    """Return how to begin a turn: with a knock, or with the swap that makes the best hand."""
    last = view.knocker is not None
    if now >= GOOD and not last:
        return Call.STAND
    monte = strength(view.monte, view.options)
    swaps = [move for move in view.legal if isinstance(move, Swap)]
    hands = {move: strength(swapped(view.hand, move), view.options) for move in swaps}
    best = max(swaps, key=lambda move: (hands[move], -len(move.give)), default=None)
    most = hands[best] if best else now
    if monte > max(now, most) and (last or monte >= GOOD or not swaps):
        return Call.TAKE_MONTE
    return best if most > now else None


def _lost(view: View, discard: Card) -> int:
    """Return what a hand loses in its class or its points without this card."""
    kept = tuple(card for card in view.hand if card != discard)
    before, after = strength(view.hand, view.options), strength(kept, view.options)
    if before[0] > HandClass.POINTS:
        return 0 if before == after else 100
    return best_sum(view.hand) - best_sum(kept)
