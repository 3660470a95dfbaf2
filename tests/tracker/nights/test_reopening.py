"""A closed round goes on as it was; what closing gave and wrote is taken back, and comes again."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import (
    Award,
    Hand,
    Issue,
    LogEntry,
    Role,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.nights.services.closing import close_round, pending_tables, reopen_round
from tracker.nights.services.nights import end_night
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.recount import recount
from tracker.results.services.settling import IssueOutcome, settle
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import finish_tournament, publish_standing
from tracker.tables.clocks import read_round_clock

pytestmark = pytest.mark.django_db

FIVE = ("Asha", "Neema", "Juma", "Baraka", "Ali")
WON = {"eaten": [70, 50]}


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


def seated(tournament: Tournament, *names: str, night_id: int | None = None) -> Round:
    """Open a round of these people, the last of whom rests where no table is left for them."""
    people = [make.player(name, club=tournament.club) for name in names or FIVE]
    entrants = [make.entrant(person, at=tournament).pk for person in people]
    return seat_round(
        tournament_id=tournament.pk,
        entrants=entrants,
        night_id=night_id,
        by=make.actor(),
        rng=Random(7),
    )


def close(round_: Round, minutes: int = 30, **how: Any) -> Round:
    return close_round(round_id=round_.pk, by=make.actor(at=at(minutes)), **how)


def reopen(round_: Round, minutes: int = 40) -> Round:
    return reopen_round(round_id=round_.pk, by=make.actor(at=at(minutes)))


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def points(tournament: Tournament) -> dict[str, object]:
    standing = standings(tournament)
    return {row.name: row.figures for row in standing.rows}


def test_tables_go_on_where_they_were(tournament: Tournament) -> None:
    round_ = seated(tournament)
    sitting = round_.sittings.get()
    make.report(sitting, WON)
    before = points(tournament)
    close(round_, anyway=True)

    reopened = reopen(round_)
    again = reopen(round_)

    sitting.refresh_from_db()
    assert (reopened.state, again.state) == (RoundState.OPEN, RoundState.OPEN)
    assert (reopened.closed_at, reopened.published_standing) == (None, None)
    assert (sitting.token_state, sitting.finished_at) == (TokenState.OPEN, None)
    assert points(tournament) == before
    assert make.report(sitting, WON).verdict == "accepted"
    assert Sitting.objects.get().finished_at is not None
    assert LogEntry.objects.filter(verb="round-reopened").count() == 1


def test_a_table_that_had_finished_stays_finished(tournament: Tournament) -> None:
    round_ = seated(tournament, *FIVE[:4])
    for _ in range(2):
        make.report(round_.sittings.get(), WON, now=at(5))
    close(round_)

    reopen(round_)

    assert round_.sittings.get().finished_at == at(5)


@pytest.mark.parametrize("how", ["closed", "closed and taken back", "taken back"])
def test_a_hand_struck_meanwhile_is_owed_again(tournament: Tournament, how: str) -> None:
    round_ = seated(tournament, *FIVE[:4])
    sitting = round_.sittings.get()
    for _ in range(2):
        make.report(sitting, WON, now=at(5))
    by = make.actor(at=at(35))
    if "closed" in how:
        close(round_)
    if "taken back" in how:
        undo_round(round_id=round_.pk, by=by)

    correct_sitting(sitting_id=sitting.pk, changes={2: STRIKE}, reason="Dealt twice", by=by)
    if "taken back" in how:
        restore_round(round_id=round_.pk, by=make.actor(at=at(38)))
    reopen(round_)

    assert round_.sittings.get().finished_at is None
    assert not recount(tournament_id=tournament.pk, by=make.actor()).findings
    assert make.report(sitting, WON).verdict == "accepted"


def test_a_hand_that_came_late_makes_its_table_whole(tournament: Tournament) -> None:
    round_ = seated(tournament, *FIVE[:4])
    sitting = round_.sittings.get()
    make.report(sitting, WON)
    undo_round(round_id=round_.pk, by=make.actor(at=at(30)))
    make.report(sitting, WON, now=at(35))
    issue = Issue.objects.get()
    settle(issue_id=issue.pk, outcome=IssueOutcome.TAKE, reason="", by=make.actor(at=at(36)))

    restore_round(round_id=round_.pk, by=make.actor(at=at(38)))

    assert round_.sittings.get().finished_at is not None
    assert not recount(tournament_id=tournament.pk, by=make.actor()).findings


def test_credits_for_resting_go_and_come_again(tournament: Tournament) -> None:
    round_ = seated(tournament)
    close(round_, anyway=True)
    given = Award.objects.count()

    reopen(round_)
    meanwhile = Award.objects.count()
    close(round_, anyway=True)

    assert (given, meanwhile, Award.objects.count()) == (1, 0, 1)


def test_a_credit_that_was_taken_back_is_not_given_again(tournament: Tournament) -> None:
    round_ = seated(tournament)
    close(round_, anyway=True)
    Award.objects.update(withdrawn_at=NOON)

    reopen(round_)
    close(round_, anyway=True)

    assert [award.withdrawn_at for award in Award.objects.all()] == [NOON]


def test_hands_that_nobody_played_are_owed_again(tournament: Tournament) -> None:
    round_ = seated(tournament)
    sitting = round_.sittings.get()
    make.report(sitting, WON)
    close(round_, not_played=True)
    whole = pending_tables(round_)

    reopen(round_)

    assert whole == []
    assert [table.progress.owed for table in pending_tables(round_)] == [1]
    assert make.report(sitting, WON).verdict == "accepted"
    assert pending_tables(round_) == []
    assert Hand.objects.filter(struck_at=None, marks__isnull=False).count() == 2


def test_a_report_that_came_late_still_waits(tournament: Tournament) -> None:
    round_ = seated(tournament)
    close(round_, anyway=True)
    make.report(round_.sittings.get(), WON)

    reopen(round_)

    assert Issue.objects.get(settled_at=None).kind == "late"
    assert not Hand.objects.exists()


def test_a_standing_that_is_up_comes_down(tournament: Tournament) -> None:
    round_ = seated(tournament)
    close(round_, anyway=True)
    publish_standing(tournament_id=tournament.pk, until=at(60), by=make.actor())

    reopen(round_)

    tournament.refresh_from_db()
    assert tournament.provisional_until is None


def test_the_clock_stood_while_the_round_was_closed(tournament: Tournament) -> None:
    round_ = seated(tournament)
    start_clock(round_id=round_.pk, minutes=45, by=make.actor())
    close(round_, 30, anyway=True)

    reopened = reopen(round_, 50)

    reading = read_round_clock(reopened, now=at(50))
    assert reading is not None
    assert reading.text == "15:00"


def later_round(round_: Round) -> None:
    close(seated(round_.tournament), anyway=True)


def finished(round_: Round) -> None:
    finish_tournament(tournament_id=round_.tournament_id, by=make.actor())


def undone(round_: Round) -> None:
    undo_round(round_id=round_.pk, by=make.actor())


def sits_elsewhere(round_: Round) -> None:
    seated(make.tournament(club=round_.tournament.club, name="Another"))


def table_taken(round_: Round) -> None:
    elsewhere = make.tournament(club=round_.tournament.club, name="Another")
    seated(elsewhere, "Ana", "Bela", "Cesar", "Dani", night_id=round_.night_id)


def all_at_home(round_: Round) -> None:
    assert round_.night_id is not None
    end_night(night_id=round_.night_id, by=make.actor())


@pytest.mark.parametrize(
    ("meanwhile", "code"),
    [
        (later_round, "round-not-last"),
        (finished, "tournament-over"),
        (undone, "round-undone"),
        (sits_elsewhere, "seated-already"),
        (table_taken, "table-taken"),
        (all_at_home, "night-over"),
    ],
)
def test_what_came_after_it_keeps_a_round_closed(
    tournament: Tournament, meanwhile: Callable[[Round], None], code: str
) -> None:
    round_ = seated(tournament, night_id=make.night(tournament.club).pk)
    close(round_, anyway=True)
    meanwhile(round_)

    with pytest.raises(Refused) as refusal:
        reopen(round_)

    assert refusal.value.code == code


def test_a_closed_round_does_not_come_back_beside_one_that_goes_on(
    tournament: Tournament,
) -> None:
    first = seated(tournament)
    close(first, anyway=True)
    second = seated(tournament)
    close(second, anyway=True)
    undo_round(round_id=second.pk, by=make.actor())
    reopen(first)

    with pytest.raises(Refused) as refusal:
        restore_round(round_id=second.pk, by=make.actor())

    assert refusal.value.code == "round-open"


@pytest.mark.parametrize("place", ["desk", "night"])
def test_one_tap_opens_it_again(organiser: Client, tournament: Tournament, place: str) -> None:
    night = make.night(tournament.club)
    round_ = seated(tournament, night_id=night.pk)
    close(round_, anyway=True)
    url = reverse("desk", args=[tournament.pk]) if place == "desk" else night.get_absolute_url()

    offered = organiser.get(url)
    opened = organiser.post(url, {"do": "reopen-round", "round": round_.pk}, follow=True)
    gone = organiser.post(url, {"do": "reopen-round", "round": "0"}, follow=True)

    assert "Reopen round 1" in offered.text
    assert "Round 1 is open again: its tables can send results." in opened.text
    assert "Reopen round 1" not in opened.text
    assert "That is gone." in gone.text


def test_why_it_stays_closed_is_said(organiser: Client, tournament: Tournament) -> None:
    round_ = seated(tournament)
    close(round_, anyway=True)
    later_round(round_)

    page = organiser.post(
        reverse("desk", args=[tournament.pk]),
        {"do": "reopen-round", "round": round_.pk},
        follow=True,
    )

    assert "Only the last round can be reopened" in page.text
