"""What a club usually plays, and how many of them."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tracker.models import Club


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualEvening:
    """The game of the club's last tournament, and how many people were in it; ``None`` at first."""

    game: str | None = None
    players: int | None = None


def usual_evening(club: Club) -> UsualEvening:
    """Return what the club played last, in one query."""
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
        return UsualEvening()
    return UsualEvening(game=last["game"], players=(last["alone"] + last["in_teams"]) or None)
