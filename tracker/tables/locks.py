"""Locks on tables (sittings), tournaments and players, and the order in which they are taken.

Every transaction takes its locks in this order, so that no two can deadlock:

1. the tournament, 2. the night, 3. the round, 4. tables (sittings) in the order of their round
numbers and keys, 5. people in the order of their keys, 6. what belongs to a table (issues, hands,
texts, its card), 7. sums (stored tallies): of seats, then of entrants, in the order of their keys.

=====================================  ======================================================
transaction, by what it does           locks, in this order
=====================================  ======================================================
a report, a call, a query, a record    its table; a report then its sums
a correction, settling, paper of one   its table, those of later rounds; sums
confirming, taking the last back       its table, those of later rounds; sums
exchanging seats, paper of many        all tables of the tournament; people; sums
replacing, a previewed change          tournament, its nights, all tables; people; sums
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
erasing                                tournaments, nights and tables that name the player; people
a table for those who are free         tournament, night; then as closing and opening
renewing and withdrawing cards         tables played there; their cards by key
arriving, leaving, the door            night; new people by name
recounting                             all tables of the tournament; sums
clocks, breaks                         night, round
=====================================  ======================================================

Keys of tables need not rise with their rounds: a table may join round 1 while round 2 is undone.
Sums change once in a transaction, or while all tables of the tournament are locked. A row that only
refers to a locked one is inserted without waiting: the locks are ``FOR NO KEY UPDATE``. Trap:
without ``of`` a query locks the rows of every table that it joins. SQLite lets one
transaction write at a time, and needs none of this. The holder of a table's lock is the only one to
number, change or tally its hands, so it comes first in a transaction. ``lock_…`` functions read or
check what they lock; ``hold_…`` functions only lock.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import connection

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import ClubNight, Player, Round, RoundState, Seat, Tournament
from tracker.tables.sql import execute, select_tables, table_condition, tables_of_rows
from tracker.tables.table_now import TableNow

_LOCK_TABLE = "SELECT id FROM tracker_sitting s WHERE {where} ORDER BY id FOR NO KEY UPDATE"
_LOCK_TABLES = (
    "SELECT s.id FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
    " WHERE {where} ORDER BY r.number, s.id FOR NO KEY UPDATE OF s"
)
_LOCK_BY_KEY = _LOCK_TABLES.format(where="s.id = ANY(%s)")
_LOCK_OF_TOURNAMENTS = _LOCK_TABLES.format(where="r.tournament_id = ANY(%s)")
_LOCK_LATER = _LOCK_TABLES.format(where="r.tournament_id = %s AND r.number > %s AND r.state <> %s")


def lock_table(**key: str | int) -> TableNow:
    """Lock the table with one key, ``token`` or ``sitting_id``; return it as it is once locked.

    :raises LookupError: if no sitting has this ``sitting_id``.
    :raises Refused: ``token-unknown`` or ``token-revoked`` for a ``token``.
    """
    condition, values = table_condition(key)
    statements = [select_tables(condition, values)]
    if connection.vendor == "postgresql":
        # A separate statement: the next statement then sees the changes for which this one waited.
        statements.insert(0, (_LOCK_TABLE.format(where=condition), values))
    table = next(iter(tables_of_rows(execute(*statements)[-1])), None)
    if "sitting_id" in key:
        if table is None:
            raise LookupError(key["sitting_id"])
        return table
    if table is None:
        template = gettext_noop("Nobody knows this table’s address: scan the table’s card again.")
        raise Refused("token-unknown", template)
    if table.withdrawn:
        template = gettext_noop("This table’s address was withdrawn. Scan the table’s card again.")
        raise Refused("token-revoked", template)
    return table


def lock_tables(sitting_ids: Iterable[int]) -> list[TableNow]:
    """Lock tables in the order of their keys: tables of one round, or tables locked already."""
    return [lock_table(sitting_id=key) for key in sorted(set(sitting_ids))]


def hold_tables(sitting_ids: Iterable[int]) -> None:
    """Lock these tables, which may be of several rounds, without reading them."""
    if connection.vendor == "postgresql":
        execute((_LOCK_BY_KEY, [sorted(set(sitting_ids))]))


def hold_tables_of(tournament_ids: Iterable[int]) -> None:
    """Lock every table of these tournaments, after waiting for reports that are being stored."""
    if connection.vendor == "postgresql":
        statement = (_LOCK_OF_TOURNAMENTS, [sorted(set(tournament_ids))])
        # Twice: the second also locks tables of a round that was opened while the first waited.
        execute(statement, statement)


def hold_tournament(tournament_id: int) -> Tournament:
    """Lock a tournament, the nights at which it is played, and all its tables."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    nights = ClubNight.objects.select_for_update(no_key=True).order_by("pk")
    list(nights.filter(pk__in=Round.objects.filter(tournament=tournament).values("night")))
    hold_tables_of([tournament_id])
    return tournament


def hold_later_tables(table: TableNow) -> None:
    """Lock the tables of rounds after this *table*, whose ``dealt_before`` may change with it.

    The table itself is locked already. No later round can be opened meanwhile: a transaction that
    opens one first locks the tables of earlier rounds.
    """
    if connection.vendor == "postgresql":
        values = [table.tournament_id, table.round_number, RoundState.UNDONE.value]
        execute((_LOCK_LATER, values))


def lock_free_players(players: Sequence[int]) -> None:
    """Lock these players, and check that none sits in a running round or is named twice.

    :raises Refused: ``seated-twice``, ``seated-already``, or ``player-merged`` if one was
        merged into another meanwhile.
    """
    # Locked in one order, so that two transactions that open rounds cannot deadlock.
    people = Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk")
    by_key = {player.pk: player for player in people}
    named_twice = [player for player, times in Counter(players).items() if times > 1]
    if named_twice:
        template = gettext_noop("%(who)s cannot sit in two places at once: clear one of them.")
        raise Refused("seated-twice", template, who=by_key[named_twice[0]].name)
    if merged := next((player for player in by_key.values() if player.merged_into_id), None):
        template = gettext_noop("%(who)s was merged into another player just now: choose again.")
        raise Refused("player-merged", template, who=merged.name)
    seats = Seat.objects.active().filter(player__in=players).order_by("pk")
    if seat := seats.select_related("player", "sitting__round__tournament").first():
        raise Refused(
            "seated-already",
            gettext_noop(
                "%(who)s still sits at table %(table)d of “%(tournament)s”: "
                "close round %(round)d there first."
            ),
            who=seat.player.name,
            table=seat.sitting.number,
            tournament=seat.sitting.round.tournament.name,
            round=seat.sitting.round.number,
        )
