"""The clock of a round: arithmetic, the buttons of the evening, and what a table sees."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given, strategies as st

from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import ClubNight, LogEntry, Round, RoundState, Sitting
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.rounds import shorten_round
from tracker.tables.clocks import Clock, read_clock, read_round_clock

WON = {"eaten": [70, 50]}


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


# The arithmetic -----------------------------------------------------------------------------------


def test_a_clock_runs_down_and_past_the_bell() -> None:
    clock = Clock.start(25, NOON)

    left = [clock.time_left(at(minutes)) for minutes in (0, 12.5, 25, 26)]

    assert left == [timedelta(minutes=minutes) for minutes in (25, 12.5, 0, -1)]


@pytest.mark.parametrize(
    ("minutes", "text", "warns", "rang"),
    [
        (21.9, "3:06", False, False),
        (22, "3:00", True, False),
        (24.99, "0:00", True, False),
        (25, "Time is up", False, True),
        (25.9, "Time is up", False, True),
        (26, "1 min over", False, True),
        (87, "Time is up", False, True),
    ],
)
def test_a_clock_warns_before_the_bell_and_says_how_long_ago_it_went(
    sitting: Sitting, minutes: float, text: str, *, warns: bool, rang: bool
) -> None:
    round_ = start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())

    reading = read_round_clock(round_, now=at(minutes))

    assert reading is not None
    assert (reading.text, reading.rings_soon, reading.has_rung) == (text, warns, rang)


def test_every_table_with_minutes_of_its_own_has_a_bell_of_its_own(sitting: Sitting) -> None:
    start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())
    round_ = give_minutes(sitting_id=sitting.pk, minutes=5, by=make.actor())

    of_all, own = (read_round_clock(round_, now=at(26), table=table) for table in (None, 1))

    assert of_all is not None
    assert own is not None
    assert (of_all.text, own.text) == ("1 min over", "4:00")
    assert of_all.bell_id != own.bell_id


def test_while_it_stands_no_time_is_lost() -> None:
    clock = Clock.start(25, NOON).pause(at(10))

    later = clock.resume(at(40))

    assert clock.time_left(at(30)) == timedelta(minutes=15)
    assert later.time_left(at(45)) == timedelta(minutes=10)
    assert later.pauses == ((at(10), at(40)),)


def test_to_pause_or_resume_twice_changes_nothing() -> None:
    running = Clock.start(25, NOON)
    standing = running.pause(at(1))

    assert standing.pause(at(5)) == standing
    assert running.resume(at(5)) == running


def test_one_table_has_more_time_than_the_others() -> None:
    clock = Clock.start(25, NOON).add_minutes(5, table=5).add_minutes(5, table=5)

    left = [clock.time_left(NOON, table) for table in (None, 4, 5)]

    assert left == [timedelta(minutes=minutes) for minutes in (25, 25, 35)]


def test_a_clock_that_looks_before_it_was_started_is_full() -> None:
    clock = Clock.start(25, NOON)

    assert clock.time_left(at(-3)) == timedelta(minutes=25)
    assert clock.pause(at(-3)).time_left(NOON) == timedelta(minutes=25)


steps = st.lists(
    st.tuples(st.sampled_from(["pause", "resume", "give"]), st.integers(0, 30)), max_size=12
)


@given(steps=steps)
def test_json_keeps_a_clock_and_time_never_runs_backwards(steps: list[tuple[str, int]]) -> None:
    clock, now, given_out, lefts = Clock.start(60, NOON), NOON, 0, []

    for step, minutes in steps:
        now += timedelta(minutes=minutes)
        if step == "give":
            clock = clock.add_minutes(minutes, table=1)
            given_out += minutes
        else:
            clock = getattr(clock, step)(now)
        lefts.append(clock.time_left(now, table=1) - timedelta(minutes=given_out))
        assert read_clock(clock.to_json()) == clock

    assert all(later <= earlier for earlier, later in pairwise(lefts))


def test_a_round_without_a_clock_has_none() -> None:
    assert read_clock({}) is None


# The services -------------------------------------------------------------------------------------


@pytest.fixture
def night(db: None) -> ClubNight:
    return make.night(make.club())


@pytest.fixture
def sitting(night: ClubNight) -> Sitting:
    """Return table 1 of a round of four hands that is played tonight."""
    round_ = make.round_of(make.tournament(club=night.club, hands=4), night=night)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", in_round=round_)


def clock_of(sitting: Sitting) -> Clock:
    clock = read_clock(Round.objects.get(pk=sitting.round_id).clock)
    assert clock is not None
    return clock


def test_all_clocks_of_a_night_stand_and_go_on_together(sitting: Sitting, night: ClubNight) -> None:
    other = make.sitting(
        in_round=make.round_of(make.tournament("dalmuti", club=night.club), night=night)
    )
    elsewhere = make.sitting(at=make.tournament(club=night.club))
    for table in (sitting, other, elsewhere):
        start_clock(round_id=table.round_id, minutes=25, by=make.actor())

    paused = pause_clocks(night_id=night.pk, by=make.actor(at=at(10)))
    again = pause_clocks(night_id=night.pk, by=make.actor(at=at(11)))
    standing = [clock_of(table).running for table in (sitting, other, elsewhere)]
    resumed = resume_clocks(night_id=night.pk, by=make.actor(at=at(20)))

    assert (paused, again, resumed) == (2, 0, 2)
    assert standing == [False, False, True]
    assert clock_of(other).time_left(at(20)) == timedelta(minutes=15)
    verbs = list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["clock-started"] * 3 + ["clocks-paused"] * 2 + ["clocks-resumed"] * 2


def test_rounds_without_a_clock_are_left_alone(sitting: Sitting, night: ClubNight) -> None:
    assert pause_clocks(night_id=night.pk, by=make.actor()) == 0
    assert Round.objects.get().clock == {}


def test_a_break_stops_every_clock_until_somebody_ends_it(
    sitting: Sitting, night: ClubNight
) -> None:
    start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())

    take_break(night_id=night.pk, minutes=15, by=make.actor(at=at(5)))
    night.refresh_from_db()
    until, running = night.break_until, clock_of(sitting).running
    resume_clocks(night_id=night.pk, by=make.actor(at=at(22)))
    night.refresh_from_db()

    assert (until, running) == (at(20), False)
    assert night.break_until is None
    assert clock_of(sitting).time_left(at(22)) == timedelta(minutes=20)


@pytest.mark.parametrize("minutes", [0, 241])
def test_no_clock_is_so_short_or_so_long(sitting: Sitting, night: ClubNight, minutes: int) -> None:
    with pytest.raises(Refused) as start:
        start_clock(round_id=sitting.round_id, minutes=minutes, by=make.actor())
    with pytest.raises(Refused) as away:
        take_break(night_id=night.pk, minutes=minutes, by=make.actor())

    assert (start.value.code, away.value.code) == ("minutes", "minutes")


def test_a_table_is_given_minutes(sitting: Sitting) -> None:
    with pytest.raises(Refused) as refused:
        give_minutes(sitting_id=sitting.pk, minutes=5, by=make.actor())
    start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())

    round_ = give_minutes(sitting_id=sitting.pk, minutes=5, by=make.actor())

    assert refused.value.code == "no-clock"
    reading = read_round_clock(round_, now=at(20), table=1)
    assert reading is not None
    assert (reading.text, reading.extra, reading.has_rung) == ("10:00", 5, False)


def test_a_closed_round_shows_no_clock_and_takes_none(sitting: Sitting) -> None:
    start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())
    Round.objects.update(state=RoundState.CLOSED)

    with pytest.raises(Refused) as refused:
        start_clock(round_id=sitting.round_id, minutes=25, by=make.actor())

    assert refused.value.code == "round-not-open"
    assert read_round_clock(Round.objects.get(), now=NOON) is None


# Shortening ---------------------------------------------------------------------------------------


def test_a_shorter_round_is_full_where_so_much_was_played(sitting: Sitting) -> None:
    other = make.sitting(in_round=sitting.round)
    for _ in range(2):
        make.report(sitting, WON)
    make.report(other, WON)

    round_ = shorten_round(round_id=sitting.round_id, length=2, by=make.actor(at=at(30)))
    make.report(other, WON, now=at(40))

    finished = list(Sitting.objects.order_by("number").values_list("finished_at", flat=True))
    assert round_.hands == 2
    assert finished == [at(30), at(40)]


def test_a_struck_hand_is_not_counted_as_played(sitting: Sitting) -> None:
    for _ in range(2):
        make.report(sitting, WON)
    correct_sitting(sitting_id=sitting.pk, changes={2: STRIKE}, reason="Wrong", by=make.actor())

    shorten_round(round_id=sitting.round_id, length=2, by=make.actor())

    assert Sitting.objects.get().finished_at is None


def test_rounds_of_games_are_shortened_alike(night: ClubNight) -> None:
    tournament = make.tournament("mambassa", "3i", club=night.club, games=3)
    sitting = make.sitting(in_round=make.round_of(tournament, night=night))
    Sitting.objects.update(games_over=1)

    round_ = shorten_round(round_id=sitting.round_id, length=1, by=make.actor())

    assert round_.games == 1
    assert Sitting.objects.get().finished_at == NOON


@pytest.mark.parametrize(
    ("length", "code"), [(4, "round-not-shorter"), (0, "length"), (1, "played-more")]
)
def test_a_round_is_not_shortened_so(sitting: Sitting, length: int, code: str) -> None:
    for _ in range(2):
        make.report(sitting, WON)

    with pytest.raises(Refused) as refused:
        shorten_round(round_id=sitting.round_id, length=length, by=make.actor())

    assert refused.value.code == code
    assert Round.objects.get().hands == 4


def test_a_round_without_an_end_can_be_given_one(night: ClubNight) -> None:
    tournament = make.tournament(club=night.club)
    sitting = make.sitting(in_round=make.round_of(tournament, night=night))

    assert shorten_round(round_id=sitting.round_id, length=3, by=make.actor()).hands == 3


# What people see ----------------------------------------------------------------------------------


def show(client: Client, sitting: Sitting, minutes: int) -> str:
    """Return the table's page when its clock has run for so many minutes."""
    started = Clock.start(25, datetime.now(tz=NOON.tzinfo) - timedelta(minutes=minutes))
    Round.objects.filter(pk=sitting.round_id).update(clock=started.to_json())
    return str(client.get(sitting.get_absolute_url()).text)


def test_a_table_sees_its_clock_and_is_told_at_the_bell(client: Client, sitting: Sitting) -> None:
    nothing = client.get(sitting.get_absolute_url()).text
    before, after = show(client, sitting, 10), show(client, sitting, 26)

    assert "left to play" not in nothing
    assert "14:5" in before or "15:00" in before
    assert "data-bell hidden" in before
    assert "Finish this hand; don’t deal another." in after
    assert "data-bell hidden" not in after


@pytest.mark.django_db
def test_the_bell_speaks_of_what_is_played(client: Client) -> None:
    table = make.sitting(in_round=make.round_of(make.tournament("dalmuti", "4i")))

    assert "Finish this game; don’t deal another." in show(client, table, 26)
