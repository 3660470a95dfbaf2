"""Rules: how a game goes, from the draw and the deal to the last who holds cards (R2 to R6)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from games.dalmuti.cards import PACK, hand_sizes
from games.dalmuti.play.number_words import counted
from games.dalmuti.play.state import Hand, Move, PlayCards, SeatTurn, Skip, State
from games.dalmuti.scoring import Session
from games.dalmuti.sheet import Draw, PlayingOrder
from games.errors import gettext_noop
from games.mode import Mode
from games.play.playing import IllegalMoveError, Pack
from games.play.tricks import put, round_from
from games.sheet import Sheet
from games.wording import AtSeat


def pack(_session: Session) -> Pack:
    """Return the values of the 78 cards (R1)."""
    return tuple(map(str, PACK))


def shuffles(session: Session) -> int:
    """Return 2 for a table's first game, which is drawn for and then dealt (R2); else 1."""
    return 2 if session.order is None else 1


def deal(session: Session, packs: Sequence[Pack]) -> State:
    """Return the game before its first card, led by the Dalmuti (R3, R4)."""
    *to_draw, to_deal = ([int(code) for code in order] for order in packs)
    mode, options = session.mode, session.options
    if session.order is None:
        redraw = options["draw_tie"] == "again"
        draw = opening_draw(to_draw[0], mode, first=session.leader, redraw=redraw)
        order = order_of(draw)
        dealer = order[-1]  # the slave (D-4)
    else:
        draw, order, dealer = None, session.order, session.dealer
    return State(
        mode=mode,
        options=options,
        dealer=dealer,
        order=order,
        draw=draw,
        hands=dealt_hands(to_deal, mode, order, str(options["extra_cards"])),
        turn=order[0],
    )


def opening_draw(cards: Sequence[int], mode: Mode, *, first: int, redraw: bool) -> Draw:
    """Return the cards each seat draws from the top of the pack, from seat *first* on (R2).

    Where *redraw* says so, all who are tied draw again, until nobody is (D-2) or the
    pack has too few cards left for them.
    """
    drawn: list[tuple[int, ...]] = [()] * mode.seats
    tied = list(round_from(first, mode.seats))
    top = 0
    while tied and top + len(tied) <= len(cards):
        for card, seat in zip(cards[top:], tied, strict=False):
            drawn[seat] = (*drawn[seat], card)
        top += len(tied)
        tied = [seat for seat in tied if redraw and drawn.count(drawn[seat]) > 1]
    return tuple(drawn)


def order_of(draw: Draw) -> PlayingOrder:
    """Return the playing order: lowest card first, redraws deciding, then the seat (D-1, D-2).

    >>> order_of(((7, 4), (1,), (7, 9)))
    (1, 0, 2)
    """
    return tuple(sorted(range(len(draw)), key=draw.__getitem__))


def settled(draw: Draw) -> bool:
    """Return whether the drawn cards decide every place without a tie."""
    return len(set(draw)) == len(draw)


def dealt_hands(
    cards: Sequence[int], mode: Mode, order: PlayingOrder, extra_cards: str
) -> tuple[Hand, ...]:
    """Deal a card at a time in playing order; what does not come out even goes by D-3."""
    sizes = hand_sizes(mode, extra_cards)
    even = min(sizes) * mode.seats
    extra = iter(cards[even:])
    hands: list[Hand] = [()] * mode.seats
    for place, seat in enumerate(order):
        more = [next(extra)] if sizes[place] > min(sizes) else []
        hands[seat] = tuple(sorted([*cards[place : even : mode.seats], *more]))
    return tuple(hands)


def seat_to_move(state: State) -> int | None:
    """Return whose turn it is; ``None`` when only one still holds cards (R6)."""
    return None if state.over else state.turn


def legal_moves(state: State) -> tuple[Move, ...]:
    """List what the seat to move may do, the highest cards first, to skip last (R4, D-5)."""
    if state.over:
        return ()
    held = sorted(Counter(state.hands[state.turn]).items(), reverse=True)
    if state.last is None:
        return tuple(
            PlayCards(count, value) for value, most in held for count in range(most, 0, -1)
        )
    _, top = state.last
    answers = [
        PlayCards(top.count, value)
        for value, most in held
        if value < top.value and most >= top.count
    ]
    return (*answers, Skip())


