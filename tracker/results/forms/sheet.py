"""Form for the sheet of one hand, in any game, and the questions that it asks a table.

A *sheet* is what a table writes down after a hand: answers by question. A *bare* sheet tells only
who won, or the finishing order. A *parked* sheet has a count that would not add up, and who won.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import get_language, gettext as _

from games.errors import RuleError
from games.game import Session
from games.mode import Mode
from games.sheet import VOID, Question, Sheet
from tracker.common.web.renderer import CachedSelect
from tracker.common.wording import NAMELESS, Names, say
from tracker.models import Hand, Tournament
from tracker.results.forms.question_base import MISSING, Fields, QuestionKind
from tracker.results.forms.question_kinds import has_gaps, has_ties, kind_of
from tracker.tables.table_now import TableNow

VOID_KEY = "bare_void"  # the field to tick if the hand counts for nobody


@lru_cache(maxsize=64)
def _kinds_of(
    questions: tuple[Question, ...], mode: Mode, names: Names, preset: bool, _language: str | None
) -> tuple[QuestionKind[Any], ...]:
    """Return these questions as their kinds, whose fields are made once for a language."""
    return tuple(kind_of(question, mode, names, preset=preset) for question in questions)


@dataclass(frozen=True, kw_only=True)
class TableQuestions:
    """The questions about one hand of a table, with the names of its players."""

    number: int  # of the hand
    mode: Mode  # how many players sit at the table, in which sides
    questions: tuple[Question, ...]
    bare_question: Question  # asks only who won, or for the finishing order
    # The place that deals, as the page first shows it: by the rules or the table's choice.
    dealer: int | None
    drawn: bool = False  # the table draws cards for the deal: the dealer may stay unknown
    names: Names = NAMELESS

    @cached_property
    def kinds(self) -> tuple[QuestionKind[Any], ...]:
        return _kinds_of(self.questions, self.mode, self.names, True, get_language())

    @cached_property
    def bare_kind(self) -> QuestionKind[Any]:
        [kind] = _kinds_of((self.bare_question,), self.mode, self.names, False, get_language())
        return kind

    @property
    def twin_of_bare(self) -> Question | None:
        """Return the question like the bare one but for its name, if the game counts nothing."""
        bare = self.bare_question
        twins = (each for each in self.questions if replace(each, name=bare.name) == bare)
        return next(twins, None)


def questions_at(
    table: TableNow, session: Session, number: int, *, names: Names = NAMELESS
) -> TableQuestions:
    """Return the questions about a hand of *table* that is played from *session*."""
    drawn = table.game.is_drawn(session.may_deal)
    # The table can choose another dealer for the coming hand only.
    chosen = table.chosen if number > table.last_number else None
    return TableQuestions(
        number=number,
        mode=table.mode,
        questions=table.game.questions(session),
        bare_question=table.game.bare_question(session),
        dealer=None if drawn and chosen is None else session.dealer,
        drawn=drawn,
        names=names,
    )


def opening_questions(tournament: Tournament) -> TableQuestions:
    """Return the questions about the first hand at this tournament's tables, with blank names."""
    game, options, mode = tournament.rules, tournament.house_rules, tournament.table_mode
    never_dealt, first_dealer = [None] * mode.seats, 0
    session = game.open_session(mode, options, first_dealer, never_dealt)
    return TableQuestions(
        number=1,
        mode=mode,
        questions=game.questions(session),
        bare_question=game.bare_question(session),
        dealer=None,
        names=Names(("",) * mode.seats, ("",) * len(mode.sides)),
    )


def session_of(table: TableNow, number: int) -> Session:
    """Return the session from which a hand is played; one query if the hand is recorded."""
    if 1 <= number <= table.last_number:
        hand = Hand.objects.only("session_before").get(sitting=table.sitting_id, number=number)
        return table.resume_session(hand.session_before)
    return table.coming_session()


class How(StrEnum):
    """The button with which a sheet is sent."""

    SAVE = "save"
    BARE = "bare"  # only who won: nobody counted
    PARK = "park"  # leave it to the organiser: the count would not add up


