"""Swaps: the 7 of trumps, or the 2, for the card face up (R10, B-6 to B-9)."""

from dataclasses import replace

from games.briscola.cards import Card
from games.briscola.state import State, SwapTrump
from games.errors import gettext_noop
from games.option import Options
from games.play.playing import IllegalMoveError
from games.play.tricks import put, without
from games.wording import AtSeat, Text

LAST_TRICKS = 2  # with so many to go, nobody swaps any more (B-8)


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
    card = Card(number, state.trump)
    if card not in state.hands[seat]:
        return IllegalMoveError(
            "not-held",
            gettext_noop("%(who)s does not hold the %(card)s."),
            who=AtSeat(seat),
            card=Text(card.label),
        )
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
    left = Card(move.number, state.trump)
    others = without(state.hands[seat], left)
    return replace(
        state,
        hands=put(state.hands, seat, (*others, state.face_up)),
        shown=put(state.shown, seat, (*state.shown[seat], state.face_up)),
        stock=(*state.stock[:-1], left),
        face_up=left,
        swapped=seat,
    )


def _refused_seven(state: State, seat: int) -> IllegalMoveError | None:
    tricks_left = len(state.hands[seat]) + len(state.stock) // state.mode.seats
    if not state.stock or tricks_left <= LAST_TRICKS:
        return IllegalMoveError("swap-late", gettext_noop("Too late to swap the 7: play a card."))
    by_side = state.options["swap_trick"] == "side"
    winners = state.mode.sides[state.mode.side_of(seat)] if by_side else (seat,)
    if any(trick.winner in winners for trick in state.tricks):
        return None
    return IllegalMoveError("swap-no-trick", gettext_noop("First win a trick, then swap the 7."))
