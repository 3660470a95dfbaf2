"""The search: players, teams, tournaments and nights of a club."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.dates import MONTHS, MONTHS_3, WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext

from tracker.models import Club, ClubNight, Player, Team, Tournament
from tracker.nights.logic.matching import find
from tracker.tournaments.queries.games import days_of_namesakes, game_unless_named

SHOWN = 8
MOST = 200


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found: what it is called, what tells it from others, where it is."""

    name: str
    beside: str
    address: str
    player: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What was found of one kind."""

    key: str
    title: str
    all_of_them: str  # what a link to the rest says
    hits: tuple[Hit, ...]
    count: int

    @property
    def more(self) -> bool:
        return self.count > len(self.hits)


def search(club: Club, asked: str, *, only: str = "") -> tuple[Group, ...]:
    """Return what is found, by kind, in four queries; of one kind *only* many more are shown.

    Names are compared here and not in the database, of which one knows no accents.
    """
    if not asked.strip():
        return ()
    kinds = (
        ("players", gettext("Players"), gettext("All players found"), _players(club)),
        ("teams", gettext("Teams"), gettext("All teams found"), _teams(club)),
        (
            "tournaments",
            gettext("Tournaments"),
            gettext("All tournaments found"),
            _tournaments(club),
        ),
        ("nights", gettext("Club nights"), gettext("All nights found"), _nights(club)),
    )
    chosen = [kind for kind in kinds if kind[0] == only] or kinds
    most = SHOWN if len(chosen) > 1 else MOST
    groups = []
    for key, title, all_of_them, rows in chosen:
        hits = find(asked, rows)
        if hits:
            shown = tuple(hits[:most])
            group = Group(
                key=key, title=title, all_of_them=all_of_them, hits=shown, count=len(hits)
            )
            groups.append(group)
    return tuple(groups)


def _players(club: Club) -> Iterable[tuple[str, Hit]]:
    players = Player.objects.present().filter(club=club).order_by("name_key")
    for pk, name, home in players.values_list("pk", "name", "visitor_from"):
        yield name, Hit(name, home, reverse("player", args=[pk]), pk)


def _teams(club: Club) -> Iterable[tuple[str, Hit]]:
    teams = Team.objects.filter(club=club).order_by("name_key")
    for pk, name in teams.values_list("pk", "name"):
        yield name, Hit(name, "", reverse("team", args=[pk]))


def _tournaments(club: Club) -> Iterable[tuple[str, Hit]]:
    known = Tournament.objects.filter(club=club, follows=None)
    tournaments = list(known.order_by("-created_at", "-pk"))
    days = days_of_namesakes(tournaments)
    for tournament in tournaments:
        game, at = gettext(tournament.rules.name), tournament.created_at
        text = f"{tournament.name} {game} {_day_in_words(at)}"
        beside = " · ".join(filter(None, (game_unless_named(tournament), days.get(tournament.pk))))
        yield text, Hit(tournament.name, beside, tournament.get_absolute_url())


def _nights(club: Club) -> Iterable[tuple[str, Hit]]:
    for night in ClubNight.objects.filter(club=club).order_by("-starts_at", "-pk"):
        called = date_format(timezone.localtime(night.starts_at), "DATE_FORMAT")
        text = f"{_day_in_words(night.starts_at)} {night.place} {night.games}"
        beside = " · ".join(filter(None, (night.place, night.games)))
        yield text, Hit(called, beside, night.get_absolute_url())


def _day_in_words(at: datetime) -> str:
    """Return all that people may remember of a day: "Saturday 21 November Nov 2026"."""
    day = timezone.localtime(at)
    month, short = MONTHS[day.month], MONTHS_3[day.month]
    return f"{WEEKDAYS[day.weekday()]} {day.day} {month} {short} {day.year}"
