"""A document kept row by row, in the order in which the tables need each other's keys."""

import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from django.db import models

from tracker.common.actor import Actor
from tracker.models import (
    Award,
    Club,
    Draw,
    Entrant,
    Hand,
    HandRecord,
    ImportedTable,
    Issue,
    LogEntry,
    Origin,
    Player,
    Report,
    Rest,
    Round,
    RoundState,
    Seat,
    Sitting,
    Team,
    TokenState,
    Tournament,
    name_key,
)
from tracker.tournament_files.logic import format as shapes
from tracker.tournament_files.logic.drawn import DRAW
from tracker.tournament_files.logic.older import with_ranking
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.shapes import Moment, Shape
from tracker.tournament_files.queries.people import Person
from tracker.tournament_files.services.rows import Prepared, keep, row

Json: TypeAlias = Mapping[str, Any]
Prepares: TypeAlias = Mapping[str, Prepared]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A stage that was kept: its keys in the order of the file, and where its tables stand there."""

    tournament: Tournament
    entrants: tuple[int, ...]
    seats: tuple[int, ...]
    tables: Mapping[int, str]
    ended: tuple[int, ...]  # the rounds that were still played when the file was written


class TableInFile(NamedTuple):
    """A table in the document, the number of its round, whether that goes on, and where it stands."""

    read: Json
    round: int
    running: bool
    where: str


class Insertion:
    """A document on its way into the tables: the keys of all that was kept so far, by kind.

    Of tables, seats, reports and hands, which are the most, the rows are made before a transaction.
    """

    def __init__(self, document: Document, by: Actor) -> None:
        self.document, self.by = document, by
        self.keys: dict[str, list[int]] = {"stages": []}
        self.made: dict[str, list[int]] = {"players": [], "teams": []}
        self.devices: dict[int, str] = defaultdict(lambda: secrets.token_urlsafe(12))
        self.prepared = [self._prepared(*each) for each in self._stages()]

    def _stages(self) -> Iterator[tuple[Json, str]]:
        for at, stage in enumerate(self.document["stages"]):
            yield with_ranking(stage), f"stages[{at}]"

    def _prepared(self, stage: Json, where: str) -> Prepares:
        tables = list(_tables(stage, where))
        seats, reports, hands = (list(_of(tables, name)) for name in ("seats", "reports", "hands"))
        people = ("player", "entrant")
        of_seat = {name: shape for name, shape in shapes.SEAT.items() if name not in people}
        return {
            "tables": Prepared(list(map(self._table, tables)), [table.where for table in tables]),
            "seats": Prepared(
                [row(Seat, of_seat, seat, {}) for _, seat, _ in seats], _places(seats)
            ),
            "reports": Prepared([self._report(sent) for _, sent, _ in reports], _places(reports)),
            "hands": Prepared(
                [row(Hand, shapes.HAND, hand, {}) for _, hand, _ in hands], _places(hands)
            ),
        }

    def _table(self, table: TableInFile) -> Sitting:
        sitting = row(Sitting, shapes.TABLE, table.read, {}, token=secrets.token_urlsafe(16))
        if table.running:
            sitting.finished_at = sitting.finished_at or self.by.at
            if sitting.token_state == TokenState.OPEN:
                sitting.token_state = TokenState.CLOSED
        return sitting

    def _report(self, report: Json) -> Report:
        fields = {name: shape for name, shape in shapes.REPORT.items() if name != "device"}
        number = report["device"]
        device = "" if number is None else self.devices[number]
        return row(Report, fields, report, {}, device=device)

    def take_in(
        self, club: Club, people: tuple[Person, ...], wanted: Mapping[int, int | None]
    ) -> Iterator[Taken]:
        """Keep everything in a club, and yield the stages, whose hands are not yet counted.

        :raises Misfit: at the first row that the database refuses.
        """
        self.club, self.people, document = club, people, self.document
        self.keys["people"] = self._people(wanted)
        self.keys["teams"] = [
            self._team(team, f"teams[{at}]") for at, team in enumerate(document["teams"])
        ]
        for (stage, where), prepared in zip(self._stages(), self.prepared, strict=True):
            yield self._stage(stage, where, prepared)
        fields = {"tournament_id": self.keys["stages"][0], "imported_at": self.by.at}
        keep([row(Origin, shapes.ORIGIN, document["origin"], {}, **fields)], ["origin"])

    def _people(self, wanted: Mapping[int, int | None]) -> list[int]:
        new = [person for person in self.people if wanted[person.number] is None]
        new.sort(key=lambda person: name_key(person.new_name))  # as whoever adds names does
        rows, where = [], []
        for person in new:
            read = {**self.document["people"][person.number], "name": person.new_name}
            key = name_key(person.new_name)
            rows.append(row(Player, shapes.PERSON, read, {}, club=self.club, name_key=key))
            where.append(f"people[{person.number}]")
        self.made["players"] = keep(rows, where)
        made = dict(zip((person.number for person in new), self.made["players"], strict=True))
        return [wanted[at] or made[at] for at in range(len(self.people))]

    def _team(self, team: Json, where: str) -> int:
        """Return the club's team of this name and these people, made if there is none."""
        roster = [self.keys["people"][person] for person in team["roster"]]
        name, through = team["name"], Team.roster.through.objects
        known = Team.objects.filter(club=self.club, name_key=name_key(name)).first()
        times = 1
        while known is not None:
            members = through.filter(team=known).order_by("pk").values_list("player", flat=True)
            if list(members) == roster:
                return known.pk
            # Other people are called so: these are another team.
            times += 1
            name = f"{team['name'][:74]} {times}"
            known = Team.objects.filter(club=self.club, name_key=name_key(name)).first()
        made = Team(club=self.club, name=name, name_key=name_key(name))
        [pk] = keep([made], [where])
        self.made["teams"].append(pk)
        through.bulk_create(Team.roster.through(team_id=pk, player_id=each) for each in roster)
        return pk

    def _stage(self, stage: Json, where: str, prepared: Prepares) -> Taken:
        settings = {**stage, "tie_resolutions": None}
        made = row(Tournament, shapes.STAGE, settings, self.keys, club=self.club)
        if made.provisional_until:  # nobody objects here
            made.provisional_until = min(made.provisional_until, self.by.at)
        self.keys["stages"] += keep([made], [where])
        self._keep_all("entrants", Entrant, shapes.ENTRANT, stage, where, tournament=made)
        resolved = shapes.STAGE["tie_resolutions"].load(stage["tie_resolutions"], self.keys)
        Tournament.objects.filter(pk=made.pk).update(tie_resolutions=resolved)
        rounds = {**stage, "rounds": [self._ended(round_) for round_ in stage["rounds"]]}
        self._keep_all("rounds", Round, shapes.ROUND, rounds, where, tournament=made)
        rests = [
            (Rest(round_id=round_id, entrant_id=self.keys["entrants"][entrant]), f"{where}.rests")
            for round_id, round_ in zip(self.keys["rounds"], stage["rounds"], strict=True)
            for entrant in round_["rests"]
        ]
        keep([rest for rest, _ in rests], [place for _, place in rests])
        self._keep_all("awards", Award, shapes.AWARD, stage, where, tournament=made)
        self._keep_all("draws", Draw, DRAW, stage, where, tournament=made)
        tables = list(_tables(stage, where))
        self._keep_tables(made, tables, prepared)
        return Taken(
            tournament=made,
            entrants=tuple(self.keys["entrants"]),
            seats=tuple(self.keys["seats"]),
            tables=dict(zip(self.keys["tables"], (table.where for table in tables), strict=True)),
            ended=tuple(
                pk
                for pk, round_ in zip(self.keys["rounds"], stage["rounds"], strict=True)
                if round_["state"] == RoundState.OPEN
            ),
        )

    def _ended(self, round_: Json) -> Json:
        """Return a round as it comes in: what was played elsewhere is not played on here."""
        if round_["state"] != RoundState.OPEN:
            return round_
        return {**round_, "state": RoundState.CLOSED, "closed_at": Moment().dump(self.by.at, {})}

    def _keep_all(
        self,
        name: str,
        model: type[models.Model],
        fields: Mapping[str, Shape],
        held: Json,
        where: str,
        **more: Any,
    ) -> None:
        """Keep the rows of a list, and remember their keys by its name."""
        rows = [row(model, fields, read, self.keys, **more) for read in held[name]]
        self.keys[name] = keep(rows, [f"{where}.{name}[{at}]" for at in range(len(rows))])

    def _keep_tables(self, made: Tournament, tables: list[TableInFile], prepared: Prepares) -> None:
        """Keep the tables of a stage with all that happened there."""
        rounds = [self.keys["rounds"][table.round] for table in tables]
        prepared["tables"].keep(round_id=rounds)
        sittings = self.keys["tables"] = _keys(Sitting.objects.filter(round__tournament=made))
        seats = list(_of(tables, "seats"))
        prepared["seats"].keep(
            sitting_id=[sittings[nth] for nth, *_ in seats],
            round_id=[rounds[nth] for nth, *_ in seats],
            player_id=[self.keys["people"][seat["player"]] for _, seat, _ in seats],
            entrant_id=[self.keys["entrants"][seat["entrant"]] for _, seat, _ in seats],
        )
        self.keys["seats"] = _keys(Seat.objects.filter(round__tournament=made))
        sent = self._keep_reports(made, tables, prepared["reports"])
        self._keep_hands(made, tables, prepared["hands"], sent)
        issues = list(_of(tables, "issues"))
        raised = keep(
            [
                row(Issue, shapes.ISSUE, issue, {"reports": sent[nth]}, sitting_id=sittings[nth])
                for nth, issue, _ in issues
            ],
            _places(issues),
        )
        settled: dict[int, list[int]] = defaultdict(list)
        for (nth, *_), pk in zip(issues, raised, strict=True):
            settled[nth].append(pk)
        acts = list(_of(tables, "acts"))
        entries = [
            row(LogEntry, shapes.ACT, act, {**self.keys, "issues": settled[nth]}, club=self.club)
            for nth, act, _ in acts
        ]
        for (nth, *_), entry in zip(acts, entries, strict=True):
            entry.on |= {"tournament": made.pk, "sitting": sittings[nth]}
            entry.numbers |= {"imported": 1}
        keep(entries, _places(acts))

    def _keep_reports(
        self, made: Tournament, tables: list[TableInFile], reports: Prepared
    ) -> list[list[int]]:
        """Keep what was sent, and return the keys by table."""
        sittings = self.keys["tables"]
        reports.keep(sitting_id=[sittings[nth] for nth, *_ in _of(tables, "reports")])
        keys = iter(_keys(Report.objects.filter(sitting__round__tournament=made)))
        sent = [list(islice(keys, len(table.read["reports"]))) for table in tables]
        ImportedTable.objects.bulk_create(
            ImportedTable(sitting_id=sitting, last_report=max(of_table, default=0))
            for sitting, of_table in zip(sittings, sent, strict=True)
        )
        return sent

    def _keep_hands(
        self, made: Tournament, tables: list[TableInFile], hands: Prepared, sent: list[list[int]]
    ) -> None:
        """Keep the hands, and those that were written down card by card."""
        held = list(_of(tables, "hands"))
        hands.keep(
            sitting_id=[self.keys["tables"][nth] for nth, *_ in held],
            accepted_report_id=[sent[nth][hand["report"]] for nth, hand, _ in held],
        )
        if any(hand["record"] for _, hand, _ in held):
            written = [
                (row(HandRecord, shapes.HAND_RECORD, hand["record"], {}, hand_id=pk), where)
                for pk, (_, hand, where) in zip(
                    _keys(Hand.objects.filter(sitting__round__tournament=made)), held, strict=True
                )
                if hand["record"]
            ]
            keep([record for record, _ in written], [f"{where}.record" for _, where in written])


def _tables(stage: Json, where: str) -> Iterator[TableInFile]:
    for at, round_ in enumerate(stage["rounds"]):
        running = round_["state"] == RoundState.OPEN
        for nth, table in enumerate(round_["tables"]):
            yield TableInFile(table, at, running, f"{where}.rounds[{at}].tables[{nth}]")


def _of(tables: list[TableInFile], name: str) -> Iterator[tuple[int, Json, str]]:
    """Yield what stands in a list of every table: whose it is, itself, and where it stands."""
    for nth, table in enumerate(tables):
        for at, each in enumerate(table.read[name]):
            yield nth, each, f"{table.where}.{name}[{at}]"


def _places(rows: list[tuple[int, Json, str]]) -> list[str]:
    return [where for *_, where in rows]


def _keys(rows: "models.QuerySet[Any]") -> list[int]:
    """Return the keys of what was kept of a stage, in its order."""
    return list(rows.order_by("pk").values_list("pk", flat=True))
