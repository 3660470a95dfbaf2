"""Search page of a club: players, teams, tournaments and nights."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.dates import MONTHS, MONTHS_3, WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tracker.common.names import words_of
from tracker.common.web import access
from tracker.models import Club, ClubNight, Player, Team, Tournament
from tracker.tournaments.queries import days_of_namesakes, game_unless_named

SHOWN, MOST = 8, 200  # results shown of each kind; of one kind, if only that is asked for
_MOST_WORDS = 8


@access.page
@require_safe
def search(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show what the words in ``?q=`` find, by kind; ``?only=KIND`` shows more, of that kind only.

    Names are compared in Python, as SQLite cannot ignore accents; that takes four queries.
    """
    club = access.club(request, club_id)
    query, only = request.GET.get("q", "")[:100], request.GET.get("only", "")
    kinds = {
        "players": (gettext("Players"), gettext("All players found"), _players),
        "teams": (gettext("Teams"), gettext("All teams found"), _teams),
        "tournaments": (gettext("Tournaments"), gettext("All tournaments found"), _tournaments),
        "nights": (gettext("Club nights"), gettext("All nights found"), _nights),
    }
    searched, most = ([only], MOST) if only in kinds else ([*kinds], SHOWN)
    groups = []
    for kind in searched:
        title, all_found, rows_of = kinds[kind]
        if hits := _find(query, rows_of(club)):
            group = {"key": kind, "title": title, "all_found": all_found, "hits": hits[:most]}
            groups.append({**group, "count": len(hits), "more": len(hits) > most})
    context = {"q": query, "only": only, "found": groups}
    return access.render(request, "nights/home/search.html", club, **context)


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result; ``beside`` tells it from others of its name; ``player`` is a key."""

    name: str
    beside: str
    url: str
    player: int | None = None


def _find(query: str, rows: Iterable[tuple[str, Hit]]) -> list[Hit]:
    """Return the hits of *rows*, each after the text to search, that fit the query.

    Each word of the query has to be the beginning of a word of the text. Case, accents and order do
    not matter. Texts whose first word begins like the query's come first.
    """
    wanted = words_of(query)[:_MOST_WORDS]
    if not wanted:
        return []
    hits: list[tuple[bool, Hit]] = []
    for text, hit in rows:
        words = words_of(text)
        if all(any(word.startswith(part) for word in words) for part in wanted):
            hits.append((not words[0].startswith(wanted[0]), hit))
    # False comes before True; otherwise the order of *rows* stays.
    return [hit for _later, hit in sorted(hits, key=lambda pair: pair[0])]


def _players(club: Club) -> Iterable[tuple[str, Hit]]:
    players = Player.objects.present().filter(club=club).order_by("name_key")
    for pk, name, home in players.values_list("pk", "name", "visitor_from"):
        yield name, Hit(name, home, reverse("player", args=[pk]), pk)


def _teams(club: Club) -> Iterable[tuple[str, Hit]]:
    for pk, name in Team.objects.filter(club=club).order_by("name_key").values_list("pk", "name"):
        yield name, Hit(name, "", reverse("team", args=[pk]))


def _tournaments(club: Club) -> Iterable[tuple[str, Hit]]:
    first_stages = Tournament.objects.filter(club=club, follows=None)
    tournaments = list(first_stages.order_by("-created_at", "-pk"))
    days = days_of_namesakes(tournaments)
    for tournament in tournaments:
        game, day = gettext(tournament.rules.name), _day_in_words(tournament.created_at)
        text = f"{tournament.name} {game} {day}"
        beside = " · ".join(filter(None, (game_unless_named(tournament), days.get(tournament.pk))))
        yield text, Hit(tournament.name, beside, tournament.get_absolute_url())


def _nights(club: Club) -> Iterable[tuple[str, Hit]]:
    for night in ClubNight.objects.filter(club=club).order_by("-starts_at", "-pk"):
        name = date_format(timezone.localtime(night.starts_at), "DATE_FORMAT")
        text = f"{_day_in_words(night.starts_at)} {night.place} {night.games}"
        beside = " · ".join(filter(None, (night.place, night.games)))
        yield text, Hit(name, beside, night.get_absolute_url())


def _day_in_words(time: datetime) -> str:
    """Return all words for a day, "Saturday 21 November Nov 2026": the text is only searched."""
    day = timezone.localtime(time)
    month, short = MONTHS[day.month], MONTHS_3[day.month]
    return f"{WEEKDAYS[day.weekday()]} {day.day} {month} {short} {day.year}"


urlpatterns = [path("clubs/<int:club_id>/search/", search, name="search")]
