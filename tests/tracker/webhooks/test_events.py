"""Every event becomes a delivery in the transaction that causes it, in whichever way it comes."""

import os
import threading
from collections.abc import Callable
from functools import partial

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests import act, make
from tests.drills.phones import at_once
from tests.meeting import Meeting
from tests.one_file import file_from_elsewhere
from tests.serving import wait_until
from tracker.models import (
    Club,
    Delivery,
    Event,
    ResultType,
    Sitting,
    Tournament,
    Webhook,
)
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.seating.services.rounds import shorten_round
from tracker.standings.services.standings import reopen_tournament
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
SHEET = {"eaten": [70, 50]}
WAITERS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def told(webhook: Webhook) -> list[str]:
    """Return the events that a webhook is to hear, as if this were committed."""
    connection.check_constraints()  # on PostgreSQL this runs the triggers that a commit would
    return list(webhook.deliveries.order_by("pk").values_list("event", flat=True))


def tables(club: Club, many: int = 2, *, hands: int = 2) -> list[Sitting]:
    """Seat tables in an open round."""
    tournament = make.tournament(club=club, hands=hands)
    return [make.sitting(at=tournament) for _ in range(many)]


def play(sitting: Sitting, hands: int) -> None:
    for _ in range(hands):
        make.report(sitting, SHEET)


def test_an_evening_is_told_in_order(club: Club, webhook: Webhook) -> None:
    tournament = make.tournament(club=club, hands=1)
    act.enter(tournament, "Asha", "Neema", "Juma", "Baraka", "Ali", "Bea", "Cleo", "Dan")
    act.draw(tournament)
    round_ = act.open_drawn(tournament)
    for sitting in round_.sittings.all():
        assert told(webhook) == ["round.opened"]
        play(sitting, 1)
    assert told(webhook)[1:] == ["results.in"]
    act.close(round_)
    act.finish(tournament)
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())
    act.finish(tournament)

    assert told(webhook) == [*Event.values, "standing.official"]
    first = webhook.deliveries.earliest("pk")
    assert (first.tournament, first.round) == (tournament, round_)
    assert (first.occurred_at, first.due_at, first.attempts) == (make.NOON, make.NOON, 0)
    assert len({each.uid for each in webhook.deliveries.all()}) == 5


def _corrected(first: Sitting, last: Sitting) -> None:
    play(last, 2)
    act.correct(last, {2: STRIKE})
    play(first, 2)
    act.correct(last, {2: RESTORE})


def _shortened(first: Sitting, last: Sitting) -> None:
    play(first, 1)
    play(last, 1)
    shorten_round(round_id=first.round_id, length=1, by=make.actor())


def _walkover(first: Sitting, last: Sitting) -> None:
    play(first, 2)
    record_result_type(
        sitting_id=last.pk,
        result_type=ResultType.WALKOVER,
        bare=0,
        times=None,
        reason="Ali did not come",
        by=make.actor(),
    )


def _wins(first: Sitting, last: Sitting) -> None:
    play(first, 2)
    record_wins(token=last.token, first=1, wins=[1, 1], ties=0, by=make.actor(device="d"))


@pytest.mark.parametrize("come_in", [_corrected, _shortened, _walkover, _wins])
def test_results_are_in_once_however_the_last_one_comes(
    club: Club, webhook: Webhook, come_in: Callable[[Sitting, Sitting], None]
) -> None:
    come_in(*tables(club))

    assert told(webhook) == ["results.in"]


def test_results_that_were_taken_back_are_in_again(club: Club, webhook: Webhook) -> None:
    [sitting] = tables(club, 1)
    play(sitting, 2)
    told(webhook)
    act.correct(sitting, {2: STRIKE})
    act.correct(sitting, {2: RESTORE}, at=make.NOON.replace(hour=13))

    assert told(webhook) == ["results.in"] * 2


@pytest.mark.parametrize("not_played", [False, True])
def test_of_a_round_closed_with_results_missing_only_that_is_told(
    club: Club, webhook: Webhook, *, not_played: bool
) -> None:
    first, _last = tables(club)
    play(first, 2)

    act.close(first.round, anyway=True, not_played=not_played)

    assert told(webhook) == ["round.closed"]


