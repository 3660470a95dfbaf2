"""What a table is asked about one of its hands."""

from collections.abc import Mapping
from dataclasses import replace

from games.game import Session
from tracker.common.wording import NAMELESS, Names
from tracker.ledger.table import TableNow
from tracker.models import Hand
from tracker.reports.forms import questions as asking
from tracker.reports.forms.sheet import TableQuestions


def questions_at(
    table: TableNow, session: Session, number: int, *, names: Names = NAMELESS
) -> TableQuestions:
    """Return what *table* is asked about this hand, played from *session*."""
    by_draw = table.is_drawn(number)
    return TableQuestions(
        number=number,
        mode=table.mode,
        questions=table.game.questions(session),
        bare=table.game.bare_question(session),
        dealer=None if by_draw else session.dealer,
        names=names,
    )


def session_of(table: TableNow, number: int) -> Session:
    """Return the session a hand is played from; only one played already costs a query."""
    if 1 <= number <= table.last_number:
        hand = Hand.objects.only("session_before").get(sitting=table.sitting_id, number=number)
        return table.resume_session(hand.session_before)
    return table.coming_session()


def answered(asked: TableQuestions, sent: Mapping[str, str]) -> TableQuestions:
    """Leave out what need not be answered and was not: nothing is lost, and a sheet is read sooner.

    Only for reading; a page asks everything.
    """
    return replace(
        asked,
        questions=tuple(
            question
            for question in asked.questions
            if question.required or any(sent.get(key) for key in asking.keys(question, asked.mode))
        ),
    )
