"""Previews: run a change in a transaction, compare the data before and after, and roll back."""

from collections.abc import Callable, Collection
from typing import TypeVar

from django.db import transaction

from tracker.results.queries.effect import Effect, effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.tables.locks import hold_tournament

T = TypeVar("T")
APPLY_STEP = "keep"  # sent as ``step`` by the button "Apply" of a preview; others preview again


class StalePreviewError(Exception):
    """The data that a preview showed has changed since."""


def preview(
    change: Callable[[], object], *, tournament_id: int, sittings: Collection[int] = ()
) -> Effect:
    """Return what a change would alter in a tournament and its season, and roll the change back.

    *sittings* are the keys of tables whose hands are compared, too. Reports of the tournament wait
    meanwhile, so that every difference comes from the change.

    :raises RuleError: whatever the change refuses.
    """
    with transaction.atomic():
        hold_tournament(tournament_id)
        before = take_snapshot(tournament_id, sittings=sittings)
        change()
        after = take_snapshot(tournament_id, sittings=sittings)
        transaction.set_rollback(True)
    return effect(before, after)


def apply(
    change: Callable[[], T], *, tournament_id: int, seen: str, fingerprint: Callable[[], str]
) -> T:
    """Apply a previewed change and return its result, unless the data has changed since.

    A fingerprint is a text that differs where the data differ: *seen* is that of the preview, and
    *fingerprint* computes that of the present data, under the lock.

    :raises StalePreviewError: if the fingerprints differ; then nothing is done.
    :raises RuleError: whatever the change refuses.
    """
    with transaction.atomic():
        hold_tournament(tournament_id)
        if fingerprint() != seen:
            raise StalePreviewError
        return change()
