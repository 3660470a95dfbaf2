"""Preview of a file before its import: its contents, or why it is refused."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games import catalogue
from games.errors import RuleError
from tracker.common.refusals import sentence
from tracker.models import Team, name_key
from tracker.tournament_files.logic.misfit import Misfit
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.shapes import Moment
from tracker.tournament_files.queries.people import Person, people_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLook:
    """A tournament in the file, or one stage of it."""

    name: str
    game: str
    entrants: int
    rounds: int
    tables: int
    hands: int
    official: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A file beside the club that may take it in."""

    club: str
    season: str
    nights: tuple[datetime, ...]
    stages: tuple[StageLook, ...]
    people: tuple[Person, ...]
    teams_here: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.stages[0].name

    @property
    def new(self) -> tuple[Person, ...]:
        return tuple(person for person in self.people if not person.choices)


def look_at(club_id: int, document: Document) -> Look:
    """Return what is in a checked file, in two queries."""
    origin = document["origin"]
    names = {name_key(team["name"]): team["name"] for team in document["teams"]}
    there = Team.objects.filter(club=club_id, name_key__in=names)
    return Look(
        club=origin["club"],
        season=origin["season"],
        nights=tuple(Moment().load(night, {}) for night in origin["nights"]),
        stages=tuple(_stage(stage) for stage in document["stages"]),
        people=people_of(club_id, document),
        teams_here=tuple(there.order_by("name_key").values_list("name", flat=True)),
    )


def _stage(stage: Document) -> StageLook:
    tables = [table for round_ in stage["rounds"] for table in round_["tables"]]
    return StageLook(
        name=stage["name"],
        game=gettext(catalogue.GAMES[stage["game"]].name),
        entrants=len(stage["entrants"]),
        rounds=len(stage["rounds"]),
        tables=len(tables),
        hands=sum(len(table["hands"]) for table in tables),
        official=stage["official_at"] is not None,
    )


def why_refused(refusal: RuleError) -> str:
    """Return why a file is refused, in the reader's language."""
    if not isinstance(refusal, Misfit):
        return sentence(refusal)
    words = {"where": refusal.where, "why": sentence(refusal)}
    if refusal.changed:
        return gettext("This file was changed after it was written. %(where)s: %(why)s") % words
    return gettext("%(where)s: %(why)s") % words
