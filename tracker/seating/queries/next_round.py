"""Who would sit where in the coming round."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from random import Random

from django.utils.translation import gettext

from games.mode import Mode
from tracker.models import Attendance, ClubNight, Entrant, Format, Player, Round, Team, Tournament
from tracker.seating.logic.movements import Unit, at_a_table
from tracker.seating.logic.movements.in_order import in_order
from tracker.seating.logic.movements.mixed import mixed
from tracker.seating.queries.rounds import rests
from tracker.seating.queries.tables import table_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """An entrant of the coming round: ``table`` is ``None`` for who would rest, or is not here.

    Where the tables are of different sizes, ``sits`` says how this one is played.
    """

    entrant: int
    name: str
    number: int | None
    table: int | None
    sits: str = ""


def proposal(
    tournament: Tournament,
    order: Sequence[int],
    mode: Mode,
    night: ClubNight | None = None,
    *,
    everybody: bool = False,
) -> list[Proposed]:
    """Return the entrants as they would sit in this *order*, then those who are not in it.

    At a *night* the tables are those of the hall that stand free. With *everybody* some
    are of another size where that leaves nobody to rest.
    """
    fixed = tournament.format == Format.TEAMS
    playing = Entrant.objects.playing().filter(tournament=tournament).order_by("pk")
    entrants = {entrant.pk: str(entrant) for entrant in playing.select_related("player", "team")}
    here = [entrant for entrant in order if entrant in entrants]
    modes = tournament.rules.modes(tournament.house_rules)
    unequal = mixed(len(here), mode, modes, fixed) if everybody else ()
    tables = unequal or (mode,) * (len(here) // at_a_table(mode, fixed))
    numbers = table_numbers(tournament.pk, night.pk if night else None, len(tables))
    chairs = [
        (number, gettext(table.name) if unequal else "")
        for number, table in zip(numbers, tables, strict=True)
        for _ in range(at_a_table(table, fixed))
    ]
    places = zip(here, chain(chairs, repeat((None, ""))), strict=False)
    seated = [
        Proposed(entrant=entrant, name=entrants[entrant], number=number, table=table, sits=sits)
        for number, (entrant, (table, sits)) in enumerate(places, start=1)
    ]
    away = [
        Proposed(entrant=entrant, name=name, number=None, table=None)
        for entrant, name in entrants.items()
        if entrant not in set(here)
    ]
    return [*seated, *away]


def coming_order(
    tournament: Tournament,
    mode: Mode,
    last: Round | None,
    night: ClubNight | None = None,
    *,
    everybody: bool = False,
) -> list[int]:
    """Return the order for the coming round: as in the *last*, with those last whose rest it is.

    Nobody's it is where *everybody* is to play. Who has gone home from the *night* is left out.
    """
    order = list(last.seating_plan.get("order", ())) if last else []
    if not order:
        entrants = Entrant.objects.playing().filter(tournament=tournament)
        order = list(entrants.order_by("pk").values_list("pk", flat=True))
    if night is not None:  # a team stays, having others
        players = dict(Entrant.objects.filter(pk__in=order).values_list("pk", "player"))
        alone = [player for player in players.values() if player is not None]
        gone = Attendance.objects.gone_home(night, alone)
        order = [entrant for entrant in order if players.get(entrant) not in gone]
    if everybody:
        return order
    times = rests(tournament.pk)
    units = [Unit(key=entrant, rested=times[entrant]) for entrant in order]
    # In the order given there is nothing to draw.
    seating = in_order(units, mode, tournament.format == Format.TEAMS, Random(0))
    return [*(entrant for table in seating.tables for entrant in table), *seating.resting]


def newcomers(tournament: Tournament) -> list[tuple[int, str]]:
    """Return who of the club is not in the tournament yet."""
    if tournament.format == Format.TEAMS:
        teams = Team.objects.filter(club=tournament.club_id)
        there = tournament.entrants.filter(withdrawn_at=None).values("team")
        new = teams.exclude(pk__in=there)
        return list(new.order_by("name_key").values_list("pk", "name"))
    entered = tournament.entrants.filter(withdrawn_at=None).values("player")
    players = Player.objects.present().filter(club=tournament.club_id).exclude(pk__in=entered)
    return list(players.order_by("name_key").values_list("pk", "name"))
