"""A pile of cards that a side has eaten, tapped card by card: it counts, and fills in the sheet."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.forms.utils import ErrorDict
from django.http import QueryDict

from games.game import AnyGame, Session
from tracker.common.wording import NAMELESS, say
from tracker.results.forms.sheet import HandForm

CARDS, WHOSE = "pile", "pile_side"


@dataclass(frozen=True, slots=True)
class Tapped:
    """A card of the pack, and whether it lies in the pile."""

    code: str
    rank: str
    name: str
    pip: str
    points: int
    there: bool


@dataclass(frozen=True, slots=True)
class PileSide:
    """Whose pile it may be; ``fills`` is the field of the sheet for its count."""

    value: str
    name: str
    fills: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CountedPile:
    """The pile as the page draws it, suit by suit."""

    question: str  # the one of the sheet that it answers
    sides: tuple[PileSide, ...]
    suits: tuple[tuple[Tapped, ...], ...]

    @property
    def begun(self) -> bool:
        return any(card.there for suit in self.suits for card in suit)

    @property
    def points(self) -> int:
        return sum(card.points for suit in self.suits for card in suit if card.there)


class Unfinished(HandForm):
    """A sheet as far as it is written: nothing of it is refused yet."""

    def full_clean(self) -> None:
        self._errors = ErrorDict()
        self.cleaned_data: dict[str, Any] = {}


def pile_at(game: AnyGame, session: Session, form: HandForm, sent: QueryDict) -> CountedPile | None:
    """Return the pile as it was tapped so far, where this game counts cards."""
    countable = game.countable(session) if game.countable else None
    if countable is None:
        return None
    (kind,) = (kind for kind in form.asked.kinds if kind.question.name == countable.question)
    known = {str(form["side"].value()), sent.get(WHOSE)}
    there = set(sent.getlist(CARDS))
    names = form.asked.names
    return CountedPile(
        question=countable.question,
        sides=tuple(
            PileSide(str(slot.place), names.of(slot.place), slot.keys[0], str(slot.place) in known)
            for slot in kind.slots()
            if slot.place is not None
        ),
        suits=tuple(
            tuple(
                Tapped(
                    code=card.code,
                    rank=say(card.rank, NAMELESS),
                    name=say(card.name, NAMELESS),
                    pip=card.pip or "",
                    points=card.points,
                    there=card.code in there,
                )
                for card in suit
            )
            for _pip, suit in groupby(countable.cards, key=lambda card: card.pip)
        ),
    )


def filled_in(pile: CountedPile | None, form: HandForm, sent: QueryDict) -> HandForm:
    """Return the sheet with the count of the pile in it."""
    written = sent.copy()
    if pile is not None:
        for side in pile.sides:
            if side.value == sent.get(WHOSE):
                written[side.fills] = str(pile.points)
    return Unfinished(form.asked, written)
