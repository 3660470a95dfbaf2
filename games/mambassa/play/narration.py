"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from functools import reduce
from typing import assert_never

from games.errors import gettext_noop
from games.mambassa.cards import Card
from games.mambassa.hand_ranking import hand_name
from games.mambassa.play.rules import outcome, play
from games.mambassa.play.state import Call, DealStage, DrawCard, Move, State, SwapCards, named
from games.mambassa.play.view import View
from games.mambassa.stakes import DealEvent
from games.option import Options
from games.play.views import turn_lines
from games.wording import AtSeat, Text, _, then

_CALLS = {
    Call.KEEP: gettext_noop("%(who)s keeps the four new cards. The monte is: %(cards)s."),
    Call.LEAVE: gettext_noop("%(who)s plays the hand that was dealt. The monte is: %(cards)s."),
    Call.TAKE_MONTE: gettext_noop("%(who)s takes the whole monte and leaves: %(cards)s."),
    Call.STAND: gettext_noop("%(who)s stands."),
    Call.KNOCK: gettext_noop("%(who)s knocks."),
}


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, the monte, its own cards and what they are."""
    # Of the other hands at the end everything, before it what was seen.
    known = view.all_hands or view.shown
    return (
        _("%(who)s dealt.", who=AtSeat(view.dealer)),
        *_table(view),
        *(
            _held(seat, known[seat], view.options if view.all_hands else None)
            for seat in view.playing
            if known[seat] and seat != view.seat
        ),
        *_own(view),
        *_turn(view),
    )


def prompt(view: View) -> tuple[Text, ...]:
    return (*_table(view), *_own(view), *_turn(view))


def learns(before: State, after: State, seat: int) -> Text | None:
    """Say what this seat alone sees: the card it draws, the hand it was dealt."""
    hand = after.hands[seat]
    worth = hand_name(hand, after.options)
    if len(after.discards[seat]) > len(before.discards[seat]):
        drawn = next(card for card in hand if card not in before.hands[seat])
        return _("You draw the %(card)s: %(worth)s.", card=Text(drawn.label), worth=worth)
    if before.stage is DealStage.CHOICE and seat == before.dealer:
        return _("Your hand is: %(cards)s (%(worth)s).", cards=named(hand), worth=worth)
    return None


def showdown(state: State) -> tuple[Text, ...]:
    """Say which hand each player still in shows at the end of a deal (R8)."""
    return tuple(_held(seat, state.hands[seat], state.options) for seat in state.playing)


def describe_move(state: State, move: Move) -> Text:
    after = play(state, move)
    sentences = [_done(state, move)]
    if after.knocker is not None and state.knocker is None and move is not Call.KNOCK:
        sentences.append(_("That is a knock."))
    if after.stage is DealStage.OVER:
        came_to = outcome(after)
        if came_to.declarer is not None:  # that has ended the deal (R6)
            template = (
                gettext_noop("%(who)s declares Mambassa!")
                if came_to.event is DealEvent.MAMBASSA
                else gettext_noop("%(who)s declares Quarantuna!")
            )
            sentences.append(Text(template, {"who": AtSeat(came_to.declarer)}))
    return reduce(then, sentences)


def _done(state: State, move: Move) -> Text:
    who, hand = {"who": AtSeat(state.turn)}, state.hands[state.turn]
    match move:
        case DrawCard():
            return _("%(who)s discards a card and draws one.", **who)
        case SwapCards(give, take):
            return _(
                "%(who)s takes from the monte: %(cards)s, and leaves: %(left)s.",
                **who,
                cards=named(take),
                left=named(give),
            )
        case Call.STAND if state.stage is not DealStage.TURN:
            return _("%(who)s ends the turn.", **who)
        case Call.LEAVE:
            return Text(_CALLS[move], {**who, "cards": named(state.offer)})
        case Call():
            return Text(_CALLS[move], {**who, "cards": named(hand)})
        case _:
            assert_never(move)


def _table(view: View) -> list[Text]:
    """Say what lies in the middle, and whether a player has knocked."""
    lines = []
    if view.monte:
        lines.append(
            _("In the monte: %(cards)s", cards=named(view.monte)),
        )
        lines.append(_("Cards left in the stock: %(number)d.", number=view.stock))
    elif view.stage is DealStage.CHOICE:
        lines.append(_("The dealer has not chosen yet: there is no monte."))
    if view.knocker is not None and view.stage is not DealStage.OVER:
        lines.append(_("%(who)s has knocked: these are the last turns.", who=AtSeat(view.knocker)))
    return lines


def _held(seat: int, cards: tuple[Card, ...], options: Options | None) -> Text:
    params: dict[str, object] = {"who": AtSeat(seat), "cards": named(cards)}
    if options is None:
        return _("%(who)s took from the monte: %(cards)s", **params)
    return _("%(who)s shows: %(cards)s (%(worth)s)", **params, worth=hand_name(cards, options))


def _own(view: View) -> list[Text]:
    if view.hand:
        return [_four(gettext_noop("In your hand: %(cards)s (%(worth)s)"), view.hand, view.options)]
    if view.offer:
        return [
            _("You do not know the hand you were dealt."),
            _four(
                gettext_noop("You look at four new cards: %(cards)s (%(worth)s)"),
                view.offer,
                view.options,
            ),
        ]
    return [_("You are out of this game.")]


def _four(template: str, cards: tuple[Card, ...], options: Options) -> Text:
    return Text(template, {"cards": named(cards), "worth": hand_name(cards, options)})


def _turn(view: View) -> tuple[Text, ...]:
    match view.stage:
        case DealStage.CHOICE:
            sentence = gettext_noop("Keep these four, and knock, or leave them as the monte?")
        case DealStage.TURN if view.knocker is None:
            sentence = gettext_noop(
                "Your turn: swap one to three cards, draw, take the whole monte, or stand; "
                "the last two are a knock."
            )
        case DealStage.TURN:
            sentence = gettext_noop("Your last turn: swap, draw, take the whole monte, or stand.")
        case DealStage.SWAPPED:
            sentence = gettext_noop("You may discard a card and draw one, or end your turn.")
        case _:
            sentence = gettext_noop("You may knock, or end your turn.")
    return turn_lines(view, Text(sentence))
