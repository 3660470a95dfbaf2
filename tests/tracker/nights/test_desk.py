"""The organiser's desk: the next step, what needs a person, every table as it is this minute."""

import re
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.common import files
from tracker.models import Issue, Movement, Report, Role, Round, RoundState, Sitting, Tournament
from tracker.nights.queries.desk import tournament_desk
from tracker.nights.services.closing import pending_tables
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import undo_round
from tracker.tournaments.services.entering import enter_teams

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
PAIRS = (("Asha", "Neema"), ("Juma", "Baraka"), ("Ali", "Zawadi"), ("Omari", "Tatu"))
WON = {"eaten": [70, 50]}
FINISHED = "This tournament is finished"


@pytest.fixture
def table(tournament: Tournament) -> Sitting:
    return make.sitting(*FOUR, at=tournament)


class Desk:
    """The desk of a tournament, before its organiser or another reader."""

    def __init__(self, tournament: Tournament, reader: Client) -> None:
        self.tournament, self.reader = tournament, reader
        self.path = reverse("desk", args=[tournament.pk])

    def page(self) -> Any:
        return self.reader.get(self.path)

    def press(self, do: str) -> Any:
        return self.reader.post(self.path, {"do": do}, follow=True)


@pytest.fixture
def desk(tournament: Tournament, organiser: Client) -> Desk:
    return Desk(tournament, organiser)


def issue(sitting: Sitting, kind: str, *, number: int = 1, note: str = "") -> Issue:
    report = Report.objects.filter(sitting=sitting).first()
    about = {"sitting": sitting, "number": number, "kind": kind, "report": report}
    return Issue.objects.create(note=note, raised_at=NOON, **about)


def on_desk(tournament: Tournament, **later: float) -> Any:
    """Return the only table of the desk, so long after noon."""
    [table] = tournament_desk(tournament, now=NOON + timedelta(**later)).tables
    return table


def test_a_fresh_round_shows_where_to_report(desk: Desk, tournament: Tournament) -> None:
    shows(desk.page(), "Seat round 1", reverse("draw", args=[tournament.pk]))
    table = make.sitting(*FOUR, at=tournament)
    page = desk.page()
    assert table.table is not None
    shows(page, reverse("card-qr", args=[table.table.card_token]), table.table.code)
    shows(page, "or open <strong>testserver/card/</strong> and type this")
    shows(page, table.get_absolute_url(), "1 table still playing")
    assert page.context["desk"].before_first_result


def test_a_table_shows_its_hands_its_people_and_its_dealer(desk: Desk, table: Sitting) -> None:
    make.report(table, WON, now=timezone.now())
    page = desk.page()
    now = page.context["desk"].tables[0].table
    assert (now.progress.done, now.progress.of, now.dealer) == (1, 2, "Juma")
    assert now.coming_names.sides == ("Asha & Juma", "Neema & Baraka")
    shows(page, "1/2", "Juma deals")
    assert not page.context["desk"].before_first_result


def test_a_table_that_says_nothing_for_long_is_quiet(
    desk: Desk, tournament: Tournament, table: Sitting
) -> None:
    def quiet(**later: float) -> tuple[str, str]:
        table = on_desk(tournament, **later)
        return table.state, table.quiet

    assert quiet(minutes=3) == ("", "")  # since it sat down
    assert quiet(minutes=10) == ("warn", "10\xa0minutes")
    make.report(table, WON, now=NOON)
    assert quiet(minutes=7) == ("", "")
    for later, said in (
        ({"minutes": 9, "seconds": 30}, "9\xa0minutes"),
        ({"minutes": 59}, "59\xa0minutes"),
        ({"minutes": 60}, "1\xa0hour"),
        ({"hours": 5, "minutes": 30}, "5\xa0hours"),
        ({"minutes": 5477}, "3\xa0days"),
    ):
        assert quiet(**later) == ("warn", said)
    Sitting.objects.update(last_at=timezone.now() - timedelta(hours=5, minutes=30))
    shows(desk.page().text, "no result for 5\xa0hours")
    make.report(table, WON, now=NOON)
    assert quiet(minutes=30) == ("done", "")


