"""A sheet's questions as templates draw them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from django.forms import BoundField, CheckboxSelectMultiple, RadioSelect
from django.utils.safestring import SafeString

from games.sheet import Card, Number, Per, Question, Seat, Seats
from tracker.common.wording import say
from tracker.reports.forms import questions as asking
from tracker.reports.forms.sheet import VOID_KEY, HandForm
from tracker.reports.queries.table import Beside

RED = ("♥", "♦")


@dataclass(frozen=True, slots=True)
class Tap:
    """One answer to tap: its real input, and what is seen."""

    tag: SafeString
    label: str
    beside: Beside | None
    red: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: whom it is asked of, and its fields or what there is to tap."""

    label: str
    letter: str
    fields: tuple[BoundField, ...]
    taps: tuple[Tap, ...]

    @property
    def errors(self) -> list[str]:
        return [str(error) for bound in self.fields for error in bound.errors]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One question. ``summed`` says that its answers are added up on the screen."""

    id: str
    name: str
    template: str
    label: str
    help: str
    required: bool
    summed: bool
    depends_on: str
    depends_values: str
    slots: tuple[Slot, ...]
    errors: tuple[str, ...]
    least: int
    cards: bool = False
    pad: bool = False  # the pad stands below it

    @property
    def crowded(self) -> bool:
        """Say whether there are more counts than fit a phone at full height."""
        return len(self.slots) > 3


@dataclass(frozen=True, slots=True)
class SheetShown:
    """The whole sheet of a table, in the parts a page has places for."""

    form: HandForm
    beside: Mapping[int, Beside] = field(default_factory=dict)

    def first(self) -> list[Group]:
        """Return the questions a table always answers."""
        asked = [asked for asked in self.form.asked.questions if not asked.aside]
        counts = [one for one in asked if isinstance(one, Number)]
        return [replace(self._group(one), pad=one in counts[-1:]) for one in asked]

    def aside(self) -> list[Group]:
        """Return what waits behind *More*; the suit of a card that its rank alone would name."""
        exact = [
            self._exact(asked)
            for asked in self.form.asked.questions
            if isinstance(asked, Card) and asking.by_rank(asked)
        ]
        return [
            *exact,
            *(self._group(asked) for asked in self.form.asked.questions if asked.aside),
        ]

    def bare(self) -> Group:
        return self._group(self.form.asked.bare)

    def bare_adds(self) -> bool:
        """Say whether the bare question asks something else than the sheet's own."""
        bare = self.form.asked.bare
        return not any(
            type(asked) is type(bare) and replace(asked, name=bare.name) == bare
            for asked in self.form.asked.questions
        )

    def void(self) -> BoundField | None:
        return self.form[VOID_KEY] if VOID_KEY in self.form.fields else None

    def pad(self) -> bool:
        """Say whether numbers are typed that a pad on the screen would help with."""
        return any(
            isinstance(asked, Number) and not asked.aside for asked in self.form.asked.questions
        )

    def _group(self, question: Question) -> Group:
        other, values = question.depends_on or ("", ())
        kind = type(question).__name__.lower()
        by_rank = asking.by_rank(question)
        return Group(
            id=self.form.add_prefix(f"q-{question.name}"),
            name=question.name,
            template=f"reports/table/kinds/{'choice' if by_rank else kind}.html",
            label=say(question.label, self.form.asked.names),
            help=say(question.help, self.form.asked.names),
            required=question.required,
            summed=isinstance(question, Number) and question.per is Per.SIDE and not question.aside,
            depends_on=self.form.add_prefix(other) if other else "",
            depends_values=" ".join(values),
            slots=tuple(self._slots(question)),
            errors=tuple(self.form.refusals.get(question.name, ())),
            least=question.count[0],
            cards=by_rank,
        )

    def _slots(self, question: Question) -> Iterator[Slot]:
        names = self.form.asked.names
        for slot in asking.slots(question, self.form.asked.mode):
            bound = tuple(self.form[key] for key in slot.keys)
            label, letter = "", ""
            if slot.place is not None:
                by_side = question.per is Per.SIDE
                label = names.of(slot.place) if by_side else names.at(slot.place)
                lettered = by_side and not self.form.asked.mode.individual
                letter = chr(ord("A") + slot.place) if lettered else ""
            yield Slot(label, letter, bound, tuple(self._taps(question, bound[0])))

    def _taps(self, question: Question, bound: BoundField) -> Iterator[Tap]:
        if not isinstance(bound.field.widget, RadioSelect | CheckboxSelectMultiple):
            return
        people = isinstance(question, Seat | Seats)
        for choice in bound.subwidgets:
            label = str(choice.data.get("label", ""))
            value = str(choice.data.get("value", ""))
            yield Tap(
                choice.tag(),
                label,
                self.beside.get(int(value)) if people and value else None,
                label.endswith(RED),
            )

    def _exact(self, question: Card) -> Group:
        """Return the same question again, asked for the very card."""
        group = self._group(question)
        slots = tuple(
            Slot(slot.label, slot.letter, (self.form[f"{slot.fields[0].name}_{asking.EXACT}"],), ())
            for slot in group.slots
        )
        return Group(
            id=f"{group.id}-{asking.EXACT}",
            name=f"{group.name}_{asking.EXACT}",
            template="reports/table/kinds/card.html",
            label=group.label,
            help="",
            required=False,
            summed=False,
            depends_on=group.depends_on,
            depends_values=group.depends_values,
            slots=slots,
            errors=(),
            least=0,
        )
