"""Looking at what a change would move: it is made, seen, and taken back at once; then kept."""

from collections.abc import Callable, Collection
from typing import TypeVar

from django.db import transaction

from tracker.changes.queries.effect import Effect, effect
from tracker.changes.queries.snapshot import take_snapshot
from tracker.ledger.locks import hold_tournament

T = TypeVar("T")


class SeenOtherwiseError(Exception):
    """What was looked at is not there any more as it was."""


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
        before = take_snapshot(tournament_id, sittings=sittings)
        act()
        after = take_snapshot(tournament_id, sittings=sittings)
        transaction.set_rollback(True)
    return effect(before, after)


def keep(act: Callable[[], T], *, tournament_id: int, seen: str, stands: Callable[[], str]) -> T:
    """Do an act of which the effect was looked at, and return what it returns.

    *seen* is what it went by then, and *stands* reads the same once nobody changes it any more.

    :raises SeenOtherwiseError: if the two differ; then nothing is done.
    :raises RuleError: whatever the act refuses.
    """
    with transaction.atomic():
        hold_tournament(tournament_id)
        if stands() != seen:
            raise SeenOtherwiseError
        return act()
