"""Deals laid out by hand: who holds what, and what lies in the stock."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

from games.briscola import GAME
from games.briscola.play import rules
from games.briscola.play.state import State
from games.briscola.play.view import view
from games.option import Options
from games.play.playing import Pack
from tests.games.book import open_table

MODES = [mode.code for mode in GAME.modes({})]
_PLAYED = ("remove_two", "seven_swap", "swap_trick", "deuce_swap", "partner_peek")


def every_house() -> list[dict[str, Any]]:
    """List every set of house rules that changes how a deal is played."""
    varied = [option for option in GAME.options if option.name in _PLAYED]
    answers = [[value for value, _ in option.choices] or [False, True] for option in varied]
    return [
        dict(zip((option.name for option in varied), each, strict=True))
        for each in product(*answers)
    ]


HOUSES = every_house()


def opened(mode: str, dealer: int = 0, options: Options | None = None) -> Any:
    return open_table(GAME, mode, options, dealer)


def ordered(session: Any, hands: Mapping[int, str], stock: str = "") -> Pack:
    """Return the pack that deals these hands, the rest of the cards filling what is left open.

    The first card of *stock* is turned up; the others are drawn in this order.
    """
    pack = rules.pack(session)
    seats = session.mode.seats
    laid: list[str | None] = [None] * len(pack)
    for seat, codes in hands.items():
        for turn, code in enumerate(codes.split()):
            laid[(seat - session.leader) % seats + turn * seats] = code
    for place, code in enumerate(stock.split()):
        laid[3 * seats + place] = code
    others = iter([code for code in pack if code not in laid])
    return tuple(next(others) if code is None else code for code in laid)


def dealt(
    mode: str,
    hands: Mapping[int, str],
    stock: str = "",
    dealer: int = 0,
    options: Options | None = None,
) -> State:
    session = opened(mode, dealer, options)
    return rules.deal(session, [ordered(session, hands, stock)])


def all_cards(state: State) -> list[str]:
    """List every card there is in this state, in whatever pile (E5)."""
    piles = [*state.hands, state.stock, state.trick, *(trick.cards for trick in state.tricks)]
    return sorted(str(card) for pile in piles for card in pile)


def hidden_elsewhere(state: State, seat: int, rng: Random) -> State:
    """Return a state that differs only in cards this seat cannot know."""
    known = [*view(state, seat).known]
    under = state.stock[-1:]
    pool = [
        card for cards, hand in zip(known, state.hands, strict=True) for card in {*hand} - {*cards}
    ]
    pool += state.stock[:-1]
    rng.shuffle(pool)
    pile = iter(pool)
    hands = tuple(
        tuple(card if card in cards else next(pile) for card in hand)
        for cards, hand in zip(known, state.hands, strict=True)
    )
    stock = (*(next(pile) for _ in state.stock[:-1]), *under)
    return replace(state, hands=hands, stock=stock)
