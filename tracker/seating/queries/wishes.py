"""Seating wishes as a draw needs them: those of its entrants, and promises that a draw breaks."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tracker.models import Entrant, Format, RoundState, SeatingWish, Sitting, Tournament, WishKind
from tracker.movements.types import RoundSeating, Wishes
from tracker.seating.queries.players import lineups


def wishes_of(tournament: Tournament, entrants: Iterable[Entrant]) -> Wishes:
    """Return the wishes of these entrants as sets and mappings of their keys (units).

    A wish of a team's player counts for the team. Tables are numbers in the hall. In a tournament
    of fixed teams nobody is kept from being partners, as the draw does not make partners. It takes
    one query, or two for teams.
    """
    lineup_of = lineups(entrants).items()
    unit_of = {player: entrant for entrant, lineup in lineup_of for player in lineup}
    keeps: dict[int, int] = {}
    apart: set[frozenset[int]] = set()
    not_partners: set[frozenset[int]] = set()
    wishes = SeatingWish.objects.filter(club=tournament.club_id, player__in=unit_of)
    # In this order, so that of two tables promised to players of one team the first counts.
    for wish in wishes.order_by("pk"):
        unit, other = unit_of[wish.player_id], unit_of.get(wish.other_id or 0)
        match WishKind(wish.kind):
            case WishKind.KEEPS_TABLE:
                keeps.setdefault(unit, wish.table or 1)  # a wish of this kind has a table
            case WishKind.NOT_MEET if other is not None and other != unit:
                apart.add(frozenset((unit, other)))
            case WishKind.NOT_PARTNERS if other is not None and other != unit:
                not_partners.add(frozenset((unit, other)))
            # Otherwise the other player does not play, or is in the same team.
    if tournament.format == Format.TEAMS:
        not_partners.clear()
    return Wishes(keeps=keeps, apart=frozenset(apart), not_partners=frozenset(not_partners))


def broken_table_promises(
    tournament: Tournament, seating: RoundSeating, night_id: int | None
) -> tuple[str, ...]:
    """Return a sentence with a remedy for each player who is not at the promised table."""
    table_of = seating.table_of
    # The path from a wish to the entrants of its player.
    to_entrants = f"player__{'teams__' if tournament.format == Format.TEAMS else ''}entrants"
    in_draw = {f"{to_entrants}__in": list(table_of)}
    wishes = SeatingWish.objects.filter(kind=WishKind.KEEPS_TABLE, **in_draw)
    promises = wishes.order_by("pk").values_list(to_entrants, "player__name", "table")
    broken = [
        (name, promised, table_of[unit])
        for unit, name, promised in promises
        if unit in table_of and promised != table_of[unit]
    ]
    if not broken:
        return ()
    # Trap: ``None`` would be every round of the site without a night, of other clubs too.
    elsewhere = Sitting.objects.filter(
        round__night__in=[night_id] if night_id is not None else [],
        round__state=RoundState.OPEN,
        number__in=[promised for _name, promised, _drawn in broken],
    ).exclude(round__tournament=tournament)
    taken_by = dict(elsewhere.values_list("number", "round__tournament__name"))
    if_taken = _(
        "%(name)s’s table %(table)d is taken by %(tournament)s. Draw again once that round"
        " is closed, or promise another table."
    )
    if_free = _(
        "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw"
        " again, or promise another table."
    )
    return tuple(
        (if_taken if promised in taken_by else if_free)
        % {"name": name, "table": promised, "now": drawn, "tournament": taken_by.get(promised)}
        for name, promised, drawn in broken
    )
