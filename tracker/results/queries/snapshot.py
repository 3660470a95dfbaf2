"""Snapshots of a tournament as its pages show it, to compare before and after a change.

A *sitting* is the people around one table in one round. A *stint* is one player's stay at one place
(chair) of it, from one hand to another. A *stage* is a tournament that follows another. A
*movement* is the way to find who sits where.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.utils.translation import gettext

from tracker.common import sheet_lines
from tracker.common.wording import say
from tracker.models import Hand, Round, RoundState, Seat, Tournament
from tracker.models.stints import HandRange
from tracker.results.queries.hand_details import details_by_table
from tracker.standings.queries.seasons import SeasonRow, season_standing
from tracker.standings.queries.standings import Standing, standings
from tracker.standings.queries.tournament_stages import Event, event_of
from tracker.tables.sql import read_tables
from tracker.tables.stored_hands import warning_from_json
from tracker.tables.table_now import TableNow

TableKey: TypeAlias = tuple[int, int]  # the numbers of a round and of a table in it
PlaceKey: TypeAlias = tuple[TableKey, int]  # a table and the number of a place, from 0
HandKey: TypeAlias = tuple[TableKey, int]  # a table and the number of a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenHand:
    """A hand in words: its count, its result and the other answers of its sheet."""

    called: str  # "Hand 5"
    totals: str  # the count of each side, "70–50"; empty if nobody counted
    headline: str  # "Asha & Juma win"
    result: str  # totals, headline and, if the hand was not played out, how it was decided
    struck: bool  # undone or deleted
    lines: tuple[sheet_lines.Line, ...]  # the other answers of the sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A tournament, the later stages that carry its points over, and its season."""

    standing: Standing
    stages: Mapping[int, tuple[str, Standing]]  # later ones: key -> name and standing
    # The players at a place, one after another, each with the first and last hand of the stint.
    stints: Mapping[PlaceKey, tuple[tuple[str, HandRange], ...]]
    next_dealers: Mapping[TableKey, str]  # who deals next, where hands are to come and it is known
    remembered: Mapping[TableKey, Mapping[str, int | None]]  # player -> rank of their last deal
    hands: Mapping[HandKey, Any]  # the stored values of each hand
    cautions: Mapping[HandKey, Mapping[str, str]]  # code of a warning -> the warning in words
    written: Mapping[HandKey, WrittenHand]  # hands in words, of the tables asked for
    rounds: Mapping[int, str]  # round number -> code of the movement that seated the round
    numbered: str  # what the game calls a hand: "Hand %(number)d"
    season: str  # empty until the tournament is official
    season_rows: tuple[SeasonRow, ...]


def take_snapshot(tournament_id: int, *, sittings: Collection[int] = ()) -> Snapshot:
    """Return a tournament as it is now, with the hands of these *sittings* (keys) in words.

    The number of queries does not depend on the number of tables; each later stage that carries
    points over adds the queries of a standing.
    """
    tournament = Tournament.objects.select_related("season").get(pk=tournament_id)
    rounds = Round.objects.filter(tournament=tournament).not_undone()
    columns = "pk", "number", "seating_plan__settings__movement"
    round_rows = list(rounds.order_by("number").values_list(*columns))
    round_numbers = {pk: number for pk, number, _movement in round_rows}
    open_rounds = rounds.filter(state=RoundState.OPEN).values_list("pk", flat=True)
    running = read_tables(rounds=list(open_rounds))
    hands, warnings = _hands(tournament_id)
    # Warnings name players: their tables are needed for the names.
    tables = read_tables(sittings={*sittings, *warnings})
    event = event_of(tournament)
    season = event.root.season if event.official else None
    return Snapshot(
        standing=standings(tournament),
        stages={
            stage.pk: (stage.name, standings(stage)) for stage in _carrying_on(event, tournament)
        },
        stints=_stints(round_numbers),
        next_dealers={
            _key(table): table.dealer
            for table in running
            if not table.progress.whole and table.dealer is not None
        },
        remembered={
            _key(table): dict(
                zip((stint.name for stint in table.opening_stints), table.dealt_before, strict=True)
            )
            for table in running
        },
        hands=hands,
        cautions=_cautions(tables, warnings),
        written=_written([table for table in tables if table.sitting_id in sittings]),
        rounds={number: movement or tournament.movement for _pk, number, movement in round_rows},
        numbered=gettext(tournament.rules.unit.numbered),
        season=season.name if season else "",
        season_rows=season_standing(season).rows if season else (),
    )


def _key(table: TableNow) -> TableKey:
    return table.round_number, table.number


def _stints(round_numbers: Mapping[int, int]) -> dict[PlaceKey, tuple[tuple[str, HandRange], ...]]:
    """Return the players at each place, in one query; *round_numbers* are keyed by round."""
    stints: dict[PlaceKey, list[tuple[str, HandRange]]] = defaultdict(list)
    seats = Seat.objects.filter(round__in=round_numbers).order_by("from_hand", "pk")
    for seat in seats.select_related("player", "sitting"):
        place = (round_numbers[seat.round_id], seat.sitting.number), seat.place
        stints[place].append((seat.player.name, (seat.from_hand, seat.to_hand)))
    return {place: tuple(people) for place, people in stints.items()}


def _hands(tournament_id: int) -> tuple[dict[HandKey, Any], dict[int, dict[int, Any]]]:
    """Return the stored values of every hand, and {sitting: {hand: warnings}}, in one query."""
    hands: dict[HandKey, Any] = {}
    warnings_by_sitting: dict[int, dict[int, Any]] = defaultdict(dict)
    played = Hand.objects.filter(sitting__round__tournament=tournament_id)
    rows = played.exclude(sitting__round__state=RoundState.UNDONE).values_list(
        *("sitting__round__number", "sitting__number", "sitting", "number", "struck_at"),
        *("warnings", "sheet", "dealer", "marks", "result_type"),
    )
    for round_number, table_number, sitting, number, struck_at, warnings, *result in rows:
        hands[(round_number, table_number), number] = (struck_at is None, *result)
        if struck_at is None and warnings:
            warnings_by_sitting[sitting][number] = warnings
    return hands, warnings_by_sitting


def _cautions(
    tables: Sequence[TableNow], warnings: Mapping[int, Mapping[int, Any]]
) -> dict[HandKey, dict[str, str]]:
    """Return the *warnings*, as ``_hands`` returns them, of these tables in words."""
    return {
        (_key(table), number): {
            stored["code"]: say(warning_from_json(stored).text, table.names_at(number))
            for stored in of_hand
        }
        for table in tables
        for number, of_hand in warnings.get(table.sitting_id, {}).items()
    }


def _written(tables: Sequence[TableNow]) -> dict[HandKey, WrittenHand]:
    """Return every hand of these tables in words, in one query."""
    details = details_by_table(tables)
    return {
        (_key(table), hand.number): WrittenHand(
            called=hand.called,
            totals=hand.totals,
            headline=hand.headline,
            struck=hand.struck,
            result=", ".join(filter(None, [hand.result, hand.result_type])),
            lines=sheet_lines.lines(
                table.game, hand.session_before, hand.sheet, hand.names, with_counts=False
            ),
        )
        for table in tables
        for hand in details[table.sitting_id]
    }


def _carrying_on(event: Event, tournament: Tournament) -> Iterator[Tournament]:
    """Yield the stages that carry points over from a tournament, directly or through a stage."""
    sources = {tournament.pk}
    for stage in event.stages:
        if stage.carries_over and any(earlier.pk in sources for earlier in event.sources(stage)):
            sources.add(stage.pk)
            yield stage