@lru_cache(maxsize=64)
def _own_fields(
    mode: Mode, names: Names, drawn: bool, asks_void: bool, _language: str | None
) -> Fields:
    """Return the fields of a sheet beside its questions; *asks_void*: no question offers "void"."""
    dealers = [(str(seat), names.at(seat)) for seat in range(mode.seats)]
    if drawn:
        dealers.insert(0, ("", _("As drawn at the table")))
    sides = [(str(side), names.of(side)) for side in range(len(mode.sides))]
    fields: Fields = {
        # The id of the submission, new for each sheet: if it is sent twice, it is stored once.
        "entry": forms.UUIDField(widget=forms.HiddenInput),
        "number": forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput),
        # The dealer that the page showed, so that an unchanged one is not taken for a choice.
        "shown": forms.CharField(required=False, widget=forms.HiddenInput),
        "dealer": forms.ChoiceField(
            label=_("Who dealt?"), choices=dealers, required=False, widget=CachedSelect
        ),
        "side": forms.ChoiceField(
            label=_("Who writes this down?"),
            help_text=_("When another side writes the same, the hand is confirmed."),
            choices=[("", _("the whole table")), *sides],
            required=False,
            widget=CachedSelect,
        ),
    }
    if asks_void:
        label = _("It counts for nothing: we deal again")
        fields[VOID_KEY] = forms.BooleanField(label=label, required=False)
    return fields


