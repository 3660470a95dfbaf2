"""Rules: how a deal goes, three cards each, a card turned up, swaps, tricks and drawing (R3 to R11)."""

from collections.abc import Sequence
from dataclasses import replace

from games.briscola.cards import Card, parse_card
from games.briscola.options import cards_for
from games.briscola.play.state import SWAPPING, Move, State, SwapTrump
from games.briscola.scoring import Session
from games.errors import gettext_noop
from games.option import Options
from games.play.playing import IllegalMoveError, Pack, not_held
from games.play.tricks import PlayCard, deal_hands, play_card, points, put, seat_to_move, without
from games.sheet import Sheet

LAST_TRICKS = 2  # with so many to go, nobody swaps any more (B-8)


HAND_SIZE = 3


def pack(session: Session) -> Pack:
    """Return the codes of the 40, 39 or 36 cards (R2, B-3)."""
    return tuple(str(card) for card in cards_for(session.mode, session.options))


def deal(session: Session, packs: Sequence[Pack]) -> State:
    """Return the deal before its first card: three each, one at a time, the next turned up.

    The leader is the first to get a card (R3, B-4); turned up is not the pack's last (B-5).
    """
    (order,) = packs
    mode = session.mode
    cards = [parse_card(code) for code in order]
    hands, (turned_up, *rest) = deal_hands(
        cards, first=session.leader, seats=mode.seats, each=HAND_SIZE
    )
    return State(
        mode=mode,
        options=session.options,
        dealer=session.dealer,
        hands=hands,
        pack=cards_for(mode, session.options),
        stock=(*rest, turned_up),
        turned_up=turned_up,
        face_up=turned_up,
        swaps=swapping_card(session.options, turned_up, hands),
        shown=((),) * mode.seats,
        leader=session.leader,
    )


def legal_moves(state: State) -> tuple[Move, ...]:
    """List what the seat to move may do: play any card (R4), and sometimes swap first (R10)."""
    seat = state.turn
    swaps = [SwapTrump(number) for number in SWAPPING]
    return (
        *(PlayCard(card) for card in state.hands[seat]),
        *(move for move in swaps if state.hands[seat] and not refused_swap(state, seat, move)),
    )


def play(state: State, move: Move) -> State:
    """Return the state after the seat to move makes this move; a trick goes by R5, R6 and R9.

    :raises IllegalMoveError: ``hand-over``, ``not-held``, ``no-swap``, ``swap-dealt``,
        ``swap-late`` or ``swap-no-trick``.
    """
    seat = seat_to_move(state)
    if seat is None:
        raise IllegalMoveError("hand-over", gettext_noop("This deal is over."))
    if isinstance(move, SwapTrump):
        if refusal := refused_swap(state, seat, move):
            raise refusal
        return swap(state, seat, move)
    if move.card not in state.hands[seat]:
        raise not_held(seat, move.card.label)
    return play_card(state, move.card)


def fill_sheet(state: State) -> Sheet:
    """Return what the table writes down of a finished deal (S40)."""
    return {
        "points": list(points(state.mode, state.tricks)),
        "face_up": str(state.turned_up),
        "dealer": state.dealer,
    }


def swapping_number(options: Options) -> int | None:
    """Return the number of the trump that swaps in this house, if any does (B-7, B-9)."""
    if options["deuce_swap"]:
        return 2
    return None if options["seven_swap"] == "off" else 7


def swapping_card(
    options: Options, turned_up: Card, hands: tuple[tuple[Card, ...], ...]
) -> Card | None:
    """Return the card that may be swapped in this deal, just dealt, if any may."""
    number = swapping_number(options)
    if number is None:
        return None
    card = Card(number, turned_up.suit)
    if number == 7 and options["seven_swap"] == "drawn_only":
        return None if any(card in hand for hand in hands) else card  # B-7
    return card


def refused_swap(state: State, seat: int, move: SwapTrump) -> IllegalMoveError | None:
    """Say why the seat to move may not swap, or ``None`` if it may."""
    number = swapping_number(state.options)
    if move.number != number:
        return IllegalMoveError(
            "no-swap",
            gettext_noop("In this house the %(number)d of trumps is not swapped: play a card."),
            number=move.number,
        )
    card = Card(number, state.turned_up.suit)
    if card not in state.hands[seat]:
        return not_held(seat, card.label)
    if state.swaps is None:
        return IllegalMoveError(
            "swap-dealt",
            gettext_noop("In this house only a 7 that was drawn is swapped, not one dealt."),
        )
    if number == 7:
        return _refused_seven(state, seat)
    if not state.tricks:
        return None
    return IllegalMoveError(
        "swap-late", gettext_noop("The 2 of trumps can be swapped only before your first card.")
    )


def swap(state: State, seat: int, move: SwapTrump) -> State:
    """Return the state after the seat to move has swapped, as it may."""
    left = Card(move.number, state.turned_up.suit)
    others = without(state.hands[seat], left)
    return replace(
        state,
        hands=put(state.hands, seat, (*others, state.face_up)),
        shown=put(state.shown, seat, (*state.shown[seat], state.face_up)),
        stock=(*state.stock[:-1], left),
        face_up=left,
        exchanged=seat,
    )


def _refused_seven(state: State, seat: int) -> IllegalMoveError | None:
    """Say why this seat may not swap the 7: too late (B-8), or no trick of its own yet (B-6)."""
    tricks_left = len(state.hands[seat]) + len(state.stock) // state.mode.seats
    if not state.stock or tricks_left <= LAST_TRICKS:
        return IllegalMoveError("swap-late", gettext_noop("Too late to swap the 7: play a card."))
    by_side = state.options["swap_trick"] == "side"
    winners = state.mode.sides[state.mode.side_of(seat)] if by_side else (seat,)
    if any(trick.winner in winners for trick in state.tricks):
        return None
    return IllegalMoveError("swap-no-trick", gettext_noop("First win a trick, then swap the 7."))
