"""Games laid out by hand: who holds what, everything else having been played before."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from games.dalmuti.cards import PACK
from games.dalmuti.play import rules
from games.dalmuti.play.state import PlayCards, SeatTurn, State
from tests.games.book import after as session_after
from tests.games.dalmuti.test_scoring import table


def in_order(*order: int, **house: Any) -> Any:
    """Return a table whose last game went out in this order."""
    return session_after(table(seats=len(order), **house), {"order": order})


def laid(*hands: str, **house: Any) -> State:
    """Return a game in which seat 0 leads, and each seat holds these cards."""
    session = in_order(*range(len(hands)), **house)
    held = tuple(tuple(sorted(map(int, hand.split()))) for hand in hands)
    gone = Counter(PACK)
    for hand in held:
        gone.subtract(hand)
    played = tuple(SeatTurn(0, PlayCards(count, value)) for value, count in gone.items() if count)
    start = rules.deal(session, [rules.pack(session)])
    return replace(start, hands=held, tricks=(played,))


def all_cards(state: State) -> list[str]:
    """List every card there is in this state, in hand or played (E5)."""
    played = [
        [turn.move.value] * turn.move.count
        for trick in (*state.tricks, state.trick)
        for turn in trick
        if isinstance(turn.move, PlayCards)
    ]
    return sorted(str(card) for pile in (*state.hands, *played) for card in pile)


def hidden_elsewhere(state: State, seat: int, rng: Random) -> State:
    """Return a state that differs only in cards this seat cannot know."""
    pool = [card for other, hand in enumerate(state.hands) if other != seat for card in hand]
    rng.shuffle(pool)
    cards = iter(pool)
    return replace(
        state,
        hands=tuple(
            hand if other == seat else tuple(sorted(next(cards) for _ in hand))
            for other, hand in enumerate(state.hands)
        ),
    )
