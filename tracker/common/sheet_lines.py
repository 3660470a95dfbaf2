"""A sheet of any game as lines of text, and two sheets side by side.

A *sheet* has the answers that people write down after a hand, keyed by question; each is asked
once a hand, for each side (seats that score together) or for each seat. A side's *count* is the
number that it counted at the end of the hand. A table that did not count answers the game's *bare*
question instead: who won, or in which order they finished.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from django.utils.translation import gettext

from games.game import AnyGame, Session
from games.mode import Mode
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats, Sheet
from tracker.common.wording import Names, say, together


@dataclass(frozen=True, slots=True)
class Line:
    """One answer of a sheet; ``differs`` if the sheet beside it has no such line."""

    label: str
    value: str
    differs: bool = False


def totals(game: AnyGame, session: Session, sheet: Sheet) -> str:
    """Return the sides' counts joined with dashes; "" if the sheet has none."""
    return "–".join("?" if count is None else str(count) for count in counts(game, session, sheet))


def counts(game: AnyGame, session: Session, sheet: Sheet) -> Sequence[object]:
    """Return the count of each side in order; empty if the sheet has none."""
    for question in game.questions(session):
        if _is_count(question):
            counted = sheet.get(question.name)
            if isinstance(counted, list | tuple):
                return counted
    return ()


def _is_count(question: Question) -> bool:
    """Return whether it asks for the counts of the sides; an *aside* is a number beside them."""
    return isinstance(question, Number) and question.per is Per.SIDE and not question.aside


def lines(
    game: AnyGame, session: Session, sheet: Sheet, names: Names, *, with_counts: bool = True
) -> tuple[Line, ...]:
    """Return the answers of a sheet, the dealer last; *with_counts* includes the sides' counts."""
    questions = (*game.questions(session), game.bare_question(session))
    answers = [
        line
        for question in questions
        if with_counts or not _is_count(question)
        for line in _answers(question, session.mode, sheet, names)
    ]
    # A seat, None if it was not written down, or "" if the sheet has no dealer.
    dealer = sheet.get("dealer", "")
    if dealer is None or isinstance(dealer, int):
        dealer_name = gettext("not written down") if dealer is None else names.at(dealer)
        answers.append(Line(gettext("Dealt"), dealer_name))
    return tuple(answers)


def side_by_side(
    ours: Sequence[Line], theirs: Sequence[Line]
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Return the lines of both sheets, with differences marked."""
    return _marked(ours, theirs), _marked(theirs, ours)


def _marked(own: Sequence[Line], others: Sequence[Line]) -> tuple[Line, ...]:
    beside = {(line.label, line.value) for line in others}
    return tuple(replace(line, differs=(line.label, line.value) not in beside) for line in own)


def _answers(question: Question, mode: Mode, sheet: Sheet, names: Names) -> Iterator[Line]:
    """Yield the answers to a question: one line for the hand, or one for each side or seat."""
    if question.name not in sheet:
        return
    answer, label = sheet[question.name], say(question.label, names)
    if answer == VOID:
        yield Line(label, gettext("Void: it counts for nothing"))
        return
    match question.per:
        case Per.HAND:
            yield Line(label, _value(question, answer, names))
            return
        case Per.SIDE:
            labels = [names.of(side) for side in range(len(mode.sides))]
        case Per.SEAT:
            labels = [names.at(seat) for seat in range(mode.seats)]
        case _:
            assert_never(question.per)
    # The answer is a list, with ``None`` for a side or seat that did not answer.
    for name, value in zip(labels, _listed(answer), strict=False):
        if value is not None:
            yield Line(name, _value(question, value, names))


def _value(question: Question, value: object, names: Names) -> str:
    """Return one answer to a question as text."""
    # A list of several cards, for example; the answer to ``Order`` or ``Seats`` is itself a list.
    if isinstance(value, list | tuple) and not isinstance(question, Order | Seats):
        return " ".join(_value(question, part, names) for part in value)
    match question:
        case Number():
            return str(value)
        case Choice():
            return next(
                (say(label, names) for answer, label in question.choices if answer == value),
                str(value),
            )
        case Card():
            labels = dict((*question.ranks, *question.cards))
            return say(labels.get(str(value), str(value)), names)
        case Seat():
            return _shared(value, names)
        case Order() | Seats():
            people = [_shared(entry, names) for entry in _listed(value)]
            return ", ".join(people) if isinstance(question, Order) else together(people)
        case _:
            assert_never(question)


def _shared(entry: object, names: Names) -> str:
    """Return the name at a seat, or the names at seats that share a place in an order."""
    if isinstance(entry, list | tuple):
        return " = ".join(_shared(seat, names) for seat in entry)
    return names.at(entry) if isinstance(entry, int) else str(entry)


def _listed(value: object) -> Sequence[object]:
    """Return the value if it is a list, else an empty list."""
    return value if isinstance(value, list | tuple) else ()
