"""A steady player of the club: gets rid of the high cards, and keeps the low ones together.

Rules of thumb. Lead the highest; but once all the rest but one set are sure to win,
play the sure ones first. Answer with the highest set that need not be broken, and with
the lowest cards only when there is little else left. Break a set of high cards only.
"""

from collections import Counter
from random import Random

from games.dalmuti.moves import Move, PlayCards, Skip
from games.dalmuti.view import View
from games.playing import Budget

_BREAK_FROM = 8  # sets of lower values stay together
_LATE = 3  # with so few sets left, everything is for playing


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    held = Counter(view.hand)
    sets = [PlayCards(count, value) for value, count in sorted(held.items(), reverse=True)]
    sure = [cards for cards in sets if _sure(cards, view)]
    if view.last is None:
        # The one that is not sure is led last: nobody need let it pass.
        return sure[0] if len(sure) >= len(sets) - 1 and sure else sets[0]
    answers = [move for move in view.legal if isinstance(move, PlayCards)]
    whole = [move for move in answers if move.count == held[move.value]]
    for move in whole:
        if len(sets) <= _LATE or move in sure or move.value >= _kept(len(sets)):
            return move
    broken = [move for move in answers if move.value >= _BREAK_FROM and move not in whole]
    return broken[0] if broken else Skip()


def _sure(cards: PlayCards, view: View) -> bool:
    """Say whether no other hand can beat these: as many of a lower value are not left."""
    left = Counter(view.unseen())
    most = max(held for seat, held in enumerate(view.held) if seat != view.seat)
    return most < cards.count or not any(
        left[value] >= cards.count for value in range(1, cards.value)
    )


def _kept(sets: int) -> int:
    """Return the lowest value that is played from a hand of so many different ones."""
    return 2 if sets < 8 else 3
