"""Export of a tournament with all its stages as a file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Min, Model, Prefetch, prefetch_related_objects
from django.db.models.functions import Coalesce, Least
from pydantic import ValidationError

from tracker.models import (
    Award,
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
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.logic.packing import FORMAT, VERSION, Json, pack
from tracker.tournament_files.logic.reading import as_refusal
from tracker.tournament_files.logic.tables import VERBS


def tournament_file(tournament: Tournament) -> bytes:
    """Return the file of a tournament and of the stages that belong together with it.

    :raises InvalidFileError: if there is more than a file may hold.
    """
    return pack(document_of_tournament(tournament))


def document_of_tournament(tournament: Tournament) -> Json:
    """Return the document of a tournament and its stages; it is the same for the same data."""
    rows = _Rows(list(event_of(tournament).stages)).document()
    try:
        document = Document.model_validate(rows, context={}, extra="ignore")
    except ValidationError as error:
        raise as_refusal(error, rows) from None
    return document.model_dump(mode="json", exclude_unset=True)


def _row(row: Model, **more: Any) -> dict[str, Any]:
    """Return the columns of a row, of which the models keep those in the file, and *more*."""
    columns = {field.name: field.value_from_object(row) for field in row._meta.concrete_fields}  # noqa: SLF001
    return {**columns, "pk": row.pk, **more}


class _Rows:
    """Reads the rows of some stages, with people, teams and devices in order of appearance."""

    def __init__(self, stages: list[Tournament]) -> None:
        self.stages = stages
        by_pk: dict[str, type[Model]] = {
            "entrants": Entrant,
            "awards": Award,
            "rounds": Round,
            "rounds__rests": Rest,
            "rounds__sittings": Sitting,
            "rounds__sittings__seats": Seat,
            "rounds__sittings__reports": Report,
            "rounds__sittings__issues": Issue,
        }
        lists = [
            Prefetch(path, model._default_manager.order_by("pk"))  # noqa: SLF001
            for path, model in by_pk.items()
        ]
        hands = Hand.objects.select_related("record").order_by("number")
        prefetch_related_objects(
            stages,
            *lists,
            Prefetch("rounds__sittings__hands", hands),
            Prefetch("draws", Draw.objects.order_by("number")),
        )
        self.entrants = [entrant for stage in stages for entrant in stage.entrants.all()]
        self.teams = Team.objects.in_bulk(each.team_id for each in self.entrants if each.team_id)
        self.rosters: defaultdict[int, list[int]] = defaultdict(list)
        members = Team.roster.through.objects.filter(team__in=self.teams).order_by("pk")
        for team, player in members.values_list("team", "player"):
            self.rosters[team].append(player)
        # Numbers from 1, keyed by the random names of devices that sent reports; tables add theirs.
        self.devices: dict[str, int] = {}

    def document(self) -> Json:
        people = list(dict.fromkeys(self._players()))
        players = Player.objects.in_bulk(people)
        teams = dict.fromkeys(each.team_id for each in self.entrants if each.team_id)
        return {
            "format": FORMAT,
            "version": VERSION,
            "origin": _origin(self.stages),
            "people": [_row(players[pk]) for pk in people],
            "teams": [_row(self.teams[pk], roster=self.rosters[pk]) for pk in teams],
            "stages": [self._stage(stage) for stage in self.stages],
        }

    def _players(self) -> Iterator[int]:
        """Yield the keys of the entrants or of their members, then of all who had a seat."""
        for entrant in self.entrants:
            if entrant.player_id is not None:
                yield entrant.player_id
            elif entrant.team_id is not None:
                yield from self.rosters[entrant.team_id]
        for stage in sorted(self.stages, key=lambda stage: stage.pk):
            for round_ in stage.rounds.all():
                for sitting in round_.sittings.all():
                    yield from (seat.player_id for seat in sitting.seats.all())

    def _stage(self, stage: Tournament) -> Json:
        # ``on`` is JSON, with the keys of the tournament and the sitting of an act.
        entries = LogEntry.objects.filter(club=stage.club_id, verb__in=VERBS)
        acts: defaultdict[int, list[LogEntry]] = defaultdict(list)
        for entry in entries.filter(on__tournament=stage.pk).order_by("pk"):
            acts[entry.on["sitting"]].append(entry)
        rounds = [
            _row(
                round_,
                rests=[rest.entrant_id for rest in round_.rests.all()],
                tables=[
                    self._table(sitting, acts[sitting.pk]) for sitting in round_.sittings.all()
                ],
            )
            for round_ in stage.rounds.all()
        ]
        lists = {
            name: map(_row, getattr(stage, name).all()) for name in ("entrants", "awards", "draws")
        }
        return _row(stage, rounds=rounds, **{name: list(rows) for name, rows in lists.items()})

    def _table(self, sitting: Sitting, acts: Sequence[LogEntry]) -> Json:
        reports = []
        for report in sitting.reports.all():
            if report.device:
                self.devices.setdefault(report.device, len(self.devices) + 1)
            reports.append(_row(report, device=self.devices.get(report.device)))
        hands = []
        for hand in sitting.hands.all():
            record = _row(hand.record) if hasattr(hand, "record") else None
            hands.append(_row(hand, report=hand.accepted_report_id, record=record))
        return _row(
            sitting,
            seats=[_row(seat) for seat in sitting.seats.all()],
            reports=reports,
            hands=hands,
            issues=[_row(issue) for issue in sitting.issues.all()],
            acts=[_row(act) for act in acts],
        )


def _origin(stages: Sequence[Tournament]) -> Json:
    """Return where a tournament was played; for an imported one, what its file says."""
    first = stages[0]
    if hasattr(first, "origin"):
        return _row(first.origin)
    rounds = Round.objects.filter(tournament__in=stages, night__isnull=False)
    # The start of each night: as planned, or when its first round was opened if that was earlier. A
    # round that is not open yet has no time, for which SQLite's ``Least`` would return NULL.
    first_opened = Min(Coalesce("opened_at", "night__starts_at"))
    nights = rounds.values_list("night").annotate(start=Least("night__starts_at", first_opened))
    # Trap: SQL groups also by the columns of an order; so no order, whatever the model's own is.
    starts = sorted(start for _, start in nights.order_by())
    season = first.season.name if first.season else ""
    return {"club": first.club.name, "season": season, "nights": starts}
