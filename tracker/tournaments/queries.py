"""Games to choose from and their rankings; names of tournaments, who can enter, later stages."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from games import catalogue
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion
from tracker.models import (
    Entrant,
    Format,
    Leftover,
    Movement,
    Player,
    RankedBy,
    Round,
    RoundState,
    Team,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game of the catalogue in the language of the request."""

    slug: str
    name: str
    summary: str
    players: str


def game_cards() -> list[GameCard]:
    cards = []
    for game in catalogue.GAMES.values():
        sizes = [mode.seats for mode in game.modes(game.default_options())]
        numbers = {"least": min(sizes), "most": max(sizes)}
        players = gettext("%(least)d to %(most)d at a table") % numbers
        cards.append(GameCard(game.slug, gettext(game.name), summary_of(game), players))
    return cards


def summary_of(game: AnyGame) -> str:
    # Trap: ``gettext("")`` returns the header of the catalogue.
    return gettext(game.summary) if game.summary else ""


def usual_mode(game: AnyGame) -> Mode:
    """Return the mode whose number of seats is nearest to four."""
    return min(game.modes(game.default_options()), key=lambda mode: abs(mode.seats - 4))


def rankings_for(game: AnyGame, options: Options) -> Mapping[RankedBy, Criterion]:
    """Return the rankings of a game, each with its first criterion."""
    alone = game.ranking(options, True)
    if game.across is None:
        return {RankedBy.GAME: alone[0]}
    known = {game.across(options, False): RankedBy.POINTS}
    known.setdefault(game.across(options, True), RankedBy.SHARE)
    known.setdefault(alone, RankedBy.GAME)
    return {by: ranking[0] for by in RankedBy for ranking, own in known.items() if own is by}


def usual_ranking(tournament: Tournament, people: int | None) -> RankedBy:
    """Return the default ranking for so many *people*; without a number, for several tables.

    The tournament need not be saved.
    """
    if tournament.movement == Movement.SWISS and tournament.has_matches:
        return RankedBy.MATCH_POINTS
    known = rankings_for(tournament.rules, tournament.house_rules)
    uneven = tournament.leftover == Leftover.ODD_TABLE or tournament.movement == Movement.FREE
    if uneven and RankedBy.SHARE in known:
        return RankedBy.SHARE
    one_table = people is not None and people < 2 * tournament.table_mode.seats
    if not one_table and RankedBy.POINTS in known:
        return RankedBy.POINTS
    return next(iter(known))


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


def continues_elsewhere(tournament: str = "pk") -> Q:
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


def ranking_can_change(tournament: Tournament) -> bool:
    """Return whether the standings could still be ranked by something else."""
    known = rankings_for(tournament.rules, tournament.house_rules)
    return tournament.official_at is None and len(known) + tournament.has_matches > 1


def moved_up_sentence(moved: Sequence[Entrant]) -> str:
    """Return who moved up from the reserve list, as a sentence."""
    words = ngettext(
        "%(names)s moves up from the reserve list.",
        "%(names)s move up from the reserve list.",
        len(moved),
    )
    return words % {"names": get_text_list([str(entrant) for entrant in moved], gettext("and"))}
