"""Trial import of a file into an empty database in memory, which counts its hands again.

To count a hand is to score its sheet (the answers written down after it) by the rules of the game.
*Tallies* are the sums of what the hands gave each seat and each entrant.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper

from tracker.common.actor import Actor
from tracker.common.figures import figure
from tracker.models import Club, Round, RoundState, Sitting, Tournament
from tracker.results.services.recount import table_findings
from tracker.standings.queries.standings import published_places, standings
from tracker.tables.dealing_history import DealingHistory, dealing_history
from tracker.tables.replay import ReplayRefused, hands_by_number, replay
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow
from tracker.tables.tallies import Tallies, add_to_tallies, tallies_of
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.logic.packing import unpack
from tracker.tournament_files.logic.reading import read_document
from tracker.tournament_files.queries.matches import Matches
from tracker.tournament_files.services.insertion import Insertion, keys_needed

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The outcome of a trial import."""

    document: Document
    tallies: Tallies
    differences: list[dict[str, Any]]


def try_file(content: bytes, *, by: Actor) -> Trial:
    """Import a file into an empty database in memory, as by a club that knows nobody.

    :raises InvalidFileError: at the first invalid value in the file.
    """
    file = unpack(content)
    with file.checking():
        document = read_document(file.document, by.at)
        keys = {model: range(1, most + 1) for model, most in keys_needed(document).items()}
        nobody_known = Matches(
            tuple((None, person.name) for person in document.people),
            tuple((None, team.name) for team in document.teams),
        )
        return try_insertion(Insertion(document, nobody_known, keys, club_id=1, by=by))


def try_insertion(insertion: Insertion) -> Trial:
    """Insert a document into an empty database in memory; count its hands and standings again.

    No lock is taken, and nothing is stored.

    :raises InvalidFileError: at the first value that differs.
    """
    return with_empty_database(lambda: _insert_and_count(insertion))


@transaction.atomic
def _insert_and_count(insertion: Insertion) -> Trial:
    Club.objects.create(pk=insertion.club_id, name="-")
    insertion.convert()
    insertion.insert(with_known=True)
    stages, sums = list(Tournament.objects.order_by("pk")), Tallies()
    for stage in stages:
        history = dealing_history(stage.pk)
        sittings = Sitting.objects.filter(round__tournament=stage).values_list("pk", flat=True)
        for table in read_tables(sittings=sittings):
            _count_table(table, history, insertion.tables[table.sitting_id], insertion.by, sums)
    add_to_tallies(sums)
    differences = [each for stage in stages for each in _differences(stage)]
    return Trial(document=insertion.document, tallies=sums, differences=differences)


def _count_table(
    table: TableNow, history: DealingHistory, where: str, by: Actor, sums: Tallies
) -> None:
    """Count a table again, and add its tallies to the *sums*; *where* is its path in the file.

    :raises InvalidFileError: at the first hand, or column of the table, that differs.
    """
    # Tables of an undone round are not in the tallies, and nobody keeps their ``dealt_before``.
    dealt_before = history.before_table(table)
    if table.tallied and dealt_before != table.dealt_before:
        raise _differs(f"{where}.dealt_before", table.dealt_before_json, list(dealt_before))
    hands = hands_by_number(table.sitting_id)
    try:
        replayed = replay(table, hands, changes={}, first=1)  # all hands, as their sheets are
    except ReplayRefused as refusal:
        sheet = f"{where}.hands[{refusal.number - 1}].sheet"
        raise InvalidFileError.of(refusal, sheet) from refusal
    for number, hand in hands.items():
        for name, counted_value in replayed.changed_fields(number).items():  # the first, if any
            field = f"{where}.hands[{number - 1}].{name}"
            raise _differs(field, getattr(hand, name), counted_value)
    for finding in table_findings(where, replayed, by):
        raise _differs(f"{where}.{finding.what}", finding.stored, finding.counted)
    if table.tallied:
        sums.add(tallies_of(replayed.hand_marks, table))


def _differs(where: str, stored: object, counted: object) -> InvalidFileError:
    shown = {"kept": str(stored)[:200], "counted": str(counted)[:200]}
    return InvalidFileError("differs", where, changed=False, **shown)


def _differences(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield entrants whose published points or place differ; in a bracket places may differ.

    Each with the place and points that were published, and with those counted again, as JSON.
    """
    closed = Round.objects.filter(tournament=tournament, state=RoundState.CLOSED)
    for round_ in closed.exclude(published_standing=None).order_by("number"):
        published = published_places(round_)
        standing = standings(tournament, upto=round_)
        points = standing.criteria[0]  # the figure that ranks first
        rows = {row.entrant: row for row in standing.rows}
        for entrant in published.keys() & rows.keys():
            in_file, counted = published[entrant], rows[entrant]
            counted_points = counted.figures[points.key]
            same_place = tournament.has_bracket or in_file.place == counted.place
            if not same_place or in_file.points != counted_points:
                yield {
                    "stage": tournament.name,
                    "round": round_.number,
                    "name": counted.name,
                    "published": (in_file.place, figure(in_file.points, percent=points.percent)),
                    "counted": (counted.place, figure(counted_points, percent=points.percent)),
                }


# An empty database in memory ----------------------------------------------------------------------


def with_empty_database(work: Callable[[], T]) -> T:
    """Run *work* in a thread whose database is empty and in memory, and return its result."""

    def in_thread() -> T:
        thread_connections: Any = connections  # those of this thread only
        thread_connections[DEFAULT_DB_ALIAS] = scratch = _empty_database()
        try:
            with connection.cursor() as cursor:
                for statement in _schema():
                    cursor.execute(statement)
            return work()
        finally:
            scratch.connection.close()  # Django's own close() leaves a database in memory open

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(in_thread).result()


def _empty_database() -> DatabaseWrapper:
    """Return a connection to a new database in memory, which has no tables yet."""
    settings = connections.settings[DEFAULT_DB_ALIAS]
    chosen = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    return DatabaseWrapper({**settings, **chosen}, DEFAULT_DB_ALIAS)


@cache
def _schema() -> tuple[str, ...]:
    """Return the SQL that creates the site's tables, indexes and constraints."""
    scratch = _empty_database()
    with scratch.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)
    with scratch.cursor() as cursor:
        # Rows without SQL (indexes of constraints) and ``sqlite_sequence`` SQLite adds by itself.
        query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'"
        cursor.execute(query)
        statements = tuple(sql for (sql,) in cursor.fetchall())
    scratch.connection.close()
    return statements
