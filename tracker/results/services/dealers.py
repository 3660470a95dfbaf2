"""Who deals the coming hand, where the rules leave the table a choice."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Sitting
from tracker.results.services.submissions import check_acts, check_open
from tracker.tables.locks import lock_table

CHOSEN = "dealer-chosen"


def choose_dealer(*, token: str, place: int | None, by: Actor) -> int:
    """Set who deals the coming hand, ``None`` for the dealer by the rules; return who it is.

    The choice holds for this one hand, and is dropped when the hand before it changes. Who
    deals already is chosen once.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``too-many-reports``,
        or ``dealer-not-allowed`` if the rules give the deal to others.
    """
    with transaction.atomic():
        table = lock_table(token=token)
        check_open(table, gettext_noop("This round is closed; nobody deals."))
        if place is not None and place not in table.may_deal:
            raise Refused(
                "dealer-not-allowed",
                gettext_noop("By the rules somebody else deals: choose one of those named."),
            )
        chosen = None if place is None or place == table.next_dealer else place
        if chosen == table.chosen:
            return table.coming_dealer
        check_acts(table, [CHOSEN], by.at)
        Sitting.objects.filter(pk=table.sitting_id).update(
            chosen_dealer=chosen,
            chosen_after=None if chosen is None else table.last_number,
        )
        dealer = table.next_dealer if chosen is None else chosen
        numbers = {"after_hand": table.last_number, "place": dealer}
        log(by, CHOSEN, **table.log_keys, numbers=numbers)
    return dealer
