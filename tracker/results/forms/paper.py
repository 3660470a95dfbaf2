"""The grid on which a table's paper is typed: a line for every hand, a cell for every answer."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from games.errors import RuleError
from games.sheet import VOID, Number, Per
from tracker.common.wording import say
from tracker.results.forms.kind import BLANK
from tracker.results.forms.kinds import code
from tracker.results.forms.sheet import VOID_KEY, HandForm, How, TableQuestions, questions_at
from tracker.results.queries.hand_details import HandDetails
from tracker.results.queries.paper import OnPaper
from tracker.results.services.paper import Paper

SEEN = "seen"


@dataclass(frozen=True, slots=True)
class Column:
    """The answers to one question: its label, and the people or sides asked, with their letters."""

    label: str
    of: tuple[tuple[str, str], ...]
    choices: tuple[str, ...] = ()  # of which paper has one ringed

    @property
    def width(self) -> int:
        return max(1, len(self.of))

    @property
    def named(self) -> bool:
        """Say whether it has a cell for each of several people or sides."""
        return any(name for name, _letter in self.of)


class PaperRow(HandForm):
    """One hand on one line: what must be answered, or else all that is known of it."""

    def __init__(
        self,
        asked: TableQuestions,
        data: Mapping[str, Any] | None,
        *,
        hand: HandDetails | None,
        turn: str,
    ) -> None:
        self.hand, self.turn = hand, turn  # whose turn it is to deal, as far as that is known
        standing, twin = hand.sheet if hand else None, asked.twin_of_bare
        if standing and twin and standing.get("bare", VOID) != VOID:
            # A bare sheet is shown as the counted one, where both answer the same question.
            standing = {"dealer": standing.get("dealer"), twin.name: standing["bare"]}
        super().__init__(asked, data, standing=standing, prefix=f"h{asked.number}")

    def _add_fields(self) -> None:
        super()._add_fields()
        asked = self.asked
        for name in ("entry", "number", "shown", "side"):
            del self.fields[name]
        self.fields[SEEN] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        if choices := asked.bare_kind.choices:
            results = [(code(value), say(text, asked.names)) for value, text in choices]
            self.fields[asked.bare.name] = forms.ChoiceField(
                choices=[BLANK, *results], required=False
            )
        elif asked.twin_of_bare:
            for key in asked.bare_kind.all_keys():
                del self.fields[key]
        dealer: Any = self.fields["dealer"]
        by_rule = (
            _("%(name)s, by the rule") % {"name": self.turn} if self.turn else _("By the rule")
        )
        unsaid = "–" if asked.drawn else by_rule
        dealer.choices = [("", unsaid), *(c for c in dealer.choices if c[0])]
        called = _("Line %(number)d") % {"number": asked.number}
        for name, field in self.fields.items():
            # A list takes less room than buttons, and the keyboard knows it.
            # Trap: to Django boxes to tick are a kind of radio buttons.
            if isinstance(field, forms.ChoiceField) and not isinstance(
                field, forms.MultipleChoiceField
            ):
                options: list[Any] = list(field.choices)  # type: ignore[arg-type]
                if field.initial is None and options and options[0][0]:
                    options.insert(0, BLANK)
                field.widget = forms.Select()
                field.choices = options
            whose = self._label(name, str(field.label or ""))
            field.widget.attrs |= {"aria-label": f"{called}: {whose}"}
        self._head()

    def _head(self) -> None:
        """Let each field say by itself what the heads of its column say, for a narrow screen."""
        asked, fields = self.asked, self.fields
        if one_named(columns_of(asked)) is None:
            for kind in asked.kinds:
                for key in kind.all_keys():
                    fields[key].label = self._label(key, str(fields[key].label))
        if asked.bare_kind.choices:
            fields[asked.bare.name].label = _("Nobody counted the cards?")
        if VOID_KEY in fields:
            fields[VOID_KEY].label = _("Void")
        fields["dealer"].label = _("Dealt")

    def _label(self, name: str, label: str) -> str:
        if name == self.asked.bare.name:
            return _("result only")
        if name in self._bare_keys:
            return _("Result only, %(whose)s") % {"whose": label}
        for kind in self.asked.kinds:
            if name in kind.all_keys():
                asked = say(kind.question.label, self.asked.names)
                return label if label == asked else f"{asked} {label}"
        return label

    @property
    def how(self) -> How:
        """Return which form of a sheet was filled in: the short one, if anything of it was."""
        keys = [VOID_KEY, *self._bare_keys]
        short = any(self.data.get(self.add_prefix(key)) for key in keys)
        return How.BARE if short else How.SAVE

    @property
    def written(self) -> bool:
        """Say whether the line says anything that does not stand already."""
        return any(name != SEEN for name in self.changed_data)

    @property
    def cells(self) -> list[BoundField]:
        """Return the answers that must be given, in the order of the columns."""
        return [
            self[key] for kind in self.asked.kinds for slot in kind.slots() for key in slot.keys
        ]

    @property
    def short(self) -> list[BoundField]:
        """Return the fields of the short form."""
        return [self[key] for key in (*self._bare_keys, VOID_KEY) if key in self.fields]

    @property
    def _bare_keys(self) -> tuple[str, ...]:
        return self.asked.bare_kind.all_keys()


class Grid:
    """All lines of a table's paper."""

    def __init__(
        self, paper: OnPaper, data: Mapping[str, Any] | None = None, *, rows: int | None = None
    ) -> None:
        self.paper = paper
        self.rows: list[PaperRow] = []
        for number in paper.rows(rows):
            hand = paper.hands.get(number)
            turn = paper.table.dealer if number == paper.table.coming_number else None
            row = PaperRow(self._asked(number), data, hand=hand, turn=turn or "")
            row.initial[SEEN] = hand and hand.report
            self.rows.append(row)
        if data is None:
            # Typing begins at once, at the first empty line.
            empty = (row for row in self.rows if row.hand is None)
            cell = next((cell for row in empty for cell in row.cells), None)
            if cell is not None:
                cell.field.widget.attrs["autofocus"] = True

    def _asked(self, number: int) -> TableQuestions:
        """Return the required questions on hand *number*, asked with the session the table opened with."""
        table = self.paper.table
        asked = questions_at(table, table.opening_session(), number, names=table.names_at(number))
        hand = self.paper.hands.get(number)
        drawn = hand is not None and table.game.is_drawn(hand.before.may_deal)
        return replace(required_only(asked), dealer=None, drawn=drawn)

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self._asked(self.paper.table.coming_number))

    @property
    def over_all(self) -> Column | None:
        """Return the question that a narrow screen asks once, over the names in all lines."""
        return one_named(self.columns)

    @property
    def short(self) -> Column:
        """Return the column for hands whose cards were not counted."""
        asked = self._asked(self.paper.table.coming_number)
        if asked.bare_kind.choices:
            return Column(_("Nobody counted the cards?"), (("", ""),))
        heads = [] if asked.twin_of_bare else asked.bare_kind.heads()
        label = _("Nobody counted the cards?") if heads else _("Counts for nobody?")
        return Column(label, (*heads, (_("Void"), "")))

    @property
    def opens_bare(self) -> bool:
        """Say whether the fold for hands without a card count starts open."""
        return any(cell.value() for row in self.rows for cell in row.short)

    @property
    def summed(self) -> bool:
        """Say whether the cells of a line are counts to be added up."""
        asked = self._asked(1)
        return any(kind.counted and kind.question.per is Per.SIDE for kind in asked.kinds)

    @property
    def total(self) -> int | None:
        """Return what the counts of a line must make, if the rules always want the same."""
        asked, session = self._asked(1), self.paper.table.opening_session()
        question, *more = asked.questions
        if more or not self.summed or not isinstance(question, Number):
            return None
        others = [0] * (len(asked.mode.sides) - 1)

        def fits(total: int) -> bool:
            sheet = {question.name: [total, *others], "dealer": session.dealer or 0}
            try:
                self.paper.table.game.add_sheet(session, sheet)
            except RuleError:
                return False
            return True

        most: int = question.high
        return most if fits(most) and not fits(most - 1) else None

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
            seen={row.asked.number: row.cleaned_data.get(SEEN) for row in written},
        )

    def row(self, number: int) -> PaperRow | None:
        return next((row for row in self.rows if row.asked.number == number), None)


def required_only(asked: TableQuestions) -> TableQuestions:
    """Leave out what need not be answered: paper has no room for it."""
    required = (kind for kind in asked.kinds if kind.question.required)
    return replace(asked, questions=tuple(kind.on_paper for kind in required))


def columns_of(asked: TableQuestions) -> tuple[Column, ...]:
    """Return the columns that a paper has for these questions."""
    return tuple(
        Column(
            say(kind.question.label, asked.names),
            tuple(kind.heads()),
            tuple(say(label, asked.names) for _value, label in kind.choices),
        )
        for kind in asked.kinds
    )


def one_named(columns: tuple[Column, ...]) -> Column | None:
    """Return the only column with names below it, so that a name says enough."""
    named = [column for column in columns if column.named]
    return named[0] if len(named) == 1 else None
