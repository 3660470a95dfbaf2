"""Corrections of hands: the later hands are played again, and the tallies and the log follow."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any
from uuid import uuid4

from django.db import transaction

from games.errors import SheetError, gettext_noop
from games.sheet import Sheet
from games.wording import AtSeat
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, LogEntry, Tally, Verdict
from tracker.results.queries.table import TAKEN_BACK
from tracker.results.services.issues import (
    close_answered_issues,
    mark_struck_issues_mended,
    reopen_issues,
)
from tracker.results.services.submissions import hand_unknown
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.locks import hold_later_tables, lock_table
from tracker.tables.replay import HandEntry, Replay, hands_by_number, replay, store_replay
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report


class Change(Enum):
    """A correction without a new sheet: strike a hand, or restore it."""

    STRIKE = "strike"
    RESTORE = "restore"


STRIKE, RESTORE = Change.STRIKE, Change.RESTORE
# Verbs of log entries that hold the sheets before and after.
_AMENDED = "hand-amended"
_SETTLED = "issue-settled"
_CHANGES = ("sitting-corrected", _SETTLED, "paper-written-down", _AMENDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteResult:
    """The recounted hands of a rewrite, and the numbers for the log."""

    replay: Replay
    numbers: Mapping[str, Any]


def rewrite(
    table: TableNow,
    hands: Mapping[int, Hand],
    written: Mapping[int, HandEntry],
    *,
    by: Actor,
    reports: Mapping[int, int] | None = None,
    undoes: LogEntry | None = None,
    at_table: bool = False,
) -> RewriteResult:
    """Store these hands of a locked table as *written*, and everything that follows from them.

    *reports* maps hands to stored reports of their new sheets; for other new sheets, reports are
    made. If the log entry that this *undoes* settled an issue, that is open again. A user who is
    signed in confirms the hands by this, unless they write *at_table*.

    :raises SheetError: if the rules refuse the first changed sheet, or a new sheet leaves the
        dealer unknown though the rules tell who it was.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    """
    replayed = replay(table, hands, written)
    if undoes is None:
        _check_dealers(replayed)
    # Before any tally changes: a report at a later table may hold its lock and wait for the tally.
    hold_later_tables(table)
    points = _points(replayed)
    accepted = dict(reports or {})
    for number in sorted(replayed.changed - accepted.keys()):
        if _has_a_new_sheet(hands, written[number]):
            accepted[number] = add_report(
                NewReport(
                    entry=uuid4(),
                    sitting_id=table.sitting_id,
                    number=number,
                    sheet=written[number].sheet,
                    by=by,
                    verdict=Verdict.CORRECTION,
                    answer={},
                )
            )
    close_answered_issues(replayed, by.at)
    mark_struck_issues_mended(
        table.sitting_id, [number for number in accepted if number > table.last_number]
    )
    settled = [undoes.on["issue"]] if undoes and undoes.verb == _SETTLED else []
    restored = [  # with the sheet they had
        number
        for number, stands in written.items()
        if number in hands
        and hands[number].struck_at is not None
        and not stands.struck
        and not _has_a_new_sheet(hands, stands)
    ]
    reopen_issues(table.sitting_id, restored, settled)
    store_replay(replayed, accepted, at=by.at, confirmed=by.user_id is not None and not at_table)
    refresh_dealt_before(table.tournament_id, after_round=table.round_number, at=by.at)
    numbers = {
        "before": {str(number): hands[number].sheet for number in written if number in hands},
        "after": {
            str(number): "struck" if stands.struck else stands.sheet
            for number, stands in written.items()
        },
        "points": points,
    }
    return RewriteResult(replay=replayed, numbers=numbers)


def _has_a_new_sheet(hands: Mapping[int, Hand], written: HandEntry) -> bool:
    """Return whether a hand that is not struck gets a different sheet."""
    known = written.number in hands and written.sheet is hands[written.number].sheet
    return not written.struck and not known


def _check_dealers(replayed: Replay) -> None:
    """Refuse a new sheet without a dealer where the rules tell who dealt.

    :raises SheetError: ``dealer-known``.
    """
    for number in sorted(replayed.changed & replayed.scored.keys()):
        sheet, dealer = replayed.entries[number].sheet, replayed.scored[number].sheet["dealer"]
        if _has_a_new_sheet(replayed.hands, replayed.entries[number]) and (
            dealer != sheet.get("dealer", dealer)
        ):
            raise SheetError(
                "dealer-known",
                gettext_noop("By the rules %(who)s dealt this one. Choose who did."),
                question="dealer",
                who=AtSeat(dealer),
            )


def _points(replayed: Replay) -> dict[str, dict[str, tuple[int, int]]]:
    """Return by entrant and key the tallies that change, before and after."""
    if not replayed.table.tallied:
        return {}
    moves = {key: by for key, by in replayed.tally_changes.entrants.items() if by}
    tallies = Tally.objects.filter(entrant__in={entrant for entrant, _ in moves})
    before = {(tally.entrant_id, tally.key): tally.amount for tally in tallies}
    points: dict[str, dict[str, tuple[int, int]]] = {}
    for (entrant, key), by in sorted(moves.items()):
        was = before.get((entrant, key), 0)
        points.setdefault(str(entrant), {})[key] = (was, was + by)
    return points


@transaction.atomic
def correct_sitting(
    *, sitting_id: int, changes: Mapping[int, Sheet | Change], reason: str, by: Actor
) -> None:
    """Change hands of a sitting, all of them or none.

    A sheet without a dealer keeps the hand's; one whose dealer is ``None`` makes it unknown, where
    the rules do not tell. A new sheet for a struck hand restores it. ``RESTORE`` of a hand that
    is not struck brings back the sheet it had before its last change.

    :raises SheetError: if the rules refuse the first changed sheet.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``nothing-changed``, or ``hand-unknown`` where there is no such hand.
    """
    table = lock_table(sitting_id=sitting_id)
    hands = hands_by_number(sitting_id)
    written = {number: _changed(hands, number, change) for number, change in changes.items()}
    if not written:
        raise _nothing_changed()
    undoes = None
    if [*changes.values()] == [RESTORE]:
        # The log entry that this undoes, unless it changed other hands as well.
        [hand] = (hands[number] for number in changes)
        verbs = _CHANGES if hand.struck_at is None else (*_CHANGES, TAKEN_BACK)
        last = _last_change(hand.sitting_id, hand.number, verbs)
        undoes = last if last and len(_by_number(last, "after")) == 1 else None
    rewritten = rewrite(table, hands, written, by=by, undoes=undoes)
    waits = table.needs_both and any(hands[number].confirmed_at is None for number in written)
    if rewritten.replay.changes_nothing and not waits:  # a hand that waits is confirmed by this
        raise _nothing_changed()
    log(
        by,
        "sitting-corrected",
        **table.log_keys,
        hands=sorted(written),
        numbers=rewritten.numbers,
        reason=reason,
        undoes=undoes,
    )


def sheet_before(sitting_id: int, number: int, *, stands: Sheet) -> Sheet | None:
    """Return the sheet that a hand had before its last change, if the log has another than *stands*."""
    last = _last_change(sitting_id, number)
    before: Sheet | None = _by_number(last, "before").get(str(number)) if last else None
    return None if before == stands else before


def _last_change(
    sitting_id: int, number: int, verbs: Collection[str] = _CHANGES
) -> LogEntry | None:
    """Return the log entry of the last change of a hand."""
    changes = LogEntry.objects.filter(on__sitting=sitting_id, verb__in=verbs).order_by("-pk")
    written = (each for each in changes if str(number) in _by_number(each, "after"))
    return next(written, None)


def _by_number(entry: LogEntry, when: str) -> Mapping[str, Any]:
    """Return the sheets by hand in a log entry; *when* is ``before`` or ``after``."""
    sheets: Mapping[str, Any] = entry.numbers.get(when, {})
    return {str(entry.on.get("hand")): sheets} if entry.verb == _AMENDED else sheets


def _changed(hands: Mapping[int, Hand], number: int, change: Sheet | Change) -> HandEntry:
    """Return a hand as a change would write it.

    :raises Refused: ``hand-unknown`` or ``nothing-changed``.
    """
    hand = hands.get(number)
    if hand is None:
        raise hand_unknown(number)
    if change is STRIKE and hand.struck_at is not None:
        raise _nothing_changed()
    if change is RESTORE and hand.struck_at is None:
        before = sheet_before(hand.sitting_id, number, stands=hand.sheet)
        if before is None:
            raise _nothing_changed()
        return HandEntry(number=number, sheet=before, dealer=hand.dealer)
    if isinstance(change, Change):
        return replace(HandEntry.of(hand), struck=change is STRIKE)
    return HandEntry(number=number, sheet=change, dealer=hand.dealer)


def _nothing_changed() -> Refused:
    return Refused(
        "nothing-changed",
        gettext_noop("Nothing would change: it says that already. Change a figure, or go back."),
    )
