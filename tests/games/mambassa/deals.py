"""Deals laid out by hand: who is dealt what, what the dealer looks at, what the stock holds."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.mambassa import GAME, rules
from games.mambassa.cards import Card
from games.mambassa.moves import move_code, parse_move
from games.mambassa.scoring import Session
from games.mambassa.state import State
from games.playing import AnyPlay, Pack
from tests.games.mambassa.test_table import table

MODES = [mode.code for mode in GAME.modes({})]


def the_play() -> AnyPlay:
    assert GAME.play is not None
    return GAME.play


def ordered(session: Session, hands: Mapping[int, str], offer: str = "", stock: str = "") -> Pack:
    """Return the pack that deals these hands and what comes after them.

    Cards not named fill what is left open, so that no hand left open is worth much.
    """
    playing = session.stakes.playing
    first = playing.index(session.leader)
    order = [*playing[first:], *playing[:first]]
    laid: list[str | None] = [None] * 40
    for seat, cards in hands.items():
        for turn, code in enumerate(cards.split()):
            laid[order.index(seat) + turn * len(order)] = code
    for place, code in enumerate((offer or "2D 3S 4K 5B").split()):
        laid[4 * len(order) + place] = code
    for place, code in enumerate(stock.split()):
        laid[4 * len(order) + 4 + place] = code
    others = iter([code for code in rules.pack(session) if code not in laid])
    return tuple(next(others) if code is None else code for code in laid)


def dealt(
    hands: Mapping[int, str],
    offer: str = "",
    stock: str = "",
    *,
    seats: int = 3,
    dealer: int = 0,
    **house: Any,
) -> State:
    session = table(seats, dealer, **house)
    return rules.deal(session, [ordered(session, hands, offer, stock)])


def after(state: State, moves: str) -> State:
    """Return the state after these moves, written one after the other."""
    for code in moves.split():
        state = rules.play(state, parse_move(code))
    return state


def codes(cards: Iterable[Card]) -> str:
    return " ".join(str(card) for card in cards)


def move_codes(state: State) -> list[str]:
    return [move_code(move) for move in rules.legal_moves(state)]


def all_cards(state: State) -> list[str]:
    """List every card there is in this state, wherever it lies (E5)."""
    piles = [*state.hands, *state.discards, state.stock, state.offer, state.monte]
    return sorted(str(card) for pile in piles for card in pile)
