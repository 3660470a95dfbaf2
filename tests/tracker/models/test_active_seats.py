"""A seat is active while its stint runs in an open round, whoever writes what; a player has one at most."""

import os
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from tests import make
from tests.meeting import Meeting
from tests.serving import beside, run_python
from tracker.models import Club, Player, Round, RoundState, Seat, Sitting

FOUR = ("Asha", "Neema", "Juma", "Baraka")
# Copies who sits at place 2: to a place, as a player, active or not, of a round.
_SIT = (
    "INSERT INTO tracker_seat (sitting_id, round_id, place, side, player_id, entrant_id, from_hand,"
    " active) SELECT sitting_id, round_id, {}, side, {}, entrant_id, 1, {} FROM tracker_seat"
    " WHERE {} AND place = 2"
)
WRITTEN = (
    "UPDATE tracker_seat SET active = NOT active",
    "UPDATE tracker_seat SET active = TRUE",
    "UPDATE tracker_seat SET to_hand = 0, active = TRUE WHERE place = 0",
    "UPDATE tracker_seat SET to_hand = NULL, active = FALSE WHERE place = 0",
    "UPDATE tracker_seat SET round_id = {closed} WHERE round_id = {open} AND place = 1",
    "UPDATE tracker_seat SET round_id = {open}, active = FALSE WHERE place = 1",
    "UPDATE tracker_round SET state = 'closed'",
    "UPDATE tracker_seat SET active = TRUE",
    "UPDATE tracker_round SET state = 'undone'",
    "UPDATE tracker_round SET state = 'open' WHERE id = {open}",
    _SIT.format("7", "{late}", "FALSE", "round_id = {open}"),
    _SIT.format("8", "{later}", "TRUE", "round_id = {closed}"),
)


