"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections.abc import Iterable
from typing import assert_never

from games.briscola.cards import Card
from games.briscola.rules import play
from games.briscola.state import Move, PlayCard, State, Swap
from games.briscola.view import View, partners_look
from games.errors import gettext_noop
from games.play.layout import turn_of
from games.play.tricks import by_suit, newly_drawn, points, round_from
from games.wording import AtSeat, OnSide, Text, listed, then


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who deals, trumps, the trick, its own cards, who has what."""
    played = zip(round_from(view.leader, view.mode.seats), view.trick, strict=False)
    return (
        Text(gettext_noop("%(who)s dealt."), {"who": AtSeat(view.dealer)}),
        _stock(view),
        *(
            Text(
                gettext_noop("%(who)s has played the %(card)s."),
                {"who": AtSeat(seat), "card": Text(card.label)},
            )
            for seat, card in played
        ),
        _hand(view),
        *_partners(view),
        *_so_far(view),
        *_turn(view),
    )


def prompt(view: View) -> tuple[Text, ...]:
    """Return what the player to move needs to know, having followed every move so far."""
    return (_stock(view), _hand(view), *_partners(view), *_turn(view))


def last_trick(view: View) -> tuple[Text, ...]:
    """Say who took the last trick, and who had played what to it; nothing before there is one."""
    if not view.tricks:
        return ()
    trick = view.tricks[-1]
    played = (
        Text(gettext_noop("%(who)s the %(card)s"), {"who": AtSeat(seat), "card": Text(card.label)})
        for seat, card in zip(round_from(trick.leader, view.mode.seats), trick.cards, strict=True)
    )
    return (
        Text(
            gettext_noop("Trick %(number)d: %(cards)s."),
            {"number": len(view.tricks), "cards": listed(played)},
        ),
        Text(
            gettext_noop("%(who)s took it: %(points)d."),
            {"who": AtSeat(trick.winner), "points": trick.value},
        ),
    )


def learns(before: State, after: State, seat: int) -> Text | None:
    """Say which card this seat has drawn."""
    if len(after.tricks) == len(before.tricks):
        return None
    drawn = newly_drawn(before.hands[seat], after.hands[seat])
    if drawn is None:
        return None
    return Text(gettext_noop("You draw the %(card)s."), {"card": Text(drawn.label)})


def describe_move(state: State, move: Move) -> Text:
    """Return what all players see when this move is made."""
    who = AtSeat(state.turn)
    after = play(state, move)
    match move:
        case Swap():
            return Text(
                gettext_noop("%(who)s takes the %(card)s and leaves the %(left)s in its place."),
                {"who": who, "card": Text(state.face_up.label), "left": Text(after.face_up.label)},
            )
        case PlayCard(card):
            done = Text(
                gettext_noop("%(who)s plays the %(card)s."), {"who": who, "card": Text(card.label)}
            )
        case _:
            assert_never(move)
    if len(after.tricks) == len(state.tricks):
        return done
    trick = after.tricks[-1]
    takes = Text(
        gettext_noop("%(who)s takes the trick: %(points)d."),
        {"who": AtSeat(trick.winner), "points": trick.value},
    )
    told = then(done, takes)
    if state.mode.individual or partners_look(state) or not partners_look(after):
        return told
    return then(told, Text(gettext_noop("Partners now show each other their cards.")))


def names(cards: Iterable[Card]) -> Text:
    """List cards by suit, the strongest first, as people hold them."""
    return listed(Text(card.label) for card in by_suit(cards))


def _hand(view: View) -> Text:
    return Text(gettext_noop("In your hand: %(cards)s"), {"cards": names(view.hand)})


def _stock(view: View) -> Text:
    if not view.stock:
        return Text(
            gettext_noop("Trumps are %(trump)s. Nothing is left to draw."),
            {"trump": Text(view.trump.label)},
        )
    return Text(
        gettext_noop("Trumps: %(trump)s. The %(card)s is face up; %(number)d cards left to draw."),
        {
            "trump": Text(view.trump.label),
            "card": Text(view.face_up.label),
            "number": view.stock,
        },
    )


def _partners(view: View) -> list[Text]:
    """Show what this seat knows of other hands: a partner's (R11), or a card taken face up."""
    return [
        Text(gettext_noop("%(who)s holds: %(cards)s"), {"who": AtSeat(seat), "cards": names(cards)})
        for seat, cards in enumerate(view.known)
        if cards and seat != view.seat
    ]


def _so_far(view: View) -> list[Text]:
    if not view.tricks:
        return []
    template = (
        gettext_noop("%(side)s has taken %(points)d.")
        if view.mode.individual
        else gettext_noop("%(side)s have taken %(points)d.")
    )
    taken = points(view.mode, view.tricks)
    return [
        Text(template, {"side": OnSide(side), "points": total}) for side, total in enumerate(taken)
    ]


def _turn(view: View) -> list[Text]:
    if view.to_move is None:
        return []
    if view.to_move != view.seat:
        return [turn_of(view.to_move)]
    lines = [Text(gettext_noop("Your turn to play."))]
    if any(isinstance(move, Swap) for move in view.legal):
        lines.append(
            Text(
                gettext_noop("First you may swap a small trump for the %(card)s."),
                {"card": Text(view.face_up.label)},
            )
        )
    return lines
