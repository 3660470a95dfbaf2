"""Corrections: hands let stand otherwise, written down, tallied and logged, with what that moves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias
from uuid import uuid4

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger.fold import Fold, Written, fold, hands_of
from tracker.ledger.locks import hold_later_tables
from tracker.ledger.memory import renew_memory
from tracker.ledger.rewriting import keep as keep_fold
from tracker.ledger.statements import lock_table
from tracker.ledger.table import TableNow
from tracker.ledger.writing import NewReport, add_report
from tracker.models import Hand, LogEntry, Round, RoundState, Tally, Tournament, Verdict
from tracker.reports.services.issues import settle_what_answered_itself
from tracker.standings.queries.standings import standings


class Change(Enum):
    """What can be done to a hand besides writing another sheet: out, or as it was before."""

    STRIKE = "strike"
    RESTORE = "restore"


STRIKE, RESTORE = Change.STRIKE, Change.RESTORE
_CHANGES = ("sitting-corrected", "issue-settled")  # whose entries keep sheets before and after
BeforeAfter: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a correction moves, each time as it was before and as it is after.

    ``points`` are the tallies of entrants by mark key, and ``places`` theirs in the
    standing; only what differs is listed. ``hands`` are those that stand otherwise
    than before, ``warned`` those of which something new is to be said. ``rounds_after``
    are the later rounds, which may have been seated from the old standing.
    """

    hands: tuple[int, ...]
    warned: tuple[int, ...]
    points: Mapping[int, Mapping[str, BeforeAfter]]
    places: Mapping[int, BeforeAfter]
    next_dealer: BeforeAfter
    rounds_after: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """What came of letting hands stand otherwise, and what the log should say of it."""

    fold: Fold
    points: Mapping[int, Mapping[str, BeforeAfter]]
    numbers: Mapping[str, Any]

    def difference(self, places: Mapping[int, int]) -> Difference:
        """Return what it moved; *places* are those of the standing before.

        Whoever was entered meanwhile was not in it, and is not said to have moved.
        """
        table = self.fold.table
        now = places_of(table)
        return Difference(
            hands=self.fold.changes(),
            warned=self.fold.warned(),
            points=self.points,
            places={
                entrant: (places[entrant], place)
                for entrant, place in now.items()
                if places.get(entrant, place) != place
            },
            next_dealer=(table.next_dealer, self.fold.session.dealer),
            rounds_after=_rounds_after(table),
        )


def places_of(table: TableNow) -> dict[int, int]:
    """Return the places in the standing of the table's tournament, by entrant."""
    tournament = Tournament.objects.get(pk=table.tournament_id)
    return {row.entrant: row.place for row in standings(tournament).rows}


def rewrite(
    table: TableNow,
    hands: Mapping[int, Hand],
    written: Mapping[int, Written],
    *,
    by: Actor,
    reports: Mapping[int, int] | None = None,
) -> Rewritten:
    """Let these hands stand as *written*, under the lock.

    *reports* are some that already say so; for other new sheets one is made.

    :raises SheetError: if the first of the changes is a sheet that the rules refuse.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    """
    folded = fold(table, hands, written)
    hold_later_tables(table)  # before any sum moves, for which whoever reports there may wait
    points = _points(folded)
    accepted = dict(reports or {})
    for number in sorted(folded.changed - accepted.keys()):
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
    settle_what_answered_itself(folded, by.at)
    keep_fold(folded, accepted, at=by.at, confirmed=by.user_id is not None)
    renew_memory(table.tournament_id, after_round=table.round_number, at=by.at)
    numbers = {
        "before": {str(number): hands[number].sheet for number in written if number in hands},
        "after": {
            str(number): "struck" if stands.struck else stands.sheet
            for number, stands in written.items()
        },
        "points": {str(entrant): moved for entrant, moved in points.items()},
    }
    return Rewritten(fold=folded, points=points, numbers=numbers)


