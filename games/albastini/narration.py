"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections.abc import Iterable
from typing import assert_never

from games.albastini.cards import Card
from games.albastini.rules import play
from games.albastini.state import Bid, Move, Pass, PlayCard, State
from games.albastini.view import View
from games.errors import gettext_noop
from games.play.layout import turn_of
from games.play.tricks import by_suit, newly_drawn, points, round_from
from games.wording import AtSeat, OnSide, Text, listed, then


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, the bids or the trick, its own cards, who has what."""
    lines = [Text(gettext_noop("%(who)s dealt."), {"who": AtSeat(view.dealer)})]
    played: Iterable[tuple[int, Card]]
    if view.face_up:
        lines.append(_stock(view, view.face_up))
        played = zip(round_from(view.leader, view.mode.seats), view.trick, strict=False)
        template = gettext_noop("%(who)s has played %(card)s.")
    else:
        played = ((seat, bid) for seat, bid in enumerate(view.bids) if bid)
        template = gettext_noop("%(who)s bids %(card)s.")
    lines += [Text(template, {"who": AtSeat(seat), "card": card.label}) for seat, card in played]
    return (*lines, _hand(view), *_so_far(view), *_turn(view))


def prompt(view: View) -> tuple[Text, ...]:
    """Return what the player to move needs to know, having followed every move so far."""
    lines = [_stock(view, view.face_up)] if view.face_up else []
    return (*lines, _hand(view), *_turn(view))


def last_trick(view: View) -> tuple[Text, ...]:
    """Say who ate the last trick, and who had played what to it; nothing before there is one."""
    if not view.tricks:
        return ()
    trick = view.tricks[-1]
    played = (
        Text(gettext_noop("%(who)s %(card)s"), {"who": AtSeat(seat), "card": card.label})
        for seat, card in zip(round_from(trick.leader, view.mode.seats), trick.cards, strict=True)
    )
    return (
        Text(
            gettext_noop("Trick %(number)d: %(cards)s."),
            {"number": len(view.tricks), "cards": listed(played)},
        ),
        Text(
            gettext_noop("%(who)s ate it: %(points)d."),
            {"who": AtSeat(trick.winner), "points": trick.value},
        ),
    )


def learns(before: State, after: State, seat: int) -> Text | None:
    """Say which card this seat has drawn."""
    if len(after.tricks) == len(before.tricks):
        return None
    drawn = newly_drawn(before.hands[seat], after.hands[seat])
    return Text(gettext_noop("You draw %(card)s."), {"card": drawn.label}) if drawn else None


def describe_move(state: State, move: Move) -> Text:
    """Return what all players see when this move is made."""
    params: dict[str, object] = {"who": AtSeat(state.turn)}
    after = play(state, move)
    match move:
        case Pass():
            done = Text(gettext_noop("%(who)s does not bid."), params)
        case Bid(card):
            done = Text(gettext_noop("%(who)s bids %(card)s."), {**params, "card": card.label})
        case PlayCard(card):
            done = Text(gettext_noop("%(who)s plays %(card)s."), {**params, "card": card.label})
        case _:
            assert_never(move)
    if after.indicator and after.face_up and not state.indicator:
        return then(done, _turned_up(after.indicator, after.face_up, after.exchanged))
    if len(after.tricks) > len(state.tricks):
        trick = after.tricks[-1]
        eats = Text(
            gettext_noop("%(who)s eats the trick: %(points)d."),
            {"who": AtSeat(trick.winner), "points": trick.value},
        )
        return then(done, eats)
    return done


def _turned_up(indicator: Card, face_up: Card, exchanged: int | None) -> Text:
    """Say which card is turned up, and whose bid is exchanged for it (R6)."""
    params: dict[str, object] = {"card": indicator.label, "trump": Text(indicator.suit.label)}
    if exchanged is None:
        return Text(gettext_noop("%(card)s is turned up: trumps are %(trump)s."), params)
    return Text(
        gettext_noop(
            "%(card)s is turned up: trumps are %(trump)s. "
            "%(who)s takes it and leaves %(bid)s in its place."
        ),
        {**params, "who": AtSeat(exchanged), "bid": face_up.label},
    )


def _hand(view: View) -> Text:
    cards = " ".join(card.label for card in by_suit(view.hand))
    return Text(gettext_noop("In your hand: %(cards)s"), {"cards": cards})


def _turn(view: View) -> list[Text]:
    if view.to_move is None:
        return []
    if view.to_move != view.seat:
        return [turn_of(view.to_move)]
    if view.to_bid:
        return [Text(gettext_noop("Your turn to bid, or to pass."))]
    return [Text(gettext_noop("Your turn to play."))]


def _stock(view: View, face_up: Card) -> Text:
    # The face-up card is always a trump (R6).
    params = {"trump": Text(face_up.suit.label), "card": face_up.label, "number": view.stock}
    if view.stock:
        return Text(
            gettext_noop("Trumps: %(trump)s. %(card)s is face up; %(number)d cards left to draw.")
            if view.stock >= view.mode.seats
            else gettext_noop("Trumps are %(trump)s. %(card)s is left over."),
            params,
        )
    return Text(gettext_noop("Trumps are %(trump)s. Nothing is left to draw."), params)


def _so_far(view: View) -> list[Text]:
    if not view.tricks:
        return []
    eaten = points(view.mode, view.tricks)
    template = (
        gettext_noop("%(side)s has eaten %(points)d.")
        if view.mode.individual
        else gettext_noop("%(side)s have eaten %(points)d.")
    )
    return [
        Text(template, {"side": OnSide(side), "points": eaten[side]})
        for side in range(len(view.mode.sides))
    ]