def test_desk_and_closing_say_how_a_running_match_stands() -> None:
    match = make.sitting(*FOUR, at=make.tournament("briscola", games=1))
    for _ in range(2):
        make.report(match, {"points": [70, 50]})
    of_two = make.tournament("mambassa", "3i", games=2)
    make.sitting(at=of_two)
    client = act.sign_in(Role.ORGANISER, match)

    for name, key in (("desk", match.round.tournament_id), ("round-close", match.round_id)):
        page = client.get(reverse(name, args=[key]))
        shows(page, "Deal 3 · 2–0, first to win 3 deals")
        assert not re.search(r"\b0(/| of )1\b", page.text), name
    assert on_desk(of_two).table.running_game_text == "Game 1 of 2 · Deal 1 · 3 tokens in the pool"
    make.report(match, {"points": [70, 50]})
    assert on_desk(match.round.tournament).table.running_game_text == ""
    Sitting.objects.filter(round__tournament=of_two).update(last_number=9, games_over=1)
    now = on_desk(of_two).table
    assert (now.progress.done, now.progress.of, now.done) == (1, 2, False)


def test_what_needs_a_person_is_said_and_leads_there(desk: Desk, table: Sitting) -> None:
    for _ in range(2):
        make.report(table, WON)
    issues = [
        issue(table, "conflict"),
        issue(table, "parked", number=2),
        issue(table, "query", note="60 to 60?"),
    ]
    issue(table, "late")
    Issue.objects.filter(kind="late").update(settled_at=NOON, outcome="take")
    page = desk.page()

    assert [line.says for line in page.context["desk"].needs.about_results] == [
        "two different counts",
        "it would not add up",
        "a player thinks it is wrong",
    ]
    shows(page, *(reverse("issue", args=[waiting.pk]) for waiting in issues))
    shows(page, "Table 1, Hand 2", "60 to 60?", "3 to settle")
    assert page.context["desk"].awaited == 1


def test_a_late_report_of_an_earlier_round_names_the_round(
    desk: Desk, tournament: Tournament, table: Sitting
) -> None:
    act.close(table.round, anyway=True)
    make.report(table, WON)
    make.sitting(*FOUR, at=tournament)
    page = desk.page()
    [waiting] = page.context["desk"].needs.about_results
    assert (waiting.sitting.round.number, waiting.says) == (1, "it came after the round was closed")
    shows(page, "Round 1: it came after")
    assert page.context["desk"].round.number == 2


def test_whole_round_can_be_closed_from_here(desk: Desk, organiser: Client, table: Sitting) -> None:
    for _ in range(2):
        make.report(table, WON)
    shows(desk.page(), "All results are in.")
    organiser.post(reverse("round-close", args=[table.round_id]))
    shows(desk.page(), "Next round", "Round 1 · finished")


def test_who_rests_is_shown_with_times(desk: Desk, tournament: Tournament, table: Sitting) -> None:
    ali = make.entrant(make.player("Ali", club=tournament.club), at=tournament)
    again = make.round_of(tournament, state=RoundState.CLOSED, number=2)
    for round_ in (table.round, again):
        round_.rests.create(entrant=ali)
    page = desk.page()
    assert page.context["desk"].resting == (("Ali", 2),)
    shows(page, "2 times now")


def test_undone_round_can_be_brought_back(
    desk: Desk, tournament: Tournament, table: Sitting
) -> None:
    undo_round(round_id=table.round_id, by=make.actor())
    undone = desk.page()
    make.sitting(*FOUR, at=tournament)
    shows(undone, "Restore round 1")
    assert undone.context["desk"].round is None
    lacks(desk.page(), "Restore round 1")


