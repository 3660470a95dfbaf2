"""Card counter of the sheet: the cards that a side has taken are tapped, and fill in its count."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.forms.utils import ErrorDict
from django.http import QueryDict

from games.game import AnyGame, Session
from games.play.layout import Face
from tracker.common.wording import NAMELESS, say
from tracker.results.forms.sheet import HandForm

CARDS, SIDE = "pile", "pile_side"


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card of the pack in words, and whether it was tapped."""

    face: Face
    rank: str
    name: str
    tapped: bool


@dataclass(frozen=True, slots=True)
class PileSide:
    """A side whose pile can be counted; ``fills`` is the field for its count."""

    value: str
    name: str
    fills: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CountedPile:
    """The pile, suit by suit, and the sides it may belong to."""

    sides: tuple[PileSide, ...]
    suits: tuple[tuple[PileCard, ...], ...]

    @property
    def tapped(self) -> list[PileCard]:
        return [card for suit in self.suits for card in suit if card.tapped]

    @property
    def points(self) -> int:
        return sum(card.face.points for card in self.tapped)


class UnvalidatedForm(HandForm):
    """A sheet that is still being filled in, so that nothing of it is refused."""

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
    (kind,) = (kind for kind in form.asked.kinds if kind.question.name == countable.question)
    chosen = {str(form["side"].value()), sent.get(SIDE)}
    tapped = set(sent.getlist(CARDS))
    return CountedPile(
        sides=tuple(
            PileSide(
                str(slot.place),
                form.asked.names.of(slot.place),
                slot.keys[0],
                str(slot.place) in chosen,
            )
            for slot in kind.slots()
            if slot.place is not None
        ),
        suits=tuple(
            tuple(
                PileCard(
                    card, say(card.rank, NAMELESS), say(card.name, NAMELESS), card.code in tapped
                )
                for card in suit
            )
            for _pip, suit in groupby(countable.cards, key=lambda card: card.pip)
        ),
    )


def with_count(pile: CountedPile | None, form: HandForm, sent: QueryDict) -> HandForm:
    """Return the sheet with the points of the pile as the count of the chosen side."""
    data = sent.copy()
    if pile is not None:
        for side in pile.sides:
            if side.value == sent.get(SIDE):
                data[side.fills] = str(pile.points)
    return UnvalidatedForm(form.asked, data)
