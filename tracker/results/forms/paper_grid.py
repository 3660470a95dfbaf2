"""Form for typing in a table's paper sheet: a row for each hand, a cell for each answer.

Each row is a form for the *sheet* of one hand (answers by question), with the fields that paper has
room for. Its *short form* asks only for the result, and makes a *bare* sheet, which tells who won.
In games that count nothing, the full sheet asks the same question: the *twin* of the bare question.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from games.errors import RuleError
from games.sheet import VOID, Number, Per
from tracker.common.web.renderer import CachedSelect
from tracker.common.wording import say
from tracker.results.forms.question_base import BLANK
from tracker.results.forms.question_kinds import code
from tracker.results.forms.sheet import VOID_KEY, HandForm, How, TableQuestions, questions_at
from tracker.results.queries.hand_details import HandDetails
from tracker.results.services.paper import Paper
from tracker.tables.table_now import TableNow

SEEN = "seen"  # the field for the key of the report that the row showed when the page was made
_ROWS_AHEAD = 8  # beyond the last hand, where the round does not say how many there are
_MOST_AHEAD = 60  # beyond the last hand, in every round


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A question on paper."""

    label: str
    of: tuple[tuple[str, str], ...]  # the (name, letter) of each person or side with a cell
    choices: tuple[str, ...] = ()  # one of them is ringed on paper

    @property
    def width(self) -> int:
        return max(1, len(self.of))

    @property
    def named(self) -> bool:
        """Return whether it has a cell for each of several people or sides."""
        return any(name for name, _letter in self.of)