def test_an_official_tournament_leads_on_to_the_end_of_its_night(
    desk: Desk, organiser: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club, timezone.now() - timedelta(hours=2))
    make.round_of(tournament, state=RoundState.CLOSED, night=night)
    way = f'href="{night.get_absolute_url()}" id="next-step">End the night'
    shows(desk.press("official"), way)
    night.ended_at = timezone.now()
    night.save()
    lacks(desk.page(), way)
    shows(organiser.get(reverse("prizes", args=[tournament.pk])), f'href="{desk.path}">Back')


def test_standing_is_put_up_made_official_and_goes_on(desk: Desk, tournament: Tournament) -> None:
    make.round_of(tournament, state=RoundState.CLOSED)

    shows(desk.page(), "Finish and publish")
    desk.press("dance")  # no other button finishes a tournament
    tournament.refresh_from_db()
    assert (tournament.provisional_until, tournament.official_at) == (None, None)
    up = desk.press("publish")
    shows(up, "provisional until", "Published. ", "Players may object until", "See the standings")
    shows(up, "No objections: make it official", "Play another round")
    Tournament.objects.update(provisional_until=timezone.now())
    shows(desk.page(), "Make the standings official")
    official = desk.press("official")
    shows(official, FINISHED)
    lacks(official, "Next round")
    shows(desk.press("reopen"), "Next round")


def test_results_that_wait_are_asked_about_before_the_standing_is_official(
    desk: Desk, organiser: Client, tournament: Tournament, table: Sitting
) -> None:
    where = reverse("official", args=[tournament.pk])
    too_soon = "Round 1 is still being played: close it first."

    shows(desk.press("official"), too_soon)
    asking = issue(table, "query")
    shows(organiser.post(where, follow=True), too_soon)
    act.close(table.round, anyway=True)
    Round.objects.update(hands=None)  # so that no result is missing
    asked = desk.press("official")
    assert asked.redirect_chain == [(where, 302)]
    shows(asked, "1 result still waits for you", f'href="{reverse("issue", args=[asking.pk])}"')
    shows(asked, f'href="{desk.path}">Settle them first')
    Issue.objects.update(settled_at=NOON, outcome="keep")
    Round.objects.update(hands=2)
    leads_there = f'href="{reverse("sitting", args=[table.pk])}">Go to table 1 of round 1'
    shows(desk.press("official"), "Round 1, table 1: results are missing.", leads_there)
    Round.objects.update(hands=None)
    shows(organiser.get(where), "Nothing is left to settle.")
    made = organiser.post(where, follow=True)
    assert made.redirect_chain == [(desk.path, 302)]
    shows(made, FINISHED)


def test_no_standing_is_official_while_a_result_is_missing(
    desk: Desk, organiser: Client, tournament: Tournament, table: Sitting
) -> None:
    for _hand in range(2):
        make.report(table, WON)
    missing = {
        "conflict": "there are two counts of one result. Say which is right, then",
        "parked": "a result does not add up. Correct it or record it as not played, then",
        "late": "a result came after the round was closed. Take it or dismiss it, then",
    }
    issues = [issue(table, kind) for kind in missing]
    issue(table, "query")
    act.close(table.round, anyway=True)
    where = reverse("official", args=[tournament.pk])
    Round.objects.update(state=RoundState.UNDONE)  # of which nothing counts
    assert not Issue.objects.missing_results(tournament).exists()
    Round.objects.update(state=RoundState.CLOSED)

    for each, sentence in zip(issues, missing.values(), strict=True):
        asked = organiser.get(where)
        shows(asked, "still wait for you", "result missing")
        lacks(asked, "all the same")
        shows(organiser.post(where, follow=True), f"Round 1, table 1: {sentence}")
        tournament.refresh_from_db()
        assert tournament.official_at is None
        act.settle("dismiss" if each.kind == "late" else "keep", each)

    shows(organiser.get(where), "all the same")
    shows(organiser.post(where, follow=True), "are official.")


