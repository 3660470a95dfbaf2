"""The coming round: whoever is new is entered, and seated with the others."""

from collections.abc import Sequence
from random import Random

from django.db import transaction

from tracker.common.actor import Actor
from tracker.models import ClubNight, Format, Round, Tournament
from tracker.people.services.players import add_players
from tracker.seating.logic.movements import Unit, fit
from tracker.seating.logic.movements.catalogue import IN_ORDER
from tracker.seating.logic.movements.in_order import in_order
from tracker.seating.queries.rounds import rests
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draw import seat_round
from tracker.tournaments.services.entering import enter_players, enter_teams
from tracker.tournaments.services.tournaments import checked_length, in_units


@transaction.atomic
def seat_next_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
    by: Actor,
    rng: Random,
    mode: str | None = None,
    length: int | None = None,
    minutes: int | None = None,
    movement: str = IN_ORDER,
    everybody: bool = False,
) -> Round:
    """Enter whoever is new, and seat them after the others; all or nothing.

    In the order given nobody rests in their first round while others can: for somebody
    new to sit down, the one rests whose turn it is.

    If the club has a night going on, it is a round of that night. With *minutes* its
    clock starts at once.

    *newcomers* are players of the club, or its teams where fixed teams play; only
    players can be new to the club by name.

    :raises Refused: on the terms of ``seat_round``, ``enter_players``, ``add_players`` and
        ``start_clock``.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    if tournament.format == Format.TEAMS:
        new = enter_teams(tournament_id=tournament.pk, teams=newcomers, by=by)
    else:
        added = add_players(club_id=tournament.club_id, names=new_names, by=by)
        players = dict.fromkeys([*newcomers, *(player.pk for player in added.players)])
        new = enter_players(tournament_id=tournament.pk, players=list(players), by=by)
    # Whoever is written anew although they have a number already keeps the number.
    order = list(dict.fromkeys([*entrants, *(entrant.pk for entrant in new)]))
    if movement == IN_ORDER and not everybody and len(order) > len(entrants):
        order = _newcomers_sit(tournament, order, len(entrants), mode or tournament.mode)
    units = in_units(tournament.rules, checked_length(length)) if length is not None else {}
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    round_ = seat_round(
        tournament_id=tournament_id,
        entrants=order,
        mode=mode,
        by=by,
        rng=rng,
        movement=movement,
        everybody=everybody,
        night_id=night.pk if night else None,
        **units,
    )
    if minutes is None:
        return round_
    return start_clock(round_id=round_.pk, minutes=minutes, by=by)


def _newcomers_sit(tournament: Tournament, order: Sequence[int], old: int, mode: str) -> list[int]:
    """Return *order*, of whom all but the first *old* are new, with those last who then rest."""
    played = tournament.rules.mode(mode, tournament.house_rules)
    fixed = tournament.format == Format.TEAMS
    shown = old - fit(old, played, fixed).resting  # from here on people were told that they rest
    times = rests(tournament.pk)
    most = max(times.values(), default=0) + 1

    def rested(position: int) -> int:
        if position >= old:
            return most
        return times[order[position]] if position < shown else -1

    units = [Unit(key=key, rested=rested(position)) for position, key in enumerate(order)]
    seating = in_order(units, played, fixed, Random(0))
    return [*(entrant for table in seating.tables for entrant in table), *seating.resting]
