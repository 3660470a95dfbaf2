"""A fifth game, made up, to show that a game is its own folder and one line elsewhere.

Pwani Dash: everybody runs along the beach with a card on the head. Its sheet has a
question of every kind, and its house rules are of every kind as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import sheet_validation
from games.errors import SheetError, gettext_noop
from games.game import FirstDealer, Forecast, Game, Kind, Option, Options, TableNotes, Unit
from games.mode import Mode, individuals, teams
from games.sheet import (
    VOID,
    Card,
    Choice,
    Criterion,
    Mark,
    Marks,
    Number,
    Order,
    Per,
    Question,
    Scope,
    Scored,
    Seat,
    Seats,
    Sheet,
    criterion,
)
from games.wording import AtSeat, Text

MODES = (
    teams(4, 2, gettext_noop("four, hand in hand in pairs")),
    individuals(3, gettext_noop("three, each for themselves")),
)
OPTIONS = (
    Option(
        name="rain_doubles",
        label=gettext_noop("It rains on the dash: is it worth double?"),
        kind=Kind.FLAG,
        default=False,
    ),
    Option(
        name="fallen",
        label=gettext_noop("Somebody drops the card: what then?"),
        kind=Kind.CHOICE,
        default="nothing",
        choices=(
            ("nothing", gettext_noop("Pick it up and run on")),
            ("less", gettext_noop("One shell less")),
        ),
    ),
    Option(
        name="prize",
        label=gettext_noop("How many shells has the first?"),
        kind=Kind.NUMBER,
        default=5,
        choices=((3, ""), (9, "")),
    ),
)
MARKS = (
    Mark("shells", gettext_noop("Shells")),
    Mark("dropped", gettext_noop("Dropped"), Scope.SEAT),
)
SHELLS = criterion("shells", gettext_noop("Shells"))
DROPPED = criterion("dropped", gettext_noop("Dropped"), fewest=True)
CARDS = (("palm", gettext_noop("The Palm")), ("crab", gettext_noop("The Crab")))
WEATHER = (("sun", gettext_noop("Sunshine")), ("rain", gettext_noop("Rain")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Who says "go" next, and how many dashes there were."""

    mode: Mode
    options: Options
    dealer: int
    dashes: int = 0

    @property
    def may_deal(self) -> tuple[int, ...]:
        return tuple(range(self.mode.seats))

    @property
    def leader(self) -> int:
        return self.mode.after(self.dealer)

    @property
    def over(self) -> bool:
        return False


def open_session(
    mode: Mode, options: Options, first_dealer: int, _dealt_before: Sequence[int | None]
) -> Session:
    return Session(mode=mode, options=options, dealer=first_dealer)


def questions(session: Session) -> tuple[Question, ...]:
    seats = tuple(range(session.mode.seats))
    return (
        Order(
            name="arrival",
            label=gettext_noop("Who came in when?"),
            seats=seats,
            count=(len(seats) - 1, len(seats)),
        ),
        Choice(name="weather", label=gettext_noop("What was the weather like?"), choices=WEATHER),
        Number(
            name="waves",
            label=gettext_noop("How many waves did each side jump?"),
            per=Per.SIDE,
            required=False,
            high=20,
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
            cards=CARDS,
            required=False,
            aside=True,
        ),
    )


def bare_question(session: Session) -> Question:
    return replace(questions(session)[0], name="bare", label=gettext_noop("Who came in first?"))


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    dealer, warnings = sheet_validation.dealer_of(sheet, session)
    if sheet.get("bare") == VOID:
        void = {"bare": VOID, "dealer": dealer}
        return Scored(session=session, sheet=void, marks=None, warnings=warnings)
    if sheet_validation.is_bare(sheet):
        arrival = _arrival(sheet["bare"], session, "bare")
        completed: dict[str, object] = {"bare": list(arrival)}
        given: dict[str, object] = {}
    else:
        names = {question.name for question in questions(session)}
        given = sheet_validation.answers_of(sheet, names)
        arrival = _arrival(given.get("arrival"), session, "arrival")
        completed = {**given, "arrival": list(arrival)}
    return Scored(
        session=replace(session, dealer=arrival[-1], dashes=session.dashes + 1),
        sheet={**completed, "dealer": dealer},
        marks=_marks(session, arrival, given),
        warnings=warnings,
    )


def _arrival(value: object, session: Session, question: str) -> tuple[int, ...]:
    named = sheet_validation.seats(value, range(session.mode.seats), question=question)
    left = [seat for seat in range(session.mode.seats) if seat not in named]
    if len(left) > 1:
        raise SheetError(
            "still-running",
            gettext_noop("%(left)d are still running; only the last may be left out."),
            question=question,
            left=len(left),
        )
    return (*named, *left)


def _marks(session: Session, arrival: tuple[int, ...], given: dict[str, object]) -> Marks:
    """Give the first's side its shells, doubled by rain where the house says so."""
    shells = int(session.options["prize"])
    if given.get("weather") == "rain" and session.options["rain_doubles"]:
        shells *= 2
    named = given.get("dropped") or ()
    dropped = sheet_validation.seats(named, range(session.mode.seats), question="dropped")
    less = session.options["fallen"] == "less"
    marks = []
    for seat in range(session.mode.seats):
        side = session.mode.side_of(seat)
        fallen = sum(session.mode.side_of(one) == side for one in dropped) if less else 0
        won = shells if session.mode.side_of(arrival[0]) == side else 0
        marks.append({"shells": won - fallen, "dropped": int(seat in dropped)})
    return tuple(marks)


def headline(_session: Session, sheet: Sheet) -> Text:
    if sheet.get("bare") == VOID:
        return Text(gettext_noop("This dash counts for nothing"))
    first = (sheet.get("arrival") or sheet["bare"])[0]
    return Text(gettext_noop("%(who)s is first at the palm"), {"who": AtSeat(first)})


def explain(_session: Session, _sheet: Sheet) -> Text | None:
    return None


def forecast(_session: Session) -> tuple[Forecast, ...]:
    return (Forecast(Text(gettext_noop("whoever comes in last")), None, None),)


def notes(session: Session) -> TableNotes:
    dashes = {"dashes": session.dashes}
    return TableNotes(table=Text(gettext_noop("%(dashes)d dashes run"), dashes))


def ranking(_options: Options, _partners_change: bool) -> tuple[Criterion, ...]:
    return SHELLS, DROPPED


def columns(_options: Options) -> tuple[Criterion, ...]:
    return SHELLS, DROPPED


GAME = Game(
    slug="dash",
    name=gettext_noop("Pwani Dash"),
    summary=gettext_noop("Run to the palm with a card on your head."),
    unit=Unit(
        one=gettext_noop("dash"),
        many=gettext_noop("dashes"),
        numbered=gettext_noop("Dash %(number)d"),
        numbered_of=gettext_noop("Dash %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.CHOSEN,
    modes=lambda _options: MODES,
    options=OPTIONS,
    marks=MARKS,
    ranking=ranking,
    columns=columns,
    session=Session,
    open_session=open_session,
    questions=questions,
    bare_question=bare_question,
    add_sheet=add_sheet,
    headline=headline,
    explain=explain,
    forecast=forecast,
    notes=notes,
    usual_length=4,
)
