"""What a change moves, in words: everything that differs between two pictures of a tournament."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.translation import gettext

from tracker.changes.queries.picture import Line, Picture, Table, WrittenHand
from tracker.common.sheet_lines import side_by_side
from tracker.models import Movement
from tracker.models.stints import Hands
from tracker.seating.logic.movements.catalogue import MOVEMENTS

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


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A hand that was written down one way and is another: of its sheets, what differs."""

    what: str
    before: WrittenHand | None
    after: WrittenHand | None


@dataclass(frozen=True, slots=True)
class Caution:
    """What is said of a hand that was not said of it before."""

    what: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Somebody in a standing, as they stood and as they stand."""

    name: str
    place: Move
    points: Move
    figures: tuple[Move, ...]  # beside the points, where they differ
    deals: tuple[Move, ...]  # how much they played and dealt, where it differs

    @property
    def ranks(self) -> bool:
        """Say whether anything differs by which people are ranked."""
        return self.place.moves or self.points.moves or bool(self.figures)

    @property
    def moves(self) -> bool:
        return self.ranks or bool(self.deals)

    @property
    def also(self) -> Sequence[Move]:
        """Return what differs besides place and points, each with what it is."""
        return (*self.figures, *self.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRows:
    """Who stands otherwise in a stage that takes points over."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a change moves, the change itself first."""

    seats: tuple[Move, ...]
    hands: tuple[Rewritten, ...]
    standing: tuple[Row, ...]
    stages: tuple[StageRows, ...]  # that follow, where anything moves
    deals: tuple[Move, ...]  # who deals next
    remembered: tuple[str, ...]  # tables that count anew who dealt before
    cautions: tuple[Caution, ...]
    rounds_after: tuple[int, ...]  # which may have been seated from the old standing
    results_after: tuple[int, ...]  # which may have been seated from who won before
    season: str
    in_season: tuple[Row, ...]
    rewrites: bool  # whether anything that counts of a hand differs, also what no word is said of

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
                self.rewrites,
            )
        )

    @property
    def ranks(self) -> bool:
        """Say whether anybody is ranked otherwise, or by other figures."""
        return any(row.ranks for row in self.standing)


def effect(before: Picture, after: Picture) -> Effect:
    """Return what differs between two pictures of one tournament."""
    standing = tuple(_rows(before.standing, after.standing))
    changed = [
        *(place for place, _ in _differing(before.stints, after.stints)),
        *(table for table, _ in _differing(before.hands, after.hands)),
    ]
    first = min((number for number, _ in changed), default=0)
    placed = any(row.place.moves for row in standing)
    scored = any(row.points.moves for row in standing)
    after_it = {number: code for number, code in after.rounds.items() if number > first}
    return Effect(
        seats=tuple(
            Move(
                _called(table), _people(before.stints.get(place)), _people(after.stints.get(place))
            )
            for place in _differing(before.stints, after.stints)
            for table in [place[0]]
        ),
        hands=tuple(
            _rewritten(hand, before.written.get(hand), after.written.get(hand))
            for hand in _differing(before.written, after.written)
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
            Caution(_hand(hand), says)
            for hand in _differing(before.cautions, after.cautions)
            for code, says in after.cautions.get(hand, {}).items()
            if code not in before.cautions.get(hand, {})
        ),
        rounds_after=tuple(
            number
            for number, code in after_it.items()
            if MOVEMENTS[code].by_standing and (placed or (scored and code == Movement.SWISS))
        ),
        results_after=tuple(
            number
            for number, code in after_it.items()
            if MOVEMENTS[code].by_results and (placed or scored)
        ),
        season=after.season.name if after.season else "",
        in_season=tuple(
            _rows(
                before.season.lines if before.season else {},
                after.season.lines if after.season else {},
            )
        ),
        rewrites=before.hands != after.hands,
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
        stands: Line = now or was  # type: ignore[assignment]
        row = Row(
            name=stands.name,
            place=Move(gettext("Place"), *_figures(was, now, "place")),
            points=Move(stands.ranked_by, *_figures(was, now, "points")),
            figures=tuple(_besides(was, now)),
            deals=tuple(
                move
                for move in (
                    Move(gettext("Hands"), *_figures(was, now, "hands")),
                    Move(gettext("Dealt"), *_figures(was, now, "dealt")),
                    Move(gettext("Opened"), *_figures(was, now, "opened")),
                )
                if move.moves
            ),
        )
        if row.moves:
            yield row


def _besides(was: Line | None, now: Line | None) -> Iterator[Move]:
    """Yield the figures beside the points that differ, of whoever stood before and after."""
    if was is None or now is None:
        return  # they come or go with all they have
    known = dict(was.figures)
    for label, value in now.figures:
        move = Move(label, known.get(label, NOBODY), value)
        if move.moves:
            yield move


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


def _rewritten(
    hand: tuple[Table, int], was: WrittenHand | None, now: WrittenHand | None
) -> Rewritten:
    if was is None or now is None:
        return Rewritten(_hand(hand), was, now)
    theirs, ours = side_by_side(was.lines, now.lines)
    return Rewritten(
        _hand(hand),
        replace(was, lines=tuple(line for line in theirs if line.differs)),
        replace(now, lines=tuple(line for line in ours if line.differs)),
    )


def _people(stints: Sequence[tuple[str, Hands]] | None) -> str:
    """Return who sat at a place, one after another, with the hand from which each did."""
    if not stints:
        return NOBODY
    (first, _), *later = stints
    takes_over = gettext("%(who)s from hand %(number)d")
    return ", ".join(
        [first, *(takes_over % {"who": who, "number": hands[0]} for who, hands in later)]
    )
