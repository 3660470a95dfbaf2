"""Letting hands stand otherwise: written down, tallied and logged, with what that moves."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import uuid4

from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.ledger import ledger
from tracker.ledger.fold import Replay, Written, keep, replay
from tracker.ledger.ledger import NewReport
from tracker.ledger.table_now import TableNow
from tracker.models import Hand, Round, RoundState, Tally, Tournament, Verdict
from tracker.reports.services.issues import open_conflicts, settle_what_answered_itself
from tracker.standings.queries.standings import standings

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
    """What came of it, and what the log should say of sheets and points."""

    difference: Difference
    numbers: Mapping[str, Any]


def rewrite(
    table: TableNow,
    hands: Mapping[int, Hand],
    written: Mapping[int, Written],
    *,
    by: Actor,
    standings_by: Mapping[int, int] | None = None,
) -> Rewritten:
    """Let these hands stand as *written*, under the lock.

    *standings_by* are reports that already say so; for other new sheets one is made.

    :raises SheetError: if the first of the changes is a sheet that the rules refuse.
    :raises ReplayRefused: if a later hand cannot follow, with its ``number``.
    """
    done = replay(table, hands, written)
    tournament = Tournament.objects.get(pk=table.tournament_id)
    places = _places(tournament)
    points = _points(done)
    reports = {**(standings_by or {}), **_corrections(done, hands, standings_by or {}, by)}
    settle_what_answered_itself(done, by.at)
    keep(
        done,
        reports,
        open_conflicts=open_conflicts(table.sitting_id),
        now=by.at,
        confirmed=by.user_id is not None,
    )
    difference = Difference(
        hands=done.moved(),
        warned=done.warned(),
        points=points,
        places=_moved_places(places, _places(tournament)),
        next_dealer=(table.next_dealer, done.fold.session.dealer),
        rounds_after=_rounds_after(table),
    )
    numbers = {
        "before": {str(number): hands[number].sheet for number in written if number in hands},
        "after": {str(one.number): _said(one) for one in written.values()},
        "points": {str(entrant): moved for entrant, moved in points.items()},
    }
    return Rewritten(difference=difference, numbers=numbers)


def _corrections(
    done: Replay, hands: Mapping[int, Hand], said: Collection[int], by: Actor
) -> dict[int, int]:
    """Make a report for every new sheet that none *said* already, and return them by number."""
    return {
        number: _add_correction(done, number, by)
        for number in sorted(done.changed.difference(said))
        if not done.written[number].struck and not _restored(hands, done.written[number])
    }


def _restored(hands: Mapping[int, Hand], written: Written) -> bool:
    """Say whether the sheet is the old one, and only its standing changes."""
    return written.number in hands and written.sheet is hands[written.number].sheet


def _said(written: Written) -> Sheet | str:
    return "struck" if written.struck else written.sheet


def _add_correction(done: Replay, number: int, by: Actor) -> int:
    return ledger.add_report(
        NewReport(
            entry=uuid4(),
            sitting_id=done.table.sitting_id,
            number=number,
            device=by.device,
            user_id=by.user_id,
            sheet=done.written[number].sheet,
            now=by.at,
            verdict=Verdict.CORRECTION,
            answer={},
        )
    )


def _points(done: Replay) -> dict[int, dict[str, BeforeAfter]]:
    """Return the tallies that move, as they are and as they will be."""
    if not done.table.tallied:
        return {}
    moves = {key: by for key, by in done.difference().entrants.items() if by}
    kept = Tally.objects.filter(entrant__in={entrant for entrant, _ in moves})
    before = {(one.entrant_id, one.key): one.amount for one in kept}
    points: dict[int, dict[str, BeforeAfter]] = {}
    for (entrant, key), by in sorted(moves.items()):
        was = before.get((entrant, key), 0)
        points.setdefault(entrant, {})[key] = (was, was + by)
    return points


def _places(tournament: Tournament) -> dict[int, int]:
    return {row.entrant: row.place for row in standings(tournament).rows}


def _moved_places(before: Mapping[int, int], after: Mapping[int, int]) -> dict[int, BeforeAfter]:
    return {
        entrant: (before[entrant], place)
        for entrant, place in after.items()
        if before[entrant] != place
    }


def _rounds_after(table: TableNow) -> tuple[int, ...]:
    """Return the numbers of the rounds seated after this one."""
    this = Round.objects.get(pk=table.round_id)
    later = Round.objects.filter(tournament_id=this.tournament_id, number__gt=this.number)
    seated = later.exclude(state=RoundState.UNDONE).order_by("number")
    return tuple(seated.values_list("number", flat=True))
