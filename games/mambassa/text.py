"""Text: what Mambassa asks a table, and what it says of a deal and of the one to come."""

from collections.abc import Sequence
from dataclasses import replace

from games.errors import gettext_noop
from games.game import Forecast, TableNotes
from games.mambassa.cards import NAMED_CODES
from games.mambassa.scoring import DealOutcome, Session, outcome_of
from games.mambassa.showdown import HAND_SIZE
from games.mambassa.stakes import STAKE, DealEvent
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats, Sheet
from games.wording import AtSeat, Text, _

_DECLARED = (DealEvent.MAMBASSA.value, DealEvent.QUARANTUNA.value)
_PAID_BY_SOME = (DealEvent.NORMAL.value, DealEvent.QUARANTUNA.value)


def questions(session: Session) -> tuple[Question, ...]:
    """Return what to ask after a deal (S30)."""
    playing = session.stakes.playing
    event = Choice(
        name="event",
        label=gettext_noop("How did the deal end?"),
        choices=(
            (DealEvent.NORMAL.value, gettext_noop("Normal")),
            (DealEvent.MAMBASSA.value, gettext_noop("Mambassa!")),
            (DealEvent.QUARANTUNA.value, gettext_noop("Quarantuna!")),
        ),
    )
    declarer = Seat(
        name="declarer",
        label=gettext_noop("Who declared it?"),
        seats=playing,
        depends_on=("event", _DECLARED),
    )
    payers = Seats(
        name="payers",
        label=gettext_noop("Who had the lowest hand and pays?"),
        seats=playing,
        count=(1, len(playing)),
        depends_on=("event", _PAID_BY_SOME),
        help=gettext_noop("All who are tied for the lowest pay."),
    )
    return event, declarer, payers, *_asides(session, playing)


def _asides(session: Session, playing: tuple[int, ...]) -> tuple[Question, ...]:
    """Return what a table may write down besides."""
    seats = session.mode.seats
    hands = Card(
        name="hands",
        label=gettext_noop("Which cards did everybody show?"),
        per=Per.SEAT,
        count=(HAND_SIZE, HAND_SIZE),
        required=False,
        aside=True,
        cards=NAMED_CODES,
    )
    monte = replace(
        hands, name="monte", label=gettext_noop("Which cards lay in the monte?"), per=Per.HAND
    )
    knocker = Seat(
        name="knocker",
        label=gettext_noop("Who knocked?"),
        seats=playing,
        required=False,
        aside=True,
    )
    tokens = Number(
        name="tokens",
        label=gettext_noop("How many tokens has everybody now?"),
        per=Per.SEAT,
        high=STAKE * seats,
        required=False,
        aside=True,
    )
    pool = Number(
        name="pool",
        label=gettext_noop("How many tokens are in the pool now?"),
        low=seats,
        high=STAKE * seats,
        required=False,
        aside=True,
        help=gettext_noop("Count before a winner takes it."),
    )
    return hands, monte, knocker, tokens, pool


def bare_question(session: Session) -> Question:
    """Return the question for a finished game that a table played with tokens alone."""
    playing = session.stakes.playing
    return Order(
        name="bare",
        label=gettext_noop("Game over? In what order did they finish, the winner first?"),
        seats=playing,
        count=(len(playing) - 1, len(playing)),
    )


def headline(session: Session, sheet: Sheet) -> Text:
    """Say what happened, in a few words."""
    if sheet.get("bare") == VOID:
        return _("This deal counts for nothing")
    if "bare" in sheet:
        first = sheet["bare"][0]
        if isinstance(first, int):
            return _("%(who)s wins the game", who=AtSeat(first))
        return _("%(people)s share the first place", people=people(first))
    outcome = outcome_of(session, sheet)
    if outcome.places is not None:
        return _("%(who)s wins the game", who=AtSeat(outcome.places[0][0]))
    return _deal_headline(outcome)


def _deal_headline(outcome: DealOutcome) -> Text:
    deal = outcome.deal
    match deal.event, deal.declarer:
        case DealEvent.MAMBASSA, int(declarer):
            return _("Mambassa! %(who)s has four Aces", who=AtSeat(declarer))
        case DealEvent.QUARANTUNA, int(declarer):
            return _("Quarantuna! %(who)s takes a token", who=AtSeat(declarer))
        case _:
            pass
    return _one_or_several(
        deal.payers, gettext_noop("%(who)s pays"), gettext_noop("%(people)s pay")
    )


def explain(session: Session, sheet: Sheet) -> Text | None:
    """Say who went out and why a game ended, or else who paid and what the pool holds."""
    if "bare" in sheet:
        return None
    outcome = outcome_of(session, sheet)
    stakes = outcome.stakes
    if not stakes.playing:
        return _("All are out at once: %(who)s dealt, and so wins.", who=AtSeat(outcome.dealer))
    if outcome.places is not None:
        return _("%(who)s is the last one in.", who=AtSeat(stakes.playing[0]))
    if stakes.out != session.out:
        return _one_or_several(
            stakes.out[-1], gettext_noop("%(who)s is out."), gettext_noop("%(people)s are out.")
        )
    if outcome.deal.event is DealEvent.NORMAL:
        return _("The pool holds %(pool)d now.", pool=stakes.pool)
    return _one_or_several(
        outcome.deal.payers, gettext_noop("%(who)s pays."), gettext_noop("%(people)s pay.")
    )


def _one_or_several(seats: Sequence[int], one: str, several: str) -> Text:
    if len(seats) == 1:
        return Text(one, {"who": AtSeat(seats[0])})
    return Text(several, {"people": people(seats)})


def forecast(session: Session) -> tuple[Forecast, ...]:
    """Say who deals next: the leader now, unless this deal puts that player out (R10)."""
    due = session.leader
    usual, perhaps = gettext_noop("whoever wins"), gettext_noop("if still in the game")
    return (Forecast(Text(usual if session.tokens[due] > 1 else perhaps), None, due),)


def notes(session: Session) -> TableNotes:
    """Return the tokens in the pool and before every player."""
    seats = []
    for held in session.tokens:
        template = gettext_noop("1 token") if held == 1 else gettext_noop("%(tokens)d tokens")
        # ``dots`` draws them, beside those paid since.
        drawn = {"tokens": held, "dots": "●" * held + "○" * (STAKE - 1 - held)}
        seats.append(Text(template, drawn) if held else _("out"))
    pool = _("%(pool)d tokens in the pool", pool=session.pool)
    return TableNotes(table=pool, seats=tuple(seats))


def people(seats: Sequence[int]) -> Text:
    """Return two or more people as a sentence names them.

    >>> str(people([0, 2, 3]))
    'seat 0, seat 2 and seat 3'
    """
    *others, last = map(AtSeat, seats)
    before: object = others[0]
    for who in others[1:]:
        before = _("%(people)s, %(who)s", people=before, who=who)
    return _("%(people)s and %(who)s", people=before, who=last)