def play(state: State, move: Move) -> State:
    """Return the state after the seat to move makes this move.

    :raises IllegalMoveError: ``game-over``, ``must-lead``, ``not-held``, ``wrong-count``
        or ``not-lower``.
    """
    if refusal := _refused(state, move):
        raise refusal
    seat = state.turn
    state = replace(state, trick=(*state.trick, SeatTurn(seat, move)))
    if isinstance(move, Skip):
        return _go_on(state)
    held = state.hands[seat]
    place = held.index(move.value)
    hand = held[:place] + held[place + move.count :]
    state = replace(
        state,
        hands=put(state.hands, seat, hand),
        out=state.out if hand else (*state.out, seat),
    )
    return state if state.over else _go_on(state)


def left_with_cards(state: State) -> int:
    """Return who is slave of a finished game: the one who still holds cards (R6)."""
    return next(seat for seat in state.order if seat not in state.out)


def fill_sheet(state: State) -> Sheet:
    """Return what the table writes down of a finished game (S20)."""
    sheet = {"order": [*state.out, left_with_cards(state)], "dealer": state.dealer}
    if state.draw is None:
        return sheet
    opening = {**sheet, "opening": list(state.order)}
    if settled(state.draw) or state.options["draw_tie"] == "seat":
        return {**opening, "draw": [list(cards) for cards in state.draw]}
    return opening  # the pack ran out over a tie, and a sheet knows no such draw


def _refused(state: State, move: Move) -> IllegalMoveError | None:
    """Return why the seat to move may not do this; ``None`` if it may."""
    if state.over:
        return IllegalMoveError("game-over", gettext_noop("This game is over."))
    if isinstance(move, Skip):
        if state.last is not None:
            return None
        return IllegalMoveError(
            "must-lead",
            gettext_noop("%(who)s leads and cannot pass: play cards of one number."),
            who=AtSeat(state.turn),
        )
    held = state.hands[state.turn].count(move.value)
    if move.count < 1 or held < move.count:
        some = gettext_noop("You have only %(held)s %(value)ds.")
        one = gettext_noop("You have only one %(value)d.")
        none = gettext_noop("You have no %(value)d.")
        template = some if held > 1 else one if held else none
        return IllegalMoveError("not-held", template, held=counted(held), value=move.value)
    return None if state.last is None else _no_answer(move, state.last[1])


def _no_answer(move: PlayCards, top: PlayCards) -> IllegalMoveError | None:
    """Return why these cards do not beat those (R4); ``None`` if they do."""
    if move.count != top.count:
        return IllegalMoveError(
            "wrong-count",
            gettext_noop("Play as many cards as lie there: %(asked)d, not %(count)d."),
            asked=top.count,
            count=move.count,
        )
    if move.value >= top.value:
        return IllegalMoveError(
            "not-lower",
            gettext_noop("Play cards lower than %(top)d; %(value)d is not."),
            top=top.value,
            value=move.value,
        )
    return None


def _go_on(state: State) -> State:
    """Give the turn to the next who may answer; clear the cards if there is none (D-6, D-8)."""
    assert state.last is not None  # noqa: S101 - whoever leads cannot skip; for the type checker
    owner, top = state.last
    for seat in () if top.unbeatable else _after(state.order, state.turn):
        if seat == owner:
            break
        skipped = SeatTurn(seat, Skip()) in state.trick
        if state.hands[seat] and not (skipped and state.options["sticky_skip"]):
            return replace(state, turn=seat)
    # Whoever played last leads, or the next in order who holds cards (R5, D-7).
    leader = next(seat for seat in (owner, *_after(state.order, owner)) if state.hands[seat])
    return replace(state, turn=leader, trick=(), tricks=(*state.tricks, state.trick))


def _after(order: PlayingOrder, seat: int) -> tuple[int, ...]:
    """List the other seats in playing order, from the one after this seat."""
    place = order.index(seat)
    return order[place + 1 :] + order[:place]
