"""The order in which transactions take locks, so that they cannot deadlock.

1. the tournament, 2. the night, 3. the round, 4. tables by the numbers of their rounds and
their keys, 5. people by theirs, 6. what lies on a table (issues, hands, texts, its card),
7. sums: seats, then entrants, by key.

=====================================  ======================================================
who                                    locks, in this order
=====================================  ======================================================
a report, a call, a query, a record    its table; a report then its sums
a correction, settling, paper of one   its table, those of later rounds; sums
confirming, taking the last back       its table, those of later rounds; sums
exchanging seats, paper of many        all tables of the tournament; people; sums
replacing, a change seen, then kept    tournament, its nights, all tables; people; sums
closing                                round, all tables; sums
closing all that are full              rounds by key, all tables; sums
shortening                             round, its tables
deciding a level match                 its table
undoing, bringing back, reopening      tournament, round, all tables; people; sums
opening                                tournament, night, all tables; people
joining a round                        night, round, all tables; people
taking over a seat                     tournament, its table, those of later rounds; people
drawing, entering, standings           tournament; new people by name
finishing                              tournaments of the event by key
awards                                 the award
merging and telling apart              tournaments by key, nights, tables of all; people; sums
erasing                                tournaments, nights and tables named for somebody; people
a table for whoever is free            tournament, night; then as closing and opening
renewing and withdrawing cards         tables played there; their cards by key
arriving, leaving, the door            night; new people by name
recounting                             all tables of the tournament; sums
clocks, breaks                         night, round
=====================================  ======================================================

Keys of tables need not rise with their rounds: one may join round 1 while round 2 is taken
back. Sums move once in a transaction, or under all tables of the tournament. Whoever only
names a row in another waits for none of these locks: they are ``FOR NO KEY UPDATE``. Trap:
without ``of`` a query locks the rows of every table that it joins. SQLite lets one
transaction write at a time, and needs none of this.
"""

from collections.abc import Iterable

from django.db import connection

from tracker.models import ClubNight, Round, RoundState, Tournament
from tracker.tables.statements import execute
from tracker.tables.table import TableNow

_LOCK = (
    "SELECT s.id FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
    " WHERE {where} ORDER BY r.number, s.id FOR NO KEY UPDATE OF s"
)
_THESE = _LOCK.format(where="s.id = ANY(%s)")
_OF_TOURNAMENTS = _LOCK.format(where="r.tournament_id = ANY(%s)")
_LATER = _LOCK.format(where="r.tournament_id = %s AND r.number > %s AND r.state <> %s")


def hold_tables(sitting_ids: Iterable[int]) -> None:
    """Lock these tables, of whatever rounds."""
    if connection.vendor == "postgresql":
        execute((_THESE, [sorted(set(sitting_ids))]))


def hold_tables_of(tournament_ids: Iterable[int]) -> None:
    """Lock every table of these tournaments: what is being reported just now is in then."""
    if connection.vendor == "postgresql":
        # A round opened while the first statement waited is in the second.
        execute(*[(_OF_TOURNAMENTS, [sorted(set(tournament_ids))])] * 2)


def hold_tournament(tournament_id: int) -> Tournament:
    """Lock a tournament, the nights at which it is played, and all its tables."""
    held = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    nights = ClubNight.objects.select_for_update(no_key=True).order_by("pk")
    list(nights.filter(pk__in=Round.objects.filter(tournament=held).values("night")))
    hold_tables_of([tournament_id])
    return held


def hold_later_tables(table: TableNow) -> None:
    """Lock, after a table, those of later rounds: what they remember of dealers may move.

    No round is opened meanwhile: whoever opens one holds the tables before it.
    """
    if connection.vendor == "postgresql":
        values = [table.tournament_id, table.round_number, RoundState.UNDONE.value]
        execute((_LATER, values))
