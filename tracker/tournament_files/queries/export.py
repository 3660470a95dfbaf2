"""Export of a tournament with all its stages as a file."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
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
    written = {
        name: schema.dump(
            getattr(row, f"{name}_id" if hasattr(row, f"{name}_id") else name), numbers
        )
        for name, schema in fields.items()
    }
    return written | more


def _grouped(rows: Iterable[Any], by: str) -> Mapping[int, list[Any]]:
    groups: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, by)].append(row)
    return groups


class _Writer:
    """A document being written: people, teams and devices are numbered in order of appearance."""

    def __init__(self, stages: Iterable[Tournament]) -> None:
        self.stages = list(stages)
        self.people: dict[int, int] = {}
        self.teams: dict[int, int] = {}
        self.rosters: dict[int, list[int]] = defaultdict(list)
        self.devices: dict[str, int] = {}

    def document(self) -> Document:
        root = self.stages[0]
        self._number_people()
        numbers = {
            "people": self.people,
            "teams": self.teams,
            "stages": {stage.pk: at for at, stage in enumerate(self.stages)},
        }
        people = Player.objects.in_bulk(list(self.people))
        teams = Team.objects.in_bulk(list(self.teams))
        return {
            "format": file_format.FORMAT,
            "version": file_format.VERSION,
            "origin": _origin(root, self.stages),
            "people": [_row(people[pk], file_format.PERSON, {}) for pk in self.people],
            "teams": [
                {"name": teams[pk].name, "roster": [self.people[each] for each in self.rosters[pk]]}
                for pk in self.teams
            ],
            "stages": [self._stage(stage, numbers) for stage in self.stages],
        }

    def _number_people(self) -> None:
        """Assign numbers to teams and people: entrants, members of their teams, then people at tables."""
        entrants = [each for stage in self.stages for each in stage.entrants.order_by("pk")]
        teams = [each.team_id for each in entrants if each.team_id]
        self.teams = {team: at for at, team in enumerate(dict.fromkeys(teams))}
        members = Team.roster.through.objects.filter(team__in=list(self.teams)).order_by("pk")
        for team, player in members.values_list("team", "player"):
            self.rosters[team].append(player)
        people: list[int] = []
        for each in entrants:
            people += [each.player_id] if each.player_id else self.rosters[each.team_id or 0]
        seats = Seat.objects.filter(round__tournament__in=self.stages)
        people += seats.order_by("round__tournament", "round", "sitting", "pk").values_list(
            "player", flat=True
        )
        self.people = {player: at for at, player in enumerate(dict.fromkeys(people))}

    def _stage(self, stage: Tournament, numbers: Numbers) -> Json:
        entrants = list(stage.entrants.order_by("pk"))
        rounds = list(stage.rounds.order_by("pk"))
        here = {
            **numbers,
            "entrants": {each.pk: at for at, each in enumerate(entrants)},
            "rounds": {each.pk: at for at, each in enumerate(rounds)},
        }
        rests = _grouped(Rest.objects.filter(round__in=rounds).order_by("pk"), "round_id")
        tables = self._tables(stage, here)
        draws = Draw.objects.filter(tournament=stage).order_by("number")
        return _row(
            stage,
            file_format.STAGE,
            here,
            entrants=[_row(each, file_format.ENTRANT, here) for each in entrants],
            rounds=[
                _row(
                    each,
                    file_format.ROUND,
                    here,
                    rests=[here["entrants"][rest.entrant_id] for rest in rests[each.pk]],
                    tables=tables[each.pk],
                )
                for each in rounds
            ],
            awards=[_row(each, file_format.AWARD, here) for each in stage.awards.order_by("pk")],
            draws=[_row(each, file_format.DRAW, here) for each in draws],
        )

    def _tables(self, stage: Tournament, numbers: Numbers) -> Mapping[int, list[Json]]:
        """Return the tables by round, with seats, reports, hands, issues and acts."""
        of_stage: Any = {"sitting__round__tournament": stage}
        seats = _grouped(Seat.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        reports = _grouped(Report.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        all_hands = Hand.objects.filter(**of_stage).select_related("record").order_by("number")
        hands = _grouped(all_hands, "sitting_id")
        issues = _grouped(Issue.objects.filter(**of_stage).order_by("pk"), "sitting_id")
        acts: dict[int, list[LogEntry]] = defaultdict(list)
        done = LogEntry.objects.filter(club=stage.club_id, verb__in=file_format.ACTS)
        for entry in done.filter(on__tournament=stage.pk).order_by("pk"):
            acts[entry.on["sitting"]].append(entry)
        tables: dict[int, list[Json]] = defaultdict(list)
        for sitting in Sitting.objects.filter(round__tournament=stage).order_by("round", "pk"):
            pk = sitting.pk
            here = {
                **numbers,
                "reports": {each.pk: at for at, each in enumerate(reports[pk])},
                "issues": {each.pk: at for at, each in enumerate(issues[pk])},
            }
            for report in reports[pk]:
                if report.device:
                    self.devices.setdefault(report.device, len(self.devices) + 1)
            tables[sitting.round_id].append(
                _row(
                    sitting,
                    file_format.TABLE,
                    here,
                    seats=[_row(each, file_format.SEAT, here) for each in seats[pk]],
                    # A device is only a number in the file.
                    reports=[
                        _row(each, file_format.REPORT, here, device=self.devices.get(each.device))
                        for each in reports[pk]
                    ],
                    hands=[
                        _row(
                            each,
                            file_format.HAND,
                            here,
                            report=here["reports"][each.accepted_report_id],
                            record=_row(each.record, file_format.HAND_RECORD, here)
                            if hasattr(each, "record")
                            else None,
                        )
                        for each in hands[pk]
                    ],
                    issues=[_row(each, file_format.ISSUE, here) for each in issues[pk]],
                    acts=[_row(each, file_format.ACT, here) for each in acts[pk]],
                )
            )
        return tables


def _origin(root: Tournament, stages: Iterable[Tournament]) -> Json:
    """Return where a tournament was played; for an imported one, what its file says."""
    origin = getattr(root, "origin", None)
    if origin is not None:
        return _row(origin, file_format.ORIGIN, {})
    rounds = Round.objects.filter(tournament__in=list(stages), night__isnull=False)
    begun = rounds.values_list("night").annotate(
        at=Least("night__starts_at", Min(Coalesce("opened_at", "night__starts_at")))
    )
    return {
        "club": root.club.name,
        "season": root.season.name if root.season else "",
        "nights": [Moment().dump(at, {}) for at in sorted({at for _, at in begun.order_by()})],
    }
