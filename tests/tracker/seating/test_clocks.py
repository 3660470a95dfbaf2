"""The clock of a round: arithmetic, the buttons of the evening, and what a table sees."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, strategies as st

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tests.tracker.seating.seats import FOUR, WON, play
from tracker.models import ClubNight, LogEntry, Round, RoundState, Sitting
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.rounds import shorten_round
from tracker.tables.clocks import Clock, ClockReading, read_clock, read_round_clock


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def by(minutes: float = 0) -> Any:
    return make.actor(at=at(minutes))


# The arithmetic -----------------------------------------------------------------------------------


def test_a_clock_runs_down_and_past_the_bell_and_before_it_was_started_is_full() -> None:
    clock = Clock.start(25, NOON)
    left = [clock.time_left(at(minutes)) for minutes in (-3, 0, 12.5, 25, 26)]

    assert left == [timedelta(minutes=minutes) for minutes in (25, 25, 12.5, 0, -1)]
    assert clock.pause(at(-3)).time_left(NOON) == timedelta(minutes=25)
    assert read_clock({}) is None
    more = clock.add_minutes(5, table=5).add_minutes(5, table=5)  # for one table
    assert [more.time_left(NOON, table) for table in (None, 4, 5)] == [
        timedelta(minutes=minutes) for minutes in (25, 25, 35)
    ]


def test_while_it_stands_no_time_is_lost_and_to_pause_or_resume_twice_changes_nothing() -> None:
    running = Clock.start(25, NOON)
    clock = running.pause(at(10))
    later = clock.resume(at(40))

    assert clock.time_left(at(30)) == timedelta(minutes=15)
    assert later.time_left(at(45)) == timedelta(minutes=10)
    assert later.pauses == ((at(10), at(40)),)
    assert clock.pause(at(15)) == clock
    assert running.resume(at(5)) == running


@given(
    st.lists(
        st.tuples(st.sampled_from(["pause", "resume", "give"]), st.integers(0, 30)), max_size=12
    )
)
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


# The services -------------------------------------------------------------------------------------


@pytest.fixture
def night(db: None) -> ClubNight:
    return make.night(make.club())


@pytest.fixture
def sitting(night: ClubNight) -> Sitting:
    """Return table 1 of a round of four hands that is played tonight."""
    round_ = make.round_of(make.tournament(club=night.club, hands=4), night=night)
    return make.sitting(*FOUR, in_round=round_)


def start(sitting: Sitting, minutes: int = 25) -> Round:
    return start_clock(round_id=sitting.round_id, minutes=minutes, by=by())


def give(sitting: Sitting, minutes: int = 5) -> Round:
    return give_minutes(sitting_id=sitting.pk, minutes=minutes, by=by())


def clock_of(sitting: Sitting) -> Clock:
    clock = read_clock(Round.objects.get(pk=sitting.round_id).clock)
    assert clock is not None
    return clock


def reading(round_: Round, minutes: float, **of: int) -> ClockReading:
    read = read_round_clock(round_, now=at(minutes), **of)
    assert read is not None
    return read


def test_a_clock_warns_before_the_bell_and_says_how_long_ago_it_went(sitting: Sitting) -> None:
    round_ = start(sitting)

    for minutes, text, warns, rang in (
        (21.9, "3:06", False, False),
        (22, "3:00", True, False),
        (24.99, "0:00", True, False),
        (25, "Time is up", False, True),
        (25.9, "Time is up", False, True),
        (26, "1 min over", False, True),
        (87, "Time is up", False, True),
    ):
        read = reading(round_, minutes)
        assert (read.text, read.rings_soon, read.has_rung) == (text, warns, rang), minutes


def test_a_table_is_given_minutes_and_then_has_a_bell_of_its_own(sitting: Sitting) -> None:
    with act.refused("no-clock"):
        give(sitting)
    start(sitting)
    round_ = give(sitting)

    of_all, own = reading(round_, 26), reading(round_, 26, table=1)
    assert (of_all.text, own.text) == ("1 min over", "4:00")
    assert (own.extra, own.has_rung) == (5, False)
    assert of_all.bell_id != own.bell_id


def test_all_clocks_of_a_night_stand_and_go_on_together(sitting: Sitting, night: ClubNight) -> None:
    assert pause_clocks(night_id=night.pk, by=by()) == 0  # rounds without a clock are left alone
    assert Round.objects.get().clock == {}
    dalmuti = make.tournament("dalmuti", club=night.club)
    other = make.sitting(in_round=make.round_of(dalmuti, night=night))
    elsewhere = make.sitting(at=make.tournament(club=night.club))
    for table in (sitting, other, elsewhere):
        start(table)
    paused = [pause_clocks(night_id=night.pk, by=by(minutes)) for minutes in (10, 11)]
    standing = [clock_of(table).running for table in (sitting, other, elsewhere)]
    resumed = resume_clocks(night_id=night.pk, by=by(20))

    assert (paused, resumed) == ([2, 0], 2)
    assert standing == [False, False, True]
    assert clock_of(other).time_left(at(20)) == timedelta(minutes=15)
    verbs = list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["clock-started"] * 3 + ["clocks-paused"] * 2 + ["clocks-resumed"] * 2


def test_a_break_stops_every_clock_until_it_ends(sitting: Sitting, night: ClubNight) -> None:
    start(sitting)

    take_break(night_id=night.pk, minutes=15, by=by(5))
    night.refresh_from_db()
    assert (night.break_until, clock_of(sitting).running) == (at(20), False)
    resume_clocks(night_id=night.pk, by=by(22))
    night.refresh_from_db()

    assert night.break_until is None
    assert clock_of(sitting).time_left(at(22)) == timedelta(minutes=20)


def test_no_clock_is_too_short_or_of_a_closed_round(sitting: Sitting, night: ClubNight) -> None:
    for minutes in (0, 241):
        with act.refused("minutes"):
            start(sitting, minutes)
        with act.refused("minutes"):
            take_break(night_id=night.pk, minutes=minutes, by=by())
    start(sitting)
    Round.objects.update(state=RoundState.CLOSED)
    with act.refused("round-not-open"):
        start(sitting)
    assert read_round_clock(Round.objects.get(), now=NOON) is None


# Shortening ---------------------------------------------------------------------------------------


def shorten(sitting: Sitting, length: int, minutes: float = 0) -> Round:
    return shorten_round(round_id=sitting.round_id, length=length, by=by(minutes))


def test_a_shorter_round_is_full_where_so_much_was_played(sitting: Sitting) -> None:
    other, struck = (make.sitting(in_round=sitting.round) for _ in range(2))
    play(sitting, 2)
    play(other)
    play(struck, 2)
    act.correct(struck, {2: STRIKE})  # which is not counted as played
    round_ = shorten(sitting, 2, 30)
    make.report(other, WON, now=at(40))

    finished = list(Sitting.objects.order_by("number").values_list("finished_at", flat=True))
    assert (round_.hands, finished) == (2, [at(30), at(40), None])


def test_rounds_of_games_and_without_an_end_are_shortened_alike(night: ClubNight) -> None:
    tournament = make.tournament("mambassa", "3i", club=night.club, games=3)
    sitting = make.sitting(in_round=make.round_of(tournament, night=night))
    Sitting.objects.update(games_over=1)
    endless = make.sitting(at=make.tournament(club=night.club))

    assert shorten(sitting, 1).games == 1
    assert Sitting.objects.get(pk=sitting.pk).finished_at == NOON
    assert shorten(endless, 3).hands == 3


@pytest.mark.parametrize(
    ("length", "code"), [(4, "round-not-shorter"), (0, "length"), (1, "played-more")]
)
def test_a_round_is_not_shortened_so(sitting: Sitting, length: int, code: str) -> None:
    play(sitting, 2)
    with act.refused(code):
        shorten(sitting, length)
    assert Round.objects.get().hands == 4


# What people see ----------------------------------------------------------------------------------


def show(client: Client, sitting: Sitting, minutes: int) -> str:
    """Return the table's page when its clock has run for so many minutes."""
    started = Clock.start(25, datetime.now(tz=NOON.tzinfo) - timedelta(minutes=minutes))
    Round.objects.filter(pk=sitting.round_id).update(clock=started.to_json())
    return str(client.get(sitting.get_absolute_url()).text)


def test_a_table_sees_its_clock_and_is_told_at_the_bell(client: Client, sitting: Sitting) -> None:
    lacks(client.get(sitting.get_absolute_url()), "left to play")
    before, after = show(client, sitting, 10), show(client, sitting, 26)

    assert "14:5" in before or "15:00" in before
    shows(before, "data-bell hidden")
    shows(after, "Finish this hand; don’t deal another.")
    lacks(after, "data-bell hidden")
    dalmuti = make.sitting(at=make.tournament("dalmuti", "4i"))
    shows(show(client, dalmuti, 26), "Finish this game; don’t deal another.")
