"""Rules: how a deal goes, four cards each, the dealer's choice, turns until a knock (R3 to R6)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from games.mambassa.cards import PACK, parse_card
from games.mambassa.hand_ranking import HandClass, strength
from games.mambassa.scoring import Session
from games.mambassa.showdown import HAND_SIZE, shown_deal
from games.mambassa.stakes import Deal, DealEvent, next_in
from games.mambassa.state import Call, DealStage, DrawCard, Move, State, SwapCards
from games.mambassa.turns import change, leaves_more, refused
from games.play.playing import Pack
from games.play.tricks import deal_hands
from games.sheet import Sheet

_SWAPS = range(1, HAND_SIZE)  # how many cards may go for as many of the monte (R4)


def pack(_session: Session) -> Pack:
    """Return the codes of the forty cards (R1)."""
    return tuple(map(str, PACK))


def deal(session: Session, packs: Sequence[Pack]) -> State:
    """Return the deal before the dealer's choice, or after it, if a hand dealt ends it (R3, M-7).

    Four cards each go round among those still in; the dealer then looks at the next four.
    """
    (order,) = packs
    playing = session.stakes.playing
    first = playing.index(session.leader)
    in_turn = (*playing[first:], *playing[:first])
    dealt, stock = deal_hands(
        [parse_card(code) for code in order], first=0, seats=len(playing), each=HAND_SIZE
    )
    hands = dict(zip(in_turn, dealt, strict=True))
    nothing = ((),) * session.mode.seats
    state = State(
        mode=session.mode,
        options=session.options,
        dealer=session.dealer,
        stakes=session.stakes,
        playing=playing,
        hands=tuple(hands.get(seat, ()) for seat in range(session.mode.seats)),
        stock=stock,
        offer=(),
        monte=(),
        discards=nothing,
        shown=nothing,
        perhaps=nothing,
        stage=DealStage.CHOICE,
        turn=session.dealer,
    )
    if not session.options["declare_after_dealer_choice"]:
        others = [seat for seat in playing if seat != session.dealer]
        if (declarer := _declarer(state, others)) is not None:
            return replace(state, stage=DealStage.OVER, declarer=declarer)
    return replace(state, offer=stock[:HAND_SIZE], stock=stock[HAND_SIZE:])


def seat_to_move(state: State) -> int | None:
    """Return who moves next; ``None`` when the deal is over."""
    return None if state.stage is DealStage.OVER else state.turn


def legal_moves(state: State) -> tuple[Move, ...]:
    """List what the seat to move may do."""
    every: list[Move] = list(Call)
    if state.stage is DealStage.TURN:
        every += [
            SwapCards(frozenset(give), frozenset(take))
            for number in _SWAPS
            for give in combinations(state.hands[state.turn], number)
            for take in combinations(state.monte, number)
        ]
    if state.stage in {DealStage.TURN, DealStage.SWAPPED}:
        every += [DrawCard(card) for card in state.hands[state.turn]]
    return tuple(move for move in every if not refused(state, move))


def play(state: State, move: Move) -> State:
    """Return the state after the seat to move makes this move.

    :raises IllegalMoveError: with the reason, if that is not allowed: see ``turns.refused``.
    """
    if refusal := refused(state, move):
        raise refusal
    able = state.playing if state.stage is DealStage.CHOICE else (state.turn,)
    state = change(state, move)
    if (declarer := _declarer(state, able)) is not None:
        return replace(state, stage=DealStage.OVER, declarer=declarer)
    if leaves_more(state, move):
        return state
    following = next_in(state.turn, state.playing, state.mode.seats)
    if following == state.knocker:  # then all show (R5)
        return replace(state, stage=DealStage.OVER)
    turns = state.turns + (state.stage is not DealStage.CHOICE)
    return replace(state, turn=following, turns=turns, stage=DealStage.TURN)


def outcome(state: State) -> Deal:
    """Return who pays for what when all show the hands they have now (R8)."""
    hands = {seat: state.hands[seat] for seat in state.playing}
    return shown_deal(hands, state.dealer, state.declarer, state.options)


def fill_sheet(state: State) -> Sheet:
    """Return what the table writes down of a finished deal (S30)."""
    came_to = outcome(state)
    sheet: dict[str, object] = {
        "event": came_to.event.value,
        "payers": list(came_to.payers),
        "hands": [[str(card) for card in hand] or None for hand in state.hands],
        "dealer": state.dealer,
    }
    if came_to.event is not DealEvent.NORMAL:
        sheet["declarer"] = came_to.declarer
    if state.monte:
        sheet["monte"] = [str(card) for card in state.monte]
    if state.knocker is not None:
        sheet["knocker"] = state.knocker
    return sheet


def _declarer(state: State, seats: Sequence[int]) -> int | None:
    """Return which of these must declare: of two, the one whose suit is higher (R6, M-8)."""
    best = max(seats, key=lambda seat: strength(state.hands[seat], state.options))
    declares = strength(state.hands[best], state.options)[0] >= HandClass.QUARANTUNA
    return best if declares else None