def _has_a_new_sheet(hands: Mapping[int, Hand], written: Written) -> bool:
    """Say whether a hand that stands has another sheet than the one it had."""
    known = written.number in hands and written.sheet is hands[written.number].sheet
    return not written.struck and not known


def _points(folded: Fold) -> dict[int, dict[str, BeforeAfter]]:
    """Return the tallies that move, as they are and as they will be."""
    if not folded.table.tallied:
        return {}
    moves = {key: by for key, by in folded.difference.entrants.items() if by}
    tallies = Tally.objects.filter(entrant__in={entrant for entrant, _ in moves})
    before = {(tally.entrant_id, tally.key): tally.amount for tally in tallies}
    points: dict[int, dict[str, BeforeAfter]] = {}
    for (entrant, key), by in sorted(moves.items()):
        was = before.get((entrant, key), 0)
        points.setdefault(entrant, {})[key] = (was, was + by)
    return points


def _rounds_after(table: TableNow) -> tuple[int, ...]:
    """Return the numbers of the rounds seated after this one."""
    later = Round.objects.filter(tournament=table.tournament_id, number__gt=table.round_number)
    seated = later.exclude(state=RoundState.UNDONE).order_by("number")
    return tuple(seated.values_list("number", flat=True))


@transaction.atomic
def correct_sitting(
    *,
    sitting_id: int,
    changes: Mapping[int, Sheet | Change],
    reason: str,
    by: Actor,
    keep: bool = True,
) -> Difference:
    """Change hands of a sitting, all of them or none, and return what that moves.

    A sheet without a dealer keeps the hand's; a new sheet for a struck hand restores
    it. A hand that is not struck is restored to the sheet it had before its last change. With *keep* false nothing is kept: the difference is there to be looked at.

    :raises SheetError: if the first of the changes is a sheet that the rules refuse.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    :raises Refused: ``nothing-changed``, or ``hand-unknown`` where there is no such hand.
    """
    table = lock_table(sitting_id=sitting_id)
    hands = hands_of(sitting_id)
    written = {number: _changed(hands, number, change) for number, change in changes.items()}
    if not written:
        raise Refused("nothing-changed", gettext_noop("Nothing was changed."))
    places = places_of(table)
    rewritten = rewrite(table, hands, written, by=by)
    difference = rewritten.difference(places)
    log(
        by,
        "sitting-corrected",
        club_id=table.club_id,
        tournament=table.tournament_id,
        sitting=sitting_id,
        hands=sorted(written),
        numbers=rewritten.numbers,
        reason=reason,
    )
    transaction.set_rollback(not keep)
    return difference


def sheet_before(sitting_id: int, number: int) -> Sheet | None:
    """Return the sheet that a hand had before its last change, if the log knows of one."""
    changes = LogEntry.objects.filter(on__sitting=sitting_id, verb__in=_CHANGES).order_by("-pk")
    for entry in changes.only("numbers"):
        if str(number) in entry.numbers.get("after", {}):
            before: Sheet | None = entry.numbers["before"].get(str(number))
            return before
    return None


def _changed(hands: Mapping[int, Hand], number: int, change: Sheet | Change) -> Written:
    """Return how a hand is to stand.

    :raises Refused: ``hand-unknown``.
    """
    hand = hands.get(number)
    if hand is None:
        raise Refused(
            "hand-unknown",
            gettext_noop("There is no hand %(number)d at this table yet."),
            number=number,
        )
    if change is RESTORE and hand.struck_at is None:
        before = sheet_before(hand.sitting_id, number)
        if before is None:
            raise Refused("nothing-changed", gettext_noop("Nothing was changed."))
        return Written(number=number, sheet=before, dealer=hand.dealer)
    if isinstance(change, Change):
        return replace(Written.of(hand), struck=change is STRIKE)
    return Written(number=number, sheet=change, dealer=hand.dealer)