class PaperRow(HandForm):
    """The sheet of one hand as a row: the required answers, or only the result, and the dealer."""

    def __init__(
        self,
        questions: TableQuestions,
        data: Mapping[str, Any] | None,
        *,
        hand: HandDetails | None,
        turn: str,
    ) -> None:
        """Show the recorded *hand* or ask for one; *turn* is the dealer's name, if it is known."""
        self.hand, self.turn = hand, turn
        sheet, twin = hand.sheet if hand else None, questions.twin_of_bare
        if sheet and twin and sheet.get("bare", VOID) != VOID:
            # Only the twin has cells, not the bare question itself: they show the bare answer.
            sheet = {"dealer": sheet.get("dealer"), twin.name: sheet["bare"]}
        super().__init__(questions, data, standing=sheet, prefix=f"h{questions.number}")

    def _add_fields(self) -> None:
        super()._add_fields()
        self.fields = deepcopy(self.fields)
        # These belong to a submission of one hand by one side: paper has many hands, and no side.
        for name in ("entry", "number", "shown", "side"):
            del self.fields[name]
        self.fields[SEEN] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        # At first the dealer is left to the rules or, where cards are drawn, unknown.
        dealer: Any = self.fields["dealer"]
        label = _("%(name)s, by the rule") % {"name": self.turn} if self.turn else _("By the rule")
        blank = ("", "–" if self.questions.drawn else label)
        dealer.choices = [blank, *(choice for choice in dealer.choices if choice[0])]
        self._set_result_only()
        self._use_lists()
        self._label_fields()

    def _set_result_only(self) -> None:
        """Make the short form: a choice becomes a list; other fields go if the row has a twin."""
        questions = self.questions
        if choices := questions.bare_kind.choices:
            results = [(code(value), say(text, questions.names)) for value, text in choices]
            field = forms.ChoiceField(choices=[BLANK, *results], required=False)
            self.fields[questions.bare_question.name] = field
        elif questions.twin_of_bare:
            for key in self._bare_keys:
                del self.fields[key]

    def _use_lists(self) -> None:
        """Show choices as lists: these take less room than buttons, and the keyboard knows them."""
        for field in self.fields.values():
            # Trap: to Django boxes to tick are a kind of radio buttons.
            boxes = isinstance(field, forms.MultipleChoiceField)
            if isinstance(field, forms.ChoiceField) and not boxes:
                options: list[Any] = list(field.choices)  # type: ignore[arg-type]
                if field.initial is None and options and options[0][0]:  # no blank yet
                    options.insert(0, BLANK)
                field.widget = CachedSelect()
                field.choices = options

    def _label_fields(self) -> None:
        """Label each field: for screen readers, and with the headings that narrow screens hide."""
        questions, fields = self.questions, self.fields
        row_label = _("Line %(number)d") % {"number": questions.number}
        for name, field in fields.items():
            full_label = self._full_label(name, str(field.label or ""))
            field.widget.attrs |= {"aria-label": f"{row_label}: {full_label}"}
        # If one column alone has names, a narrow screen shows its question once, above all rows.
        if one_named(columns_of(questions)) is None:
            for kind in questions.kinds:
                for key in kind.fields:
                    fields[key].label = self._full_label(key, str(fields[key].label))
        if questions.bare_kind.choices:
            fields[questions.bare_question.name].label = _("Nobody counted the cards?")
        if VOID_KEY in fields:
            fields[VOID_KEY].label = _("Void")
        fields["dealer"].label = _("Dealt")

    def _full_label(self, name: str, label: str) -> str:
        """Return the question of the field *name*, with its *label*, which is a person or side."""
        if name == self.questions.bare_question.name:
            return _("result only")
        if name in self._bare_keys:
            return _("Result only, %(whose)s") % {"whose": label}
        for kind in self.questions.kinds:
            if name in kind.fields:
                question = say(kind.question.label, self.questions.names)
                return label if label == question else f"{question} {label}"
        return label

    @property
    def how(self) -> How:
        """Return ``BARE`` if any field of the short form is filled in."""
        keys = [VOID_KEY, *self._bare_keys]
        return How.BARE if any(self.data.get(self.add_prefix(key)) for key in keys) else How.SAVE

    @property
    def written(self) -> bool:
        """Return whether the row says anything that it did not show at first."""
        return any(name != SEEN for name in self.changed_data)

    @property
    def cells(self) -> list[BoundField]:
        """Return the fields of the required answers, in the order of the columns."""
        slots = [slot for kind in self.questions.kinds for slot in kind.slots]
        return [self[key] for slot in slots for key in slot.keys]

    @property
    def short(self) -> list[BoundField]:
        return [self[key] for key in (*self._bare_keys, VOID_KEY) if key in self.fields]

    @property
    def _bare_keys(self) -> tuple[str, ...]:
        return self.questions.bare_kind.keys


