"""What a change moves, in words: everything that differs between two pictures of a tournament."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

from django.utils.translation import gettext

from tracker.changes.queries.picture import Line, Picture, Table
from tracker.models.stints import Hands

K = TypeVar("K")
NOBODY = "–"


@dataclass(frozen=True, slots=True)
class Move:
    """Something that was one way and is another."""

    what: str
    before: str
    after: str

    @property
    def moves(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Somebody in a standing, as they stood and as they stand."""

    name: str
    place: Move
    points: Move
    hands: Move
    dealt: Move
    opened: Move

    @property
    def moves(self) -> bool:
        return any(getattr(self, each.name).moves for each in fields(self) if each.name != "name")

    @property
    def deals(self) -> Sequence[Move]:
        """Return what differs besides the points, each with what it is."""
        return [each for each in (self.hands, self.dealt, self.opened) if each.moves]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRows:
    """Who stands otherwise in a stage that takes points over."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a change moves, the change itself first."""

    seats: tuple[Move, ...]
    hands: tuple[Move, ...]
    standing: tuple[Row, ...]
    stages: tuple[StageRows, ...]  # that follow, where anything moves
    deals: tuple[Move, ...]  # who deals next
    remembered: tuple[str, ...]  # tables that count anew who dealt before
    cautions: tuple[str, ...]  # hands of which something is said that was not
    rounds_after: tuple[int, ...]  # which may have been seated from the old standing
    season: str
    in_season: tuple[Row, ...]

    @property
    def nothing(self) -> bool:
        return not any(
            (
                self.seats,
                self.hands,
                self.standing,
                self.stages,
                self.deals,
                self.remembered,
                self.in_season,
            )
        )


def effect(before: Picture, after: Picture) -> Effect:
    """Return what differs between two pictures of one tournament."""
    standing = tuple(_rows(before.standing, after.standing))
    changed = [
        *(place for place, _ in _differing(before.stints, after.stints)),
        *(table for table, _ in _differing(before.hands, after.hands)),
    ]
    first = min((number for number, _ in changed), default=0)
    reseated = any(row.place.moves for row in standing)
    return Effect(
        seats=tuple(
            Move(
                _called(table), _people(before.stints.get(place)), _people(after.stints.get(place))
            )
            for place in _differing(before.stints, after.stints)
            for table in [place[0]]
        ),
        hands=tuple(
            Move(_hand(hand), before.results.get(hand, NOBODY), after.results.get(hand, NOBODY))
            for hand in _differing(before.results, after.results)
        ),
        standing=standing,
        stages=tuple(
            StageRows(
                name=after.stages[stage].name,
                rows=tuple(_rows(before.stages[stage].standing, after.stages[stage].standing)),
            )
            for stage in _differing(before.stages, after.stages)
        ),
        deals=tuple(
            Move(_called(table), before.coming.get(table, NOBODY), after.coming.get(table, NOBODY))
            for table in _differing(before.coming, after.coming)
        ),
        remembered=tuple(map(_called, _differing(before.remembered, after.remembered))),
        cautions=tuple(
            _hand(hand)
            for hand in _differing(before.cautions, after.cautions)
            if after.cautions.get(hand, frozenset()) - before.cautions.get(hand, frozenset())
        ),
        rounds_after=tuple(number for number in after.rounds if reseated and number > first),
        season=after.season.name if after.season else "",
        in_season=tuple(
            _rows(
                before.season.lines if before.season else {},
                after.season.lines if after.season else {},
            )
        ),
    )


def _differing(before: Mapping[K, object], after: Mapping[K, object]) -> list[K]:
    """Return the keys under which the two do not hold the same, in their order."""
    keys: list[K] = sorted(before.keys() | after.keys())  # type: ignore[type-var]
    return [key for key in keys if before.get(key) != after.get(key)]


def _rows(before: Mapping[K, Line], after: Mapping[K, Line]) -> Iterator[Row]:
    """Yield whoever stands otherwise, as they stand after it, those who are gone last."""
    gone = [key for key in before if key not in after]
    for key in [*after, *gone]:
        was, now = before.get(key), after.get(key)
        row = Row(
            name=(now or was).name,  # type: ignore[union-attr]
            place=Move(gettext("Place"), *_figures(was, now, "place")),
            points=Move(gettext("Points"), *_figures(was, now, "points")),
            hands=Move(gettext("Hands"), *_figures(was, now, "hands")),
            dealt=Move(gettext("Dealt"), *_figures(was, now, "dealt")),
            opened=Move(gettext("Opened"), *_figures(was, now, "opened")),
        )
        if row.moves:
            yield row


def _figures(was: Line | None, now: Line | None, name: str) -> tuple[str, str]:
    before = NOBODY if was is None else str(getattr(was, name))
    return before, NOBODY if now is None else str(getattr(now, name))


def _called(table: Table) -> str:
    return gettext("Table %(table)d, round %(round)d") % {"table": table[1], "round": table[0]}


def _hand(hand: tuple[Table, int]) -> str:
    (round_number, table), number = hand
    return gettext("Hand %(number)d, table %(table)d, round %(round)d") % {
        "number": number,
        "table": table,
        "round": round_number,
    }


def _people(stints: Sequence[tuple[str, Hands]] | None) -> str:
    """Return who sat at a place, one after another, with the hand from which each did."""
    if not stints:
        return NOBODY
    (first, _), *later = stints
    takes_over = gettext("%(who)s from hand %(number)d")
    return ", ".join(
        [first, *(takes_over % {"who": who, "number": hands[0]} for who, hands in later)]
    )
