"""The games to choose from: a card of each, its modes, and what an evening of one is called."""

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext

from games import catalogue
from games.game import AnyGame
from games.mode import Mode
from tracker.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A game to choose."""

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


def title_of(game: str, day: date) -> str:
    """Return what to call a tournament that is played on this day.

    >>> title_of("Albastini", date(2026, 11, 20))
    'Albastini, 20 Nov 2026'
    """
    return gettext("%(game)s, %(day)s") % {"game": game, "day": date_format(day, "DATE_FORMAT")}


def game_unless_named(tournament: Tournament) -> str:
    """Return what its game is called, unless its own name says it already."""
    game = gettext(tournament.rules.name)
    return "" if game.casefold() in tournament.name.casefold() else game
