"""View model of a sheet's form: its questions, with their fields and the answers to tap.

A *sheet* is what a table writes down after a hand. A question has a *slot* for each side (players
who score together) or seat that is asked, or one slot; *aside* are questions in the folded part of
the page. The *pile* is the cards that a side has won: people tap them, and the page adds up points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.forms import BoundField, CheckboxSelectMultiple, RadioSelect
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.cards import Face
from games.game import AnyGame, Session
from games.sheet import Per
from tracker.common.wording import say
from tracker.results.forms.question_base import QuestionKind
from tracker.results.forms.question_kinds import CardKind, ChoiceKind, exact_key
from tracker.results.forms.sheet import HandForm
from tracker.results.queries.table import SeatNote

# The names of two form fields: the tapped cards, and the number of the side whose pile it is.
CARDS, SIDE = "pile", "pile_side"
RED = ("♥", "♦")  # the suits that are shown in red


@dataclass(frozen=True, slots=True)
class PileSide:
    """A side whose pile can be counted."""

    value: str  # its number, as in the form
    name: str
    count_field: str  # the name of the field for its count
    chosen: bool


@dataclass(frozen=True, slots=True)
class CountedPile:
    """The cards that were tapped so far, and the sides to whose pile they may belong."""

    sides: tuple[PileSide, ...]
    boxes: SafeString  # the HTML of all cards that can be tapped
    tapped: tuple[Face, ...]

    @property
    def points(self) -> int:
        return sum(card.points for card in self.tapped)


@lru_cache(maxsize=32)
def _card_boxes(
    cards: tuple[Face, ...], tapped: tuple[Face, ...], _language: str | None
) -> SafeString:
    """Return the HTML of cards to tap, suit by suit: the same at most tables of a game."""
    suits = [tuple(suit) for _pip, suit in groupby(cards, key=lambda card: card.pip)]
    return render_to_string("results/table/pile_cards.html", {"suits": suits, "tapped": tapped})


class UnvalidatedForm(HandForm):
    """A sheet that is still being filled in: it is not validated, so nothing is refused."""

    def full_clean(self) -> None:
        self._errors = ErrorDict()
        self.cleaned_data: dict[str, Any] = {}


def counted_pile(
    game: AnyGame, session: Session, form: HandForm, sent: QueryDict
) -> CountedPile | None:
    """Return the pile as it is tapped so far; ``None`` if no cards are counted in this game."""
    countable = game.countable(session) if game.countable else None
    if countable is None:
        return None
    (kind,) = (kind for kind in form.questions.kinds if kind.question.name == countable.question)
    # The numbers of the side for which the phone speaks, and of the one tapped for the pile.
    chosen = {str(form["side"].value()), sent.get(SIDE)}
    sides = tuple(
        PileSide(str(side), form.questions.names.of(side), slot.keys[0], str(side) in chosen)
        for slot in kind.slots
        if (side := slot.place) is not None
    )
    codes = set(sent.getlist(CARDS))
    tapped = tuple(card for card in countable.cards if card.code in codes)
    return CountedPile(sides, _card_boxes(countable.cards, tapped, get_language()), tapped)


def with_count(pile: CountedPile | None, form: HandForm, sent: QueryDict) -> HandForm:
    """Return the form as sent, with the points of the pile as the count of the tapped side."""
    data = sent.copy()
    if pile is not None:
        for side in pile.sides:
            if side.value == sent.get(SIDE):
                data[side.count_field] = str(pile.points)
    return UnvalidatedForm(form.questions, data)


@dataclass(frozen=True, slots=True)
class TapChoice:
    """An answer to tap."""

    tag: SafeString  # the HTML of its input
    label: str
    beside: SeatNote | None  # the note beside a player's name
    red: bool  # the label ends with a red suit


@dataclass(frozen=True, slots=True)
class SlotView:
    """One slot of a question."""

    label: str  # the name of the side or seat that is asked; empty if the whole hand is
    letter: str  # of the side, or empty
    fields: tuple[BoundField, ...]
    taps: tuple[TapChoice, ...] = ()  # the answers to tap; none where one types or picks

    @property
    def errors(self) -> list[str]:
        return [str(error) for bound in self.fields for error in bound.errors]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """One question, as the template with the name ``template`` shows it."""

    id: str  # of its HTML element
    name: str
    template: str
    label: str
    help: str
    required: bool
    summed: bool  # the page adds up the answers of the sides
    # It is asked only while the field ``depends_on`` has one of these values (blanks between them);
    # both are empty for a question that is always asked.
    depends_on: str
    depends_values: str
    slots: tuple[SlotView, ...]
    errors: tuple[str, ...]
    least: int  # how many values an answer has at least
    cards: bool  # the answers to tap are ranks of cards


@dataclass(frozen=True, slots=True)
class SheetView:
    """The form of a sheet in the parts that the page has places for."""

    form: HandForm
    seat_notes: Mapping[int, SeatNote] = field(default_factory=dict)

    def main_questions(self) -> list[QuestionView]:
        """Return the questions that the page shows unfolded."""
        return [self._question(kind) for kind in self._main_kinds()]

    def refused_below(self) -> list[tuple[str, str]]:
        """Return (anchor, sentence) of the errors, less those beside a field of a main question."""
        keys = [key for kind in self._main_kinds() for key in kind.fields]
        shown = {f"#{self.form[key].auto_id}" for key in keys}
        summary = self.form.summary() if self.form.errors else []
        return [(anchor, sentence) for anchor, sentence in summary if anchor not in shown]

    def more_questions(self) -> list[QuestionView]:
        """Return the folded questions: first the exact card for each main question about a rank."""
        kinds = self.form.questions.kinds
        ranks = [self._question(kind) for kind in kinds if kind.by_rank]
        exact_cards = [
            replace(
                question,
                id=f"{question.id}-exact",
                name=exact_key(question.name),
                template=CardKind.template,
                help="",
                required=False,
                slots=tuple(
                    SlotView(slot.label, slot.letter, (self.form[exact_key(slot.fields[0].name)],))
                    for slot in question.slots
                ),
                errors=(),
            )
            for question in ranks
        ]
        return [*exact_cards, *(self._question(kind) for kind in kinds if kind.question.aside)]

    def bare_question(self) -> QuestionView:
        """Return the question who won, for a hand without a count."""
        return self._question(self.form.questions.bare_kind)

    def has_number_pad(self) -> bool:
        """Return whether a main question asks for numbers, for which the page offers a pad."""
        return any(kind.counted for kind in self._main_kinds())

    def _main_kinds(self) -> list[QuestionKind[Any]]:
        return [kind for kind in self.form.questions.kinds if not kind.question.aside]

    def _question(self, kind: QuestionKind[Any]) -> QuestionView:
        question = kind.question
        depends_on, depends_values = question.depends_on or ("", ())
        slots = []
        for slot in kind.slots:
            fields = tuple(self.form[key] for key in slot.keys)
            # A slot with something to tap has one field.
            to_tap = isinstance(fields[0].field.widget, RadioSelect | CheckboxSelectMultiple)
            taps = []
            for choice in fields[0].subwidgets if to_tap else ():
                label, value = str(choice.data.get("label", "")), str(choice.data.get("value", ""))
                note = self.seat_notes.get(int(value)) if kind.of_people and value else None
                taps.append(TapChoice(choice.tag(), label, note, label.endswith(RED)))
            slots.append(SlotView(*kind.slot_label(slot), fields, tuple(taps)))
        return QuestionView(
            id=self.form.add_prefix(f"q-{question.name}"),
            name=question.name,
            template=ChoiceKind.template if kind.by_rank else kind.template,
            label=say(question.label, self.form.questions.names),
            help=say(question.help, self.form.questions.names),
            required=question.required,
            summed=kind.counted and question.per is Per.SIDE and not question.aside,
            depends_on=self.form.add_prefix(depends_on) if depends_on else "",
            depends_values=" ".join(depends_values),
            slots=tuple(slots),
            errors=tuple(self.form.refusals.get(question.name, ())),
            least=question.count[0],
            cards=kind.by_rank,
        )
