"""What a table is asked about one hand, in any game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.game import Session
from games.mode import Mode
from games.sheet import Question
from tracker.common.wording import NAMELESS, Names
from tracker.ledger.table import TableNow
from tracker.models import Hand, Tournament
from tracker.reports.forms.kinds import kind_of
from tracker.reports.forms.kinds.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class TableQuestions:
    """What a table is asked about one hand, and how its people are called.

    ``dealer`` is who the page says deals; ``None`` where the table's own draw decides. A hand
    that is ``drawn`` for may leave its dealer unknown.
    """

    number: int
    mode: Mode
    questions: tuple[Question, ...]
    bare: Question
    dealer: int | None
    drawn: bool = False
    names: Names = NAMELESS

    def kind(self, question: Question) -> Kind[Any]:
        """Return one of the questions with all that its kind knows."""
        return kind_of(question, self.mode, self.names)

    @property
    def twin_of_bare(self) -> Question | None:
        """Return the question of the sheet that asks the same as the bare one."""
        named = (replace(question, name=self.bare.name) for question in self.questions)
        twins = zip(self.questions, named, strict=True)
        return next((question for question, twin in twins if twin == self.bare), None)


def questions_at(
    table: TableNow, session: Session, number: int, *, names: Names = NAMELESS
) -> TableQuestions:
    """Return what *table* is asked about this hand, played from *session*."""
    drawn = table.game.is_drawn(session.may_deal)
    chosen = table.chosen if number > table.last_number else None
    return TableQuestions(
        number=number,
        mode=table.mode,
        questions=table.game.questions(session),
        bare=table.game.bare_question(session),
        dealer=None if drawn and chosen is None else session.dealer,
        drawn=drawn,
        names=names,
    )


def opening_questions(tournament: Tournament) -> TableQuestions:
    """Return the questions on the first hand of this tournament's tables, without names."""
    game, options, mode = tournament.rules, tournament.house_rules, tournament.table_mode
    session = game.open_session(mode, options, 0, [None] * mode.seats)
    return TableQuestions(
        number=1,
        mode=mode,
        questions=game.questions(session),
        bare=game.bare_question(session),
        dealer=None,
        names=Names(("",) * mode.seats, ("",) * len(mode.sides)),
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
            if question.required or any(sent.get(key) for key in asked.kind(question).all_keys())
        ),
    )
