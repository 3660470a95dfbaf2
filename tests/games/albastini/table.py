"""Hands laid out by hand: who holds what, and what lies in the stock."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from games.albastini import GAME
from games.albastini.cards import PACK, Card
from games.albastini.play import rules
from games.albastini.play.state import State
from games.option import Options
from games.play.playing import Pack
from tests.games.book import open_table

RULES: Options = {"allow_6i": True}
MODES = [mode.code for mode in GAME.modes(RULES)]


def opened(mode: str, dealer: int = 0) -> Any:
    return open_table(GAME, mode, RULES, dealer)


def ordered(mode: str, hands: Mapping[int, str], stock: str = "", dealer: int = 0) -> Pack:
    """Return the pack that deals these hands, the rest of the cards filling what is left open."""
    seats = GAME.mode(mode, RULES).seats
    laid: list[str | None] = [None] * len(PACK)
    for seat, codes in hands.items():
        for turn, code in enumerate(codes.split()):
            laid[(seat - dealer - 1) % seats + turn * seats] = code
    for place, code in enumerate(stock.split()):
        laid[5 * seats + place] = code
    others = iter([str(card) for card in PACK if str(card) not in laid])
    return tuple(next(others) if code is None else code for code in laid)


def dealt(mode: str, hands: Mapping[int, str], stock: str = "", dealer: int = 0) -> State:
    return rules.deal(opened(mode, dealer), [ordered(mode, hands, stock, dealer)])


def hands_of(state: State) -> list[str]:
    return [" ".join(map(str, hand)) for hand in state.hands]


def all_cards(state: State) -> list[str]:
    """List every card there is in this state, in whatever pile (E5)."""
    piles = [*state.hands, state.stock, state.trick, *(trick.cards for trick in state.tricks)]
    return sorted(str(card) for pile in piles for card in pile)


def hidden_elsewhere(state: State, seat: int, rng: Random) -> State:
    """Return a state that differs only in cards this seat cannot know."""

    def unknown(place: int, cards: tuple[Card, ...]) -> list[Card]:
        return [card for card in cards if place != seat and card not in state.shown[place]]

    under = state.face_up if state.stock and state.face_up else None
    pool = [card for place, hand in enumerate(state.hands) for card in unknown(place, hand)]
    pool += [card for card in state.stock if card != under]
    rng.shuffle(pool)
    pile = iter(pool)
    hands = tuple(
        tuple(next(pile) if card in unknown(place, hand) else card for card in hand)
        for place, hand in enumerate(state.hands)
    )
    stock = tuple(card if card == under else next(pile) for card in state.stock)
    return replace(state, hands=hands, stock=stock)