def test_after_the_last_round_planned_the_standing_is_what_comes_next(
    desk: Desk, organiser: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club)
    make.round_of(tournament, night=night, state=RoundState.CLOSED)
    for page in (desk.path, night.get_absolute_url()):
        Tournament.objects.update(planned=None)
        another = organiser.get(page)
        Tournament.objects.update(planned=1)
        last = organiser.get(page)

        shows(another, "Next round")
        lacks(another, "that were planned")
        shows(last, "That was the last round planned.", "Publish the standings")
        shows(last, reverse("draw", args=[tournament.pk]))


def test_a_scorer_looks_and_does_not_touch(tournament: Tournament, table: Sitting) -> None:
    scorer = Desk(tournament, act.sign_in(Role.SCORER, tournament))
    looked = scorer.page()
    assert Desk(tournament, Client()).page().headers["Location"].startswith(reverse("sign-in"))
    shows(looked, "Table 1")
    lacks(looked, "Close round 1")
    assert scorer.press("official").status_code == 403


def test_table_closed_with_results_missing_is_not_finished(desk: Desk, table: Sitting) -> None:
    make.report(table, WON)
    act.close(table.round, anyway=True)
    page = desk.page()
    shows(page, "1 missing")
    lacks(page, '<span class="pill">finished</span>')


def test_hand_struck_out_is_owed_again_at_the_desk_and_when_the_round_closes(
    tournament: Tournament, table: Sitting
) -> None:
    """Two hands of two are in, one is struck out: one count of progress for all who ask."""
    for _ in range(2):
        make.report(table, WON)
    act.correct(table, {2: STRIKE})
    now = on_desk(tournament).table
    [missing] = pending_tables(table.round)

    assert (now.progress.done, now.done) == (1, False)
    assert now.progress.owed == missing.progress.owed == 1
    make.report(table, WON)
    now = on_desk(tournament).table
    assert (now.progress.done, now.done, pending_tables(table.round)) == (2, True, [])


def test_once_a_knock_out_is_decided_the_standing_is_what_comes_next(
    organiser: Client, tournament: Tournament
) -> None:
    terms: dict[str, Any] = {"teams": True, "movement": Movement.KNOCKOUT, "name": "Knock-out"}
    cup = make.tournament(club=tournament.club, hands=1, **terms)
    pairs = [make.team(*(make.player(name, club=cup.club) for name in pair)).pk for pair in PAIRS]
    enter_teams(tournament_id=cup.pk, teams=pairs, by=make.actor())
    drawn: dict[str, Any] = {"tournament_id": cup.pk, "by": make.actor(), "rng": Random(7)}

    def play() -> str:
        draw_rounds(**drawn)
        opened = open_draw(**drawn)
        for sitting in opened.sittings.all():
            make.report(sitting, WON)
        act.close(opened)
        return str(tournament_desk(cup, now=NOON).step)

    assert [play(), play()] == ["seat", "publish"]
    shows(Desk(cup, organiser).page(), "Publish the standings")


@pytest.mark.parametrize("left", [20, 300])
def test_little_room_on_the_disk_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings, left: int
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=left * 1024**2))
    settings.DATABASE_URL = ""  # as on SQLite
    assert ("Only 20 MB are left" in desk.page().text) is (left == 20)


def test_a_disk_that_takes_nothing_in_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    nothing = "Nothing can be saved"
    monkeypatch.setattr(files, "_last_check", None)
    monkeypatch.setattr(files, "write_error", lambda _: OSError(30, "Read-only file system"))
    settings.DATABASE_URL = ""  # as on SQLite
    shows(desk.page(), nothing)
    assert files._last_check is not None
    monkeypatch.setattr(files, "write_error", lambda _: None)
    shows(desk.page(), nothing)  # it was just tried
    monkeypatch.setattr(files, "_last_check", (files._last_check[0] - 11, True))
    lacks(desk.page(), nothing)
