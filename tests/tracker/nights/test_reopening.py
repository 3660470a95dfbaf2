"""A closed round goes on as it was; what closing gave and wrote is taken back, and comes again."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.models import (
    Award,
    Hand,
    Issue,
    LogEntry,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.nights.services.closing import close_round, pending_tables, reopen_round
from tracker.nights.services.nights import end_night
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import publish_standing
from tracker.tables.clocks import read_round_clock

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")
FIVE = (*FOUR, "Ali")
WON = {"eaten": [70, 50]}


@pytest.fixture
def round_(tournament: Tournament) -> Round:
    """Return an open round of one table at which two hands are played, and Ali rests."""
    return seated(tournament, night_id=make.night(tournament.club).pk)


def seated(tournament: Tournament, *names: str, night_id: int | None = None) -> Round:
    """Open a round of these people, the last of whom rests where no table is left for them."""
    people = [make.player(name, club=tournament.club) for name in names or FIVE]
    entrants = [make.entrant(person, at=tournament).pk for person in people]
    more: dict[str, Any] = {"night_id": night_id, "by": make.actor(), "rng": Random(7)}
    return seat_round(tournament_id=tournament.pk, entrants=entrants, **more)


def report(round_: Round, minutes: int = 0) -> str:
    return make.report(round_.sittings.get(), WON, now=at(minutes)).verdict


def close(round_: Round, minutes: int = 30, **how: Any) -> Round:
    return close_round(round_id=round_.pk, by=make.actor(at=at(minutes)), **how)


def reopen(round_: Round, minutes: int = 40) -> Round:
    return reopen_round(round_id=round_.pk, by=make.actor(at=at(minutes)))


def undo(round_: Round, minutes: int = 35) -> None:
    undo_round(round_id=round_.pk, by=make.actor(at=at(minutes)))


def restore(round_: Round) -> None:
    restore_round(round_id=round_.pk, by=make.actor(at=at(38)))


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def test_tables_go_on_where_they_were(tournament: Tournament, round_: Round) -> None:
    report(round_)
    before = [row.figures for row in standings(tournament).rows]
    close(round_, anyway=True)
    reopened, again = reopen(round_), reopen(round_)

    sitting = round_.sittings.get()
    assert (reopened.state, again.state) == (RoundState.OPEN, RoundState.OPEN)
    assert (reopened.closed_at, reopened.published_standing) == (None, None)
    assert (sitting.token_state, sitting.finished_at) == (TokenState.OPEN, None)
    assert [row.figures for row in standings(tournament).rows] == before
    assert report(round_) == "accepted"
    assert Sitting.objects.get().finished_at is not None
    assert LogEntry.objects.filter(verb="round-reopened").count() == 1


def test_a_table_that_had_finished_stays_finished(round_: Round) -> None:
    for _ in range(2):
        report(round_, 5)
    close(round_)
    reopen(round_)
    assert round_.sittings.get().finished_at == at(5)


@pytest.mark.parametrize("how", ["closed", "closed and taken back", "taken back"])
def test_a_hand_struck_meanwhile_is_owed_again(round_: Round, how: str) -> None:
    for _ in range(2):
        report(round_, 5)
    if "closed" in how:
        close(round_)
    if "taken back" in how:
        undo(round_)

    act.correct(round_.sittings.get(), {2: STRIKE}, at=at(35))
    if "taken back" in how:
        restore(round_)
    reopen(round_)

    assert round_.sittings.get().finished_at is None
    assert act.is_as_its_sheets_say(round_.tournament)
    assert report(round_) == "accepted"


def test_a_hand_that_came_late_makes_its_table_whole(round_: Round) -> None:
    report(round_)
    undo(round_, 30)
    report(round_, 35)
    act.settle("take", by=make.actor(at=at(36)))
    restore(round_)
    assert round_.sittings.get().finished_at is not None
    assert act.is_as_its_sheets_say(round_.tournament)


def test_credits_for_resting_go_and_come_again_unless_taken_back(round_: Round) -> None:
    close(round_, anyway=True)
    given = Award.objects.count()
    reopen(round_)
    meanwhile = Award.objects.count()
    close(round_, anyway=True)
    assert (given, meanwhile, Award.objects.count()) == (1, 0, 1)

    Award.objects.update(withdrawn_at=NOON)
    reopen(round_)
    close(round_, anyway=True)

    assert [award.withdrawn_at for award in Award.objects.all()] == [NOON]


def test_hands_that_nobody_played_are_owed_again(round_: Round) -> None:
    report(round_)
    close(round_, not_played=True)
    assert pending_tables(round_) == []
    reopen(round_)
    assert [table.progress.owed for table in pending_tables(round_)] == [1]
    assert report(round_) == "accepted"
    assert pending_tables(round_) == []
    assert Hand.objects.filter(struck_at=None, marks__isnull=False).count() == 2


def test_a_report_that_came_late_still_waits(round_: Round) -> None:
    close(round_, anyway=True)
    report(round_)
    reopen(round_)
    assert Issue.objects.get(settled_at=None).kind == "late"
    assert not Hand.objects.exists()


def test_a_standing_that_is_up_comes_down(tournament: Tournament, round_: Round) -> None:
    close(round_, anyway=True)
    publish_standing(tournament_id=tournament.pk, until=at(60), by=make.actor())
    reopen(round_)
    tournament.refresh_from_db()
    assert tournament.provisional_until is None


def test_the_clock_stood_while_the_round_was_closed(round_: Round) -> None:
    start_clock(round_id=round_.pk, minutes=45, by=make.actor())
    close(round_, 30, anyway=True)
    reading = read_round_clock(reopen(round_, 50), now=at(50))
    assert reading is not None
    assert reading.text == "15:00"


def later_round(round_: Round) -> None:
    close(seated(round_.tournament), anyway=True)


def finished(round_: Round) -> None:
    act.finish(round_.tournament)


def sits_elsewhere(round_: Round) -> None:
    seated(make.tournament(club=act.club_of(round_), name="Another"))


def table_taken(round_: Round) -> None:
    elsewhere = make.tournament(club=act.club_of(round_), name="Another")
    seated(elsewhere, "Ana", "Bela", "Cesar", "Dani", night_id=round_.night_id)


def all_at_home(round_: Round) -> None:
    end_night(night_id=round_.night_id or 0, by=make.actor())


@pytest.mark.parametrize(
    ("meanwhile", "code"),
    [
        (later_round, "round-not-last"),
        (finished, "tournament-over"),
        (undo, "round-undone"),
        (sits_elsewhere, "seated-already"),
        (table_taken, "table-taken"),
        (all_at_home, "night-over"),
    ],
)
def test_what_came_after_it_keeps_a_round_closed(round_: Round, meanwhile: Any, code: str) -> None:
    close(round_, anyway=True)
    meanwhile(round_)
    with act.refused(code):
        reopen(round_)


def test_a_closed_round_does_not_come_back_beside_one_that_goes_on(round_: Round) -> None:
    close(round_, anyway=True)
    second = seated(round_.tournament)
    close(second, anyway=True)
    undo(second)
    reopen(round_)
    with act.refused("round-open"):
        restore(second)


def test_one_tap_opens_it_again_or_it_is_said_why_not(organiser: Client, round_: Round) -> None:
    assert round_.night is not None
    desk = reverse("desk", args=[round_.tournament_id])
    tap = {"do": "reopen-round", "round": round_.pk}

    for url in (desk, round_.night.get_absolute_url()):
        close(round_, anyway=True)
        shows(organiser.get(url), "Reopen round 1")
        opened = organiser.post(url, tap, follow=True)
        shows(opened, "Round 1 is open again: its tables can send results.")
        lacks(opened, "Reopen round 1")
        shows(organiser.post(url, {**tap, "round": "0"}, follow=True), "That is gone.")
    close(round_, anyway=True)
    later_round(round_)
    shows(organiser.post(desk, tap, follow=True), "Only the last round can be reopened")
