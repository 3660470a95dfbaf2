"""Effect of a change in words: the differences between two snapshots of a tournament.

A *stage* is a tournament that takes the points of an earlier one along. A *place* is a chair at a
table, numbered from 0; in a row of the standings it is the rank. *Struck* hands (undone or deleted)
count nowhere. Of most things only what differs is listed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.common.figures import figure, in_unit
from tracker.common.names import page_names
from tracker.common.sheet_lines import side_by_side
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.models import Movement
from tracker.models.stints import HandRange
from tracker.movements.catalogue import MOVEMENTS
from tracker.results.queries.snapshot import Snapshot, TableKey, WrittenHand
from tracker.standings.queries.seasons import SeasonRow, out_of_a_hundred
from tracker.standings.queries.standings import Standing, StandingRow

K = TypeVar("K")
V = TypeVar("V")
NONE = "–"  # shown where there is no value, before or after


@dataclass(frozen=True, slots=True)
class Move:
    """A value before and after a change, in words."""

    what: str  # its label, or the table that it is about
    before: str
    after: str

    @property
    def differs(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand before and after a change; ``None`` where it did not or will not exist."""

    before: WrittenHand | None
    after: WrittenHand | None

    @property
    def sentence(self) -> str:
        before, after = self.before, self.after
        if before is None or after is None:
            is_new, is_gone = _("%(hand)s is new: %(result)s."), _("%(hand)s goes: %(result)s.")
            hand = before or after
            return _sentence(is_gone if before else is_new, hand) if hand else ""
        if after.struck:
            return _sentence(_("%(hand)s would be deleted: %(result)s."), before)
        if before.struck:
            return _sentence(_("%(hand)s would count again: %(result)s."), after)
        if before.result == after.result:
            return _sentence(_("%(hand)s stays %(result)s."), after)
        # Where both have a count, the sentence gives the counts, and the winner only once.
        if before.totals and after.totals and before.totals != after.totals:
            template = _("%(hand)s: %(was)s becomes %(now)s; %(headline)s.")
            return _sentence(template, after, was=before.totals, now=after.totals)
        return _sentence(_("%(hand)s: “%(was)s” becomes “%(result)s”."), after, was=before.result)

    @property
    def unbroken(self) -> str:
        """Return the sentence for a heading, with no line break inside a result."""
        return self.sentence.replace("–", "–\N{WORD JOINER}")

    @property
    def answers(self) -> Sequence[Move]:
        """Return the answers of the sheet that differ, but not the counts, as ``sentence`` does."""
        if not (self.before and self.after) or self.before.struck or self.after.struck:
            return []
        before, after = (
            {line.label: line.value for line in lines if line.differs}
            for lines in side_by_side(self.before.lines, self.after.lines)
        )
        return [
            Move(label, before.get(label, NONE), after.get(label, NONE))
            for label in dict.fromkeys((*before, *after))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """A row of a standing (the entrants in order of rank) before and after a change."""

    name: str
    place: Move  # the rank
    points: Move  # the figure that the standing ranks by first
    credit: Move | None = None  # points for sitting out; ``None`` in the standing of a season
    figures: tuple[Move, ...] = ()  # the other figures of the standing that differ
    hand_counts: tuple[Move, ...] = ()  # how many hands, and how many dealt, where that differs

    @property
    def differs(self) -> bool:
        return self.place.differs or self.points.differs or bool(self.other_changes)

    @property
    def other_changes(self) -> Sequence[Move]:
        return (*self.figures, *self.hand_counts)


class StageChange(NamedTuple):
    """The rows of a later stage that change."""

    name: str
    rows: tuple[RowChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """All differences that a change makes in a tournament and its season, in words."""

    seats: tuple[Move, ...]  # who sat at a place
    hands: tuple[HandChange, ...]
    standing: tuple[RowChange, ...]
    stages: tuple[StageChange, ...]
    next_dealers: tuple[Move, ...]  # who deals next at a table
    remembered: tuple[str, ...]  # tables where another order of "who dealt longest ago" is stored
    cautions: tuple[tuple[str, str], ...]  # each a hand and a new warning about it
    # The numbers of later rounds that may have been seated from the old standing or old results.
    rounds_by_standing: tuple[int, ...]
    rounds_by_results: tuple[int, ...]
    season: str  # its name; empty until the tournament is official
    season_rows: tuple[RowChange, ...]
    rewrites: bool  # whether any stored value of a hand differs, even if no sentence tells it

    @property
    def changes_nothing(self) -> bool:
        """Return whether nothing differs; new cautions and rounds come only with a difference."""
        in_tournament = (self.seats, self.hands, self.standing, self.next_dealers, self.remembered)
        return not (any(in_tournament) or self.stages or self.season_rows or self.rewrites)

    @property
    def with_new_points(self) -> Sequence[RowChange]:
        """Return the rows whose points change, or that are new or gone."""
        return [row for row in self.standing if row.points.differs]

    @property
    def with_new_credit(self) -> Sequence[RowChange]:
        """Return the rows with new points, neither new nor gone, whose credit changes, too."""
        return [
            row
            for row in self.with_new_points
            if row.credit and row.credit.differs and NONE not in {row.place.before, row.place.after}
        ]

    @property
    def with_new_place(self) -> Sequence[RowChange]:
        return [row for row in self.standing if row.place.differs and not row.points.differs]

    @property
    def with_other_changes(self) -> Sequence[RowChange]:
        return [row for row in self.standing if row.other_changes]


def effect(before: Snapshot, after: Snapshot) -> Effect:
    """Compare two snapshots of one tournament."""
    both = before, after
    # Names are shortened as on a page with all players and teams of both.
    standings = [snapshot.standing for snapshot in both]
    standings += [of_stage for snapshot in both for _, of_stage in snapshot.stages.values()]
    people = [person for standing in standings for person in standing.people]
    people += [(row.player, row.name) for snapshot in both for row in snapshot.season_rows]
    page_name = page_names(people).team
    rows = _changed_rows(before.standing, after.standing, page_name)
    stages = (
        StageChange(name, _changed_rows(before.stages[stage][1], new_standing, page_name))
        for stage, (name, new_standing) in after.stages.items()
    )
    rounds_by_standing, rounds_by_results = _later_rounds(before, after, rows)
    return Effect(
        seats=tuple(
            Move(_table_called(table), *(_people(each.stints.get((table, place))) for each in both))
            for table, place in _differing(before.stints, after.stints)
        ),
        hands=tuple(
            HandChange(before.written.get(hand), after.written.get(hand))
            for hand in _differing(before.written, after.written)
        ),
        standing=rows,
        stages=tuple(stage for stage in stages if stage.rows),
        next_dealers=tuple(
            Move(_table_called(table), *(each.next_dealers.get(table, NONE) for each in both))
            for table in _differing(before.next_dealers, after.next_dealers)
        ),
        remembered=tuple(map(_table_called, _differing(before.remembered, after.remembered))),
        # The warnings that a hand did not have before.
        cautions=tuple(
            (_table_called(table, after.numbered % {"number": number}), warning)
            for table, number in _differing(before.cautions, after.cautions)
            for code, warning in after.cautions.get((table, number), {}).items()
            if code not in before.cautions.get((table, number), {})
        ),
        rounds_by_standing=rounds_by_standing,
        rounds_by_results=rounds_by_results,
        season=after.season,
        season_rows=tuple(_changed_in_season(before.season_rows, after.season_rows, page_name)),
        rewrites=before.hands != after.hands,
    )


def _changed_rows(
    before: Standing, after: Standing, page_name: Callable[[str], str]
) -> tuple[RowChange, ...]:
    """Return the rows that change, in their order after the change, rows that are gone last."""
    # Keyed by player and team, as a correction may give an entrant to another player.
    old, new = (
        {(row.player, row.team): row for row in standing.rows} for standing in (before, after)
    )
    changes = (
        _row_change(before, old_row, after, new_row, page_name)
        for old_row, new_row in _pairs(old, new)
    )
    return tuple(change for change in changes if change.differs)


def _row_change(
    before: Standing,
    old_row: StandingRow | None,
    after: Standing,
    new_row: StandingRow | None,
    page_name: Callable[[str], str],
) -> RowChange:
    """Return the change of an entrant's row; one of the rows is ``None`` if it is new or gone."""

    def compare(what: str, text_of: Callable[[Standing, StandingRow], object]) -> Move:
        return Move(
            what,
            str(text_of(before, old_row)) if old_row else NONE,
            str(text_of(after, new_row)) if new_row else NONE,
        )

    def sat_out(standing: Standing, row: StandingRow) -> str:
        """Return the points for rests that are averages: later hands change these."""
        own_credits = (credit for credit in standing.awards if credit.entrant == row.entrant)
        points = (credit.counted_amount for credit in own_credits if credit.award.part_played)
        return in_unit(sum(points, Fraction(0)), standing.criteria[0])

    # Only of an entrant who is neither new nor gone are figures besides the points shown.
    old_figures = _figures(before, old_row) if old_row else {}
    new_figures = _figures(after, new_row) if old_row and new_row else {}
    figures = [
        Move(label, old_figures.get(label, NONE), new_figures[label]) for label in new_figures
    ]
    hand_counts = [
        compare(gettext("Hands"), lambda _standing, row: row.hands),
        compare(gettext("Dealt"), lambda _standing, row: row.dealt),
        compare(gettext("Dealt first"), lambda _standing, row: row.opened),
    ]
    points = (after if new_row else before).criteria[0]
    row = new_row or old_row
    return RowChange(
        name=page_name(row.name) if row else "",
        place=compare(gettext("Place"), lambda _standing, row: row.place),
        points=compare(gettext(points.label), Standing.points_of),
        credit=compare(gettext("Sat out"), sat_out),
        figures=tuple(move for move in figures if move.differs),
        hand_counts=tuple(move for move in hand_counts if move.differs),
    )


def _figures(standing: Standing, row: StandingRow) -> dict[str, str]:
    """Return {label: text} of the figures, besides the points, that are shown or break ties."""
    points, *tie_breaks = standing.criteria
    criteria = {
        criterion.key: criterion
        for criterion in (*standing.columns, *tie_breaks)
        if criterion.key not in {DIRECT_ENCOUNTER.key, points.key}
    }
    return {
        gettext(criterion.label): figure(row.figures[key], percent=criterion.percent)
        for key, criterion in criteria.items()
    }


def _changed_in_season(
    before: Sequence[SeasonRow], after: Sequence[SeasonRow], page_name: Callable[[str], str]
) -> Iterator[RowChange]:
    old, new = ({row.player: row for row in rows} for rows in (before, after))
    for pair in _pairs(old, new):
        places = [NONE if row is None or row.place is None else str(row.place) for row in pair]
        points = [out_of_a_hundred(row.points) if row else NONE for row in pair]
        change = RowChange(
            name=page_name(next(row.name for row in reversed(pair) if row)),
            place=Move(gettext("Place"), *places),
            points=Move(gettext("Points"), *points),
        )
        if change.differs:
            yield change


def _pairs(old: Mapping[K, V], new: Mapping[K, V]) -> Iterator[tuple[V | None, V | None]]:
    """Yield the old and new value of each key, in the order of *new*, keys that are gone last."""
    for key in [*new, *(key for key in old if key not in new)]:
        yield old.get(key), new.get(key)


def _sentence(template: str, hand: WrittenHand, **more: str) -> str:
    params = {"hand": hand.called, "result": hand.result, "headline": hand.headline, **more}
    return gettext(template) % params


def _later_rounds(
    before: Snapshot, after: Snapshot, rows: Sequence[RowChange]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the later rounds that may have been seated from the standing, and those from results.

    *rows* are the changed rows of the standing. A movement is the way to find who sits where: one
    by standing looks at places, and the Swiss one at points, too.
    """
    changed_tables = [
        *(table for table, _place in _differing(before.stints, after.stints)),
        *(table for table, _number in _differing(before.hands, after.hands)),
    ]
    # Where no table changes, all rounds are later.
    first_round = min((round_number for round_number, _table in changed_tables), default=0)
    places_change = any(row.place.differs for row in rows)
    points_change = any(row.points.differs for row in rows)
    later = {number: code for number, code in after.rounds.items() if number > first_round}
    by_standing = tuple(
        number
        for number, code in later.items()
        if MOVEMENTS[code].by_standing
        and (places_change or (points_change and code == Movement.SWISS))
    )
    by_results = tuple(
        number
        for number, code in later.items()
        if MOVEMENTS[code].by_results and (places_change or points_change)
    )
    return by_standing, by_results


def _differing(before: Mapping[K, object], after: Mapping[K, object]) -> list[K]:
    """Return the keys whose values differ, sorted."""
    keys: list[K] = sorted(before.keys() | after.keys())  # type: ignore[type-var]
    return [key for key in keys if before.get(key) != after.get(key)]


def _table_called(table: TableKey, hand: str = "") -> str:
    """Return the table in words, after the name of a *hand* played there if one is given."""
    round_number, table_number = table
    params = {"hand": hand, "table": table_number, "round": round_number}
    if hand:
        return gettext("%(hand)s, table %(table)d, round %(round)d") % params
    return gettext("Table %(table)d, round %(round)d") % params


def _people(stints: Sequence[tuple[str, HandRange]] | None) -> str:
    """Return the players at a place, one after another, each with their first hand."""
    if not stints:
        return NONE
    (first_player, _hands), *later = stints
    template = gettext("%(who)s from hand %(number)d")
    takeovers = (template % {"who": name, "number": start} for name, (start, _end) in later)
    return ", ".join([first_player, *takeovers])