class HandForm(forms.Form):
    """The sheet of one hand. Typed values stay in the form even if the rules refuse them."""

    use_required_attribute = False  # a table may also send only who won

    def __init__(
        self,
        questions: TableQuestions,
        data: Mapping[str, Any] | None = None,
        *,
        standing: Sheet | None = None,
        side: int | None = None,
        prefix: str | None = None,
        only_read: bool = False,
    ) -> None:
        """Ask these *questions*; *standing* is a sheet to start with, *side* the phone's side.

        A form that is *only_read*, not shown, has no fields for optional values that *data* leaves
        empty, which is faster.
        """
        self.questions = questions
        sheet = standing or {}
        self.starts_bare = "bare" in sheet
        self.refusals: dict[str, list[str]] = {}  # name of a question -> sentences about it
        initial: dict[str, Any] = {}
        if not only_read:
            dealer = sheet.get("dealer", questions.dealer)
            shown = "" if dealer is None else str(dealer)
            initial = {"entry": uuid4, "number": questions.number, "side": side}
            initial |= {"dealer": shown, "shown": shown, VOID_KEY: sheet.get("bare") == VOID}
            for kind in (*questions.kinds, questions.bare_kind):
                if kind.question.name in sheet:
                    initial |= kind.initial(sheet[kind.question.name])
        super().__init__(data, initial=initial, prefix=prefix, label_suffix="")
        self._add_fields()
        if only_read:
            fields = self.fields.items()
            self.fields = {name: f for name, f in fields if f.required or self.data.get(name)}

    def _add_fields(self) -> None:
        """Add the fields, which all forms with these questions share: copy, then change them."""
        questions, bare_kind = self.questions, self.questions.bare_kind
        self.fields |= _own_fields(
            questions.mode, questions.names, questions.drawn, not bare_kind.choices, get_language()
        )
        for kind in (*questions.kinds, bare_kind):
            self.fields |= kind.fields

    # Reading ----------------------------------------------------------------------------------

    @cached_property
    def how(self) -> How:
        """Return which button was pressed; the Enter key presses the first."""
        pressed = self.data.get(self.how_name, How.SAVE)
        return How(pressed) if pressed in set(How) else How.SAVE

    def clean(self) -> dict[str, Any]:
        """Check the count if it is saved, else only who won: a parked count may be unfinished."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        count, who_won = self.questions.kinds, (self.questions.bare_kind,)
        used, unused = (count, who_won) if self.how is How.SAVE else (who_won, count)
        for kind in unused:  # its errors do not matter
            for key in kind.fields:
                self.errors.pop(key, None)
        for kind in used:
            if kind.ordered and has_gaps(kind.slots, cleaned):
                self._refuse(kind.question.name, _("A place before the last one is still empty."))
        if self.how is not How.SAVE and self._bare_answer(cleaned) is MISSING:
            sentence = _("Say who won, so that the deal can pass on.")
            self._refuse(self.questions.bare_question.name, sentence)
        return cleaned

    def sheet(self) -> dict[str, Any]:
        """Return the answers as a sheet; a parked sheet has the count and who won."""
        if self.how is How.SAVE:
            return self._counted_sheet()
        counted = self._counted_sheet() if self.how is How.PARK else {}
        return self._with_dealer({**counted, "bare": self._bare_answer(self.cleaned_data)})

    def _counted_sheet(self) -> dict[str, Any]:
        sheet: dict[str, Any] = {}
        for kind in self.questions.kinds:
            # The page hides a question that depends on an answer which was not given.
            if kind.question.depends_on is not None:
                other, values = kind.question.depends_on
                if sheet.get(other) not in values:
                    continue
            answer = kind.answer(self.cleaned_data)
            if answer is not MISSING:
                sheet[kind.question.name] = answer
        return self._with_dealer(sheet)

    def _bare_answer(self, cleaned: Mapping[str, Any]) -> object:
        if cleaned.get(VOID_KEY):
            return VOID
        return self.questions.bare_kind.answer(cleaned)

    def _with_dealer(self, sheet: dict[str, Any]) -> dict[str, Any]:
        dealer = self.cleaned_data.get("dealer")
        # The page showed the dealer of its own hand. If the sheet is for the hand after that, an
        # unchanged dealer says nothing.
        if self.is_next and dealer == self.cleaned_data.get("shown"):
            return sheet
        if dealer:
            return {**sheet, "dealer": int(dealer)}
        # No dealer is named. ``None`` makes one who was named before unknown again.
        dealer_before = self.cleaned_data.get("shown", self.initial.get("dealer"))
        return {**sheet, "dealer": None} if self.questions.drawn and dealer_before else sheet

    @property
    def how_name(self) -> str:
        return self.add_prefix("how")

    @property
    def is_next(self) -> bool | None:
        """Return whether the sheet is for the hand after the page's; ``None`` if not asked."""
        return {"yes": True, "no": False}.get(self.data.get("is_next", ""))

    @property
    def number(self) -> int:
        return int(self.cleaned_data["number"])

    @property
    def side(self) -> int | None:
        side = self.cleaned_data.get("side")
        return int(side) if side else None

    # Refusals ---------------------------------------------------------------------------------

    def refuse(self, error: RuleError) -> None:
        """Show a refusal of the rules beside the answer it is about."""
        sentence = say(error, self.questions.names)
        kinds = (*self.questions.kinds, self.questions.bare_kind)
        kind = next((kind for kind in kinds if kind.question.name == error.question), None)
        if kind is None:
            self.add_error(error.question if error.question in self.fields else None, sentence)
            return
        # The rules would speak of ties; in this form a tie is a place that was chosen twice.
        if kind.ordered and has_ties(kind.answer(self.cleaned_data)):
            sentence = _("Two people cannot have the same place here.")
        for slot in kind.slots:
            if error.place is not None and slot.place == error.place:
                self.add_error(slot.keys[0], sentence)
                return
        self._refuse(kind.question.name, sentence)

    def _refuse(self, question: str, sentence: str) -> None:
        self.refusals.setdefault(question, []).append(sentence)
        # Trap: without an error of Django's own the form would count as valid.
        self.add_error(None, sentence)

    def summary(self) -> list[tuple[str, str]]:
        """Return every refusal as (anchor of its place on the page, sentence)."""
        lines = [
            (f"#{self.add_prefix(f'q-{name}')}", sentence)
            for name, sentences in self.refusals.items()
            for sentence in sentences
        ]
        # ``_refuse`` added these sentences to the errors, too.
        of_questions = {sentence for _anchor, sentence in lines}
        for key, errors in self.errors.items():
            sentences = [str(error) for error in errors]
            if key in {"entry", "number"}:
                lines.append(("", _("This page has grown old: load it again, please.")))
            elif key == NON_FIELD_ERRORS:
                lines += [("", sentence) for sentence in sentences if sentence not in of_questions]
            else:
                lines += [(f"#{self[key].auto_id}", sentence) for sentence in sentences]
        return lines

    @property
    def opens_aside(self) -> bool:
        """Return whether anything in the folded part, with the ``aside`` questions, was refused."""
        aside = [kind for kind in self.questions.kinds if kind.question.aside]
        keys = {key for kind in aside for key in kind.fields}
        return bool(
            {"dealer", "side", *keys} & self.errors.keys()
            or any(kind.question.name in self.refusals for kind in aside)
        )

    @property
    def opens_bare(self) -> bool:
        """Return whether the part that asks only who won starts open."""
        return self.how is not How.SAVE or self.starts_bare
