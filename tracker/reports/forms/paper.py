"""The grid on which a table's paper is typed: a line for every hand, a cell for every answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Sheet
from tracker.common.wording import say
from tracker.reports.forms import questions as asking
from tracker.reports.forms.asked import questions_at
from tracker.reports.forms.sheet import VOID_KEY, HandForm, How, TableQuestions
from tracker.reports.queries.hand_details import HandDetails
from tracker.reports.queries.paper import OnPaper
from tracker.reports.services.paper import Paper

SEEN = "seen"


@dataclass(frozen=True, slots=True)
class Column:
    """The answers to one question: what is asked, and of whom, each with a letter if paper has."""

    label: str
    of: tuple[tuple[str, str], ...]
    choices: tuple[str, ...] = ()  # of which paper has one ringed

    @property
    def width(self) -> int:
        return max(1, len(self.of))


class PaperRow(HandForm):
    """One hand on one line: what must be answered, or else all that is known of it."""

    def __init__(
        self, asked: TableQuestions, data: Mapping[str, Any] | None, *, hand: HandDetails | None
    ) -> None:
        self.hand = hand
        standing = _without_needless_bare(asked, hand.sheet) if hand else None
        super().__init__(asked, data, standing=standing, prefix=f"h{asked.number}")

    def _add_fields(self) -> None:
        super()._add_fields()
        asked = self.asked
        for name in ("entry", "number", "shown", "side"):
            del self.fields[name]
        self.fields[SEEN] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        if isinstance(asked.bare, Choice):
            told = [
                (asking.code(value), say(text, asked.names)) for value, text in asked.bare.choices
            ]
            self.fields[asked.bare.name] = forms.ChoiceField(
                choices=[("", _("counted")), *told], required=False
            )
        elif not self.bare_adds:
            for key in asking.keys(asked.bare, asked.mode):
                del self.fields[key]
        dealer: Any = self.fields["dealer"]
        dealer.choices = [("", "–"), *(c for c in dealer.choices if c[0])]
        called = _("Line %(number)d") % {"number": asked.number}
        for name, field in self.fields.items():
            _as_list(field)
            whose = self._label(name, str(field.label or ""))
            field.widget.attrs |= {"aria-label": f"{called}: {whose}"}

    def _label(self, name: str, label: str) -> str:
        if name == self.asked.bare.name:
            return _("not counted")
        question = next(
            (q for q in self.asked.questions if name in asking.keys(q, self.asked.mode)), None
        )
        if question is None or (question.per is Per.HAND and not isinstance(question, Order)):
            return label
        return f"{say(question.label, self.asked.names)} {label}"

    @property
    def bare_adds(self) -> bool:
        return _bare_adds(self.asked)

    @property
    def how(self) -> How:
        """Return which form of a sheet was filled in: the short one, if anything of it was."""
        keys = [VOID_KEY, *asking.keys(self.asked.bare, self.asked.mode)]
        short = any(self.data.get(self.add_prefix(key)) for key in keys)
        return How.BARE if short else How.SAVE

    @property
    def written(self) -> bool:
        """Say whether the line says anything that does not stand already."""
        return any(name != SEEN for name in self.changed_data)

    @property
    def cells(self) -> list[BoundField]:
        """Return the answers that must be given, in the order of the columns."""
        mode = self.asked.mode
        return [
            self[key]
            for q in self.asked.questions
            for slot in asking.slots(q, mode)
            for key in slot.keys
        ]

    @property
    def short(self) -> list[BoundField]:
        """Return the fields of the short form."""
        keys = [*asking.keys(self.asked.bare, self.asked.mode), VOID_KEY]
        return [self[key] for key in keys if key in self.fields]

    @property
    def dealt(self) -> BoundField:
        return self["dealer"]

    @property
    def seen_field(self) -> BoundField:
        return self[SEEN]

    @property
    def told(self) -> list[str]:
        """Return every refusal that belongs to no single cell."""
        return [str(error) for error in self.non_field_errors()]

    @property
    def seen(self) -> int | None:
        seen: int | None = self.cleaned_data.get(SEEN)
        return seen


class Grid:
    """All lines of a table's paper."""

    def __init__(
        self, paper: OnPaper, data: Mapping[str, Any] | None = None, *, rows: int | None = None
    ) -> None:
        self.paper = paper
        self.numbers = paper.rows(rows)
        self.rows = [self._row(number, data) for number in self.numbers]

    def _row(self, number: int, data: Mapping[str, Any] | None) -> PaperRow:
        paper = self.paper
        hand = paper.hands.get(number)
        row = PaperRow(self._asked(number), data, hand=hand)
        row.initial[SEEN] = paper.seen.get(number)
        return row

    def _asked(self, number: int) -> TableQuestions:
        """Return what every hand of a table may be asked: whoever sits there, from the first."""
        table = self.paper.table
        names = self.paper.table.names_at(number)
        asked = questions_at(table, table.opening_session(), number, names=names)
        return replace(required_only(asked), dealer=None)

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self._asked(self.paper.table.last_number + 1))

    @property
    def short(self) -> Column:
        """Return the heading of what is known of a hand that was not counted."""
        asked = self._asked(self.paper.table.last_number + 1)
        if isinstance(asked.bare, Choice):
            return Column(_("Not counted"), ((_("Only the result"), ""),))
        heads = list(_heads(asked.bare, asked)) if _bare_adds(asked) else []
        return Column(_("Not counted"), (*heads, (_("Void"), "")))

    @property
    def summed(self) -> bool:
        """Say whether the cells of a line are counts to be added up."""
        return any(isinstance(q, Number) and q.per is Per.SIDE for q in self._asked(1).questions)

    @property
    def width(self) -> int:
        """Return how many cells a line has behind its number."""
        asked = sum(column.width for column in self.columns)
        return asked + self.summed + self.short.width + 2

    def is_valid(self) -> bool:
        """Say whether every line with something on it can be read."""
        # Every line is read, so that each says what is wrong with it.
        read = [row.is_valid() for row in self.rows if row.written]
        return all(read)

    def paper_written(self) -> Paper:
        """Return what the lines say that does not stand already."""
        written = [row for row in self.rows if row.written and not (row.hand and row.hand.struck)]
        return Paper(
            sheets={row.asked.number: row.sheet() for row in written},
            seen={row.asked.number: row.seen for row in written},
        )

    def row(self, number: int) -> PaperRow | None:
        return next((row for row in self.rows if row.asked.number == number), None)


