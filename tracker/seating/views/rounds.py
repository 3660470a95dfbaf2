"""What every page about one round shares."""

from django.http import HttpRequest

from tracker.common.web import access
from tracker.common.web.returning import way_back
from tracker.models import Role, Round


def round_of(request: HttpRequest, round_id: int) -> Round:
    """Return a round, for those who may organise it."""
    return access.get(request, Round.objects, round_id, Role.ORGANISER, club="tournament__club")


def round_context(request: HttpRequest, round_: Round, **more: object) -> dict[str, object]:
    """Return what every page about one round shows."""
    return access.context(
        request,
        round_.tournament.club,
        tournament=round_.tournament,
        round=round_,
        back=way_back(request, round_),
        **more,
    )
