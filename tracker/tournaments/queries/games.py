"""The games to choose from: their cards, usual modes and rankings."""

from collections.abc import Mapping
from dataclasses import dataclass

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
    """Return the summary of a game, which may be empty."""
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
