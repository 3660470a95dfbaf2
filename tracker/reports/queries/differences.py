"""What a correction moves, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext

from tracker.common.wording import Names
from tracker.ledger.table import TableNow
from tracker.models import Entrant


class Moved(Protocol):
    """What the services say of a correction."""

    @property
    def hands(self) -> tuple[int, ...]: ...
    @property
    def warned(self) -> tuple[int, ...]: ...
    @property
    def points(self) -> Mapping[int, Mapping[str, tuple[int, int]]]: ...
    @property
    def places(self) -> Mapping[int, tuple[int, int]]: ...
    @property
    def next_dealer(self) -> tuple[int, int]: ...
    @property
    def rounds_after(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class Move:
    """One figure of somebody, as it was and as it will be."""

    who: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceDetails:
    """What a correction moves, ready to be read."""

    moves: tuple[Move, ...]
    hands: tuple[str, ...]
    warned: tuple[str, ...]
    rounds_after: tuple[int, ...]

    @property
    def nothing(self) -> bool:
        return not (self.moves or self.hands)


def difference_details(table: TableNow, moved: Moved, names: Names) -> DifferenceDetails:
    """Return what a correction moves, in one query for the names of the entrants."""
    labels = {
        "hands": gettext(table.game.unit.many),
        "dealt": gettext("Dealt"),
        "opened": gettext("Opened"),
    } | {mark.key: gettext(mark.label) for mark in table.game.marks}
    called = _called({*moved.points, *moved.places})
    moves = [
        Move(called[entrant], labels.get(key, key), str(before), str(after))
        for entrant, by_key in moved.points.items()
        for key, (before, after) in by_key.items()
    ]
    moves += [
        Move(called[entrant], gettext("Place"), str(before), str(after))
        for entrant, (before, after) in moved.places.items()
    ]
    before, after = moved.next_dealer
    if before != after:
        moves.append(Move("", gettext("Next deal"), names.at(before), names.at(after)))
    return DifferenceDetails(
        moves=tuple(sorted(moves, key=lambda move: (not move.who, move.who.casefold()))),
        hands=_numbered(table, moved.hands),
        warned=_numbered(table, moved.warned),
        rounds_after=moved.rounds_after,
    )


def _called(entrants: set[int]) -> dict[int, str]:
    found = Entrant.objects.filter(pk__in=entrants).select_related("player", "team")
    return {entrant.pk: str(entrant) for entrant in found}


def _numbered(table: TableNow, numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(table.numbered(number) for number in numbers)
