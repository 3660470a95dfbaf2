"""Rules: how a hand goes, deal, bidding, the card turned up, tricks and drawing (R4 to R8).

House rules change nothing in a hand.
"""

from collections.abc import Sequence
from dataclasses import replace

from games.albastini.cards import PACK, parse_card
from games.albastini.play.state import Bid, Move, Pass, State
from games.albastini.scoring import Session
from games.errors import gettext_noop
from games.play.playing import IllegalMoveError, Pack
from games.play.tricks import (
    PlayCard,
    deal_hands,
    play_card,
    points,
    put,
    round_from,
    seat_to_move,
    without,
)
from games.sheet import Sheet
from games.wording import AtSeat, Text

HAND_SIZE = 5


def pack(_session: Session) -> Pack:
    """Return the codes of the 36 cards (R1)."""
    return tuple(str(card) for card in PACK)


def deal(session: Session, packs: Sequence[Pack]) -> State:
    """Return the hand before its first bid: five cards each from the dealer's left (R4)."""
    (order,) = packs
    mode = session.mode
    first = mode.after(session.dealer)
    cards = [parse_card(code) for code in order]
    hands, stock = deal_hands(cards, first=first, seats=mode.seats, each=HAND_SIZE)
    own_side = mode.sides[mode.side_of(session.dealer)]  # which does not bid
    return State(
        mode=mode,
        dealer=session.dealer,
        hands=hands,
        pack=PACK,
        stock=stock,
        to_bid=tuple(seat for seat in round_from(first, mode.seats) if seat not in own_side),
        bids=(None,) * mode.seats,
        shown=((),) * mode.seats,
        leader=first,
    )


def legal_moves(state: State) -> tuple[Move, ...]:
    """List what the seat to move may do: bid any card in a new suit or pass, or play any (R7).

    Low cards are only the wiser bids (R5, A-7).
    """
    seat = seat_to_move(state)
    if seat is None:
        return ()
    hand = state.hands[seat]
    if not state.to_bid:
        return tuple(PlayCard(card) for card in hand)
    taken = {bid.suit for bid in state.bids if bid}
    return (Pass(), *(Bid(card) for card in hand if card.suit not in taken))


def play(state: State, move: Move) -> State:
    """Return the state after the seat to move makes this move.

    :raises IllegalMoveError: ``hand-over``, ``bidding-first``, ``bidding-over``,
        ``not-held`` or ``suit-bid``.
    """
    if move not in legal_moves(state):
        raise _refusal(state, move)
    if isinstance(move, PlayCard):
        return play_card(state, move.card)
    seat, *others = state.to_bid
    state = replace(state, to_bid=tuple(others))
    if isinstance(move, Bid):
        state = replace(
            state,
            bids=put(state.bids, seat, move.card),
            shown=put(state.shown, seat, (move.card,)),
        )
    return state if others else _turn_up(state)


def fill_sheet(state: State) -> Sheet:
    """Return what the table writes down of a finished hand (S10)."""
    return {
        "eaten": list(points(state.mode, state.tricks)),
        "face_up": str(state.face_up),
        "indicator": str(state.turned_up),
        "trump": state.trump and state.trump.value,
        "bids": [bid and str(bid) for bid in state.bids],
        "dealer": state.dealer,
    }


def _turn_up(state: State) -> State:
    """Turn up the indicator, and exchange it for the bid in its suit if there is one (R6)."""
    indicator, *rest = state.stock
    state = replace(state, turned_up=indicator, face_up=indicator, stock=(*rest, indicator))
    for seat, bid in enumerate(state.bids):
        if bid and bid.suit is indicator.suit:  # at most one: each bid shows another suit
            others = without(state.hands[seat], bid)
            return replace(
                state,
                face_up=bid,
                stock=(*rest, bid),
                exchanged=seat,
                hands=put(state.hands, seat, (*others, indicator)),
                shown=put(state.shown, seat, (indicator,)),
            )
    return state


def _refusal(state: State, move: Move) -> IllegalMoveError:
    """Say why this move, which is none of the legal ones, is not allowed."""
    seat = seat_to_move(state)
    if seat is None:
        return IllegalMoveError("hand-over", gettext_noop("This hand is over."))
    if state.to_bid and isinstance(move, PlayCard):
        return IllegalMoveError("bidding-first", gettext_noop("First bid a card, or pass."))
    if isinstance(move, Pass) or (isinstance(move, Bid) and not state.to_bid):
        return IllegalMoveError("bidding-over", gettext_noop("The bidding is over: play a card."))
    if move.card not in state.hands[seat]:
        return IllegalMoveError(
            "not-held",
            gettext_noop("%(who)s does not hold %(card)s."),
            who=AtSeat(seat),
            card=move.card.label,
        )
    return IllegalMoveError(
        "suit-bid",
        gettext_noop("There is a bid in %(suit)s already. Bid another suit, or pass."),
        suit=Text(move.card.suit.label),
    )
