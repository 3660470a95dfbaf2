"""The tournaments of a club, the games it can play, and how people fit their tables."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame, Kind, Options
from games.mode import Mode
from tracker.models import Club, Player, Round, RoundState, Tournament
from tracker.seating.logic.movements import fit


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A game to choose."""

    slug: str
    name: str
    summary: str
    players: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlayer:
    player_id: int
    name: str
    sits: bool


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Return the tournaments of a club, each with what a list tells of it.

    ``last`` is the number of its last round, ``playing`` whether people sit at its
    tables, ``entered`` how many are in it.
    """
    rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=RoundState.UNDONE)
    return (
        Tournament.objects.filter(club=club)
        .select_related("season")
        .annotate(
            last=Subquery(rounds.order_by("-number").values("number")[:1]),
            playing=Exists(rounds.filter(state=RoundState.OPEN)),
            entered=Count("entrants", filter=Q(entrants__withdrawn_at=None)),
        )
        .order_by("-created_at", "-pk")
    )


def game_cards() -> list[GameCard]:
    """Return every game of the catalogue."""
    return [_card(game) for game in catalogue.GAMES.values()]


def known_players(club: Club) -> list[KnownPlayer]:
    """Return the players of the club by name, and whether they sit at a table just now."""
    now = Count("seats", filter=Q(seats__round__state=RoundState.OPEN, seats__to_hand__isnull=True))
    people = Player.objects.present().filter(club=club).annotate(sits=now).order_by("name_key")
    return [
        KnownPlayer(player_id=pk, name=name, sits=bool(sits))
        for pk, name, sits in people.values_list("pk", "name", "sits")
    ]


def all_modes(game: AnyGame) -> list[Mode]:
    """Return every mode that some house rule allows, the usual ones first."""
    found: dict[str, Mode] = {}
    for options in _option_sets(game):
        with suppress(RuleError):  # answers that do not go together seat nobody
            for mode in game.modes(options):
                found.setdefault(mode.code, mode)
    return list(found.values())


def usual_mode(game: AnyGame) -> Mode:
    """Return the mode for four, or for as near to four as the game is played."""
    return min(game.modes(game.default_options()), key=lambda mode: abs(mode.seats - 4))


def fit_sentence(people: int, mode: Mode) -> str:
    """Say how many tables so many people make, and how many rest.

    >>> from games.mode import Mode
    >>> fit_sentence(13, Mode("4t2", 4, ((0, 2), (1, 3)), "four in two pairs"))
    '13 people make 3 tables of four in two pairs; 1 rests, in turn.'
    """
    fits = fit(people, mode, fixed=False)
    made = ngettext(
        "%(people)d people make %(tables)d table of %(mode)s",
        "%(people)d people make %(tables)d tables of %(mode)s",
        fits.tables,
    ) % {"people": people, "tables": fits.tables, "mode": gettext(mode.name)}
    if not fits.resting:
        return gettext("%(made)s.") % {"made": made}
    rest = ngettext(
        "%(made)s; %(resting)d rests, in turn.",
        "%(made)s; %(resting)d rest, in turn.",
        fits.resting,
    )
    return rest % {"made": made, "resting": fits.resting}


def title_of(game: str, day: date) -> str:
    """Return what to call a tournament that is played on this day.

    >>> title_of("Albastini", date(2026, 11, 20))
    'Albastini, 20 November'
    """
    return gettext("%(game)s, %(day)s") % {"game": game, "day": date_format(day, "j F")}


def _card(game: AnyGame) -> GameCard:
    sizes = sorted({mode.seats for mode in game.modes(game.default_options())})
    return GameCard(
        slug=game.slug,
        name=gettext(game.name),
        summary=gettext(game.summary) if game.summary else "",
        players=gettext("%(least)d to %(most)d at a table")
        % {"least": sizes[0], "most": sizes[-1]},
    )


def _option_sets(game: AnyGame) -> Iterator[Options]:
    """Yield the rule book's answers, and then each of them answered otherwise."""
    usual = game.default_options()
    yield usual
    for option in game.options:
        values = (
            [True, False] if option.kind is Kind.FLAG else [value for value, _ in option.choices]
        )
        for value in values:
            yield {**usual, option.name: value}
