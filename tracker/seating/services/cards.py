"""The lasting cards of tables, laid before anybody sits there."""

import secrets
from random import Random

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Tournament
from tracker.seating.services.opening import unused_code

MOST_TABLES = 60


@transaction.atomic
def lay_cards(*, tournament_id: int, tables: int, rng: Random, by: Actor) -> int:
    """See that tables 1 to *tables* have their cards, and return how many are new.

    :raises Refused: ``tables-many``.
    """
    if not 1 <= tables <= MOST_TABLES:
        raise Refused(
            "tables-many",
            gettext_noop("Say how many tables, from 1 to %(most)d."),
            question="tables",
            most=MOST_TABLES,
        )
    # One at a time, so that two who press at once do not lay the same table twice.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    there = set(tournament.tables.values_list("number", flat=True))
    new = [number for number in range(1, tables + 1) if number not in there]
    for number in new:
        tournament.tables.create(
            number=number, card_token=secrets.token_urlsafe(16), code=unused_code(rng)
        )
    if new:
        log(
            by,
            "cards-laid",
            club_id=tournament.club_id,
            tournament=tournament.pk,
            numbers={"tables": new},
        )
    return len(new)