def test_nothing_is_told_of_what_is_rolled_back(club: Club, webhook: Webhook) -> None:
    [sitting] = tables(club, 1, hands=1)
    with transaction.atomic():
        play(sitting, 1)
        assert told(webhook) == ["results.in"]
        transaction.set_rollback(True)

    assert told(webhook) == []
    assert Sitting.objects.get().finished_at is None


def test_each_webhook_of_the_club_is_told_and_no_other(club: Club, webhook: Webhook) -> None:
    another, elsewhere, withdrawn = (
        Webhook.objects.create(url="https://a.example/", made_at=make.NOON, **more)
        for more in (
            {"club": club},
            {"club": make.club("Ilala")},
            {"club": club, "withdrawn_at": make.NOON},
        )
    )
    [sitting] = tables(club, 1, hands=1)
    play(sitting, 1)

    assert [told(each) for each in (webhook, another, elsewhere, withdrawn)] == [
        ["results.in"],
        ["results.in"],
        [],
        [],
    ]


def test_the_last_report_costs_no_statement_more(club: Club) -> None:
    cost = []
    for _ in range(2):
        [sitting] = tables(club, 1, hands=1)
        with CaptureQueriesContext(connection) as asked:
            play(sitting, 1)
        cost.append(len(asked))
        connection.check_constraints()
        Webhook.objects.create(club=club, url="https://a.example/", made_at=make.NOON)

    assert cost[0] == cost[1]
    assert Delivery.objects.count() == 1


def test_imports_tell_nothing(club: Club, webhook: Webhook) -> None:
    [sitting] = tables(club, 1, hands=1)
    play(sitting, 1)
    act.close(sitting.round)
    told_before = told(webhook)
    content = file_from_elsewhere(sitting.round.tournament)

    import_tournament(club_id=club.pk, content=content, choices=None, by=make.actor())

    assert Tournament.objects.count() == 2
    assert told(webhook) == told_before


@pytest.mark.django_db(transaction=True)
def test_two_last_tables_at_once_tell_it_once(club: Club, webhook: Webhook) -> None:
    for nth in range(1, 6):
        both = tables(club, hands=1)
        at_once([partial(_and_close, partial(make.report, table, SHEET)) for table in both])

        assert told(webhook) == ["results.in"] * nth


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="SQLite has one writer at a time")
def test_two_that_commit_at_the_same_moment_tell_it_once(club: Club, webhook: Webhook) -> None:
    """Both transactions are held within their commit, where neither sees the other yet."""
    both = tables(club, hands=1)
    key = f"hashtextextended('results_are_delivered', {both[0].round_id})"
    threads = [
        threading.Thread(target=_and_close, args=[partial(make.report, table, SHEET)])
        for table in both
    ]
    with psycopg.connect(_address(), autocommit=True) as line:
        line.execute(f"SELECT pg_advisory_lock({key})")
        for thread in threads:
            thread.start()
        wait_until(lambda: line.execute(WAITERS).fetchone() == (2,), "for both to commit", 30)
        line.execute(f"SELECT pg_advisory_unlock({key})")
        for thread in threads:
            thread.join()

    assert told(webhook) == ["results.in"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not os.environ.get("DATABASE_URL"), reason="SQLite has one writer at a time")
def test_last_reports_of_different_rounds_do_not_wait_for_each_other(
    club: Club, webhook: Webhook
) -> None:
    first, other = (
        tables(club, 1, hands=1)[0],
        make.sitting(*("Ali", "Bea", "Cleo", "Dan"), at=make.tournament(club=club, hands=1)),
    )
    meeting = Meeting()

    @transaction.atomic
    def report_and_stand_still() -> None:
        play(first, 1)
        connection.check_constraints()
        meeting.before(lambda: None)()

    told_meanwhile = list[str]()

    def report_the_other() -> None:
        play(other, 1)
        told_meanwhile.extend(told(webhook))

    meeting.of(report_and_stand_still, report_the_other)

    assert told_meanwhile == ["results.in"]
    assert told(webhook) == ["results.in"] * 2


def _and_close(act_: Callable[[], object]) -> None:
    """Do it in a thread, whose connection is closed afterwards."""
    try:
        act_()
    finally:
        connection.close()


def _address() -> str:
    """Return where the tests' own database is."""
    asked = connection.get_connection_params()
    return psycopg.conninfo.make_conninfo(
        "",
        **{
            name: asked[name]
            for name in ("dbname", "user", "password", "host", "port")
            if asked.get(name)
        },
    )
