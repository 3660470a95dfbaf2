"""Export of a tournament with all its stages as a file.

In the file rows are referred to by their numbers: indexes in the lists of the document. ``Numbers``
maps a kind, such as "people", to the numbers of its rows, keyed by their database keys.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from django.db.models import Min, Model
from django.db.models.functions import Coalesce, Least

from tracker.models import (
    Draw,
    Hand,
    Issue,
    LogEntry,
    Player,
    Report,
    Rest,
    Round,
    Seat,
    Sitting,
    Team,
    Tournament,
)
from tracker.standings.queries.tournament_stages import event_of
from tracker.tournament_files.logic import format as file_format
from tracker.tournament_files.logic.packing import Document, pack
from tracker.tournament_files.logic.schema import Moment, Numbers, Schema

Json: TypeAlias = dict[str, Any]


def tournament_file(tournament: Tournament) -> bytes:
    """Return the file of a tournament and of the stages that belong together with it."""
    return pack(document_of_tournament(tournament))


def document_of_tournament(tournament: Tournament) -> Document:
    """Return the document of a tournament and its stages; it is the same for the same data."""
    return _Writer(event_of(tournament).stages).document()


def _row(row: Model, fields: Mapping[str, Schema], numbers: Numbers, **more: Any) -> Json:
    """Return the columns of a row as its schemas write them; foreign keys become numbers."""
    value_of = row.serializable_value  # of a foreign key: the key, without a query for the row
    return {name: schema.dump(value_of(name), numbers) for name, schema in fields.items()} | more


def _grouped(rows: Iterable[Any], column: str) -> Mapping[int, list[Any]]:
    """Return lists of rows, keyed by their values of a *column*."""
    groups: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, column)].append(row)
    return groups


def _numbered(keys: Iterable[int]) -> dict[int, int]:
    """Return {key: number} for these keys, numbered from 0 in their order; each counts once."""
    return {key: number for number, key in enumerate(dict.fromkeys(keys))}


class _Writer:
    """Writes a document; numbers its people, teams and devices in their order of appearance."""

    def __init__(self, stages: Iterable[Tournament]) -> None:
        self.stages = list(stages)
        # The numbers of people and teams, keyed by the database keys of players and teams.
        self.people: dict[int, int] = {}
        self.teams: dict[int, int] = {}
        # The keys of the members of each team, keyed by the key of the team.
        self.rosters: dict[int, list[int]] = defaultdict(list)
        # The numbers, from 1, of the devices that sent reports, keyed by their random names.
        self.devices: dict[str, int] = {}

    def document(self) -> Document:
        self._number_people()
        numbers = {
            "people": self.people,
            "teams": self.teams,
            "stages": _numbered(stage.pk for stage in self.stages),
        }
        people = Player.objects.in_bulk(list(self.people))
        teams = Team.objects.in_bulk(list(self.teams))
        return {
            "format": file_format.FORMAT,
            "version": file_format.VERSION,
            "origin": _origin(self.stages),
            "people": [_row(people[pk], file_format.PERSON, {}) for pk in self.people],
            "teams": [
                {"name": teams[pk].name, "roster": [self.people[key] for key in self.rosters[pk]]}
                for pk in self.teams
            ],
            "stages": [self._stage(stage, numbers) for stage in self.stages],
        }

    def _number_people(self) -> None:
        """Assign numbers to teams and people: first entrants or their members, then other players."""
        entrants = [entrant for stage in self.stages for entrant in stage.entrants.order_by("pk")]
        self.teams = _numbered(entrant.team_id for entrant in entrants if entrant.team_id)
        members = Team.roster.through.objects.filter(team__in=list(self.teams)).order_by("pk")
        for team, player in members.values_list("team", "player"):
            self.rosters[team].append(player)
        people: list[int] = []
        for entrant in entrants:
            if entrant.player_id is not None:
                people.append(entrant.player_id)
            elif entrant.team_id is not None:
                people += self.rosters[entrant.team_id]
        seats = Seat.objects.filter(round__tournament__in=self.stages)
        in_order = seats.order_by("round__tournament", "round", "sitting", "pk")
        self.people = _numbered([*people, *in_order.values_list("player", flat=True)])

    def _stage(self, stage: Tournament, numbers: Numbers) -> Json:
        entrants = list(stage.entrants.order_by("pk"))
        rounds = list(stage.rounds.order_by("pk"))
        entrant_numbers = _numbered(entrant.pk for entrant in entrants)
        round_numbers = _numbered(round_.pk for round_ in rounds)
        numbers = {**numbers, "entrants": entrant_numbers, "rounds": round_numbers}
        rests = _grouped(Rest.objects.filter(round__in=rounds).order_by("pk"), "round_id")
        tables = self._tables(stage, numbers)
        draws = Draw.objects.filter(tournament=stage).order_by("number")
        return _row(
            stage,
            file_format.STAGE,
            numbers,
            entrants=[_row(entrant, file_format.ENTRANT, numbers) for entrant in entrants],
            rounds=[
                _row(
                    round_,
                    file_format.ROUND,
                    numbers,
                    rests=[entrant_numbers[rest.entrant_id] for rest in rests[round_.pk]],
                    tables=tables[round_.pk],
                )
                for round_ in rounds
            ],
            awards=[_row(row, file_format.AWARD, numbers) for row in stage.awards.order_by("pk")],
            draws=[_row(draw, file_format.DRAW, numbers) for draw in draws],
        )

    def _tables(self, stage: Tournament, numbers: Numbers) -> Mapping[int, list[Json]]:
        """Return the tables (sittings) with all that they contain, keyed by the round's key.

        ``acts`` are the entries of the club's log about a table.
        """
        of_stage: Any = {"sitting__round__tournament": stage}
        seats = _grouped(Seat.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        reports = _grouped(Report.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        all_hands = Hand.objects.filter(**of_stage).select_related("record").order_by("number")
        hands = _grouped(all_hands, "sitting_id")
        issues = _grouped(Issue.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        acts: dict[int, list[LogEntry]] = defaultdict(list)
        entries = LogEntry.objects.filter(club=stage.club_id, verb__in=file_format.ACTS)
        for entry in entries.filter(on__tournament=stage.pk).order_by("pk"):
            acts[entry.on["sitting"]].append(entry)
        tables: dict[int, list[Json]] = defaultdict(list)
        for sitting in Sitting.objects.filter(round__tournament=stage).order_by("round", "pk"):
            pk = sitting.pk
            # Reports and issues are numbered within their table.
            report_numbers = _numbered(report.pk for report in reports[pk])
            issue_numbers = _numbered(issue.pk for issue in issues[pk])
            at_table = {**numbers, "reports": report_numbers, "issues": issue_numbers}
            for report in reports[pk]:
                if report.device:
                    self.devices.setdefault(report.device, len(self.devices) + 1)
            tables[sitting.round_id].append(
                _row(
                    sitting,
                    file_format.TABLE,
                    at_table,
                    seats=[_row(seat, file_format.SEAT, at_table) for seat in seats[pk]],
                    # A device is only a number in the file.
                    reports=[
                        _row(row, file_format.REPORT, at_table, device=self.devices.get(row.device))
                        for row in reports[pk]
                    ],
                    hands=[_hand(hand, report_numbers) for hand in hands[pk]],
                    issues=[_row(issue, file_format.ISSUE, at_table) for issue in issues[pk]],
                    acts=[_row(entry, file_format.ACT, at_table) for entry in acts[pk]],
                )
            )
        return tables


def _hand(hand: Hand, report_numbers: Mapping[int, int]) -> Json:
    """Return a hand with the number of its report, and its record (the moves), or null if none."""
    record = _row(hand.record, file_format.HAND_RECORD, {}) if hasattr(hand, "record") else None
    report = report_numbers[hand.accepted_report_id]
    return _row(hand, file_format.HAND, {}, report=report, record=record)


def _origin(stages: Sequence[Tournament]) -> Json:
    """Return where a tournament was played; for an imported one, what its file says."""
    first = stages[0]
    if hasattr(first, "origin"):
        return _row(first.origin, file_format.ORIGIN, {})
    rounds = Round.objects.filter(tournament__in=stages, night__isnull=False)
    # The start of each night: as planned, or when its first round was opened if that was earlier.
    first_opened = Min(Coalesce("opened_at", "night__starts_at"))
    nights = rounds.values_list("night").annotate(start=Least("night__starts_at", first_opened))
    # Without an order: SQL would group by the columns of an order, too.
    starts = {start for _, start in nights.order_by()}
    return {
        "club": first.club.name,
        "season": first.season.name if first.season else "",
        "nights": [Moment().dump(start, {}) for start in sorted(starts)],
    }
