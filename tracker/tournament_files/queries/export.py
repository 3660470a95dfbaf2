"""Export of a tournament with all its stages as a file."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from django.db.models import Min, Model, prefetch_related_objects
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

# The lists in a part of a file that belongs to a row of a model, and the models of their rows.
LISTS: Mapping[type[Model], Mapping[str, type[Model]]] = {
    Tournament: {"entrants": Entrant, "rounds": Round, "awards": Award, "draws": Draw},
    Round: {"tables": Sitting},
    Sitting: {"seats": Seat, "reports": Report, "hands": Hand, "issues": Issue, "acts": LogEntry},
}


def tournament_file(tournament: Tournament) -> bytes:
    """Return the file of a tournament and of the stages that belong together with it.

    :raises InvalidFileError: if there is more than a file may hold.
    """
    return pack(document_of_tournament(tournament))


def document_of_tournament(tournament: Tournament) -> Json:
    """Return the document of a tournament and its stages; it is the same for the same data."""
    rows = _Reader(list(event_of(tournament).stages)).document()
    try:
        document = Document.model_validate(rows, context={}, extra="ignore")
    except ValidationError as error:
        raise as_refusal(error, rows) from None
    return document.model_dump(mode="json", exclude_unset=True)


class _Reader:
    """Reads the rows of some stages, with people, teams and devices in order of appearance."""

    def __init__(self, stages: list[Tournament]) -> None:
        at_tables = ("seats", "reports", "issues", "hands__record")
        lists = ("entrants__team", "awards", "draws", "rounds__rests")
        prefetch_related_objects(
            stages, *lists, *(f"rounds__sittings__{name}" for name in at_tables)
        )
        self.stages = stages
        # The acts at each table; ``on`` is JSON, with the keys of the tournament and the sitting.
        self.acts: defaultdict[int, list[LogEntry]] = defaultdict(list)
        for stage in stages:
            entries = LogEntry.objects.filter(club=stage.club_id, verb__in=VERBS)
            for entry in entries.filter(on__tournament=stage.pk).order_by("pk"):
                self.acts[entry.on["sitting"]].append(entry)
        # Numbers from 1, keyed by the random names of devices that sent reports; tables add theirs.
        self.devices: dict[str, int] = {}

    def document(self) -> Json:
        entrants = [each for stage in self.stages for each in _in_order(stage, "entrants")]
        teams = {entrant.team_id: entrant.team for entrant in entrants if entrant.team}
        rosters: defaultdict[int, list[int]] = defaultdict(list)
        members = Team.roster.through.objects.filter(team__in=list(teams)).order_by("pk")
        for team, player in members.values_list("team", "player"):
            rosters[team].append(player)
        entered = (rosters[each.team_id] if each.team else [each.player_id] for each in entrants)
        seats = Seat.objects.filter(round__tournament__in=self.stages)
        seated = seats.order_by("round__tournament", "round", "sitting", "pk")
        keys = [*chain.from_iterable(entered), *seated.values_list("player", flat=True)]
        people = Player.objects.in_bulk(keys)
        return {
            "format": FORMAT,
            "version": VERSION,
            "origin": _origin(self.stages),
            "people": [_columns(people[key]) for key in dict.fromkeys(keys)],
            "teams": [{**_columns(team), "roster": rosters[pk]} for pk, team in teams.items()],
            "stages": [self._nested(stage) for stage in self.stages],
        }

    def _nested(self, row: Model) -> dict[str, Any]:
        """Return the columns of a row, and the lists in it."""
        values = _columns(row)
        for name in LISTS.get(type(row), ()):
            rows = self.acts[row.pk] if name == "acts" else _in_order(row, name)
            values[name] = [self._nested(each) for each in rows]
        match row:
            case Round():
                values["rests"] = [rest.entrant_id for rest in _in_order(row, "rests")]
            case Report(device=device):
                new = len(self.devices) + 1
                values["device"] = self.devices.setdefault(device, new) if device else None
            case Hand():
                values["report"] = row.accepted_report_id
                values["record"] = _columns(row.record) if hasattr(row, "record") else None
        return values


def _columns(row: Model) -> dict[str, Any]:
    """Return the columns of a row; the models of the file keep those that are in it."""
    fields = row._meta.concrete_fields  # noqa: SLF001
    return {"pk": row.pk, **{field.name: field.value_from_object(row) for field in fields}}


def _in_order(row: Model, name: str) -> list[Any]:
    """Return the rows of a list, which were prefetched, always in the same order."""
    manager = getattr(row, "sittings" if name == "tables" else name)
    return sorted(manager.all(), key=attrgetter("number" if name in {"hands", "draws"} else "pk"))


def _origin(stages: Sequence[Tournament]) -> Json:
    """Return where a tournament was played; for an imported one, what its file says."""
    first = stages[0]
    if hasattr(first, "origin"):
        return _columns(first.origin)
    rounds = Round.objects.filter(tournament__in=stages, night__isnull=False)
    # The start of each night: as planned, or when its first round was opened if that was earlier. A
    # round that is not open yet has no time, for which SQLite's ``Least`` would return NULL.
    first_opened = Min(Coalesce("opened_at", "night__starts_at"))
    nights = rounds.values_list("night").annotate(start=Least("night__starts_at", first_opened))
    # Trap: SQL groups also by the columns of an order; so no order, whatever the model's own is.
    starts = sorted(start for _, start in nights.order_by())
    season = first.season.name if first.season else ""
    return {"club": first.club.name, "season": season, "nights": starts}
