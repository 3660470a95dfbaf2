"""Tables of games of tricks, laid out by hand: who holds what, and what lies in the stock."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games.play.playing import Pack
from games.play.tricks import StockState
from tests.games.hands import play_at


def ordered(
    pack: Sequence[str], hands: Mapping[int, str], stock: str, *, first: int, seats: int, each: int
) -> Pack:
    """Return the pack that deals these hands, the rest of the cards filling what is left open.

    The first card of *stock* is turned up; the others are drawn in this order.
    """
    laid: list[str | None] = [None] * len(pack)
    for seat, codes in hands.items():
        for turn, code in enumerate(codes.split()):
            laid[(seat - first) % seats + turn * seats] = code
    for place, code in enumerate(stock.split()):
        laid[each * seats + place] = code
    others = iter([code for code in pack if code not in laid])
    return tuple(next(others) if code is None else code for code in laid)


def all_cards(state: StockState[Any]) -> list[str]:
    """List every card there is in this state, in whatever pile (E5)."""
    piles = [*state.hands, state.stock, state.trick, *(trick.cards for trick in state.tricks)]
    return sorted(str(card) for pile in piles for card in pile)


def hidden_elsewhere(state: StockState[Any], seat: int, rng: Random) -> StockState[Any]:
    """Return a state that differs only in cards this seat cannot know."""
    known = play_at(state).view(state, seat).known
    under = state.stock[-1:] if state.face_up else ()
    pool = [
        card
        for cards, hand in zip(known, state.hands, strict=True)
        for card in hand
        if card not in cards
    ]
    pool += state.stock[: len(state.stock) - len(under)]
    rng.shuffle(pool)
    pile = iter(pool)
    hands = tuple(
        tuple(card if card in cards else next(pile) for card in hand)
        for cards, hand in zip(known, state.hands, strict=True)
    )
    return replace(state, hands=hands, stock=(*pile, *under))
