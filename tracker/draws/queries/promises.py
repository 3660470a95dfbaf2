"""Promised tables: the players who do not sit at theirs in a round, for its organiser."""

from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.models import Format, Round, RoundState, SeatingWish, Sitting, Tournament, WishKind
from tracker.seating.logic.movements.seam import RoundSeating

# By whether another tournament has the table, and whether the round was opened already.
_MISSED = {
    (True, True): gettext_noop("%(name)s's table %(table)d was taken by %(tournament)s."),
    (True, False): gettext_noop(
        "%(name)s's table %(table)d is taken by %(tournament)s. Draw again once that round"
        " is closed, or promise another table."
    ),
    (False, True): gettext_noop("%(name)s was promised table %(table)d."),
    (False, False): gettext_noop(
        "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw again, or"
        " promise another table."
    ),
}


def promises_missed(
    tournament: Tournament, seating: RoundSeating, night_id: int | None, played: Round | None = None
) -> tuple[str, ...]:
    """Return a sentence for each player who does not sit at the promised table, and what helps.

    *played* is the round, if it was opened; a round to come competes with the tables of the night
    in use now. It takes a query, and one more where a promise is missed.
    """
    seated = {unit: table.number for table in seating.tables for unit in table.units}
    team = "teams__" if tournament.format == Format.TEAMS else ""
    entrant = f"player__{team}entrants"
    wishes = SeatingWish.objects.filter(
        kind=WishKind.KEEPS_TABLE, **{f"{entrant}__in": list(seated)}
    )
    promised = wishes.order_by("pk").values_list(entrant, "player__name", "table")
    missed = [(name, table, seated[unit]) for unit, name, table in promised if unit in seated]
    missed = [(name, table, now) for name, table, now in missed if table != now]
    if not missed:
        return ()
    there = Sitting.objects.filter(
        round__night=night_id, number__in=[table for _name, table, _now in missed]
    ).exclude(round__tournament=tournament)
    if played is None:
        there = there.filter(round__state=RoundState.OPEN)
    else:
        there = there.filter(round__opened_at__lte=played.opened_at).exclude(
            round__closed_at__lte=played.opened_at
        )
    taken = dict(there.values_list("number", "round__tournament__name"))
    return tuple(
        gettext(_MISSED[table in taken, played is not None])
        % {"name": name, "table": table, "now": now, "tournament": taken.get(table)}
        for name, table, now in missed
    )
