"""The games to choose from: a card of each, its modes, and what an evening of one is called."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from games import catalogue
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion
from tracker.models import Leftover, Movement, RankedBy, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    slug: str
    name: str
    summary: str
    players: str


def game_cards() -> list[GameCard]:
    """Return every game of the catalogue."""
    cards = []
    for game in catalogue.GAMES.values():
        sizes = [mode.seats for mode in game.modes(game.default_options())]
        numbers = {"least": min(sizes), "most": max(sizes)}
        cards.append(
            GameCard(
                slug=game.slug,
                name=gettext(game.name),
                summary=summary_of(game),
                players=gettext("%(least)d to %(most)d at a table") % numbers,
            )
        )
    return cards


def summary_of(game: AnyGame) -> str:
    """Return what a game is about; nothing where it does not say."""
    # Trap: of nothing ``gettext`` returns the head of its catalogue.
    return gettext(game.summary) if game.summary else ""


def usual_mode(game: AnyGame) -> Mode:
    """Return the mode for four, or for as near to four as the game is played."""
    return min(game.modes(game.default_options()), key=lambda mode: abs(mode.seats - 4))


def rankings_for(game: AnyGame, options: Options) -> Mapping[RankedBy, Criterion]:
    """Return what a tournament of this game can be ranked by, and the points of each."""
    alone = game.ranking(options, True)
    if game.across is None:
        return {RankedBy.GAME: alone[0]}
    known = {game.across(options, False): RankedBy.POINTS}
    known.setdefault(game.across(options, True), RankedBy.SHARE)
    known.setdefault(alone, RankedBy.GAME)
    return {by: ranking[0] for by in RankedBy for ranking, own in known.items() if own is by}


def may_rank_otherwise(tournament: Tournament) -> bool:
    """Say whether the standings could be ranked by something else."""
    known = rankings_for(tournament.rules, tournament.house_rules)
    return tournament.official_at is None and len(known) + tournament.has_matches > 1


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


def title_of(game: str, day: date) -> str:
    """Return what to call a tournament that is played on this day.

    >>> title_of("Albastini", date(2026, 11, 20))
    'Albastini, 20 Nov 2026'
    """
    return gettext("%(game)s, %(day)s") % {"game": game, "day": date_format(day, "DATE_FORMAT")}


def days_of_namesakes(tournaments: Collection[Tournament]) -> dict[int, str]:
    """Return, for tournaments that share a name, the day of each.

    Two on one day have the time as well.
    """
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
    """Return the name of its game, unless the tournament's name contains it."""
    game = gettext(tournament.rules.name)
    return "" if game.casefold() in tournament.name.casefold() else game
