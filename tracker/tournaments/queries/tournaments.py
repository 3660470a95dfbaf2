"""Tournaments: their names, who can still enter, whether they continue elsewhere."""

from collections import Counter
from collections.abc import Collection
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from tracker.models import Format, Player, Round, RoundState, Team, Tournament
from tracker.tournaments.queries.games import rankings_for


def newcomers(tournament: Tournament) -> list[tuple[int, str]]:
    """Return key and name of the club's players, or teams, who could enter, in one query."""
    entered = tournament.entrants.filter(withdrawn_at=None)
    new: QuerySet[Team] | QuerySet[Player]
    if tournament.format == Format.TEAMS:
        new = Team.objects.exclude(pk__in=entered.values("team"))
    else:
        new = Player.objects.present().exclude(pk__in=entered.values("player"))
    in_club = new.filter(club=tournament.club_id).order_by("name_key")
    return list(in_club.values_list("pk", "name"))


def gone_on(tournament: str = "pk") -> Q:
    """Return the condition that a tournament continues in another: a later stage was made.

    The stage follows it or the groups of which it is one, and no round of it is open. In a query
    of another model *tournament* is the path to the tournament.
    """
    prefix = "" if tournament == "pk" else f"{tournament}__"
    key, made = OuterRef(tournament), OuterRef(f"{prefix}created_at")
    beside = Tournament.objects.filter(follows=OuterRef(f"{prefix}follows"))
    groups = beside.filter(created_at=made).exclude(pk=key)
    after_groups = beside.filter(created_at__gt=made)
    playing = Round.objects.filter(tournament=key, state=RoundState.OPEN)
    return (
        Q(Exists(Tournament.objects.filter(follows=key)))
        | (Q(Exists(groups)) & Q(Exists(after_groups)))
    ) & ~Q(Exists(playing))


def title_of(game: str, day: date) -> str:
    """Return the default name of a tournament on this day.

    >>> title_of("Albastini", date(2026, 11, 20))
    'Albastini, 20 Nov 2026'
    """
    return gettext("%(game)s, %(day)s") % {"game": game, "day": date_format(day, "DATE_FORMAT")}


def days_of_namesakes(tournaments: Collection[Tournament]) -> dict[int, str]:
    """Return the days of tournaments that share a name, with the time if they share the day."""
    days = {each.pk: timezone.localtime(each.created_at).date() for each in tournaments}
    by_name = Counter(each.name for each in tournaments)
    by_day = Counter((each.name, days[each.pk]) for each in tournaments)
    return {
        each.pk: date_format(
            timezone.localtime(each.created_at),
            "DATE_FORMAT" if by_day[each.name, days[each.pk]] == 1 else "DATETIME_FORMAT",
        )
        for each in tournaments
        if by_name[each.name] > 1
    }


def game_unless_named(tournament: Tournament) -> str:
    """Return the name of a tournament's game, or nothing if the tournament's name contains it."""
    game = gettext(tournament.rules.name)
    return "" if game.casefold() in tournament.name.casefold() else game


def may_rank_otherwise(tournament: Tournament) -> bool:
    """Return whether the standings could still be ranked by something else."""
    known = rankings_for(tournament.rules, tournament.house_rules)
    return tournament.official_at is None and len(known) + tournament.has_matches > 1
