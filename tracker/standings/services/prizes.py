"""Settling a tie for a prize: shared, by the cut of the cards, or played off."""

from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import TieResolution, Tournament
from tracker.standings.queries.prizes import open_ties
from tracker.standings.queries.standings import standings


@transaction.atomic
def resolve_tie(
    *, tournament_id: int, how: TieResolution, order: Sequence[int], by: Actor
) -> Tournament:
    """Keep how a tie was settled; by the cut or a play-off the best of *order* comes first.

    It holds while exactly these stand level, and until the tournament is reopened.

    :raises Refused: ``prize-not-over`` if the standing is not official, ``prize-not-tied``
        if these are not a tie that waits to be settled.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.official_at is None:
        raise Refused("prize-not-over", gettext_noop("Make the standing official first."))
    ties = open_ties(tournament, standings(tournament).rows)
    tied = [sorted(entrant for entrant, _ in tie.entrants) for tie in ties]
    if sorted(order) not in tied:
        raise Refused(
            "prize-not-tied", gettext_noop("The standing has changed. Please look again.")
        )
    tournament.tie_resolutions = [
        *(tournament.tie_resolutions or ()),
        {"how": how, "order": list(order)},
    ]
    tournament.save(update_fields=["tie_resolutions"])
    log(
        by,
        "tie-resolved",
        club_id=tournament.club_id,
        tournament=tournament.pk,
        entrants=list(order),
        numbers={"how": how},
    )
    return tournament