def _write(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _unlike_their_rounds() -> list[Seat]:
    return [
        seat
        for seat in Seat.objects.select_related("round")
        if seat.active != (seat.to_hand is None and seat.round.state == RoundState.OPEN)
    ]


def _round_of(club: Club, *names: str, state: RoundState = RoundState.OPEN) -> Sitting:
    """Seat these people in a tournament of their own."""
    tournament = make.tournament(club=club, name=f"Cup of {names[0]}")
    return make.sitting(*names, in_round=make.round_of(tournament, state=state))


@pytest.mark.django_db
def test_seats_are_active_as_their_rounds_are_open_whatever_is_written(club: Club) -> None:
    playing, played = (
        _round_of(club, *FOUR),
        _round_of(club, "Ali", "Bea", "Cleo", "Dan", state=RoundState.CLOSED),
    )
    keys = {
        "open": playing.round_id,
        "closed": played.round_id,
        "late": make.player("Late", club=club).pk,
        "later": make.player("Later", club=club).pk,
    }
    assert Seat.objects.active().count() == 4

    for statement in WRITTEN:
        _write(statement.format(**keys))
        assert _unlike_their_rounds() == [], statement
    for seat in Seat.objects.all():
        Round.objects.filter(pk=seat.round_id).update(state=RoundState.CLOSED)
        seat.save()  # with what was read before
        assert _unlike_their_rounds() == []


@pytest.mark.django_db
@pytest.mark.parametrize("teams", [False, True])
def test_whatever_would_let_a_player_sit_in_two_running_rounds_is_refused(
    club: Club, *, teams: bool
) -> None:
    _playing, closed, left = (
        make.sitting(*names, in_round=make.round_of(make.tournament(club=club, teams=teams)))
        for names in (FOUR, ("Cleo", "Dan", "Eve", "Fay"), ("Gus", "Hal", "Ida", "Jan"))
    )
    asha = Player.objects.get(name="Asha")
    Round.objects.filter(pk=closed.round_id).update(state=RoundState.CLOSED)
    closed.seats.filter(place=0).update(player=asha)
    left.seats.filter(place=0).update(to_hand=0)
    left.seats.filter(place=0).update(player=asha)
    here = f"round_id = {left.round_id} AND place"
    before = list(Seat.objects.order_by("pk").values_list())

    for statement in (
        f"UPDATE tracker_round SET state = 'open' WHERE id = {closed.round_id}",
        f"UPDATE tracker_seat SET to_hand = NULL WHERE {here} = 0",
        f"UPDATE tracker_seat SET player_id = {asha.pk} WHERE {here} = 1",
        f"UPDATE tracker_seat SET active = FALSE, player_id = {asha.pk} WHERE {here} = 1",
        f"UPDATE tracker_seat SET round_id = {left.round_id} WHERE round_id = {closed.round_id}",
        _SIT.format(7, asha.pk, "FALSE", f"round_id = {left.round_id}"),
    ):
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            _write(statement)
        # SQLite names the column, PostgreSQL the constraint.
        assert (
            str(refusal.value)
            .splitlines()[0]
            .endswith(("tracker_seat.player_id", '"seat_one_active_a_player"'))
        ), statement
    assert list(Seat.objects.order_by("pk").values_list()) == before


@pytest.mark.django_db(transaction=True)
def test_somebody_sits_down_in_a_round_that_is_opened_just_then(club: Club) -> None:
    for opens_first in (False, True):
        sitting = _round_of(club, *(f"{name} {opens_first}" for name in FOUR))
        Round.objects.filter(pk=sitting.round_id).update(state=RoundState.CLOSED)
        seat = sitting.seats.get(place=0)
        Seat.objects.filter(pk=seat.pk).delete()
        seat.pk = None
        meeting = Meeting()

        def sit(*, stand_still: bool, seat: Seat = seat, meeting: Meeting = meeting) -> None:
            with transaction.atomic():
                seat.save(force_insert=True)
                if stand_still:
                    meeting.before(lambda: None)()

        def open_(
            *, stand_still: bool, of: int = sitting.round_id, meeting: Meeting = meeting
        ) -> None:
            with transaction.atomic():
                Round.objects.filter(pk=of).update(state=RoundState.OPEN)
                if stand_still:
                    meeting.before(lambda: None)()

        if opens_first:
            meeting.of(lambda: open_(stand_still=True), lambda: sit(stand_still=False))
        else:
            meeting.of(lambda: sit(stand_still=True), lambda: open_(stand_still=False))

        assert sitting.seats.filter(active=True).count() == 4


@pytest.mark.django_db(transaction=True)
def test_of_two_rounds_of_one_player_opened_at_once_one_is_refused(club: Club) -> None:
    first, other = (
        _round_of(club, "Asha", *names, state=RoundState.CLOSED)
        for names in (FOUR[1:], ("Ali", "Bea", "Cleo"))
    )
    meeting = Meeting()

    @transaction.atomic
    def open_first() -> None:
        Round.objects.filter(pk=first.round_id).update(state=RoundState.OPEN)
        meeting.before(lambda: None)()

    with pytest.raises(IntegrityError):
        meeting.of(
            open_first,
            lambda: Round.objects.filter(pk=other.round_id).update(state=RoundState.OPEN),
        )

    assert {*Seat.objects.active().values_list("sitting", flat=True)} == {first.pk}


# In a process and a database of its own: a database as it was, in which Asha sits twice.
_BEFORE = """
import django
django.setup()
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

def migrate(target):
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    return MigrationExecutor(connection).loader.project_state([target]).apps

then = migrate(("tracker", "0009_words_of_choices"))
row = lambda model, **fields: then.get_model("tracker", model).objects.create(**fields)
at = datetime(2026, 11, 20, tzinfo=UTC)
club = row("Club", name="Upanga")
asha, neema = (row("Player", club=club, name=name, name_key=name) for name in ("asha", "neema"))
for nth, state in enumerate(("open", "closed", "open", "open")):
    cup = row("Tournament", club=club, name="Cup", game="albastini", mode="2i", created_at=at)
    held = row("Round", tournament=cup, number=1, state=state)
    table = row("Sitting", round=held, number=1, mode="2i", token=str(nth), started_at=at,
                session={}, next_dealer=0)
    for place, player in enumerate((asha, neema)):
        entrant = row("Entrant", tournament=cup, player=player)
        row("Seat", sitting=table, round=held, place=place, side=place, player=player,
            entrant=entrant, to_hand=0 if (nth, place) == (3, 1) else None)
newest = [key for key in MigrationExecutor(connection).loader.graph.leaf_nodes("tracker")]
migrate(newest[0])
from tracker.models import Seat
print(list(Seat.objects.order_by("pk").values_list("sitting__token", "player__name", "active")))
from tracker.models import Round
print(Round.objects.filter(state="open").update(state="closed"), Seat.objects.active().count())
"""


def test_a_database_in_which_somebody_sat_twice_is_brought_up_to_date(tmp_path: Path) -> None:
    environment = beside(tmp_path)
    if url := os.environ.get("DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as link:
            link.execute("CREATE DATABASE as_it_was")
        environment["DATABASE_URL"] = urlunsplit(urlsplit(url)._replace(path="/as_it_was"))

    done = run_python("-c", _BEFORE, env=environment)

    assert done.stdout.splitlines() == [
        # The newest seat of each that runs in an open round is the one that counts.
        str(
            [
                ("0", "asha", False),
                ("0", "neema", False),
                ("1", "asha", False),
                ("1", "neema", False),
                ("2", "asha", False),
                ("2", "neema", True),
                ("3", "asha", True),
                ("3", "neema", False),
            ]
        ),
        "3 0",
    ], done.stderr
