"""Rules: how a deal goes, four cards each, the dealer's choice, turns until a knock (R3 to R6)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from games.errors import gettext_noop
from games.mambassa.cards import PACK, Card, parse_card
from games.mambassa.hand_ranking import HandClass, strength
from games.mambassa.play.state import (
    Call,
    Cards,
    DealStage,
    DrawCard,
    Move,
    State,
    SwapCards,
    in_order,
    named,
)
from games.mambassa.scoring import Session
from games.mambassa.showdown import HAND_SIZE, shown_deal
from games.mambassa.stakes import Deal, DealEvent, next_in
from games.option import OptionValue
from games.play.playing import IllegalMoveError, Pack, not_held
from games.play.tricks import deal_hands, put, without
from games.sheet import Sheet
from games.wording import AtSeat, Text

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

    :raises IllegalMoveError: with the reason, if that is not allowed: see ``refused``.
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


def refused(state: State, move: Move) -> IllegalMoveError | None:
    """Return why the player to move may not make this move, or ``None`` if it is allowed.

    The codes are ``hand-over`` ``choose-first`` ``chosen`` ``swapped`` ``drawn`` ``must-knock``
    ``swap-size`` ``not-held`` ``not-in-monte`` ``stock-gone`` ``stock-closed``
    ``no-knock`` ``knocked`` and ``knock-bare``.
    """
    if state.stage is DealStage.OVER:
        return _no("hand-over", gettext_noop("This deal is over."))
    choosing = move in {Call.KEEP, Call.LEAVE}
    if choosing is not (state.stage is DealStage.CHOICE):
        return _no(*(_CHOSEN if choosing else _CHOOSE_FIRST))
    match move:
        case SwapCards():
            return _refused_swap(state, move)
        case DrawCard(discard):
            return _refused_draw(state, discard)
        case Call.KNOCK:
            return _refused_knock(state)
        case _:  # anybody may end a turn at any time, but begin it only once
            return _too_late(state) if move is Call.TAKE_MONTE else None


def change(state: State, move: Move) -> State:
    """Return the deal after an allowed move; the turn is not yet passed on."""
    match move:
        case Call.KEEP:  # the hand dealt is turned up as the monte: a knock (R3)
            hands = put(state.hands, state.dealer, state.offer)
            dealt = state.hands[state.dealer]
            return replace(state, hands=hands, monte=dealt, offer=(), knocker=state.dealer)
        case Call.LEAVE:
            return replace(state, monte=state.offer, offer=())
        case SwapCards(give, take):
            return _swap(state, give, take)
        case DrawCard(discard):
            return _draw(state, discard)
        case Call.STAND:
            return _knock(state) if state.stage is DealStage.TURN else state
        case _:
            if move is Call.TAKE_MONTE:  # the whole hand for the whole monte (R4)
                hand = frozenset(state.hands[state.turn])
                state = _swap(state, hand, frozenset(state.monte))
            return _knock(state)


def leaves_more(state: State, move: Move) -> bool:
    """Say whether there is anything left to do in the turn in which this was just done."""
    if isinstance(move, SwapCards):
        return state.may_draw or state.may_knock
    return isinstance(move, DrawCard) and state.may_knock


def _swap(state: State, give: frozenset[Card], take: frozenset[Card]) -> State:
    """Change cards with the monte, as the whole table sees (R4)."""
    seat = state.turn
    taken, laid = tuple(in_order(take)), tuple(in_order(give))

    def keeping(cards: Cards) -> Cards:
        return tuple(card for card in cards if card not in give)

    shown = (*keeping(state.shown[seat]), *taken)
    # With the whole hand seen, whatever else was there before is gone.
    perhaps = keeping(state.perhaps[seat]) if len(shown) < HAND_SIZE else ()
    return replace(
        state,
        stage=DealStage.SWAPPED,
        hands=put(state.hands, seat, (*keeping(state.hands[seat]), *taken)),
        monte=(*(card for card in state.monte if card not in take), *laid),
        shown=put(state.shown, seat, shown),
        perhaps=put(state.perhaps, seat, perhaps),
    )


def _draw(state: State, discard: Card) -> State:
    """Discard, then draw (M-3). The other players do not see the discard: it may be any card they know."""
    seat = state.turn
    top, *rest = state.stock
    return replace(
        state,
        stage=DealStage.DRAWN,
        hands=put(state.hands, seat, (*without(state.hands[seat], discard), top)),
        stock=tuple(rest),
        discards=put(state.discards, seat, (*state.discards[seat], discard)),
        shown=put(state.shown, seat, ()),
        perhaps=put(state.perhaps, seat, (*state.perhaps[seat], *state.shown[seat])),
    )


def _knock(state: State) -> State:
    """Knock; after the first knock this changes nothing (M-5)."""
    return replace(state, knocker=state.turn if state.knocker is None else state.knocker)


_CHOSEN = "chosen", gettext_noop("The dealer has chosen already: swap, draw, or end your turn.")
_DRAWN = "drawn", gettext_noop("You have drawn: now end your turn.")
_CHOOSE_FIRST = (
    "choose-first",
    gettext_noop("First keep the four new cards, or leave them."),
)


def _too_late(state: State) -> IllegalMoveError | None:
    """Refuse what can only begin a turn."""
    match state.stage:
        case DealStage.SWAPPED:
            return _no("swapped", gettext_noop("You can swap once in a turn: draw, or end it."))
        case DealStage.DRAWN:
            return _no(*_DRAWN)
        case _:
            return None


def _refused_swap(state: State, move: SwapCards) -> IllegalMoveError | None:
    if refusal := _too_late(state) or _refused_to_go_on(state):
        return refusal
    if len(move.give) != len(move.take) or not 0 < len(move.give) < HAND_SIZE:
        return _no(
            "swap-size",
            gettext_noop(
                "Swap one, two or three cards for as many from the monte; for all four, take the "
                "whole monte."
            ),
        )
    if missing := in_order(move.give.difference(state.hands[state.turn])):
        return not_held(state.turn, missing[0].label)
    if missing := in_order(move.take.difference(state.monte)):
        return _no(
            "not-in-monte",
            gettext_noop("The %(card)s is not in the monte, which is: %(monte)s."),
            card=Text(missing[0].label),
            monte=named(state.monte),
        )
    return None


def _refused_draw(state: State, discard: Card) -> IllegalMoveError | None:
    """Refuse a draw from no stock (M-4), or from one that a knock has closed (M-5)."""
    if state.stage is DealStage.DRAWN:
        return _no(*_DRAWN)
    if refusal := _refused_to_go_on(state):
        return refusal
    if not state.stock:
        return _no("stock-gone", gettext_noop("The stock is gone: swap, or end your turn."))
    if not state.may_draw:
        return _no(
            "stock-closed",
            gettext_noop("In this house nobody draws after a knock: swap, or end your turn."),
        )
    return None if discard in state.hands[state.turn] else not_held(state.turn, discard.label)


def _refused_to_go_on(state: State) -> IllegalMoveError | None:
    """Refuse everything but a knock once it has gone round often enough (M-6)."""
    if not state.must_knock:
        return None
    return _no(
        "must-knock",
        gettext_noop("It has gone round %(orbits)d times: now stand, or take the whole monte."),
        orbits=state.options["max_orbits"],
    )


def _refused_knock(state: State) -> IllegalMoveError | None:
    """Refuse a knock at will, but where the house allows it at the end of a turn (M-2)."""
    if not state.options["voluntary_knock"]:
        return _no(
            "no-knock",
            gettext_noop("In this house you cannot just knock: stand, or take the whole monte."),
        )
    if state.knocker is not None:
        return _no(
            "knocked",
            gettext_noop("%(who)s has knocked already: swap, draw, or end your turn."),
            who=AtSeat(state.knocker),
        )
    if state.stage is DealStage.TURN:
        return _no("knock-bare", gettext_noop("To change nothing is a knock: just stand."))
    return None


def _no(code: str, template: str, **params: OptionValue | AtSeat | Text) -> IllegalMoveError:
    return IllegalMoveError(code, template, question=None, place=None, **params)
