"""What a club usually plays, and how many of them."""

from django.db.models import Count, Q

from tracker.models import Club


def usual_evening(club: Club) -> dict[str, object]:
    """Return ``game`` and number of ``players`` of the club's last tournament, in one query."""
    playing = Q(entrants__withdrawn_at=None)
    last = (
        club.tournaments.order_by("-created_at", "-pk")
        .annotate(
            alone=Count("entrants__player", filter=playing, distinct=True),
            in_teams=Count("entrants__team__roster", filter=playing, distinct=True),
        )
        .values("game", "alone", "in_teams")
        .first()
    )
    if last is None:
        return {}
    people = last["alone"] + last["in_teams"]
    return {"game": last["game"], **({"players": people} if people else {})}
