"""Letting a round end sooner than it was to."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Round
from tracker.seating.services.rounds import lock_tables_of, record_round, running_round
from tracker.tournaments.services.tournaments import checked_length


@transaction.atomic
def shorten_round(*, round_id: int, length: int, by: Actor) -> Round:
    """Let the round end after fewer hands or games, alike at every table.

    :raises Refused: ``length`` if no round is so short, ``round-not-shorter`` if it would
        not be shorter, or ``played-more`` if some table has played more than that.
    """
    round_ = running_round(round_id)  # the round before its tables, as whoever closes it does
    tables = lock_tables_of(round_id)
    unit = "games" if round_.games is not None else "hands"
    whole = getattr(round_, unit)
    checked_length(length)
    if whole is not None and length >= whole:
        raise Refused(
            "round-not-shorter",
            gettext_noop("Round %(number)d is of %(whole)s: shorter is less than that."),
            number=round_.number,
            whole=whole,
        )
    furthest = max(tables, key=lambda table: table.progress.done_or_not, default=None)
    if furthest and furthest.progress.done_or_not > length:
        raise Refused(
            "played-more",
            gettext_noop("Table %(table)d has played %(done)d already: no round is shorter."),
            table=furthest.number,
            done=furthest.progress.done_or_not,
        )
    setattr(round_, unit, length)
    round_.save(update_fields=[unit])
    full = [table.sitting_id for table in tables if table.progress.done_or_not >= length]
    round_.sittings.filter(pk__in=full, finished_at=None).update(finished_at=by.at)
    record_round(by, "round-shortened", round_, **{"from": whole, "to": length})
    return round_
