"""Export of a tournament with all its stages as a file.

In the file rows are referred to by their numbers: indexes in the lists of the document. ``Numbers``
maps a kind, such as "people", to the numbers of its rows, keyed by their database keys.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

from django.db.models import Min, Model
from django.db.models.functions import Coalesce, Least

from tracker.models import (
    Draw,
    Entrant,
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
_NO_REF: Numbers = {}  # for rows and values that refer to no other rows


def tournament_file(tournament: Tournament) -> bytes:
    """Return the file of a tournament and of the stages that belong together with it."""
    return pack(document_of_tournament(tournament))


def document_of_tournament(tournament: Tournament) -> Document:
    """Return the document of a tournament and its stages; it is the same for the same data."""
    return _Writer(event_of(tournament).stages).document()


def _row(row: Model, fields: Mapping[str, Schema], numbers: Numbers = _NO_REF, **more: Any) -> Json:
    """Return the columns of a row as its schemas write them, and *more*; keys become numbers."""
    value_of = row.serializable_value  # of a foreign key: the key, without a query for the row
    return {name: schema.dump(value_of(name), numbers) for name, schema in fields.items()} | more


def _grouped(rows: Iterable[Any], key: Callable[[Any], int]) -> defaultdict[int, list[Any]]:
    """Return lists of rows, keyed by what *key* returns for them; no rows for other keys."""
    groups: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _numbered(keys: Iterable[int]) -> dict[int, int]:
    """Return {key: number} for these keys, numbered from 0 in their order; each counts once."""
    return {key: number for number, key in enumerate(dict.fromkeys(keys))}


class _Writer:
    """Writes a document; numbers its people, teams and devices in their order of appearance."""

    def __init__(self, stages: Iterable[Tournament]) -> None:
        self.stages = list(stages)
        entrants = [entrant for stage in self.stages for entrant in stage.entrants.order_by("pk")]
        # The numbers of teams and people, keyed by the database keys of teams and players.
        self.teams = _numbered(entrant.team_id for entrant in entrants if entrant.team_id)
        members = Team.roster.through.objects.filter(team__in=list(self.teams)).order_by("pk")
        self.rosters: dict[int, list[int]] = defaultdict(list)
        for team, player in members.values_list("team", "player"):
            self.rosters[team].append(player)
        self.people = _numbered(self._players(entrants))
        # Numbers from 1, keyed by the random names of devices that sent reports; tables add theirs.
        self.devices: dict[str, int] = {}

    def _players(self, entrants: Iterable[Entrant]) -> Iterator[int]:
        """Yield the keys of the entrants or of their members, then of all who had a seat."""
        for entrant in entrants:
            if entrant.player_id is not None:
                yield entrant.player_id
            elif entrant.team_id is not None:
                yield from self.rosters[entrant.team_id]
        seats = Seat.objects.filter(round__tournament__in=self.stages)
        in_order = seats.order_by("round__tournament", "round", "sitting", "pk")
        yield from in_order.values_list("player", flat=True)

    def document(self) -> Document:
        stages = _numbered(stage.pk for stage in self.stages)
        numbers = {"people": self.people, "teams": self.teams, "stages": stages}
        people = Player.objects.in_bulk(list(self.people))
        teams = Team.objects.in_bulk(list(self.teams))
        return {
            "format": file_format.FORMAT,
            "version": file_format.VERSION,
            "origin": _origin(self.stages),
            "people": [_row(people[pk], file_format.PERSON) for pk in self.people],
            "teams": [
                {"name": teams[pk].name, "roster": [self.people[key] for key in self.rosters[pk]]}
                for pk in self.teams
            ],
            "stages": [self._stage(stage, numbers) for stage in self.stages],
        }

    def _stage(self, stage: Tournament, common: Numbers) -> Json:
        """Return a stage; *common* are the numbers that hold for all stages."""
        entrants = list(stage.entrants.order_by("pk"))
        rounds = list(stage.rounds.order_by("pk"))
        entrant_numbers = _numbered(entrant.pk for entrant in entrants)
        round_numbers = _numbered(round_.pk for round_ in rounds)
        numbers = {**common, "entrants": entrant_numbers, "rounds": round_numbers}
        all_rests = Rest.objects.filter(round__in=rounds).order_by("pk")
        rests = _grouped(all_rests, attrgetter("round_id"))
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

    def _tables(self, stage: Tournament, numbers: Numbers) -> defaultdict[int, list[Json]]:
        """Return the tables (sittings) with all that they contain, keyed by the round's key."""
        of_stage: Any = {"sitting__round__tournament": stage}
        contents: dict[str, Iterable[Any]] = {
            "seats": Seat.objects.filter(**of_stage).order_by("pk"),
            "reports": Report.objects.filter(**of_stage).order_by("pk"),
            "hands": Hand.objects.filter(**of_stage).select_related("record").order_by("number"),
            "issues": Issue.objects.filter(**of_stage).order_by("pk"),
        }
        groups = {kind: _grouped(rows, attrgetter("sitting_id")) for kind, rows in contents.items()}
        # ``on`` is JSON, with the keys of the tournament and the sitting of an act.
        entries = LogEntry.objects.filter(club=stage.club_id, verb__in=file_format.ACTS)
        acts = entries.filter(on__tournament=stage.pk).order_by("pk")
        groups["acts"] = _grouped(acts, lambda entry: entry.on["sitting"])
        tables: defaultdict[int, list[Json]] = defaultdict(list)
        for sitting in Sitting.objects.filter(round__tournament=stage).order_by("round", "pk"):
            rows = {kind: by_sitting[sitting.pk] for kind, by_sitting in groups.items()}
            tables[sitting.round_id].append(self._table(sitting, rows, numbers))
        return tables

    def _table(self, sitting: Sitting, rows: Mapping[str, list[Any]], common: Numbers) -> Json:
        """Return a table with its *rows*; its reports and issues are numbered within the table."""
        report_numbers = _numbered(report.pk for report in rows["reports"])
        issue_numbers = _numbered(issue.pk for issue in rows["issues"])
        numbers = {**common, "reports": report_numbers, "issues": issue_numbers}
        for report in rows["reports"]:
            if report.device:
                self.devices.setdefault(report.device, len(self.devices) + 1)
        return _row(
            sitting,
            file_format.TABLE,
            numbers,
            seats=[_row(seat, file_format.SEAT, numbers) for seat in rows["seats"]],
            # A device is only a number in the file.
            reports=[
                _row(row, file_format.REPORT, numbers, device=self.devices.get(row.device))
                for row in rows["reports"]
            ],
            hands=[_hand(hand, report_numbers) for hand in rows["hands"]],
            issues=[_row(issue, file_format.ISSUE, numbers) for issue in rows["issues"]],
            # Entries of the club's log about this table.
            acts=[_row(entry, file_format.ACT, numbers) for entry in rows["acts"]],
        )


