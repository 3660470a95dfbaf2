"""Promised tables that a draw does not keep, in sentences for the organiser."""

from django.utils.translation import gettext

from tracker.models import Format, RoundState, SeatingWish, Sitting, Tournament, WishKind
from tracker.seating.logic.movements.seam import RoundSeating


def promises_missed(
    tournament: Tournament, seating: RoundSeating, night_id: int | None
) -> tuple[str, ...]:
    """Return a sentence for each player not seated at the promised table, with a remedy.

    It takes a query, and one more where a promise is missed.
    """
    seated = seating.table_of
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
    # Trap: ``None`` would be every round of the site without a night, of other clubs too.
    elsewhere = Sitting.objects.filter(
        round__night__in=[night_id] if night_id is not None else [],
        round__state=RoundState.OPEN,
        number__in=[table for _name, table, _now in missed],
    ).exclude(round__tournament=tournament)
    taken = dict(elsewhere.values_list("number", "round__tournament__name"))
    return tuple(
        (
            gettext(
                "%(name)s’s table %(table)d is taken by %(tournament)s. Draw again once that round"
                " is closed, or promise another table."
            )
            if table in taken
            else gettext(
                "%(name)s is promised table %(table)d, and this draw says table %(now)d. Draw"
                " again, or promise another table."
            )
        )
        % {"name": name, "table": table, "now": now, "tournament": taken.get(table)}
        for name, table, now in missed
    )
