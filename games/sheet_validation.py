"""Sheet validation: one answer read at a time, since a sheet may hold anything JSON can.

Each function returns its answer in its proper type, or raises a ``SheetError`` that says
beside which question, and of which side or seat, the fault lies.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Literal

from games.errors import SheetError, gettext_noop
from games.game import Session
from games.mode import Mode
from games.sheet import VOID, Sheet
from games.wording import AtSeat, OnSide, SheetWarning, Text, _, listed as in_a_row, seats_listed

_FILLED = "derived"  # what the rules write into a sheet; nobody is asked for it


def answers_of(sheet: Sheet, known: Collection[str]) -> dict[str, object]:
    """Return the answers by question; a ``dealer`` is always among those *known*.

    :raises SheetError: ``sheet-shape`` if it is no set of answers by name,
        ``answer-unknown`` if it answers something that was not asked.
    """
    is_bare(sheet)  # which refuses what is no sheet at all
    for name in sheet:
        if name != "dealer" and name not in known:
            raise SheetError(
                "answer-unknown",
                gettext_noop("“%(name)s” is not asked here. These are: %(asked)s."),
                name=name,
                asked=", ".join(sorted({*known, "dealer"} - {_FILLED})),
            )
    return dict(sheet)


def is_bare(sheet: object) -> bool:
    """Say whether this is the short form, of a table that did not count.

    :raises SheetError: ``sheet-shape`` if it is no set of answers by name.
    """
    if not isinstance(sheet, Mapping):
        raise SheetError("sheet-shape", gettext_noop('Write answers, such as {"bare": "void"}.'))
    return "bare" in sheet


def whole_number(
    value: object, *, question: str, place: int | None = None, most: int | None = None
) -> int:
    """Return a whole number from 0 to *most*.

    :raises SheetError: ``answer-missing``, ``not-whole``, ``negative`` or ``too-high``.
    """
    refused = partial(SheetError, question=question, place=place)
    if value is None:
        raise missing(question, place)
    if not isinstance(value, int) or isinstance(value, bool):
        raise refused("not-whole", gettext_noop("This must be a whole number."))
    if value < 0:
        least = gettext_noop("Write 0 or more: nobody can have less than nothing.")
        raise refused("negative", least)
    if most is not None and value > most:
        raise refused("too-high", gettext_noop("This cannot be more than %(most)d."), most=most)
    return value


def missing(question: str, place: int | None = None) -> SheetError:
    """Return the refusal of a sheet that leaves out a required answer."""
    return SheetError(
        "answer-missing",
        gettext_noop("This answer is still missing."),
        question=question,
        place=place,
    )


def listed(value: object, *, question: str) -> tuple[object, ...]:
    """Return the entries of a list.

    :raises SheetError: ``answer-missing`` or ``not-listed``.
    """
    if value is None:
        raise missing(question)
    if not isinstance(value, list | tuple):
        raise SheetError(
            "not-listed",
            gettext_noop("Write several answers here, as a list such as [0, 1]."),
            question=question,
        )
    return tuple(value)


def of_every_side(value: object, mode: Mode, *, question: str) -> tuple[object, ...]:
    """Return one entry for every side.

    :raises SheetError: ``sides`` if there are more or fewer.
    """
    many = gettext_noop("There are %(places)d sides at this table, but answers for %(given)d.")
    return _of_each(value, len(mode.sides), "sides", many, question)


def of_every_seat(value: object, mode: Mode, *, question: str) -> tuple[object, ...]:
    """Return one entry for every seat.

    :raises SheetError: ``seats`` if there are more or fewer.
    """
    many = gettext_noop("There are %(places)d seats at this table, but answers for %(given)d.")
    return _of_each(value, mode.seats, "seats", many, question)


def _of_each(value: object, places: int, code: str, many: str, question: str) -> tuple[object, ...]:
    entries = listed(value, question=question)
    if len(entries) != places:
        raise SheetError(code, many, question=question, places=places, given=len(entries))
    return entries


def seat(value: object, among: Iterable[int], *, question: str, place: int | None = None) -> int:
    """Return one of these seats.

    :raises SheetError: ``answer-missing`` or ``seat-unknown``.
    """
    if value is None:
        raise missing(question, place)
    allowed = tuple(among)
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        raise SheetError(
            "seat-unknown",
            gettext_noop("That player cannot be named here, but these can: %(known)s."),
            question=question,
            place=place,
            known=seats_listed(allowed),
        )
    return value


def seats(value: object, among: Iterable[int], *, question: str) -> tuple[int, ...]:
    """Return several of these seats, none of them twice, in the order given.

    :raises SheetError: ``answer-missing``, ``not-listed``, ``seat-unknown`` or ``seat-twice``.
    """
    allowed = tuple(among)
    entries = listed(value, question=question)
    named = tuple(seat(entry, allowed, question=question) for entry in entries)
    for position, seat_named in enumerate(named):
        if seat_named in named[:position]:
            raise SheetError(
                "seat-twice",
                gettext_noop("%(who)s is named twice: name everybody once."),
                question=question,
                who=AtSeat(seat_named),
            )
    return named


def one_of(
    value: object, allowed: Collection[str], *, question: str, place: int | None = None
) -> str:
    """Return one of a few words, as a choice offers them.

    :raises SheetError: ``answer-missing`` or ``choice-unknown``.
    """
    if value is None:
        raise missing(question, place)
    if not isinstance(value, str) or value not in allowed:
        raise SheetError(
            "choice-unknown",
            gettext_noop("Choose one of these answers: %(known)s."),
            question=question,
            place=place,
            known=", ".join(allowed),
        )
    return value


def card(value: object, pack: Collection[str], *, question: str, place: int | None = None) -> str:
    """Return the code of a card of this pack (or of a rank, where *pack* lists ranks).

    :raises SheetError: ``answer-missing`` or ``card-unknown``.
    """
    if value is None:
        raise missing(question, place)
    if not isinstance(value, str) or value not in pack:
        raise SheetError(
            "card-unknown",
            gettext_noop("Cards of this pack are written like %(example)s or %(other)s."),
            question=question,
            place=place,
            example=min(pack),
            other=max(pack),
        )
    return value


def bare_side(sheet: Sheet, mode: Mode) -> int | Literal["void"] | None:
    """Return the side that a bare sheet says won, ``None`` for none, or ``VOID``.

    :raises SheetError: ``bare-unknown`` if the table has no such side.
    """
    won = answers_of(sheet, {"bare"})["bare"]
    if won is None:
        return None
    if won == VOID:
        return "void"
    if not isinstance(won, int) or isinstance(won, bool) or won not in range(len(mode.sides)):
        raise SheetError(
            "bare-unknown",
            gettext_noop("Name one of the sides at this table: %(sides)s."),
            question="bare",
            sides=in_a_row(
                Text("%(side)s", {"side": OnSide(side)}) for side in range(len(mode.sides))
            ),
        )
    return won


def dealer_of(sheet: Sheet, session: Session) -> tuple[int, tuple[SheetWarning, ...]]:
    """Return who dealt, and a warning if the rules gave the deal to others (S2).

    :raises SheetError: ``seat-unknown`` if nobody sits there.
    """
    named = sheet.get("dealer")
    if named is None:
        return session.dealer, ()
    dealer = seat(named, range(session.mode.seats), question="dealer")
    if dealer in session.may_deal:
        return dealer, ()
    return dealer, (
        SheetWarning(
            "dealer-not-by-rule",
            _(
                "%(dealer)s dealt, but it was %(due)s’s turn to deal.",
                dealer=AtSeat(dealer),
                due=AtSeat(session.dealer),
            ),
        ),
    )
