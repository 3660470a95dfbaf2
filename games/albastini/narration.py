"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections.abc import Iterable
from typing import assert_never

from games.albastini.cards import Card, Suit
from games.albastini.rules import play, turn
from games.albastini.state import Bid, Move, Pass, PlayCard, State
from games.albastini.view import View
from games.errors import gettext_noop
from games.play.tricks import points, round_from
from games.wording import AtSeat, OnSide, Text, then


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, the bids or the trick, its own cards, who has what."""
    lines = [Text(gettext_noop("%(who)s dealt."), {"who": AtSeat(view.dealer)})]
    lines += [_stock(view, view.face_up), *_trick(view)] if view.face_up else _bidding(view)
    lines.append(Text(gettext_noop("In your hand: %(cards)s"), {"cards": _sorted(view.hand)}))
    lines += _so_far(view)
    if view.to_move == view.seat:
        lines.append(
            Text(gettext_noop("Your turn to bid, or to pass."))
            if view.to_bid
            else Text(gettext_noop("Your turn to play."))
        )
    elif view.to_move is not None:
        lines.append(Text(gettext_noop("It is %(who)s's turn."), {"who": AtSeat(view.to_move)}))
    return tuple(lines)


def describe_move(state: State, move: Move) -> Text:
    """Say what everybody sees happen when this move is made."""
    params: dict[str, object] = {"who": AtSeat(turn(state))}
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


def _bidding(view: View) -> list[Text]:
    return [
        Text(gettext_noop("%(who)s bids %(card)s."), {"who": AtSeat(seat), "card": bid.label})
        for seat, bid in enumerate(view.bids)
        if bid
    ]


def _trick(view: View) -> list[Text]:
    played = zip(round_from(view.leader, view.mode.seats), view.trick, strict=False)
    return [
        Text(
            gettext_noop("%(who)s has played %(card)s."), {"who": AtSeat(seat), "card": card.label}
        )
        for seat, card in played
    ]


def _stock(view: View, face_up: Card) -> Text:
    # The face-up card is always a trump (R6).
    params = {"trump": Text(face_up.suit.label), "card": face_up.label, "number": view.stock}
    if view.stock:
        return Text(
            gettext_noop(
                "Trumps are %(trump)s. %(card)s lies face up; cards left to draw: %(number)d."
            )
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


def _sorted(cards: Iterable[Card]) -> str:
    """List cards by suit, the strongest first, as people hold them."""
    suits = list(Suit)
    ordered = sorted(cards, key=lambda card: (suits.index(card.suit), -card.strength))
    return " ".join(card.label for card in ordered)
