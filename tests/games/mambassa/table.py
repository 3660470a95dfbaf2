"""Deals laid out by hand: who is dealt what, what the dealer looks at, what the stock holds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from games.mambassa import GAME
from games.mambassa.play import rules
from games.mambassa.play.state import (
    Call,
    Cards,
    DealStage,
    DrawCard,
    Move,
    State,
    SwapCards,
)
from games.mambassa.scoring import Session
from games.option import OptionKind
from games.play.playing import Pack, shuffled
from tests.games.hands import play_of
from tests.games.mambassa.test_table import table

MODES = [mode.code for mode in GAME.modes({})]


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


def event(state: State) -> tuple[str, int | None, list[int]]:
    """Return how a finished deal ended: the event, who declared it, who pays."""
    assert rules.seat_to_move(state) is None
    assert rules.legal_moves(state) == ()
    sheet = rules.fill_sheet(state)
    return sheet["event"], sheet.get("declarer"), sheet["payers"]


def all_cards(state: State) -> list[str]:
    """List every card there is in this state, wherever it lies (E5)."""
    piles = [*state.hands, *state.discards, state.stock, state.offer, state.monte]
    return sorted(str(card) for pile in piles for card in pile)


def hidden_elsewhere(state: State, seat: int, rng: Random) -> State:
    """Return a state that looks the same from this seat, what it cannot see lying otherwise."""
    over = state.stage is DealStage.OVER  # then all show their hands
    blind = state.dealer if state.stage is DealStage.CHOICE else None
    hands, discards = list(state.hands), list(state.discards)
    for other in state.playing:
        if over or other == seat != blind:
            continue
        # A card seen to be taken may be held yet, or be what was discarded.
        mixed = [card for card in hands[other] if card not in state.shown[other]]
        mixed += [] if other == seat else discards[other]
        rng.shuffle(mixed)
        cut = len(hands[other]) - len(state.shown[other])
        hands[other] = (*state.shown[other], *mixed[:cut])
        discards[other] = discards[other] if other == seat else tuple(mixed[cut:])
    sure = {card for cards in (*state.shown, *state.perhaps) for card in cards}
    mine = {*discards[seat], *(() if seat == blind else hands[seat])}
    piles: list[Cards] = [*hands, *discards, state.stock, state.offer]
    fixed = sure | mine | ({*state.offer} if seat == state.dealer else set())
    fixed |= {card for hand in hands for card in hand} if over else set()
    pool = [card for pile in piles for card in pile if card not in fixed]
    rng.shuffle(pool)
    new = iter(pool)
    laid = [tuple(card if card in fixed else next(new) for card in pile) for pile in piles]
    seats = len(hands)
    return replace(
        state,
        hands=tuple(laid[:seats]),
        discards=tuple(laid[seats : 2 * seats]),
        stock=laid[-2],
        offer=laid[-1],
    )


def random_deal(mode: str, seed: int) -> Iterator[tuple[State, Move | None]]:
    """Yield every state of a deal of random moves, and the move made in it.

    In a house by lot, with tokens by lot: somebody may be out.
    """
    rng = Random(seed)
    session = some_session(mode, rng)
    state = rules.deal(session, shuffled(play_of(GAME), session, rng))
    while moves := rules.legal_moves(state):
        move = rng.choice(of_one_kind(moves, rng))
        yield state, move
        state = rules.play(state, move)
    yield state, None


def some_session(mode: str, rng: Random) -> Session:
    """Return a table in the middle of a game."""
    seats = GAME.mode(mode, {}).seats
    house: dict[str, Any] = {
        option.name: rng.random() < 0.5 for option in GAME.options if option.kind is OptionKind.FLAG
    }
    house |= {"max_orbits": rng.choice([1, 20]), "tris_aces": rng.choice(["low", "high"])}
    tokens = [rng.choice([0, 1, 2, 3, 4]) for _ in range(seats)]
    dealer, other = rng.sample(range(seats), 2)
    tokens[dealer], tokens[other] = tokens[dealer] or 3, tokens[other] or 3
    return replace(
        table(seats, dealer, **house),
        tokens=tuple(tokens),
        pool=4 * seats - sum(tokens),
        out=tuple((seat,) for seat in range(seats) if not tokens[seat]),
        deals=7,
    )


def of_one_kind(moves: tuple[Move, ...], rng: Random) -> list[Move]:
    """Return the swaps, or the draws, or one of the calls: most of the moves are swaps."""
    kinds: list[list[Move]] = [
        [move for move in moves if isinstance(move, kind)] for kind in (SwapCards, DrawCard)
    ]
    kinds += [[move] for move in moves if move in {Call.KEEP, Call.LEAVE}]
    kinds += [[move] for move in moves if isinstance(move, Call) and rng.random() < 0.3]
    return rng.choice([kind for kind in kinds if kind] or [list(moves)])
