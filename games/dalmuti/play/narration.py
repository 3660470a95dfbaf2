"""Narration: what a seat sees, line by line, and what a move does, in sentences for people."""

from collections import Counter
from collections.abc import Iterable, Iterator

from games.dalmuti.play.number_words import nth
from games.dalmuti.play.rules import left_with_cards, play
from games.dalmuti.play.state import Move, PlayCards, SeatTurn, State
from games.dalmuti.play.view import View
from games.play.views import turn_lines
from games.wording import AtSeat, Text, _, listed, seats_listed, then


def describe(view: View) -> tuple[Text, ...]:
    """Say what this seat sees: who plays when, who holds how much, the trick, its own cards."""
    return (
        *_draw(view),
        _("In playing order: %(seats)s", seats=seats_listed(view.order)),
        _("Cards left: %(held)s", held=listed(_held(view))),
        *(_goes_out(seat, place) for place, seat in enumerate(view.out, start=1)),
        *(_done(turn) for turn in view.trick),
        _("In your hand: %(cards)s", cards=names(view.hand)),
        *_turn(view),
    )


def prompt(view: View) -> tuple[Text, ...]:
    return (
        _("Cards left: %(held)s", held=listed(_held(view))),
        _("In your hand: %(cards)s", cards=names(view.hand)),
        *_turn(view),
    )


def last_trick(view: View) -> tuple[Text, ...]:
    """Say what happened in the last trick; nothing before one is over."""
    return tuple(_done(turn) for turn in view.tricks[-1]) if view.tricks else ()


def describe_move(state: State, move: Move) -> Text:
    after = play(state, move)
    sentence = _done(SeatTurn(state.turn, move))
    if after.out != state.out:
        sentence = then(sentence, _goes_out(state.turn, len(after.out)))
    if after.over:
        left = left_with_cards(after)
        last = _(
            "%(who)s is left with %(cards)s, and the game is over.",
            who=AtSeat(left),
            cards=listed(map(_laid, _sets(after.hands[left]))),
        )
        return then(sentence, last)
    if not after.trick:
        cleared = _("The cards are cleared away, and %(who)s leads.", who=AtSeat(after.turn))
        return then(sentence, cleared)
    return sentence


def _done(turn: SeatTurn) -> Text:
    """Say what one seat did."""
    who = {"who": AtSeat(turn.seat)}
    if isinstance(turn.move, PlayCards):
        return _("%(who)s plays %(cards)s.", **who, cards=_laid(turn.move))
    return _("%(who)s passes.", **who)


def names(cards: Iterable[int]) -> Text:
    """List cards as people hold them, the highest first: so many times each value."""
    return listed(map(name_of_set, _sets(cards)))


def _sets(cards: Iterable[int]) -> list[PlayCards]:
    held = sorted(Counter(cards).items(), reverse=True)
    return [PlayCards(count, value) for value, count in held]


def name_of_set(cards: PlayCards) -> Text:
    return _("%(count)d × %(value)d", count=cards.count, value=cards.value)


def _laid(cards: PlayCards) -> Text:
    """Name cards as they are laid down: a single one is just that card."""
    if cards.count == 1:
        return _("the %(value)d", value=cards.value)
    return name_of_set(cards)


def _draw(view: View) -> Iterator[Text]:
    """Show the cards drawn for places, until the first trick is over."""
    if view.draw is None or view.tricks:
        return
    for seat in view.order:
        *tied, last = (_("the %(value)d", value=card) for card in view.draw[seat])
        params: dict[str, object] = {"who": AtSeat(seat), "card": last}
        if not tied:
            yield _("%(who)s drew %(card)s.", **params)
            continue
        params["cards"] = listed(tied)
        yield _("%(who)s drew %(card)s, after a tie on %(cards)s.", **params)


def _held(view: View) -> Iterator[Text]:
    for seat in view.order:
        if view.held[seat]:
            yield _("%(who)s %(number)d", who=AtSeat(seat), number=view.held[seat])


def _goes_out(seat: int, place: int) -> Text:
    if place == 1:
        return _("%(who)s is out first, and Dalmuti.", who=AtSeat(seat))
    return _("%(who)s is %(place)s out.", who=AtSeat(seat), place=nth(place))


def _turn(view: View) -> tuple[Text, ...]:
    own = _("Your turn to lead: as many cards of one number as you like.")
    if view.last is not None:
        cards = name_of_set(view.last[1])
        own = _("Your turn: beat %(cards)s, or pass.", cards=cards)
    return turn_lines(view, own)
