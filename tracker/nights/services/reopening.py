"""Opening a round again that was closed too early."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.ledger.locks import hold_tables_of
from tracker.ledger.seated import check_free
from tracker.models import (
    AwardKind,
    Hand,
    ResultType,
    Round,
    RoundState,
    TokenState,
    Tournament,
)
from tracker.nights.services.closing import NOT_PLAYED
from tracker.reports.services.corrections import STRIKE, correct_sitting
from tracker.seating.logic import clocks
from tracker.seating.services.opening import check_tables
from tracker.seating.services.rounds import finish_whole_tables, locked_round, record_round
from tracker.standings.queries.awards import RESTED


@transaction.atomic
def reopen_round(*, round_id: int, by: Actor) -> Round:
    """Let the last round go on as it was before it was closed; an open one is left alone.

    Tables that were not full may report again, and those that were stay finished. What closing
    gave and wrote is taken back, and comes again when the round is closed: credits for resting,
    hands that nobody played (they are struck), the standing as it was published. The clock
    stood while the round was closed. Late reports still wait for the organiser.

    :raises Refused: ``tournament-over``, ``round-undone``, ``round-not-last`` if another round
        followed, ``night-over`` if everybody was sent home, ``seated-already`` or ``table-taken``
        if its people or its tables play elsewhere by now.
    """
    # The tournament before its round, as whoever opens the next one does.
    tournament = Tournament.objects.select_for_update(no_key=True).get(rounds=round_id)
    round_ = locked_round(round_id)
    if round_.state == RoundState.OPEN:
        return round_
    _check_last(tournament, round_)
    hold_tables_of([tournament.pk])
    check_free(list(round_.seats.running().values_list("player", flat=True)))
    check_tables(round_)

    closed_at = round_.closed_at or by.at
    round_.clock = _stood(round_.clock, closed_at, by.at)
    round_.state, round_.closed_at, round_.published_standing = RoundState.OPEN, None, None
    round_.save(update_fields=["clock", "state", "closed_at", "published_standing"])
    round_.sittings.filter(token_state=TokenState.CLOSED).update(token_state=TokenState.OPEN)
    if tournament.provisional_until is not None:  # it goes on after all
        tournament.provisional_until = None
        tournament.save(update_fields=["provisional_until"])
    rests = round_.awards.filter(kind=AwardKind.RESTING, reason=RESTED, withdrawn_at=None)
    credited, _ = rests.delete()
    struck = _strike_never_played(round_, closed_at, by)
    finish_whole_tables(round_id, by.at)
    record_round(by, "round-reopened", round_, struck=struck, rests=credited)
    return round_


def _check_last(tournament: Tournament, round_: Round) -> None:
    if tournament.official_at is not None:
        raise Refused("tournament-over", gettext_noop("This tournament is finished."))
    if round_.state != RoundState.CLOSED:
        raise Refused("round-undone", gettext_noop("This round was undone."))
    later = tournament.rounds.filter(number__gt=round_.number)
    if later.exclude(state=RoundState.UNDONE).exists():
        raise Refused(
            "round-not-last",
            gettext_noop("Only the last round can be reopened, and others followed this one."),
        )
    if round_.night and round_.night.ended_at is not None:
        raise Refused("night-over", gettext_noop("This night is finished: reopen it first."))


def _stood(clock: Mapping[str, Any], since: datetime, until: datetime) -> dict[str, Any]:
    """Return the clock as though it had been paused while the round was closed."""
    before = clocks.read(clock)
    if before is None or not before.running:
        return dict(clock)
    return clocks.to_json(clocks.resume(clocks.pause(before, since), until))


def _strike_never_played(round_: Round, closed_at: datetime, by: Actor) -> int:
    """Strike what closing wrote down as not played, and return how many hands that were."""
    never = Hand.objects.filter(
        sitting__round=round_,
        result_type__in=[ResultType.NOT_PLAYED, ResultType.GAME_NOT_PLAYED],
        reason=NOT_PLAYED,
        recorded_at=closed_at,
        struck_at=None,
    )
    by_table: dict[int, list[int]] = defaultdict(list)
    for sitting, number in never.order_by("sitting", "number").values_list("sitting", "number"):
        by_table[sitting].append(number)
    for sitting, numbers in by_table.items():
        correct_sitting(
            sitting_id=sitting,
            changes=dict.fromkeys(numbers, STRIKE),
            reason=gettext_noop("The round goes on"),
            by=by,
        )
    return sum(map(len, by_table.values()))
