"""What a table on the beach is asked, and what is said of a dash (S1, S3)."""

from dataclasses import replace

from games.dash.scoring import CARDS, MOST_WAVES, Session
from games.errors import gettext_noop
from games.game import Forecast, TableNotes
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats, Sheet
from games.wording import AtSeat, Text, _

_NAMES = (gettext_noop("The Palm"), gettext_noop("The Crab"))


def questions(session: Session) -> tuple[Question, ...]:
    """Return what to ask after a dash (S1)."""
    seats = tuple(range(session.mode.seats))
    return (
        Order(
            name="arrival",
            label=gettext_noop("Who came in when?"),
            seats=seats,
            count=(len(seats) - 1, len(seats)),
        ),
        Choice(
            name="weather",
            label=gettext_noop("What was the weather like?"),
            choices=(("sun", gettext_noop("Sunshine")), ("rain", gettext_noop("Rain"))),
        ),
        Number(
            name="waves",
            label=gettext_noop("How many waves did each side jump?"),
            per=Per.SIDE,
            required=False,
            high=MOST_WAVES,
        ),
        Seats(
            name="dropped",
            label=gettext_noop("Who dropped the card?"),
            seats=seats,
            count=(0, len(seats)),
            required=False,
        ),
        Seat(
            name="wettest",
            label=gettext_noop("Who got wettest?"),
            seats=seats,
            required=False,
            depends_on=("weather", ("rain",)),
        ),
        Card(
            name="carried",
            label=gettext_noop("Which card was carried?"),
            cards=tuple(zip(CARDS, _NAMES, strict=True)),
            required=False,
            aside=True,
        ),
    )


def bare_question(session: Session) -> Question:
    """Return what to ask a table that only saw who came in when (S3)."""
    return replace(questions(session)[0], name="bare", label=gettext_noop("Who came in first?"))


def headline(_session: Session, sheet: Sheet) -> Text:
    if sheet.get("bare") == VOID:
        return _("This dash counts for nothing")
    first = (sheet.get("arrival") or sheet["bare"])[0]
    return _("%(who)s is first at the palm", who=AtSeat(first))


def forecast(_session: Session) -> tuple[Forecast, ...]:
    return (Forecast(_("whoever comes in last"), None, None),)


def notes(session: Session) -> TableNotes:
    dashes = {"dashes": session.dashes}
    return TableNotes(table=_("%(dashes)d dashes run", **dashes))
