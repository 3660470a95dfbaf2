"""Promised tables at which somebody does not sit in a round, for those who organise it."""

from django.utils.translation import gettext

from tracker.models import Format, Round, RoundState, SeatingWish, Sitting, Tournament, WishKind
from tracker.seating.logic.movements.seam import RoundSeating


def promises_missed(
    tournament: Tournament, seating: RoundSeating, night_id: int | None, played: Round | None = None
) -> tuple[str, ...]:
    """Say who does not sit at the table promised to them, and what would help.

    Without *played* it is a round to come, and the tables of the night that are played at now
    are taken. It takes a query, and one more where a promise is missed.
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
        _said(name, table, now, by=taken.get(table), over=played is not None)
        for name, table, now in missed
    )


def _said(name: str, table: int, now: int | None, *, by: str | None, over: bool) -> str:
    params = {"name": name, "table": table, "now": now, "tournament": by}
    if by and over:
        return gettext("%(name)s's table %(table)d was taken by %(tournament)s.") % params
    if by:
        return (
            gettext(
                "%(name)s's table %(table)d is taken by %(tournament)s. Draw again once that round"
                " is closed, or promise another table."
            )
            % params
        )
    if over:
        return gettext("%(name)s was promised table %(table)d.") % params
    return (
        gettext(
            "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw again, or"
            " promise another table."
        )
        % params
    )
