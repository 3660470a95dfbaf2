"""Locks on tables (sittings), tournaments and players, and the order in which they are taken.

Every transaction takes its locks in this order, so that no two can deadlock:

1. the tournament, 2. the club night, 3. the round, 4. tables (the people around one table in one
round) in the order of their round numbers and keys, 5. people in the order of their keys, 6. what
belongs to a table (issues, hands, texts, its card), 7. sums (stored tallies of points): of seats,
then of entrants, in the order of their keys.

=====================================  ======================================================
what the transaction does              its locks in order (all tables: of the tournament)
=====================================  ======================================================
AT A TABLE
a hand is reported                     the table; sums
a call, a query, the moves of a hand   the table
its hands are corrected, settled,      the table, those of later rounds; sums
  confirmed, taken back, or typed in
many papers typed, seats exchanged     all tables; people; sums
a player takes over a seat             tournament, the table, those of later rounds; people
replacing a player, previewed changes  tournament, its nights, all tables; people; sums
a level match is decided               the table
cards are renewed or withdrawn         tables played there; their cards by key
IN A ROUND
it is opened                           tournament, night, all tables; people
a table joins it                       night, round, all tables; people
a table is opened for the free         tournament, night; then as closing and opening
its number of hands is lowered         round, its tables
it is closed                           round, all tables; sums
all that are complete are closed       rounds by key, all tables; sums
it is undone, restored or reopened     tournament, round, all tables; people; sums
its clock or a break is changed        night, round
ELSEWHERE
players are drawn, entered or ranked   tournament; new people by name
tallies are counted again              all tables; sums
a tournament is finished               tournaments of its event by key
points are awarded                     the award
people arrive at a night or leave it   night; new people by name
players are merged or told apart       tournaments by key, nights, tables of all; people; sums
a player's name is erased              tournaments, nights and tables that name the player; people
=====================================  ======================================================

Keys of tables need not rise with their rounds: a table may join round 1 while round 2 is undone.
Sums change once in a transaction, or while all tables of the tournament are locked. The locks are
``FOR NO KEY UPDATE``: a row that only refers to a locked one is inserted without waiting. Trap:
without ``of`` a query locks the rows of every database table that it joins. SQLite lets one
transaction write at a time, and needs none of this. Only the holder of a table's lock may number,
change or tally its hands, so a transaction takes it before it reads them. ``lock_…`` functions read
or check what they lock; ``hold_…`` functions only lock.
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
    """Lock tables in the order of their keys; they must be of one round, or locked already."""
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
    # ``list`` runs the query, which locks.
    list(nights.filter(pk__in=Round.objects.filter(tournament=tournament).values("night")))
    hold_tables_of([tournament_id])
    return tournament


def hold_later_tables(table: TableNow) -> None:
    """Lock the tables of rounds after this *table*, whose ``dealt_before`` may change with it.

    The table itself is locked already. No later round can be opened meanwhile: a transaction that
    opens one first locks the tables of earlier rounds.
    """
    if connection.vendor == "postgresql":
        undone = RoundState.UNDONE.value
        execute((_LOCK_LATER, [table.tournament_id, table.round_number, undone]))


def lock_free_players(players: Sequence[int]) -> None:
    """Lock these players, and check that none sits in a running round or is named twice.

    :raises Refused: ``seated-twice``, ``seated-already``, or ``player-merged`` if one was
        merged into another meanwhile.
    """
    people = Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk")
    by_key = {player.pk: player for player in people}
    if named_twice := [player for player, times in Counter(players).items() if times > 1]:
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
