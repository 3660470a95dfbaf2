"""Services that close a round, even if results are missing, and reopen it.

A *sitting* is a table in one round. An *owed* (or *short*) result is still missing. A *struck* hand
is one that was taken back, and is owed again. A match is *level* while its sides have equal points,
and has *one more* hand to play if all others were played.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import VOID
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import AwardKind, Hand, ResultType, Round, RoundState, TokenState, Tournament
from tracker.models.awards import RESTED
from tracker.results.services.confirming import confirm_table
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.result_only import record_result_type
from tracker.seating.services.rounds import (
    check_tables,
    finish_whole_tables,
    locked_round,
    record_round,
)
from tracker.standings.queries.awards import worth_of_a_rest
from tracker.standings.queries.standings import standing_to_publish
from tracker.tables.clocks import read_clock
from tracker.tables.locks import hold_tables_of, lock_free_players
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow
from tracker.tournaments.services.tournaments import check_goes_on

# The reason of the hands that closing records; reopening takes back exactly these.
NOT_PLAYED = gettext_noop("Not played in its round")


class Unconfirmed(StrEnum):
    """What closing a round does with hands that no other side has confirmed."""

    CONFIRM = "confirm"  # in the organiser's name
    LEAVE = "leave"  # unconfirmed: they count all the same


def pending_tables(round_: Round) -> list[TableNow]:
    """Return the tables that keep a round from closing, in order of their numbers.

    A call for the organiser does not keep it open. One query, two if sides have to agree.
    """
    return [table for table in read_tables(rounds=[round_.pk], to_do=True) if table.is_incomplete]


@transaction.atomic
def close_round(
    *,
    round_id: int,
    by: Actor,
    anyway: bool = False,
    not_played: bool = False,
    unconfirmed: Unconfirmed | None = None,
) -> Round:
    """Close a round and store its standing; reports that come later wait for the organiser.

    *anyway* closes it although hands are missing. *not_played* records every missing hand as void
    (it counts for nobody), and every missing game of several hands as one void hand. *unconfirmed*
    says what to do with hands that no other side has confirmed. A closed round stays as it is.

    :raises Refused: ``round-waits`` if something is missing and neither flag is set,
        ``match-level`` while a match that needs a winner is level,
        ``hands-unconfirmed`` if there are unconfirmed hands and *unconfirmed* is ``None``,
        ``round-undone`` if the round was undone.
    """
    round_ = locked_round(round_id)
    if round_.state == RoundState.CLOSED:
        return round_
    if round_.state != RoundState.OPEN:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    hold_tables_of([round_.tournament_id])
    waiting = pending_tables(round_)
    _check_waiting(round_, waiting, anyway=anyway or not_played, unconfirmed=unconfirmed)
    unconfirmed_hands = {table.sitting_id: table.to_do.unconfirmed_numbers for table in waiting}
    if unconfirmed is Unconfirmed.CONFIRM:
        for sitting, hand_numbers in unconfirmed_hands.items():
            if hand_numbers:
                confirm_table(sitting_id=sitting, numbers=hand_numbers, by=by)
        unconfirmed_hands = {}
    round_.state, round_.closed_at = RoundState.CLOSED, by.at
    # Saved before the tables, which end here without all results (a trigger would see the last of
    # them come in), and before the standing: from now on a match that is not whole counts.
    round_.save(update_fields=["state", "closed_at"])
    if not_played:
        for table in waiting:
            if owed := table.progress.owed:
                record_result_type(
                    sitting_id=table.sitting_id,
                    result_type=table.not_played_type,
                    bare=VOID,
                    times=owed,
                    reason=NOT_PLAYED,
                    by=by,
                )
    round_.sittings.filter(token_state=TokenState.OPEN).update(token_state=TokenState.CLOSED)
    round_.sittings.filter(finished_at=None).update(finished_at=by.at)
    credit_rests(round_)
    round_.published_standing = _standing_at_end(round_, waiting, unconfirmed_hands)
    round_.save(update_fields=["published_standing"])
    owed = sum(table.progress.owed for table in waiting)
    left = sum(map(len, unconfirmed_hands.values()))
    counts: dict[str, Any] = {"short": owed, "unconfirmed": left, "not_played": int(not_played)}
    record_round(by, "round-closed", round_, **counts)
    return round_


def _check_waiting(
    round_: Round, waiting: Sequence[TableNow], *, anyway: bool, unconfirmed: Unconfirmed | None
) -> None:
    """Refuse a request that does not say what to do with everything that the round still lacks."""
    for table in waiting:
        # The hands owed may still decide a level match, unless the round is closed without them.
        if table.progress.level and (anyway or table.progress.one_more or not table.progress.owed):
            raise Refused(
                "match-level",
                gettext_noop(
                    "Table %(table)d is level: let them play one more, or decide who goes on."
                ),
                table=table.number,
            )
    if not anyway and any(table.progress.owed or table.to_do.issues for table in waiting):
        raise Refused(
            "round-waits",
            gettext_noop("Some tables of round %(number)d are still playing."),
            number=round_.number,
        )
    if unconfirmed is None and any(table.to_do.unconfirmed for table in waiting):
        raise Refused(
            "hands-unconfirmed",
            gettext_noop("Some results are not confirmed: choose whether you confirm them."),
        )


@transaction.atomic
def close_finished(*, tournament_id: int, by: Actor) -> int:
    """Close every open round of a tournament that has all its results; return their number."""
    # All rounds are locked before any table, as ``close_round`` locks a round and then its tables:
    # in another order, two requests could wait for each other.
    rounds = Round.objects.select_for_update(no_key=True).order_by("pk")
    running = rounds.filter(tournament=tournament_id, state=RoundState.OPEN)
    finished = [round_ for round_ in running if not pending_tables(round_)]
    for round_ in sorted(finished, key=lambda round_: round_.number):
        close_round(round_id=round_.pk, by=by)
    return len(finished)


def credit_rests(round_: Round) -> None:
    """Give each entrant who sat out the award for a rest, unless they have it."""
    worth = worth_of_a_rest(round_.tournament)
    if worth is None:
        return
    for rest in round_.rests.sat_out():
        round_.awards.get_or_create(
            tournament=round_.tournament,
            entrant_id=rest.entrant_id,
            kind=AwardKind.RESTING,
            defaults={**worth, "reason": RESTED, "given_at": round_.closed_at},
        )


def _standing_at_end(
    round_: Round, waiting: Sequence[TableNow], unconfirmed_hands: Mapping[int, Sequence[int]]
) -> dict[str, Any]:
    """Return the standing as JSON, and under "missing" what each table lacked.

    *unconfirmed_hands* maps sittings to the numbers of the hands that stay unconfirmed.
    """
    missing = []
    for table in waiting:
        short, issues = table.progress.owed, table.to_do.issues
        count = len(unconfirmed_hands.get(table.sitting_id, ()))
        if short or issues or count:
            row = {"table": table.number, "short": short, "issues": issues}
            missing.append({**row, "unconfirmed": count} if count else row)
    return {**standing_to_publish(round_), "missing": missing}


@transaction.atomic
def reopen_round(*, round_id: int, by: Actor) -> Round:
    """Reopen the last round as it was before it was closed; an open one stays as it is.

    Tables that had all their hands stay finished, other tables may report again. What closing wrote
    is taken back: awards for sitting out, hands recorded as not played (they are struck), and the
    standing. The clock goes on from where it was. Late reports still wait for the organiser.

    :raises Refused: ``tournament-over``, ``round-undone``, ``round-not-last`` if another round
        followed, ``night-over`` if the night has ended, ``seated-already`` or ``table-taken``
        if its people or its tables play elsewhere now.
    """
    # Locked before its round, as by opening the next round: otherwise the two could deadlock.
    tournament = Tournament.objects.select_for_update(no_key=True).get(rounds=round_id)
    round_ = locked_round(round_id)
    if round_.state == RoundState.OPEN:
        return round_
    check_goes_on(tournament)
    if round_.state != RoundState.CLOSED:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    if tournament.rounds.filter(number__gt=round_.number).not_undone().exists():
        raise Refused(
            "round-not-last",
            gettext_noop("Only the last round can be reopened, and others followed this one."),
        )
    if round_.night and round_.night.ended_at is not None:
        raise Refused("night-over", gettext_noop("This night is finished: reopen it first."))
    hold_tables_of([tournament.pk])
    lock_free_players(list(round_.seats.running().values_list("player", flat=True)))
    check_tables(round_)
    closed_at = round_.closed_at or by.at  # ``or`` only for the type: a closed round has the time
    clock = read_clock(round_.clock)
    if clock is not None and clock.running:
        # The time while the round was closed does not count.
        round_.clock = clock.pause(closed_at).resume(by.at).to_json()
    round_.state, round_.closed_at, round_.published_standing = RoundState.OPEN, None, None
    round_.save(update_fields=["clock", "state", "closed_at", "published_standing"])
    round_.sittings.filter(token_state=TokenState.CLOSED).update(token_state=TokenState.OPEN)
    if tournament.provisional_until is not None:
        tournament.provisional_until = None
        tournament.save(update_fields=["provisional_until"])
    rests = round_.awards.filter(kind=AwardKind.RESTING, reason=RESTED, withdrawn_at=None)
    rests_deleted, _by_model = rests.delete()
    struck = _strike_never_played(round_, closed_at, by)
    finish_whole_tables(round_id, by.at)
    record_round(by, "round-reopened", round_, struck=struck, rests=rests_deleted)
    return round_


def _strike_never_played(round_: Round, closed_at: datetime, by: Actor) -> int:
    """Strike the hands that closing recorded as not played, and return their number."""
    hands = Hand.objects.filter(
        sitting__round=round_,
        result_type__in=[ResultType.NOT_PLAYED, ResultType.GAME_NOT_PLAYED],
        reason=NOT_PLAYED,
        recorded_at=closed_at,
        struck_at=None,
    )
    by_sitting: dict[int, list[int]] = defaultdict(list)
    for sitting, number in hands.order_by("sitting", "number").values_list("sitting", "number"):
        by_sitting[sitting].append(number)
    for sitting, numbers in by_sitting.items():
        correct_sitting(
            sitting_id=sitting,
            changes=dict.fromkeys(numbers, STRIKE),
            reason=gettext_noop("The round goes on"),
            by=by,
        )
    return sum(map(len, by_sitting.values()))
