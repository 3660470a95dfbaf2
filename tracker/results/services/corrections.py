"""Corrections of hands: the later hands are scored again, and the tallies and the log follow.

A *struck* hand was undone or deleted: its row stays, and it counts nowhere; it can be restored.
A *tally* is the stored sum, of an entrant, of one *mark*, a number that each hand gives.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
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
from tracker.models import Hand, LogEntry, Sitting, Tally, Tournament, Verdict
from tracker.results.queries.table import TAKEN_BACK
from tracker.results.services import issues
from tracker.results.services.submissions import hand_unknown
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.locks import hold_later_tables, lock_table
from tracker.tables.replay import HandEntry, Replay, hands_by_number, replay, store_replay
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report
from tracker.tournaments.services.tournaments import check_goes_on


class Change(Enum):
    """A correction without a new sheet: strike a hand (it counts nowhere), or restore it."""

    STRIKE = "strike"
    RESTORE = "restore"


STRIKE, RESTORE = Change.STRIKE, Change.RESTORE  # for short
# Verbs of log entries that hold the sheets before and after.
_AMENDED = "hand-amended"
_SETTLED = "issue-settled"
_CHANGE_VERBS = ("sitting-corrected", _SETTLED, "paper-written-down", _AMENDED)


def rewrite(
    table: TableNow,
    hands: Mapping[int, Hand],
    new_entries: Mapping[int, HandEntry],
    *,
    by: Actor,
    reports: Mapping[int, int] | None = None,
    undoes: LogEntry | None = None,
    at_table: bool = False,
) -> tuple[Replay, dict[str, Any]]:
    """Store *new_entries* for hands of a locked table, and everything that follows from them.

    All mappings are keyed by hand number. *hands* are those stored; a ``HandEntry`` has a sheet,
    the dealer, and whether the hand is struck. *reports* are the keys of the reports with the new
    sheets, where such reports are stored already; for other new sheets reports are stored here.
    *undoes* is the log entry of the change that is taken back: an issue that it settled is opened
    again. A change by a signed-in user confirms the hands, unless it is made *at_table*.

    Return the hands scored again and, for the log, the sheets before and after, and the points.

    :raises SheetError: if the rules refuse the first changed sheet, or ``dealer-known`` if a new
        sheet has the dealer ``None`` though the rules tell who dealt.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    """
    replayed = replay(table, hands, new_entries)
    if undoes is None:  # an undo brings a sheet back as it was
        _check_dealers(replayed)
    # Before any tally changes, to avoid a deadlock: a report locks its table first, then tallies.
    hold_later_tables(table)
    points = _points(replayed)
    report_ids = _add_reports(replayed, reports or {}, by)
    issues.close_answered_issues(replayed, by.at)
    _update_closed_issues(replayed, report_ids, undoes)
    store_replay(replayed, report_ids, at=by.at, confirmed=by.user_id is not None and not at_table)
    if not table.progress.owed:
        _check_none_missing(table)
    # Who dealt here decides who deals first at later tables.
    refresh_dealt_before(table.tournament_id, after_round=table.round_number, at=by.at)
    before = {str(n): hands[n].sheet for n in new_entries if n in hands}
    after = {str(n): "struck" if entry.struck else entry.sheet for n, entry in new_entries.items()}
    return replayed, {"before": before, "after": after, "points": points}


def _add_reports(replayed: Replay, reports: Mapping[int, int], by: Actor) -> dict[int, int]:
    """Store a report of each new sheet that has none in *reports*; return the keys of all."""
    report_ids = dict(reports)
    for number in sorted(replayed.changed - reports.keys()):
        if _has_new_sheet(replayed, number):
            report = NewReport(
                entry=uuid4(),
                sitting_id=replayed.table.sitting_id,
                number=number,
                sheet=replayed.entries[number].sheet,
                by=by,
                verdict=Verdict.CORRECTION,
                answer={},
            )
            report_ids[number] = add_report(report)
    return report_ids


def _update_closed_issues(
    replayed: Replay, report_ids: Collection[int], undoes: LogEntry | None
) -> None:
    table, hands = replayed.table, replayed.hands
    # An undone hand, beyond the last number, has a new sheet now: its issues stay closed.
    added = [number for number in report_ids if number > table.last_number]
    issues.mark_struck_issues_mended(table.sitting_id, added)
    # The issues of hands that are restored with the sheets they had are opened again.
    settled_issues = [undoes.on["issue"]] if undoes and undoes.verb == _SETTLED else []
    restored = [
        number
        for number in replayed.changed & hands.keys()
        if hands[number].struck_at is not None
        if not replayed.entries[number].struck and not _has_new_sheet(replayed, number)
    ]
    issues.reopen_issues(table.sitting_id, restored, settled_issues)


def _has_new_sheet(replayed: Replay, number: int) -> bool:
    """Return whether a hand, not struck, has another sheet object than the stored one.

    An equal sheet that was sent is new, too: it gets a report. ``HandEntry.of`` keeps the object.
    """
    entry, hand = replayed.entries[number], replayed.hands.get(number)
    return not entry.struck and (hand is None or entry.sheet is not hand.sheet)


def _check_dealers(replayed: Replay) -> None:
    """Refuse, as ``dealer-known``, a new sheet without a dealer where the rules tell who dealt."""
    for number in sorted(replayed.changed & replayed.scored.keys()):
        entry, dealer = replayed.entries[number], replayed.scored[number].sheet["dealer"]
        says_another = entry.sheet.get("dealer", dealer) != dealer
        if says_another and _has_new_sheet(replayed, number):
            template = gettext_noop("By the rules %(who)s dealt this one. Choose who did.")
            raise SheetError("dealer-known", template, question="dealer", who=AtSeat(dealer))


def _check_none_missing(table: TableNow) -> None:
    """Refuse a change after which a result of an official tournament is missing."""
    tournament = Tournament.objects.get(pk=table.tournament_id)
    if Sitting.objects.owing(tournament).filter(pk=table.sitting_id).exists():
        check_goes_on(tournament)


def _points(replayed: Replay) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the tallies that change: entrant's key -> mark -> amounts before and after."""
    if not replayed.table.tallied:  # the hands of an undone round are in no tally
        return {}
    changes = {owner: amount for owner, amount in replayed.tally_changes.entrants.items() if amount}
    tallies = Tally.objects.filter(entrant__in={entrant for entrant, _key in changes})
    amounts = {(tally.entrant_id, tally.key): tally.amount for tally in tallies}
    points: dict[str, dict[str, tuple[int, int]]] = {}
    for (entrant, key), change in sorted(changes.items()):
        before = amounts.get((entrant, key), 0)
        points.setdefault(str(entrant), {})[key] = (before, before + change)
    return points


