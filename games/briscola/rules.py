"""Rules: how a deal goes, three cards each, a card turned up, tricks and drawing (R3 to R11)."""

from collections.abc import Sequence

from games.briscola.cards import parse_card
from games.briscola.options import cards_for
from games.briscola.scoring import Session
from games.briscola.state import SWAPPING, Move, PlayCard, State, SwapTrump
from games.briscola.swaps import refused_swap, swap, swapping_card
from games.errors import gettext_noop
from games.play.playing import IllegalMoveError, Pack
from games.play.tricks import deal_hands, play_card, points, seat_to_move
from games.sheet import Sheet
from games.wording import AtSeat, Text

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
    """Return the state after the seat to move makes this move.

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
        raise IllegalMoveError(
            "not-held",
            gettext_noop("%(who)s does not hold the %(card)s."),
            who=AtSeat(seat),
            card=Text(move.card.label),
        )
    return play_card(state, move.card)


def fill_sheet(state: State) -> Sheet:
    """Return what the table writes down of a finished deal (S40)."""
    return {
        "points": list(points(state.mode, state.tricks)),
        "face_up": str(state.turned_up),
        "dealer": state.dealer,
    }