def required_only(asked: TableQuestions) -> TableQuestions:
    """Leave out what need not be answered: paper has no room for it."""
    required = (question for question in asked.questions if question.required)
    return replace(asked, questions=tuple(map(_plain, required)))


def columns_of(asked: TableQuestions) -> tuple[Column, ...]:
    """Return the columns that a paper has for these questions."""
    return tuple(
        Column(
            say(question.label, asked.names),
            tuple(_heads(question, asked)),
            tuple(say(label, asked.names) for _value, label in question.choices)
            if isinstance(question, Choice)
            else (),
        )
        for question in asked.questions
    )


def _as_list(field: forms.Field) -> None:
    """Let buttons be a list, which takes less room and which the keyboard knows."""
    # Trap: to Django boxes to tick are a kind of radio buttons.
    if not isinstance(field, forms.ChoiceField) or isinstance(field, forms.MultipleChoiceField):
        return
    choices: list[Any] = list(field.choices)  # type: ignore[arg-type]
    if field.initial is None and choices and choices[0][0]:
        choices.insert(0, asking.BLANK)
    field.widget = forms.Select()
    field.choices = choices


def _plain(question: Question) -> Question:
    """Return a question as one cell asks it: of a card its rank or the very card."""
    if isinstance(question, Card) and asking.by_rank(question):
        return replace(question, aside=True)
    return question


def _heads(question: Question, asked: TableQuestions) -> Iterator[tuple[str, str]]:
    """Yield whose each cell is, and the letter of a side."""
    names, mode = asked.names, asked.mode
    for slot in asking.slots(question, mode):
        if isinstance(question, Order):
            yield from ((names.at(seat), "") for seat in question.seats)
        elif slot.place is None:
            yield from (("", "") for _key in slot.keys)
        elif question.per is Per.SIDE:
            lettered = "" if mode.individual else chr(ord("A") + slot.place)
            yield from ((names.of(slot.place), lettered) for _key in slot.keys)
        else:
            yield from ((names.at(slot.place), "") for _key in slot.keys)


def _bare_adds(asked: TableQuestions) -> bool:
    """Say whether the bare question asks something else than the sheet's own."""
    bare = asked.bare
    return not any(
        type(one) is type(bare) and replace(one, name=bare.name) == bare for one in asked.questions
    )


def _without_needless_bare(asked: TableQuestions, sheet: Sheet) -> Sheet:
    """Return a bare sheet as the counted one, where both answer the same question."""
    if "bare" not in sheet or sheet["bare"] == VOID or _bare_adds(asked):
        return sheet
    name = next(one.name for one in asked.questions if type(one) is type(asked.bare))
    return {"dealer": sheet.get("dealer"), name: sheet["bare"]}
