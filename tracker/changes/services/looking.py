"""Looking at what a change would move: it is made, seen, and taken back at once."""

from collections.abc import Callable, Collection

from django.db import transaction

from tracker.changes.queries.effect import Effect, effect
from tracker.changes.queries.picture import picture
from tracker.ledger.locks import hold_tournament


def look(
    act: Callable[[], object], *, tournament_id: int, sittings: Collection[int] = ()
) -> Effect:
    """Return what an act would move in a tournament, and in its season; nothing of it is kept.

    The results at these *sittings* are compared in words. Nobody reports meanwhile: what differs
    comes from the act.

    :raises RuleError: whatever the act refuses.
    """
    with transaction.atomic():
        hold_tournament(tournament_id)
        before = picture(tournament_id, sittings=sittings)
        act()
        after = picture(tournament_id, sittings=sittings)
        transaction.set_rollback(True)
    return effect(before, after)
