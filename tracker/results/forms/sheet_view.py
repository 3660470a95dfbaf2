"""A sheet as templates draw it: its questions, and what there is to tap."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.forms import BoundField, CheckboxSelectMultiple, RadioSelect
from django.utils.safestring import SafeString

from games.sheet import Per
from tracker.common.wording import say
from tracker.results.forms.question_base import QuestionKind
from tracker.results.forms.question_kinds import CardKind, ChoiceKind, exact_key
from tracker.results.forms.sheet import HandForm
from tracker.results.queries.table import Beside

RED = ("♥", "♦")


@dataclass(frozen=True, slots=True)
class TapChoice:
    """One answer to tap: its real input, and what is seen."""

    tag: SafeString
    label: str
    beside: Beside | None
    red: bool


@dataclass(frozen=True, slots=True)
class SlotView:
    """One slot: the label of the side or seat asked, and its fields or answers to tap."""

    label: str
    letter: str
    fields: tuple[BoundField, ...]
    taps: tuple[TapChoice, ...]

    @property
    def errors(self) -> list[str]:
        return [str(error) for bound in self.fields for error in bound.errors]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
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
    slots: tuple[SlotView, ...]
    errors: tuple[str, ...]
    least: int
    cards: bool = False


@dataclass(frozen=True, slots=True)
class SheetView:
    """The whole sheet of a table, in the parts a page has places for."""

    form: HandForm
    beside: Mapping[int, Beside] = field(default_factory=dict)

    def first(self) -> list[QuestionView]:
        """Return the questions a table always answers."""
        return [self._question(kind) for kind in self._asked_first()]

    def refused_below(self) -> list[tuple[str, str]]:
        """Return the errors of the sheet as a whole, without those shown beside a question."""
        fields = {
            f"#{self.form[key].auto_id}" for kind in self._asked_first() for key in kind.all_keys()
        }
        summary = self.form.summary() if self.form.errors else []
        return [(place, sentence) for place, sentence in summary if place not in fields]

    def aside(self) -> list[QuestionView]:
        """Return what waits behind *More*; the suit of a card that its rank alone would name."""
        kinds = self.form.asked.kinds
        exact = []
        for group in (self._question(kind) for kind in kinds if kind.by_rank):
            # The same question again, asked for the very card.
            slots = (
                SlotView(slot.label, slot.letter, (self.form[exact_key(slot.fields[0].name)],), ())
                for slot in group.slots
            )
            again = replace(
                group,
                id=f"{group.id}-exact",
                name=exact_key(group.name),
                template=CardKind.template,
                help="",
                required=False,
                slots=tuple(slots),
                errors=(),
            )
            exact.append(again)
        return [*exact, *(self._question(kind) for kind in kinds if kind.question.aside)]

    def bare(self) -> QuestionView:
        return self._question(self.form.asked.bare_kind)

    def pad(self) -> bool:
        """Say whether numbers are typed that a pad on the screen would help with."""
        return any(kind.counted for kind in self._asked_first())

    def _asked_first(self) -> list[QuestionKind[Any]]:
        return [kind for kind in self.form.asked.kinds if not kind.question.aside]

    def _question(self, kind: QuestionKind[Any]) -> QuestionView:
        question = kind.question
        other, values = question.depends_on or ("", ())
        slots = []
        for slot in kind.slots():
            bound = tuple(self.form[key] for key in slot.keys)
            taps = []
            if isinstance(bound[0].field.widget, RadioSelect | CheckboxSelectMultiple):
                for choice in bound[0].subwidgets:
                    label = str(choice.data.get("label", ""))
                    value = str(choice.data.get("value", ""))
                    beside = self.beside.get(int(value)) if kind.of_people and value else None
                    taps.append(TapChoice(choice.tag(), label, beside, label.endswith(RED)))
            slots.append(SlotView(*kind.whose(slot), bound, tuple(taps)))
        return QuestionView(
            id=self.form.add_prefix(f"q-{question.name}"),
            name=question.name,
            template=ChoiceKind.template if kind.by_rank else kind.template,
            label=say(question.label, self.form.asked.names),
            help=say(question.help, self.form.asked.names),
            required=question.required,
            summed=kind.counted and question.per is Per.SIDE and not question.aside,
            depends_on=self.form.add_prefix(other) if other else "",
            depends_values=" ".join(values),
            slots=tuple(slots),
            errors=tuple(self.form.refusals.get(question.name, ())),
            least=question.count[0],
            cards=kind.by_rank,
        )
