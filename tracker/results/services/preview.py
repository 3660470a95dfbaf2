"""Previews: run a change in a transaction, compare, and roll back; later apply it."""

from collections.abc import Callable, Collection
from typing import TypeVar

from django.db import transaction

from tracker.results.queries.effect import Effect, effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.tables.locks import hold_tournament

T = TypeVar("T")


class SeenOtherwiseError(Exception):
    """What was looked at is not there any more as it was."""


def look(
    act: Callable[[], object], *, tournament_id: int, sittings: Collection[int] = ()
) -> Effect:
    """Return what an act would change in a tournament and its season, and roll it back.

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
    """Apply a previewed act, unless the data has changed since, and return its result.

    *seen* is what it went by then, and *stands* reads the same once nobody changes it any more.

    :raises SeenOtherwiseError: if the two differ; then nothing is done.
    :raises RuleError: whatever the act refuses.
    """
    with transaction.atomic():
        hold_tournament(tournament_id)
        if stands() != seen:
            raise SeenOtherwiseError
        return act()
