"""Seats that are promised: listed, and what they come to for the entrants of a tournament."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from tracker.models import Club, Entrant, Format, SeatingWish, Tournament, WishKind
from tracker.seating.logic.movements.seam import Wishes
from tracker.seating.queries.rounds import lineups


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """A club's seating wishes: players who keep a table, and pairs to keep apart."""

    tables: tuple[SeatingWish, ...]
    apart: tuple[SeatingWish, ...]


def promised(club: Club) -> Promised:
    """Return the seats that are promised, by name, in one query."""
    present = Q(player__merged_into=None) & (Q(other=None) | Q(other__merged_into=None))
    wishes = SeatingWish.objects.filter(present, club=club).select_related("player", "other")
    wishes = wishes.order_by("player__name_key", "other__name_key", "kind")
    return Promised(
        tables=tuple(wish for wish in wishes if wish.kind == WishKind.KEEPS_TABLE),
        apart=tuple(wish for wish in wishes if wish.kind != WishKind.KEEPS_TABLE),
    )


def wishes_of(tournament: Tournament, entrants: Iterable[Entrant]) -> Wishes:
    """Return the wishes of these *entrants*, by entrant, in one query, or two for teams.

    A wish of anybody in a team is the team's. Tables are named by their numbers in the hall.
    Fixed teams meet or do not; who would be their own partner is none of the draw's business.
    """
    units: dict[int, int] = {}  # by player
    for entrant, players in lineups(entrants).items():
        units.update((player, entrant) for player in players)
    keeps: dict[int, int] = {}
    apart: set[frozenset[int]] = set()
    not_partners: set[frozenset[int]] = set()
    wishes = SeatingWish.objects.filter(club=tournament.club_id, player__in=units)
    # Who asked first keeps the table, where two of a team would keep different ones.
    for wish in wishes.order_by("pk"):
        unit, other = units[wish.player_id], units.get(wish.other_id or 0)
        match WishKind(wish.kind):
            case WishKind.KEEPS_TABLE:
                keeps.setdefault(unit, wish.table or 1)
            case WishKind.NOT_MEET if other is not None and other != unit:
                apart.add(frozenset((unit, other)))
            case WishKind.NOT_PARTNERS if other is not None and other != unit:
                not_partners.add(frozenset((unit, other)))
            case _:
                pass  # the other does not play, or is in the same team
    if tournament.format == Format.TEAMS:
        not_partners.clear()
    return Wishes(keeps=keeps, apart=frozenset(apart), not_partners=frozenset(not_partners))
