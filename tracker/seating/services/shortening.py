"""Letting a round end sooner than it was to."""

from django.db import transaction
from django.db.models import Count, Q

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Round
from tracker.seating.services.rounds import lock_tables, record_round, running_round
from tracker.tournaments.services.tournaments import checked_length


@transaction.atomic
def shorten_round(*, round_id: int, length: int, by: Actor) -> Round:
    """Let the round end after fewer hands or games, alike at every table.

    :raises Refused: ``length`` if no round is so short, ``round-not-shorter`` if it would
        not be shorter, or ``played-more`` if some table has played more than that.
    """
    round_ = running_round(round_id)  # the round before its tables, as whoever closes it does
    lock_tables(round_id)
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
    tables = _played(round_)
    furthest = max(tables, key=lambda table: table[1], default=None)
    if furthest and furthest[1] > length:
        raise Refused(
            "played-more",
            gettext_noop("Table %(table)d has played %(done)d already: no round is shorter."),
            table=furthest[2],
            done=furthest[1],
        )
    setattr(round_, unit, length)
    round_.save(update_fields=[unit])
    full = [pk for pk, done, _number in tables if done >= length]
    round_.sittings.filter(pk__in=full, finished_at=None).update(finished_at=by.at)
    record_round(by, "round-shortened", round_, **{"from": whole, "to": length})
    return round_


def _played(round_: Round) -> list[tuple[int, int, int]]:
    """Return the key of each table, how much of the round it has played, and its number."""
    hands = Count("hands", filter=Q(hands__struck_at=None))
    return [
        (sitting.pk, sitting.games_over if round_.games is not None else counted, sitting.number)
        for sitting in round_.sittings.annotate(counted=hands)
        for counted in [sitting.counted]
    ]
