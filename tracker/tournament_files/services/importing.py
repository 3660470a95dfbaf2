"""Taking a tournament in from its file: all of it or nothing, counted again hand by hand."""

import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from django.db import models, transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import (
    Award,
    Club,
    Draw,
    Entrant,
    Hand,
    HandRecord,
    Issue,
    LogEntry,
    Origin,
    Player,
    Report,
    Rest,
    Round,
    Seat,
    Sitting,
    Team,
    Tournament,
    name_key,
)
from tracker.tournament_files.logic import format as shapes
from tracker.tournament_files.logic.drawn import DRAW
from tracker.tournament_files.logic.misfit import Misfit
from tracker.tournament_files.logic.older import with_ranking
from tracker.tournament_files.logic.packing import Document, unpack
from tracker.tournament_files.logic.sense import check
from tracker.tournament_files.logic.shapes import Shape, Uid
from tracker.tournament_files.queries.people import Choices, Person, chosen, people_of
from tracker.tournament_files.services.counting import count
from tracker.tournament_files.services.rows import keep, row

Json: TypeAlias = Mapping[str, Any]


class TournamentHereError(Refused):
    """A tournament of the file is on this site already: ``tournament``."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(
            "tournament-here",
            gettext_noop("This tournament is here already, and nothing was taken in."),
            question="file",
        )
        self.tournament = tournament


@transaction.atomic
def import_tournament(
    *,
    club_id: int,
    content: bytes,
    choices: Choices | None,
    by: Actor,
    keep_it: bool = True,
) -> Tournament:
    """Take in the tournament in a file, with its stages, and return the first of them.

    *choices* say which player of the club somebody is, or ``None`` for a new one; whoever is called
    the same is the same unless they say otherwise. Without *choices* whoever is not here is new.
    With *keep_it* false all is tried, and nothing kept.

    :raises Misfit: at the first thing in the file that cannot be so.
    :raises TournamentHereError: if it was taken in before, or never left.
    :raises Refused: on the terms of ``chosen``.
    """
    document, changed = unpack(content, now=by.at)
    try:
        check(document)
        refuse_known(document)
        people = people_of(club_id, document)
        everybody = {person.number: None for person in people if person.open}
        wanted = chosen(people, everybody if choices is None else choices)
        # One at a time, so that two who press at once do not make the same people twice.
        club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
        stages = _Importer(club, by, people).take_in(document, wanted)
    except Misfit as misfit:
        # A reason says more than that something was changed.
        misfit.changed = misfit.changed or changed is not None
        raise
    if changed is not None:
        raise changed
    transaction.set_rollback(not keep_it)
    return stages[0]


def refuse_known(document: Document) -> None:
    """Make sure that no tournament of a file is here.

    :raises TournamentHereError: at the first that is.
    """
    uids = [Uid().load(stage["uid"], {}) for stage in document["stages"]]
    known = Tournament.objects.select_related("club").filter(uid__in=uids).order_by("pk").first()
    if known is not None:
        raise TournamentHereError(known)


class _Importer:
    """The import on its way: the keys of all that was kept so far, by kind."""

    def __init__(self, club: Club, by: Actor, people: tuple[Person, ...]) -> None:
        self.club, self.by, self.people = club, by, people
        self.keys: dict[str, list[int]] = {"stages": []}
        self.devices: dict[int, str] = defaultdict(lambda: secrets.token_urlsafe(12))

    def take_in(self, document: Document, wanted: Mapping[int, int | None]) -> list[Tournament]:
        self.keys["people"] = self._people(document, wanted)
        self.keys["teams"] = [
            self._team(team, f"teams[{at}]") for at, team in enumerate(document["teams"])
        ]
        stages = [
            self._stage(stage, f"stages[{at}]") for at, stage in enumerate(document["stages"])
        ]
        fields = {"tournament": stages[0], "imported_at": self.by.at}
        keep([row(Origin, shapes.ORIGIN, document["origin"], {}, **fields)], ["origin"])
        log(
            self.by,
            "tournament-imported",
            club_id=self.club.pk,
            tournament=stages[0].pk,
            players=sorted(
                pk
                for pk, known in zip(self.keys["people"], wanted.values(), strict=True)
                if not known
            ),
        )
        return stages

    def _people(self, document: Document, wanted: Mapping[int, int | None]) -> list[int]:
        new = [person for person in self.people if wanted[person.number] is None]
        new.sort(key=lambda person: name_key(person.new_name))  # as whoever adds names does
        rows, where = [], []
        for person in new:
            read = {**document["people"][person.number], "name": person.new_name}
            key = name_key(person.new_name)
            rows.append(row(Player, shapes.PERSON, read, {}, club=self.club, name_key=key))
            where.append(f"people[{person.number}]")
        made = dict(zip((person.number for person in new), keep(rows, where), strict=True))
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
        through.bulk_create(Team.roster.through(team_id=pk, player_id=each) for each in roster)
        return pk

    def _stage(self, stage: Json, where: str) -> Tournament:
        stage = with_ranking(stage)
        settings = {**stage, "tie_resolutions": None}
        made = row(Tournament, shapes.STAGE, settings, self.keys, club=self.club)
        if made.provisional_until:  # nobody objects here
            made.provisional_until = min(made.provisional_until, self.by.at)
        self.keys["stages"] += keep([made], [where])
        self._keep_all("entrants", Entrant, shapes.ENTRANT, stage, where, tournament=made)
        resolved = shapes.STAGE["tie_resolutions"].load(stage["tie_resolutions"], self.keys)
        Tournament.objects.filter(pk=made.pk).update(tie_resolutions=resolved)
        self._keep_all("rounds", Round, shapes.ROUND, stage, where, tournament=made)
        tables: list[tuple[int, Json, str]] = []
        for at, (round_id, round_) in enumerate(
            zip(self.keys["rounds"], stage["rounds"], strict=True)
        ):
            place = f"{where}.rounds[{at}]"
            rests = [
                Rest(round_id=round_id, entrant_id=self.keys["entrants"][entrant])
                for entrant in round_["rests"]
            ]
            keep(rests, [f"{place}.rests[{nth}]" for nth in range(len(rests))])
            tables += [
                (round_id, table, f"{place}.tables[{nth}]")
                for nth, table in enumerate(round_["tables"])
            ]
        self._keep_all("awards", Award, shapes.AWARD, stage, where, tournament=made)
        self._keep_all("draws", Draw, DRAW, stage, where, tournament=made)
        places = {
            self._table(made, round_id, table, place): place for round_id, table, place in tables
        }
        count(made, places, self.by)
        return made

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

    def _table(self, tournament: Tournament, round_id: int, table: Json, where: str) -> int:
        """Keep a table with all that happened there, and return its key."""
        token = secrets.token_urlsafe(16)
        made = row(Sitting, shapes.TABLE, table, self.keys, round_id=round_id, token=token)
        [pk] = keep([made], [where])
        self._keep_all("seats", Seat, shapes.SEAT, table, where, sitting_id=pk, round_id=round_id)
        self._keep_reports(table, pk, where)
        self._keep_hands(table, pk, where)
        self._keep_all("issues", Issue, shapes.ISSUE, table, where, sitting_id=pk)
        acts = list(self._acts(tournament, table, pk))
        keep(acts, [f"{where}.acts[{at}]" for at in range(len(acts))])
        return pk

    def _keep_reports(self, table: Json, sitting_id: int, where: str) -> None:
        fields = {name: shape for name, shape in shapes.REPORT.items() if name != "device"}
        rows = []
        for report in table["reports"]:
            number = report["device"]
            device = "" if number is None else self.devices[number]
            rows.append(
                row(Report, fields, report, self.keys, sitting_id=sitting_id, device=device)
            )
        self.keys["reports"] = keep(rows, [f"{where}.reports[{at}]" for at in range(len(rows))])

    def _keep_hands(self, table: Json, sitting_id: int, where: str) -> None:
        rows = [
            row(
                Hand,
                shapes.HAND,
                hand,
                self.keys,
                sitting_id=sitting_id,
                accepted_report_id=self.keys["reports"][hand["report"]],
            )
            for hand in table["hands"]
        ]
        places = [f"{where}.hands[{at}]" for at in range(len(rows))]
        stored = zip(keep(rows, places), table["hands"], places, strict=True)
        written = [(pk, hand["record"], place) for pk, hand, place in stored if hand["record"]]
        keep(
            [
                row(HandRecord, shapes.HAND_RECORD, record, {}, hand_id=pk)
                for pk, record, _ in written
            ],
            [f"{place}.record" for _, _, place in written],
        )

    def _acts(self, tournament: Tournament, table: Json, sitting_id: int) -> Iterator[LogEntry]:
        """Yield what was done to the hands of a table; by whom does not leave a club."""
        for act in table["acts"]:
            entry = row(LogEntry, shapes.ACT, act, self.keys, club=self.club)
            entry.on |= {"tournament": tournament.pk, "sitting": sitting_id}
            yield entry
