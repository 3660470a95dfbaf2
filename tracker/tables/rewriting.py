"""Storing a fold: its hands, their tallies, and the state of the table."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tracker.models import Hand, Issue, Progress
from tracker.tables.fold import Fold, differing
from tracker.tables.statements import execute
from tracker.tables.tallies import moving
from tracker.tables.writing import After, NewHand, add_hand, keeping_table


def keep(
    fold_: Fold,
    reports: Mapping[int, int],
    *,
    at: datetime,
    confirmed: bool = False,
) -> None:
    """Store a fold: hands, tallies, and the state of the table.

    *reports* are accepted for the hands that have new sheets. What is *confirmed* waits for no
    other side.
    """
    table = fold_.table
    # Those with a new report beyond the last number are new, or were undone and are written anew.
    added = {number for number in reports if number > table.last_number}
    for number in sorted(fold_.folded):
        if number in fold_.hands and number not in added:
            _keep_hand(fold_, number, reports.get(number), at=at, confirmed=confirmed)
    for number, scored in fold_.scored.items():
        if number not in added:
            continue
        before = json.dumps(table.game.save_session(fold_.folded[number].before))
        hand = NewHand(number=number, report_id=reports[number], before=before, scored=scored)
        stands = fold_.written[number]
        add_hand(table, hand, at)
        values: dict[str, Any] = {}
        if stands.result_type:
            values = {"result_type": stands.result_type, "reason": stands.reason}
        if confirmed and table.needs_both:
            values["confirmed_at"] = at
        if values:
            Hand.objects.filter(sitting=table.sitting_id, number=number).update(**values)
    statements = moving(fold_.difference) if table.tallied else []
    execute(*statements, keeping_table(table, after(fold_, at)))


def after(fold_: Fold, at: datetime) -> After:
    """Return the state of the table after a fold."""
    table = fold_.table
    counts = fold_.counts
    side_points = fold_.side_points
    progress = Progress.of_counts(table, **counts, level=table.level(side_points))
    # The table's own choice of a dealer rests on the last hand, and on what the rules leave open.
    stays = table.chosen_after == fold_.last_number and (
        not fold_.changed
        or (
            table.chosen_after not in fold_.changed
            and table.chosen_dealer in fold_.session.may_deal
        )
    )
    return After(
        session=fold_.session,
        last_number=fold_.last_number,
        **counts,
        finished=progress.whole or (table.closed and bool(table.finished)),
        at=at,
        last_at=at if fold_.last_number > table.last_number else None,
        open_conflicts=Issue.objects.open_conflicts(table.sitting_id).count(),
        chosen_dealer=table.chosen_dealer if stays else None,
        chosen_after=table.chosen_after if stays else None,
        side_points=side_points,
    )


def _keep_hand(
    fold_: Fold, number: int, report_id: int | None, *, at: datetime, confirmed: bool
) -> None:
    hand, stands = fold_.hands[number], fold_.written[number]
    values = differing(fold_, number)
    # Who waited for the lock may have looked at the clock before the hand was written.
    at = max(at, hand.recorded_at)
    if stands.struck != (hand.struck_at is not None):
        values["struck_at"] = at if stands.struck else None
    if report_id is not None:
        values |= {
            "accepted_report": report_id,
            "confirmed_at": at if confirmed else None,
            "result_type": stands.result_type,
            "reason": stands.reason,
        }
    if values:
        Hand.objects.filter(pk=hand.pk).update(**values)
