"""What a dash earns, and who says "go" for the next (R2 to R8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games import sheet_validation
from games.errors import SheetError, gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import VOID, Criterion, Mark, Marks, Scope, Scored, Sheet, criterion

MOST_WAVES = 20
CARDS = ("palm", "crab")
MARKS = (
    Mark("shells", gettext_noop("Shells")),
    Mark("dropped", gettext_noop("Dropped"), Scope.SEAT),
)
_CRITERIA = (
    criterion("shells", gettext_noop("Shells")),
    criterion("dropped", gettext_noop("Dropped"), fewest=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Who says "go" next, and how many dashes there were."""

    mode: Mode
    options: Options
    dealer: int
    dashes: int = 0

    @property
    def may_deal(self) -> tuple[int, ...]:
        """Anybody: the beach does not mind (S2)."""
        return tuple(range(self.mode.seats))

    @property
    def leader(self) -> int:
        """Return who stands nearest to the water (R3)."""
        return self.mode.after(self.dealer)

    @property
    def over(self) -> bool:
        """Return False: people run as long as they like (R8)."""
        return False


def open_session(
    mode: Mode, options: Options, first_dealer: int, _dealt_before: Sequence[int | None]
) -> Session:
    """Return the session of people who have just come to the beach (R2)."""
    return Session(mode=mode, options=options, dealer=first_dealer)


def add_sheet(session: Session, sheet: Sheet) -> Scored[Session]:
    """Give the first's side its shells, and let the last say "go" (R2, R5).

    :raises SheetError: if no dash leaves such a sheet (S4).
    """
    read = _read_bare if sheet_validation.is_bare(sheet) else _read
    dealer, warnings = sheet_validation.dealer_of(sheet, session)
    completed = {**read(session.mode, sheet), "dealer": dealer}
    if completed.get("bare") == VOID:
        again = replace(session, dealer=dealer)
        return Scored(session=again, sheet=completed, marks=None, warnings=warnings)
    arrival = completed.get("arrival") or completed["bare"]
    return Scored(
        session=replace(session, dealer=arrival[-1], dashes=session.dashes + 1),
        sheet=completed,
        marks=_marks(session, arrival, completed),
        warnings=warnings,
    )


def _read_bare(mode: Mode, sheet: Sheet) -> dict[str, Any]:
    """Return the arrival, of which nobody wrote down more (S3).

    :raises SheetError: if no dash leaves such an arrival (S4).
    """
    bare = sheet_validation.answers_of(sheet, {"bare"})["bare"]
    return {"bare": VOID if bare == VOID else _arrival(bare, mode, "bare")}


def _read(mode: Mode, sheet: Sheet) -> dict[str, Any]:
    """Return the answers of a whole sheet (S1); what is left out stays out.

    :raises SheetError: if no dash leaves such answers (S4).
    """
    asked = {"arrival", "weather", "waves", "dropped", "wettest", "carried"}
    answered = sheet_validation.answers_of(sheet, asked)
    given = {name: answer for name, answer in answered.items() if answer is not None}
    seats = range(mode.seats)
    read: dict[str, Any] = {
        "arrival": _arrival(given.get("arrival"), mode, "arrival"),
        "weather": sheet_validation.one_of(
            given.get("weather"), ("sun", "rain"), question="weather"
        ),
    }
    if "waves" in given:
        read["waves"] = _waves(given["waves"], mode)
    if "dropped" in given:
        read["dropped"] = list(sheet_validation.seats(given["dropped"], seats, question="dropped"))
    if "wettest" in given:
        if read["weather"] == "sun":
            raise SheetError(
                "wet-in-the-sun", gettext_noop("Nobody gets wet in the sun."), question="wettest"
            )
        read["wettest"] = sheet_validation.seat(given["wettest"], seats, question="wettest")
    if "carried" in given:
        read["carried"] = sheet_validation.card(given["carried"], CARDS, question="carried")
    return read


def _waves(written: object, mode: Mode) -> list[int | None]:
    """Return how many waves each side jumped, as far as it knows."""
    return [
        None
        if jumped is None
        else sheet_validation.whole_number(jumped, question="waves", place=side, most=MOST_WAVES)
        for side, jumped in enumerate(
            sheet_validation.of_every_side(written, mode, question="waves")
        )
    ]


def _arrival(written: object, mode: Mode, question: str) -> list[int]:
    """Return who came in when, the last filled in (R4)."""
    named = sheet_validation.seats(written, range(mode.seats), question=question)
    running = [seat for seat in range(mode.seats) if seat not in named]
    if len(running) > 1:
        raise SheetError(
            "still-running",
            gettext_noop("%(left)d are still running; only the last may be left out."),
            question=question,
            left=len(running),
        )
    return [*named, *running]


def _marks(session: Session, arrival: Sequence[int], completed: Sheet) -> Marks:
    """Give the first's side its shells, doubled by rain and fewer for fallen cards (R5, R6, R7)."""
    mode, house = session.mode, session.options
    doubled = house["rain_doubles"] and completed.get("weather") == "rain"
    shells = int(house["prize"]) * (2 if doubled else 1)
    dropped = completed.get("dropped", ())
    marks: list[Mapping[str, int]] = []
    for seat in range(mode.seats):
        side = mode.sides[mode.side_of(seat)]
        fallen = sum(other in dropped for other in side) if house["fallen"] == "less" else 0
        won = shells if arrival[0] in side else 0
        marks.append({"shells": won - fallen, "dropped": int(seat in dropped)})
    return tuple(marks)


def ranking(_options: Options, _partners_change: bool) -> tuple[Criterion, ...]:
    """Rank by shells; among equals by who dropped fewer cards (S5)."""
    return _CRITERIA


def columns(_options: Options) -> tuple[Criterion, ...]:
    return _CRITERIA
