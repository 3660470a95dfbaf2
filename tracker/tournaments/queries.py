"""Queries about tournaments: games to choose from, rankings, who can enter, stages and names.

A *ranking* is what orders the standings: criteria, the first of which are the points. A *criterion*
is a figure computed from results. A *stage* is a tournament that *follows* another, such as a
final; groups are stages that follow one tournament together, made at one moment.
"""

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
    """A game in the language of the request; ``players`` says how many sit at a table."""

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
    """Return the mode whose number of seats is nearest to four, the most usual one."""
    return min(game.modes(game.default_options()), key=lambda mode: abs(mode.seats - 4))


def rankings_for(game: AnyGame, options: Options) -> Mapping[RankedBy, Criterion]:
    """Return the rankings of a game that differ, in fixed order, each with its first criterion."""
    # What ``ranking`` and ``across`` ask: do partners change, do tables differ in size?
    partners_change, same_size, different_sizes = True, False, True
    by_game = game.ranking(options, partners_change)
    if game.across is None:  # the game has no other ranking for several tables
        return {RankedBy.GAME: by_game[0]}
    # Keyed by their criteria: of two rankings with the same criteria, the first stays.
    rankings = {game.across(options, same_size): RankedBy.POINTS}
    rankings.setdefault(game.across(options, different_sizes), RankedBy.SHARE)
    rankings.setdefault(by_game, RankedBy.GAME)
    leading = {ranked_by: criteria[0] for criteria, ranked_by in rankings.items()}
    return {ranked_by: leading[ranked_by] for ranked_by in RankedBy if ranked_by in leading}


def usual_ranking(tournament: Tournament, people: int | None) -> RankedBy:
    """Return the default ranking for this number of *people*; ``None`` means several tables."""
    if tournament.movement == Movement.SWISS and tournament.has_matches:
        return RankedBy.MATCH_POINTS
    rankings = rankings_for(tournament.rules, tournament.house_rules)
    uneven = tournament.leftover == Leftover.ODD_TABLE or tournament.movement == Movement.FREE
    if uneven and RankedBy.SHARE in rankings:
        return RankedBy.SHARE
    one_table = people is not None and people < 2 * tournament.table_mode.seats
    if not one_table and RankedBy.POINTS in rankings:
        return RankedBy.POINTS
    return next(iter(rankings))


def newcomers(tournament: Tournament) -> list[tuple[int, str]]:
    """Return key and name of the club's players, or teams, who could enter, in one query."""
    entered = tournament.entrants.filter(withdrawn_at=None)
    new: QuerySet[Team] | QuerySet[Player]
    if tournament.format == Format.TEAMS:
        new = Team.objects.exclude(pk__in=entered.values("team"))
    else:
        new = Player.objects.present().exclude(pk__in=entered.values("player"))
    return list(new.filter(club=tournament.club_id).order_by("name_key").values_list("pk", "name"))


def continues_elsewhere(tournament: str = "pk") -> Q:
    """Return the condition that a later stage was made, while no round of the tournament is open.

    The later stage follows the tournament or, if that is a group, the stage that groups follow.
    In a query of another model the argument is the path to the tournament.
    """
    prefix = "" if tournament == "pk" else f"{tournament}__"
    key, made_at = OuterRef(tournament), OuterRef(f"{prefix}created_at")
    siblings = Tournament.objects.filter(follows=OuterRef(f"{prefix}follows"))
    has_follower = Q(Exists(Tournament.objects.filter(follows=key)))
    is_group = Q(Exists(siblings.filter(created_at=made_at).exclude(pk=key)))
    followed_as_group = is_group & Q(Exists(siblings.filter(created_at__gt=made_at)))
    playing = Q(Exists(Round.objects.filter(tournament=key, state=RoundState.OPEN)))
    return (has_follower | followed_as_group) & ~playing


def title_of(game: str, day: date) -> str:
    """Return the default name of a tournament, such as "Albastini, 20 Nov 2026"."""
    return gettext("%(game)s, %(day)s") % {"game": game, "day": date_format(day, "DATE_FORMAT")}


def days_of_namesakes(tournaments: Collection[Tournament]) -> dict[int, str]:
    """Return the days of *tournaments* that share a name, by key; with times if days are shared."""
    made_at = {each.pk: timezone.localtime(each.created_at) for each in tournaments}
    times_named = Counter(each.name for each in tournaments)
    times_on_day = Counter((each.name, made_at[each.pk].date()) for each in tournaments)
    days = {}
    for each in tournaments:
        if times_named[each.name] > 1:
            alone = times_on_day[each.name, made_at[each.pk].date()] == 1
            format_ = "DATE_FORMAT" if alone else "DATETIME_FORMAT"
            days[each.pk] = date_format(made_at[each.pk], format_)
    return days


def game_unless_named(tournament: Tournament) -> str:
    """Return the name of a tournament's game, or nothing if the tournament's name contains it."""
    game = gettext(tournament.rules.name)
    return "" if game.casefold() in tournament.name.casefold() else game


def moved_up_sentence(moved: Sequence[Entrant]) -> str:
    """Return who moved up from the reserve list, as a sentence."""
    return ngettext(
        "%(names)s moves up from the reserve list.",
        "%(names)s move up from the reserve list.",
        len(moved),
    ) % {"names": get_text_list([str(entrant) for entrant in moved], gettext("and"))}
