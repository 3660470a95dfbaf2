"""A round is closed, while its last hand is on the way or over what nobody played, and reopened."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from games.sheet import Criterion
from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.models import (
    Award,
    Confirm,
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
from tracker.nights.services.closing import (
    Unconfirmed,
    close_finished,
    close_round,
    pending_tables,
    reopen_round,
)
from tracker.nights.services.nights import end_night
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.standings.queries.awards import rest_in_words
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import publish_standing
from tracker.tables.clocks import read_round_clock

pytestmark = pytest.mark.django_db
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}
OURS: dict[str, Any] = {"device": "a", "side": 0}
THEIRS: dict[str, Any] = {"device": "b", "side": 1}


@pytest.mark.django_db(transaction=True)
def test_closing_waits_for_the_hand_that_is_being_reported() -> None:
    first, second = two_tables(make.tournament(hands=1))
    make.report(first, WON)

    def close() -> Round:
        try:
            return act.close(first.round)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as desk:
        with transaction.atomic():
            make.report(second, LOST)
            closing = desk.submit(close)
            done, _waiting = wait([closing], timeout=0.5)
            assert not done  # it neither refuses nor closes past the hand
        closed = closing.result(timeout=30)

    assert closed.state == RoundState.CLOSED
    assert published(closed)["missing"] == []


def two_tables(tournament: Tournament) -> tuple[Sitting, Sitting]:
    return make.sitting(at=tournament), make.sitting(at=tournament)


def published(closed: Round) -> Any:
    assert closed.published_standing is not None
    return closed.published_standing


# Credits for those who rest ----------------------------------------------------------------------


def thirteen(tournament: Tournament, first: str = "A") -> Round:
    """Open a round of thirteen people, of whom the last rests: usually M, or A if M is *first*."""
    names = "ABCDEFGHIJKLM" if first == "A" else "MBCDEFGHIJKLA"
    people = [make.player(name, club=tournament.club) for name in names]
    entrants = [make.entrant(person, at=tournament).pk for person in people]
    return seat_round(
        tournament_id=tournament.pk, entrants=entrants, by=make.actor(), rng=Random(7)
    )


def points(tournament: Tournament) -> dict[str, Fraction]:
    standing = standings(tournament)
    return {row.name: row.figures[standing.criteria[0].key] for row in standing.rows}


def resting_leader(*sheets: Any, **terms: Any) -> tuple[Tournament, Round, dict[str, Fraction]]:
    """Let all tables play a round; then A, who leads it, rests in the second."""
    tournament = make.tournament(**{"hands": 2, **terms})
    first = thirteen(tournament)
    for sitting in first.sittings.all():
        for sheet in sheets or ({"eaten": [118, 2]}, WON):
            make.report(sitting, sheet)
    act.close(first, anyway=True)
    second = thirteen(tournament, "M")
    assert [str(rest.entrant) for rest in second.rests.all()] == ["A"]
    return tournament, second, points(tournament)


def test_who_rests_while_nobody_plays_is_credited_with_nothing(client: Client) -> None:
    tournament, second, before = resting_leader()
    act.close(second, not_played=True)
    assert before["A"] > 0
    assert points(tournament) == before
    shows(client.get(tournament.get_absolute_url()), "Round 2: sat out, but no table played")


def test_who_rests_is_credited_for_as_much_as_the_tables_played(client: Client) -> None:
    tournament, second, before = resting_leader()
    table, other, _idle = second.sittings.order_by("number")
    for sitting in (table, table, other):
        make.report(sitting, WON)
    act.close(second, not_played=True)
    # Three hands of the six; a paper sheet that is found later moves the credit with it.
    assert points(tournament)["A"] == before["A"] * Fraction(3, 2)
    shows(client.get(tournament.get_absolute_url()), "Round 2: sat out, earns the own average")


def test_where_games_are_counted_a_rest_goes_by_the_tables_that_played() -> None:
    terms: dict[str, Any] = {"game": "dalmuti", "mode": "4i", "hands": None, "games": 1}
    tournament, second, before = resting_leader({"order": [0, 1, 2, 3]}, **terms)
    make.report(second.sittings.get(number=1), {"order": [3, 2, 1, 0]})
    act.close(second, not_played=True)
    assert points(tournament)["A"] == before["A"] * Fraction(4, 3)


@pytest.mark.parametrize(
    ("terms", "credit", "says"),
    [
        ({}, None, "Sitting out earns your own average."),
        ({"rest_credit": "nothing"}, 0, "Sitting out earns nothing."),
        ({"rest_credit": "fixed", "rest_points": 1}, 1, "Sitting out earns 1 victory point."),
        ({"rest_credit": "fixed", "rest_points": 5}, 5, "Sitting out earns 5 victory points."),
        ({"movement": "knockout"}, 0, ""),
        ({"movement": "double_elimination"}, 0, ""),
    ],
)
def test_a_rest_counts_what_the_organiser_chose(
    client: Client, terms: dict[str, Any], credit: int | None, says: str
) -> None:
    tournament, second, before = resting_leader()
    Tournament.objects.update(**terms)
    for sitting in second.sittings.all():
        for _ in range(2):
            make.report(sitting, WON)
    for _ in range(2):
        act.close(second)

    assert points(tournament)["A"] == before["A"] + (before["A"] if credit is None else credit)
    page = client.get(tournament.get_absolute_url()).text
    assert says in page
    assert ("Sitting out earns" in page) == bool(says)


@pytest.mark.parametrize(("credit", "rest_points"), [("average", None), ("fixed", 50)])
def test_of_a_share_a_rest_is_said_otherwise(credit: str, rest_points: int | None) -> None:
    terms: dict[str, Any] = {"terms": (("eaten", 1),), "per": ("hands",), "percent": True}
    share = Criterion(key="share", label="Share", **terms)
    tournament = Tournament(movement="swiss", rest_credit=credit, rest_points=rest_points)
    assert rest_in_words(tournament, share) == "Sitting out changes nobody’s share."


def test_a_table_that_only_has_an_issue_open_gets_no_void_hands() -> None:
    disputed, idle = two_tables(make.tournament(hands=1))
    make.report(disputed, WON, device="a")
    make.report(disputed, LOST, number=1, device="b", is_next=False)
    act.close(idle.round, not_played=True)
    assert [hand.result_type for hand in idle.hands.all()] == ["not_played"]
    assert [hand.result_type for hand in disputed.hands.all()] == [""]
    assert disputed.issues.filter(settled_at=None).exists()


def test_a_round_of_which_nothing_counts_publishes_no_places(client: Client) -> None:
    closed = act.close(make.sitting(at=make.tournament(hands=1)).round, anyway=True)
    make.report(make.sitting(in_round=make.round_of(closed.tournament, number=2)), WON)
    page = client.get(reverse("tournament", args=[closed.tournament_id]) + "?round=1")
    assert published(closed)["standing"] == []
    lacks(page, "place 1")


# Where both sides must agree ---------------------------------------------------------------------


@pytest.fixture
def unagreed() -> Round:
    """A round that is in, with two hands at table 1 to which nobody agreed, and none at table 2."""
    waiting, agreed = two_tables(make.tournament(hands=2, confirm=Confirm.BOTH))
    for number in (1, 2):
        make.report(waiting, WON, **OURS)
        make.report(agreed, WON, **OURS)
        make.report(agreed, WON, number=number, **THEIRS)
    return waiting.round


def unconfirmed() -> list[int]:
    hands = Hand.objects.filter(confirmed_at=None).order_by("number")
    return [*hands.values_list("number", flat=True)]


def is_open() -> bool:
    return Round.objects.get().state == RoundState.OPEN


@pytest.mark.parametrize(
    ("hands", "said", "code"),
    [
        (2, {}, "hands-unconfirmed"),
        (2, {"anyway": True}, "hands-unconfirmed"),
        (2, {"not_played": True}, "hands-unconfirmed"),
        (3, {"unconfirmed": Unconfirmed.LEAVE}, "round-waits"),
    ],
)
def test_a_round_closes_over_what_is_named(
    unagreed: Round, hands: int, said: dict[str, Any], code: str
) -> None:
    Round.objects.update(hands=hands)
    with act.refused(code):
        act.close(unagreed, **said)
    assert is_open()


@pytest.mark.parametrize(
    ("said", "left", "missing"),
    [
        (Unconfirmed.CONFIRM, [], []),
        (Unconfirmed.LEAVE, [1, 2], [{"table": 1, "short": 0, "issues": 0, "unconfirmed": 2}]),
    ],
)
def test_the_organiser_confirms_them_or_leaves_them_and_the_log_has_the_number(
    unagreed: Round, said: Unconfirmed, left: list[int], missing: list[dict[str, int]]
) -> None:
    closed = act.close(unagreed, unconfirmed=said, who=make.user())
    assert closed.state == RoundState.CLOSED
    assert (unconfirmed(), published(closed)["missing"]) == (left, missing)
    assert LogEntry.objects.get(verb="round-closed").numbers["unconfirmed"] == len(left)
    confirmed = LogEntry.objects.filter(verb="hands-confirmed")
    assert [each.on["hands"] for each in confirmed] == ([[1, 2]] if not left else [])


def test_what_nobody_played_does_not_wait_for_anybody(unagreed: Round) -> None:
    Round.objects.update(hands=3)
    act.close(unagreed, not_played=True, unconfirmed=Unconfirmed.CONFIRM, who=make.user())
    assert unconfirmed() == []


def test_rounds_of_free_play_do_not_close_by_themselves_over_unconfirmed_hands() -> None:
    tournament = make.tournament(hands=1, confirm=Confirm.BOTH, movement="free")
    tables = [make.sitting(in_round=make.round_of(tournament), number=n) for n in (1, 2, 3, 4)]
    for sitting in tables[:3]:
        make.report(sitting, WON, **OURS)  # table 4 still plays
    organiser = act.sign_in(Role.ORGANISER, tournament)
    desk = reverse("desk", args=[tournament.pk])
    page = organiser.post(desk, {"do": "close-finished"}, follow=True)

    shows(page, "Nobody has confirmed all results of tables 1, 2, 3")
    assert Round.objects.filter(state=RoundState.OPEN).count() == 4
    make.report(tables[1], WON, number=1, **THEIRS)
    assert close_finished(tournament_id=tournament.pk, by=make.actor()) == 1
    assert Round.objects.get(state=RoundState.CLOSED) == tables[1].round


def test_the_desk_waits_for_it_and_closing_lists_it(unagreed: Round) -> None:
    organiser = act.sign_in(Role.ORGANISER, unagreed)
    path = reverse("round-close", args=[unagreed.pk])

    with assertNumQueries(10):  # one of them for what is unconfirmed
        page = organiser.get(reverse("desk", args=[unagreed.tournament_id]))
    shows(page, "1 table to settle", "2 results not confirmed")
    with assertNumQueries(5):
        page = organiser.get(path)
    shows(page, "Hand 1, Hand 2 not confirmed")
    lacks(page, "Close round 1 now")
    shows(organiser.post(path, follow=True), "choose whether you confirm them")

    organiser.post(path, {"unconfirmed": "confirm"})

    assert (is_open(), unconfirmed()) == (False, [])


def test_closing_asks_of_both_what_is_missing_and_what_is_unconfirmed(unagreed: Round) -> None:
    Round.objects.update(hands=3)
    organiser = act.sign_in(Role.ORGANISER, unagreed)
    path = reverse("round-close", args=[unagreed.pk])
    page = organiser.get(path)
    shows(page, "2 unconfirmed results", "Close: the 2 missing hands were not played")
    shows(page, "Close, results may still come in")
    organiser.post(path, {"how": "anyway"})
    assert is_open()
    organiser.post(path, {"how": "anyway", "unconfirmed": "leave"})
    assert not is_open()


# A closed round goes on as it was: what closing gave and wrote is taken back, and comes again -----
FIVE = ("Asha", "Neema", "Juma", "Baraka", "Ali")


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
    close(round_, not_played=True)
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