def _hand(hand: Hand, report_numbers: Mapping[int, int]) -> Json:
    """Return a hand with the number of its report, and its record (the moves), or null if none."""
    record = _row(hand.record, file_format.HAND_RECORD) if hasattr(hand, "record") else None
    report = report_numbers[hand.accepted_report_id]
    return _row(hand, file_format.HAND, report=report, record=record)


def _origin(stages: Sequence[Tournament]) -> Json:
    """Return where a tournament was played; for an imported one, what its file says."""
    first = stages[0]
    if hasattr(first, "origin"):
        return _row(first.origin, file_format.ORIGIN)
    rounds = Round.objects.filter(tournament__in=stages, night__isnull=False)
    # The start of each night: as planned, or when its first round was opened if that was earlier. A
    # round that is not open yet has no time, for which SQLite's ``Least`` would return NULL.
    first_opened = Min(Coalesce("opened_at", "night__starts_at"))
    nights = rounds.values_list("night").annotate(start=Least("night__starts_at", first_opened))
    # Trap: SQL groups also by the columns of an order; so no order, whatever the model's own is.
    starts = {start for _, start in nights.order_by()}
    return {
        "club": first.club.name,
        "season": first.season.name if first.season else "",
        "nights": [Moment().dump(start, _NO_REF) for start in sorted(starts)],
    }
