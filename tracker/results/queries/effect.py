"""Effect of a change in words: the differences between two snapshots of a tournament."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.common.figures import figure, in_unit
from tracker.common.names import page_names
from tracker.common.sheet_lines import side_by_side
from tracker.models import Movement
from tracker.models.stints import Hands
from tracker.movements.catalogue import MOVEMENTS
from tracker.results.queries.snapshot import Snapshot, Table, WrittenHand
from tracker.standings.queries.seasons import SeasonRow, out_of_a_hundred
from tracker.standings.queries.standings import Standing, StandingRow

K = TypeVar("K")
V = TypeVar("V")
NOBODY = "–"


@dataclass(frozen=True, slots=True)
class Move:
    """A value before and after a change."""

    what: str
    before: str
    after: str

    @property
    def moves(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand before and after a change."""

    before: WrittenHand | None
    after: WrittenHand | None

    @property
    def sentence(self) -> str:
        was, now = self.before, self.after
        if was is None or now is None:
            template = _("%(hand)s goes: %(result)s.") if was else _("%(hand)s is new: %(result)s.")
            hand = was or now
            return _sentence(template, hand) if hand else ""
        if now.struck:
            return _sentence(_("%(hand)s would be deleted: %(result)s."), was)
        if was.struck:
            return _sentence(_("%(hand)s would count again: %(result)s."), now)
        if was.result == now.result:
            return _sentence(_("%(hand)s stays %(result)s."), now)
        if (
            was.totals and now.totals and was.totals != now.totals
        ):  # so that the winner is named once
            template = _("%(hand)s: %(was)s becomes %(now)s; %(headline)s.")
            return _sentence(template, now, was=was.totals, now=now.totals)
        return _sentence(_("%(hand)s: “%(was)s” becomes “%(result)s”."), now, was=was.result)

    @property
    def unbroken(self) -> str:
        """Return the sentence for a heading, with no line break inside a result."""
        return self.sentence.replace("–", "–\N{WORD JOINER}")

    @property
    def answers(self) -> Sequence[Move]:
        """Return the answers of the sheet that differ, besides those that the sentence tells."""
        was, now = self.before, self.after
        if was is None or now is None or was.struck or now.struck:
            return []
        before, after = (
            {line.label: line.value for line in lines if line.differs}
            for lines in side_by_side(was.lines, now.lines)
        )
        return [
            Move(label, before.get(label, NOBODY), after.get(label, NOBODY))
            for label in dict.fromkeys((*before, *after))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """A row of a standing before and after a change."""

    name: str
    place: Move
    points: Move
    credit: Move | None = None  # for sitting out; none in the standing of a season
    figures: tuple[Move, ...] = ()  # the other figures that differ
    deals: tuple[Move, ...] = ()  # the counts of hands and deals that differ

    @property
    def moves(self) -> bool:
        return self.place.moves or self.points.moves or bool(self.other_changes)

    @property
    def other_changes(self) -> Sequence[Move]:
        return (*self.figures, *self.deals)


def changed_rows(
    before: Standing, after: Standing, called: Callable[[str], str]
) -> tuple[RowChange, ...]:
    """Return the rows that change, in the order after the change, those that are gone last.

    *called* turns a name into the one that the page shows.
    """
    # By player and team, as a correction may give an entrant to another player.
    was, now = ({(row.player, row.team): row for row in each.rows} for each in (before, after))
    rows = (_row_change(before, one, after, other, called) for one, other in _pairs(was, now))
    return tuple(row for row in rows if row.moves)


def _row_change(
    before: Standing,
    was: StandingRow | None,
    after: Standing,
    now: StandingRow | None,
    called: Callable[[str], str],
) -> RowChange:
    def move(what: str, write: Callable[[Standing, StandingRow], object]) -> Move:
        shown = [
            str(write(of, row)) if row else NOBODY for of, row in ((before, was), (after, now))
        ]
        return Move(what, *shown)

    # Of an entrant who is new or gone only place and points are shown.
    known = _figures(before, was) if was else {}
    figures = _figures(after, now) if was and now else {}
    moves = [Move(label, known.get(label, NOBODY), value) for label, value in figures.items()]
    deals = [
        move(gettext("Hands"), lambda _, row: row.hands),
        move(gettext("Dealt"), lambda _, row: row.dealt),
        move(gettext("Dealt first"), lambda _, row: row.opened),
    ]
    points = (after if now else before).criteria[0]
    return RowChange(
        name=called(stands.name) if (stands := now or was) else "",
        place=move(gettext("Place"), lambda _, row: row.place),
        points=move(gettext(points.label), Standing.points_of),
        credit=move(gettext("Sat out"), _credit),
        figures=tuple(each for each in moves if each.moves),
        deals=tuple(each for each in deals if each.moves),
    )


def _figures(standing: Standing, row: StandingRow) -> dict[str, str]:
    """Return by label the figures beside the points that are shown or break ties."""
    points, *breaks = standing.criteria
    known = {each.key: each for each in (*standing.columns, *breaks) if not each.head_to_head}
    known.pop(points.key, None)
    return {
        gettext(each.label): figure(row.figures[each.key], percent=each.percent)
        for each in known.values()
    }


def _credit(standing: Standing, row: StandingRow) -> str:
    """Return the points of an entrant for sitting out, where they are an average of played hands."""
    given = (
        each.points for each in standing.awards if each.award.part and each.entrant == row.entrant
    )
    return in_unit(sum(given, Fraction(0)), standing.criteria[0])


def _changed_in_season(
    before: Sequence[SeasonRow], after: Sequence[SeasonRow], called: Callable[[str], str]
) -> Iterator[RowChange]:
    was, now = ({row.player: row for row in rows} for rows in (before, after))
    for pair in _pairs(was, now):
        places = [NOBODY if row is None or row.place is None else str(row.place) for row in pair]
        points = [out_of_a_hundred(row.points) if row else NOBODY for row in pair]
        row = RowChange(
            name=called(next(row.name for row in reversed(pair) if row)),
            place=Move(gettext("Place"), *places),
            points=Move(gettext("Points"), *points),
        )
        if row.moves:
            yield row


def _pairs(was: Mapping[K, V], now: Mapping[K, V]) -> Iterator[tuple[V | None, V | None]]:
    """Yield the values before and after under each key, in the order after, those gone last."""
    for key in [*now, *(key for key in was if key not in now)]:
        yield was.get(key), now.get(key)


def _sentence(template: str, hand: WrittenHand, **more: str) -> str:
    named = {"hand": hand.called, "result": hand.result, "headline": hand.headline, **more}
    return gettext(template) % named


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """All differences that a change makes in a tournament and its season, in words."""

    seats: tuple[Move, ...]
    hands: tuple[HandChange, ...]
    standing: tuple[RowChange, ...]
    stages: tuple[tuple[str, tuple[RowChange, ...]], ...]  # later stages that change, by name
    deals: tuple[Move, ...]  # who deals next, by table
    remembered: tuple[str, ...]  # tables whose memory of earlier dealers changes
    cautions: tuple[tuple[str, str], ...]  # hands and their new warnings
    rounds_after: tuple[int, ...]  # later rounds that may have been seated from the old standing
    results_after: tuple[int, ...]  # later rounds that may have been seated from the old results
    season: str
    in_season: tuple[RowChange, ...]
    rewrites: bool  # whether any stored value of a hand differs, even if no sentence tells it

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
    def with_new_points(self) -> Sequence[RowChange]:
        """Return the rows whose points change, or that are new or gone."""
        return [row for row in self.standing if row.points.moves]

    @property
    def with_new_credit(self) -> Sequence[RowChange]:
        """Return the remaining entrants whose credit for sitting out changes."""
        return [
            row
            for row in self.with_new_points
            if row.credit and row.credit.moves and NOBODY not in {row.place.before, row.place.after}
        ]

    @property
    def with_new_place(self) -> Sequence[RowChange]:
        return [row for row in self.standing if row.place.moves and not row.points.moves]

    @property
    def with_other_changes(self) -> Sequence[RowChange]:
        return [row for row in self.standing if row.other_changes]


def effect(before: Snapshot, after: Snapshot) -> Effect:
    """Compare two snapshots of one tournament."""
    people = [
        person
        for each in (before, after)
        for standing in (each.standing, *(stage for _, stage in each.stages.values()))
        for person in standing.people
    ]
    people += [(row.player, row.name) for row in (*before.season_rows, *after.season_rows)]
    called = page_names(people).team  # of a single player too
    standing = changed_rows(before.standing, after.standing, called)
    stages = (
        (name, changed_rows(before.stages[stage][1], then, called))
        for stage, (name, then) in after.stages.items()
    )
    from_standing, from_results = _rounds_after(before, after, standing)
    return Effect(
        seats=tuple(
            Move(
                _table_called(table),
                _people(before.stints.get((table, place))),
                _people(after.stints.get((table, place))),
            )
            for table, place in _differing(before.stints, after.stints)
        ),
        hands=tuple(
            HandChange(before.written.get(hand), after.written.get(hand))
            for hand in _differing(before.written, after.written)
        ),
        standing=standing,
        stages=tuple((name, rows) for name, rows in stages if rows),
        deals=tuple(
            Move(
                _table_called(table),
                before.coming.get(table, NOBODY),
                after.coming.get(table, NOBODY),
            )
            for table in _differing(before.coming, after.coming)
        ),
        remembered=tuple(map(_table_called, _differing(before.remembered, after.remembered))),
        cautions=tuple(
            (_table_called(table, after.numbered % {"number": number}), says)
            for table, number in _differing(before.cautions, after.cautions)
            for code, says in after.cautions.get((table, number), {}).items()
            if code not in before.cautions.get((table, number), {})
        ),
        rounds_after=from_standing,
        results_after=from_results,
        season=after.season,
        in_season=tuple(_changed_in_season(before.season_rows, after.season_rows, called)),
        rewrites=before.hands != after.hands,
    )


def _rounds_after(
    before: Snapshot, after: Snapshot, standing: Sequence[RowChange]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the later rounds that may have been seated from what is now changed.

    First those seated from the standing, then those from results; *standing* are the changed rows.
    """
    changed = [
        *(place for place, _ in _differing(before.stints, after.stints)),
        *(table for table, _ in _differing(before.hands, after.hands)),
    ]
    first = min((number for number, _ in changed), default=0)
    placed = any(row.place.moves for row in standing)
    scored = any(row.points.moves for row in standing)
    later = {number: code for number, code in after.rounds.items() if number > first}
    from_standing = tuple(
        number
        for number, code in later.items()
        if MOVEMENTS[code].by_standing and (placed or (scored and code == Movement.SWISS))
    )
    from_results = tuple(
        number
        for number, code in later.items()
        if MOVEMENTS[code].by_results and (placed or scored)
    )
    return from_standing, from_results


def _differing(before: Mapping[K, object], after: Mapping[K, object]) -> list[K]:
    """Return the keys whose values differ, sorted."""
    keys: list[K] = sorted(before.keys() | after.keys())  # type: ignore[type-var]
    return [key for key in keys if before.get(key) != after.get(key)]


def _table_called(table: Table, hand: str = "") -> str:
    where = {"table": table[1], "round": table[0]}
    if hand:
        return gettext("%(hand)s, table %(table)d, round %(round)d") % {"hand": hand, **where}
    return gettext("Table %(table)d, round %(round)d") % where


def _people(stints: Sequence[tuple[str, Hands]] | None) -> str:
    """Return the players at a place, one after another, each with their first hand."""
    if not stints:
        return NOBODY
    (first, _), *later = stints
    takes_over = gettext("%(who)s from hand %(number)d")
    return ", ".join(
        [first, *(takes_over % {"who": who, "number": hands[0]} for who, hands in later)]
    )