@transaction.atomic
def correct_sitting(
    *, sitting_id: int, changes: Mapping[int, Sheet | Change], reason: str, by: Actor
) -> None:
    """Change hands of a sitting (the people at one table in one round), all of them or none.

    *changes* are keyed by hand number. A sheet without a dealer keeps the hand's dealer; a sheet
    with the dealer ``None`` makes the dealer unknown, where the rules do not tell. A new sheet for
    a struck hand restores the hand. ``RESTORE`` of a hand that is not struck brings back the sheet
    that the hand had before its last change.

    :raises SheetError: if the rules refuse the first changed sheet.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``nothing-changed``, or ``hand-unknown`` where there is no such hand.
    """
    table = lock_table(sitting_id=sitting_id)
    hands = hands_by_number(sitting_id)
    new_entries = {number: _new_entry(hands, number, change) for number, change in changes.items()}
    if not new_entries:
        raise _nothing_changed()
    undoes = None
    if [*changes.values()] == [RESTORE]:
        # One hand is restored: this undoes its last change, unless that changed others as well.
        [hand] = (hands[number] for number in changes)
        # A struck hand may also have been undone by its table.
        verbs = _CHANGE_VERBS if hand.struck_at is None else (*_CHANGE_VERBS, TAKEN_BACK)
        last = _last_change(hand.sitting_id, hand.number, verbs)
        undoes = last if last and len(_logged_sheets(last, "after")) == 1 else None
    replayed, log_numbers = rewrite(table, hands, new_entries, by=by, undoes=undoes)
    # A correction that changes nothing may still confirm a hand that waits for that.
    confirms = table.needs_both and any(hands[number].confirmed_at is None for number in changes)
    if replayed.changes_nothing and not confirms:
        raise _nothing_changed()
    on = {**table.log_keys, "hands": sorted(changes)}
    log(by, "sitting-corrected", **on, numbers=log_numbers, reason=reason, undoes=undoes)


def sheet_before(sitting_id: int, number: int, *, stands: Sheet) -> Sheet | None:
    """Return a hand's sheet before its last change; ``None`` if unknown, or as it *stands* now."""
    last = _last_change(sitting_id, number)
    before: Sheet | None = _logged_sheets(last, "before").get(str(number)) if last else None
    return None if before == stands else before


def _last_change(
    sitting_id: int, number: int, verbs: Collection[str] = _CHANGE_VERBS
) -> LogEntry | None:
    """Return the latest log entry with one of these *verbs* that gave a hand a sheet."""
    entries = LogEntry.objects.filter(on__sitting=sitting_id, verb__in=verbs).order_by("-pk")
    return next((entry for entry in entries if str(number) in _logged_sheets(entry, "after")), None)


def _logged_sheets(entry: LogEntry, when: str) -> Mapping[str, Any]:
    """Return the sheets in a log entry, keyed by hand number; *when* is ``before`` or ``after``."""
    sheets: Mapping[str, Any] = entry.numbers.get(when, {})
    # An entry about an amendment has one sheet, without the number.
    return {str(entry.on.get("hand")): sheets} if entry.verb == _AMENDED else sheets


def _new_entry(hands: Mapping[int, Hand], number: int, change: Sheet | Change) -> HandEntry:
    """Return a hand as a change would write it."""
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
    why = gettext_noop("Nothing would change: it says that already. Change a figure, or go back.")
    return Refused("nothing-changed", why)