class PaperGrid:
    """All rows of a table's paper sheet; the *short* column holds the short forms of all rows."""

    def __init__(
        self,
        table: TableNow,
        hands: Mapping[int, HandDetails],
        data: Mapping[str, Any] | None = None,
        *,
        rows: int = 0,
    ) -> None:
        """Show the recorded *hands*, keyed by number, and ask for the hands to come.

        At least *rows* rows are shown, and as many as the round has hands, up to ``_MOST_AHEAD``.
        """
        self.table, self.hands = table, hands
        last_hand = max(hands, default=0)
        round_length = last_hand + _ROWS_AHEAD if table.hands is None else table.hands
        last_row = max(last_hand, min(max(round_length, rows), last_hand + _MOST_AHEAD))
        self.rows: list[PaperRow] = []
        for number in range(1, last_row + 1):
            hand = hands.get(number)
            turn = table.dealer if number == table.coming_number else None
            row = PaperRow(self._questions(number), data, hand=hand, turn=turn or "")
            row.initial[SEEN] = hand.report if hand else None
            self.rows.append(row)
        if data is None:
            # Typing begins at the first empty row.
            empty_rows = (row for row in self.rows if row.hand is None)
            cell = next((cell for row in empty_rows for cell in row.cells), None)
            if cell is not None:
                cell.field.widget.attrs["autofocus"] = True

    def _questions(self, number: int) -> TableQuestions:
        """Return the first hand's required questions, with the names and number of this one."""
        table, names = self.table, self.table.names_at(number)
        # All rows need the same questions, so that they share the columns.
        questions = questions_at(table, table.opening_session(), number, names=names)
        hand = self.hands.get(number)
        drawn = hand is not None and table.game.is_drawn(hand.session_before.may_deal)
        # No dealer is chosen at first: then the rules tell who dealt.
        return replace(required_only(questions), dealer=None, drawn=drawn)

    @property
    def columns(self) -> tuple[PaperColumn, ...]:
        return columns_of(self._questions(self.table.coming_number))

    @property
    def over_all(self) -> PaperColumn | None:
        """Return the column whose question a narrow screen shows once, above all rows."""
        return one_named(self.columns)

    @property
    def short(self) -> PaperColumn:
        """Return the column of the short form: for hands whose cards were not counted."""
        questions = self._questions(self.table.coming_number)
        if questions.bare_kind.choices:
            return PaperColumn(_("Nobody counted the cards?"), (("", ""),))
        void = (_("Void"), "")
        if questions.twin_of_bare:
            return PaperColumn(_("Counts for nobody?"), (void,))
        labels = questions.bare_kind.field_labels()
        return PaperColumn(_("Nobody counted the cards?"), (*labels, void))

    @property
    def opens_bare(self) -> bool:
        """Return whether the short forms start unfolded: one of them says something."""
        return any(cell.value() for row in self.rows for cell in row.short)

    @property
    def summed(self) -> bool:
        """Return whether the cells of a row are counts to be added up."""
        kinds = self._questions(1).kinds
        return any(kind.counted and kind.question.per is Per.SIDE for kind in kinds)

    @property
    def total(self) -> int | None:
        """Return the sum that the counts of a row must have, if the rules refuse any other sum.

        We ask the rules: the highest count that a side can have is that sum if it is accepted
        beside zeros, and one less is refused.
        """
        required, session = self._questions(1), self.table.opening_session()
        question, *more = required.questions
        if more or not self.summed or not isinstance(question, Number):
            return None
        others = [0] * (len(required.mode.sides) - 1)

        def accepted(count: int) -> bool:
            sheet = {question.name: [count, *others], "dealer": session.dealer or 0}
            try:
                self.table.game.add_sheet(session, sheet)
            except RuleError:
                return False
            return True

        high: int = question.high
        return high if accepted(high) and not accepted(high - 1) else None

    def is_valid(self) -> bool:
        """Return whether every row with something on it is valid."""
        # A list first: so every row is validated, and shows its own errors.
        valid = [row.is_valid() for row in self.rows if row.written]
        return all(valid)

    def paper(self) -> Paper:
        """Return the sheets of the rows that say anything new, but none of deleted hands."""
        written = [row for row in self.rows if row.written and not (row.hand and row.hand.struck)]
        return Paper(
            sheets={row.questions.number: row.sheet() for row in written},
            seen={row.questions.number: row.cleaned_data.get(SEEN) for row in written},
        )


def required_only(questions: TableQuestions) -> TableQuestions:
    """Return the questions without the optional ones: paper has no room for them."""
    required = (kind for kind in questions.kinds if kind.question.required)
    return replace(questions, questions=tuple(kind.on_paper for kind in required))


def columns_of(questions: TableQuestions) -> tuple[PaperColumn, ...]:
    """Return the columns of a paper sheet for these questions."""
    return tuple(
        PaperColumn(
            say(kind.question.label, questions.names),
            tuple(kind.field_labels()),
            tuple(say(label, questions.names) for _value, label in kind.choices),
        )
        for kind in questions.kinds
    )


def one_named(columns: tuple[PaperColumn, ...]) -> PaperColumn | None:
    """Return the column with names below its label if only one has: a cell's name suffices."""
    named = [column for column in columns if column.named]
    return named[0] if len(named) == 1 else None
