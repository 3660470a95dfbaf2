"""The organiser's desk: the next step, what needs a person, every table as it is this minute."""

import re
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from tests import make
from tests.make import NOON
from tracker.common import files
from tracker.models import Issue, Movement, Report, Role, RoundState, Sitting, Tournament
from tracker.nights.queries.desk import tournament_desk
from tracker.nights.services.closing import close_round, pending_tables
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import undo_round
from tracker.tables.clocks import Clock
from tracker.tournaments.services.entering import enter_teams

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
PAIRS = (("Asha", "Neema"), ("Juma", "Baraka"), ("Ali", "Zawadi"), ("Omari", "Tatu"))
WON = {"eaten": [70, 50]}


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


def url(tournament: Tournament) -> str:
    return reverse("desk", args=[tournament.pk])


def issue(sitting: Sitting, kind: str, *, number: int = 1, note: str = "") -> Issue:
    return Issue.objects.create(
        sitting=sitting,
        number=number,
        kind=kind,
        report=Report.objects.filter(sitting=sitting).first(),
        note=note,
        raised_at=NOON,
    )


def states(tournament: Tournament, now: datetime) -> list[tuple[int, str, str]]:
    return [
        (each.table.number, each.state, each.quiet)
        for each in tournament_desk(tournament, now=now).tables
    ]


def test_before_the_first_round_the_next_step_is_to_seat_it(
    organiser: Client, tournament: Tournament
) -> None:
    page = organiser.get(url(tournament))

    assert "Seat round 1" in page.text
    assert reverse("draw", args=[tournament.pk]) in page.text


def test_a_fresh_round_shows_where_to_report(organiser: Client, tournament: Tournament) -> None:
    sitting = make.sitting(*FOUR, at=tournament)

    page = organiser.get(url(tournament))

    assert sitting.table is not None
    assert reverse("card-qr", args=[sitting.table.card_token]) in page.text
    assert sitting.table.code in page.text
    assert "or open <strong>testserver/card/</strong> and type this" in page.text
    assert sitting.get_absolute_url() in page.text
    assert page.context["desk"].before_first_result
    assert "1 table still playing" in page.text


def test_a_table_shows_its_hands_its_people_and_its_dealer(
    organiser: Client, tournament: Tournament
) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON, now=timezone.now())

    page = organiser.get(url(tournament))

    table = page.context["desk"].tables[0].table
    assert (table.progress.done, table.progress.of, table.dealer) == (1, 2, "Juma")
    assert table.coming_names.sides == ("Asha & Juma", "Neema & Baraka")
    assert "1/2" in page.text
    assert "Juma deals" in page.text
    assert not page.context["desk"].before_first_result


def test_the_clock_stands_above_what_to_do_next(organiser: Client, tournament: Tournament) -> None:
    round_ = make.sitting(*FOUR, at=tournament).round
    round_.clock = Clock.start(25, timezone.now() - timedelta(minutes=30)).to_json()
    round_.save()

    page = organiser.get(url(tournament)).text

    assert page.index("Time is up") < page.index('id="step-')


def test_a_table_that_says_nothing_for_long_is_quiet(tournament: Tournament) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON, now=NOON)

    assert states(tournament, NOON + timedelta(minutes=7)) == [(1, "", "")]
    assert states(tournament, NOON + timedelta(minutes=9, seconds=30)) == [
        (1, "warn", "9\xa0minutes")
    ]
    make.report(sitting, WON, now=NOON)
    assert states(tournament, NOON + timedelta(minutes=30)) == [(1, "done", "")]


def test_a_table_is_quiet_from_when_it_sat_down(tournament: Tournament) -> None:
    make.sitting(*FOUR, at=tournament)

    assert states(tournament, NOON + timedelta(minutes=10)) == [(1, "warn", "10\xa0minutes")]


def test_the_tile_says_for_how_long_in_hours_or_days(
    organiser: Client, tournament: Tournament
) -> None:
    make.sitting(*FOUR, at=tournament)

    def said(later: timedelta) -> str:
        return tournament_desk(tournament, now=NOON + later).tables[0].quiet

    assert said(timedelta(minutes=3)) == ""
    assert said(timedelta(minutes=59)) == "59\xa0minutes"
    assert said(timedelta(minutes=60)) == "1\xa0hour"
    assert said(timedelta(hours=5, minutes=30)) == "5\xa0hours"
    assert said(timedelta(minutes=5477)) == "3\xa0days"
    Sitting.objects.update(started_at=timezone.now() - timedelta(hours=5, minutes=30))
    assert "no result for 5\xa0hours" in organiser.get(url(tournament)).text


def test_games_are_counted_where_rounds_are_made_of_games() -> None:
    tournament = make.tournament("mambassa", "3i", games=2)
    make.sitting(at=tournament)
    Sitting.objects.update(last_number=9, games_over=1)

    table = tournament_desk(tournament, now=NOON).tables[0].table

    assert (table.progress.done, table.progress.of, table.done) == (1, 2, False)


def test_desk_and_closing_say_how_a_running_match_stands(client: Client) -> None:
    match = make.sitting(*FOUR, at=make.tournament("briscola", games=1))
    for _ in range(2):
        make.report(match, {"points": [70, 50]})
    of_two = make.sitting(at=make.tournament("mambassa", "3i", games=2)).round
    club = match.round.tournament.club
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    for name, key in (("desk", match.round.tournament_id), ("round-close", match.round_id)):
        page = client.get(reverse(name, args=[key]))
        assert "Deal 3 · 2–0, first to win 3 deals" in page.text, name
        assert not re.search(r"\b0(/| of )1\b", page.text), name
    assert tournament_desk(of_two.tournament, now=NOON).tables[0].table.running_game_text == (
        "Game 1 of 2 · Deal 1 · 3 tokens in the pool"
    )
    make.report(match, {"points": [70, 50]})
    assert tournament_desk(match.round.tournament, now=NOON).tables[0].table.running_game_text == ""


def test_what_needs_a_person_is_said_and_leads_there(
    organiser: Client, tournament: Tournament
) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON)
    make.report(sitting, WON)
    issues = [
        issue(sitting, "conflict"),
        issue(sitting, "parked", number=2),
        issue(sitting, "query", note="60 to 60?"),
    ]
    issue(sitting, "late")
    Issue.objects.filter(kind="late").update(settled_at=NOON, outcome="take")

    page = organiser.get(url(tournament))

    assert [line.says for line in page.context["desk"].needs.about_results] == [
        "two different counts",
        "it would not add up",
        "a player thinks it is wrong",
    ]
    for waiting in issues:
        assert reverse("issue", args=[waiting.pk]) in page.text
    assert "Table 1, Hand 2" in page.text
    assert "60 to 60?" in page.text
    assert "3 to settle" in page.text
    assert page.context["desk"].awaited == 1


def test_a_late_report_of_an_earlier_round_names_the_round(
    organiser: Client, tournament: Tournament
) -> None:
    old = make.sitting(*FOUR, at=tournament)
    close_round(round_id=old.round_id, by=make.actor(), anyway=True)
    make.report(old, WON)
    make.sitting(*FOUR, at=tournament)

    page = organiser.get(url(tournament))

    waiting = page.context["desk"].needs.about_results[0]
    assert (waiting.sitting.round.number, waiting.says) == (1, "it came after the round was closed")
    assert "Round 1: it came after" in " ".join(page.text.split())
    assert page.context["desk"].round.number == 2


def test_a_whole_round_can_be_closed_from_here(organiser: Client, tournament: Tournament) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    for _ in range(2):
        make.report(sitting, WON)

    page = organiser.get(url(tournament))
    organiser.post(reverse("round-close", args=[sitting.round_id]))
    after = organiser.get(url(tournament))

    assert "All results are in." in page.text
    assert "Next round" in after.text
    assert "Round 1 · finished" in after.text


def test_whoever_rests_is_shown_with_how_often(organiser: Client, tournament: Tournament) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    ali = make.entrant(make.player("Ali", club=tournament.club), at=tournament)
    again = make.round_of(tournament, state=RoundState.CLOSED, number=2)
    for round_ in (sitting.round, again):
        round_.rests.create(entrant=ali)

    page = organiser.get(url(tournament))

    assert page.context["desk"].resting == (("Ali", 2),)
    assert "2 times now" in page.text
    assert sitting.round.number == 1


def test_a_round_taken_back_can_be_brought_back(organiser: Client, tournament: Tournament) -> None:
    round_ = make.sitting(*FOUR, at=tournament).round
    undo_round(round_id=round_.pk, by=make.actor())

    undone = organiser.get(url(tournament))
    make.sitting(*FOUR, at=tournament)
    replaced = organiser.get(url(tournament))

    assert "Restore round 1" in undone.text
    assert "Restore round 1" not in replaced.text
    assert undone.context["desk"].next_number == 1


def test_an_official_tournament_leads_on_to_the_end_of_its_night(
    organiser: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club, timezone.now() - timedelta(hours=2))
    make.round_of(tournament, state=RoundState.CLOSED, night=night)
    official = organiser.post(url(tournament), {"do": "official"}, follow=True)
    night.ended_at = timezone.now()
    night.save()
    ended = organiser.get(url(tournament))

    way = f'href="{night.get_absolute_url()}" id="next-step">End the night'
    assert way in official.text
    assert way not in ended.text
    assert (
        f'href="{url(tournament)}">Back'
        in organiser.get(reverse("prizes", args=[tournament.pk])).text
    )


def test_the_standing_is_put_up_made_official_and_goes_on(
    organiser: Client, tournament: Tournament
) -> None:
    make.round_of(tournament, state=RoundState.CLOSED)

    closed = organiser.get(url(tournament))
    up = organiser.post(url(tournament), {"do": "publish"}, follow=True)
    Tournament.objects.update(provisional_until=timezone.now())
    late = organiser.get(url(tournament))
    official = organiser.post(url(tournament), {"do": "official"}, follow=True)
    going_on = organiser.post(url(tournament), {"do": "reopen"}, follow=True)

    assert "Finish and publish" in closed.text
    assert "provisional until" in up.text
    assert "Published. " in up.text
    assert "Players may object until" in up.text
    assert "See the standings" in up.text
    assert "No objections: make it official" in up.text
    assert "Play another round" in up.text
    assert "Make the standings official" in late.text
    assert "This tournament is finished" in official.text
    assert "Next round" not in official.text
    assert "Next round" in going_on.text


def test_no_other_button_finishes_a_tournament(organiser: Client, tournament: Tournament) -> None:
    make.round_of(tournament, state=RoundState.CLOSED)

    organiser.post(url(tournament), {"do": "dance"})

    tournament.refresh_from_db()
    assert (tournament.provisional_until, tournament.official_at) == (None, None)


def test_results_that_wait_are_asked_about_before_the_standing_is_official(
    organiser: Client, tournament: Tournament
) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    asking = issue(sitting, "query")
    where = reverse("official", args=[tournament.pk])

    too_soon = organiser.post(where, follow=True)
    close_round(round_id=sitting.round_id, by=make.actor(), anyway=True)
    asked = organiser.post(url(tournament), {"do": "official"}, follow=True)
    Issue.objects.update(settled_at=NOON, outcome="keep")
    settled = organiser.get(where)
    made = organiser.post(where, follow=True)

    assert "Round 1 is still being played: close it first." in too_soon.text
    assert asked.redirect_chain == [(where, 302)]
    assert "1 result still waits for you" in asked.text
    assert f'href="{reverse("issue", args=[asking.pk])}"' in asked.text
    assert f'href="{url(tournament)}">Settle them first' in asked.text
    assert "Nothing is left to settle." in settled.text
    assert made.redirect_chain == [(url(tournament), 302)]
    assert "This tournament is finished" in made.text


@pytest.mark.parametrize("results", [1, 3])
def test_asking_before_it_is_official_costs_the_same_however_much_waits(
    organiser: Client,
    tournament: Tournament,
    results: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(results):
        issue(make.sitting(at=tournament), "query")

    # session, user, tournament with role; its last round, what waits
    with django_assert_num_queries(5):
        page = organiser.get(reverse("official", args=[tournament.pk]))

    assert len(page.context["waiting"]) == results


def test_after_the_last_round_planned_the_standing_is_what_comes_next(
    organiser: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club)
    make.round_of(tournament, night=night, state=RoundState.CLOSED)
    pages = [reverse("desk", args=[tournament.pk]), night.get_absolute_url()]
    another = [organiser.get(page).text for page in pages]

    Tournament.objects.update(planned=1)
    last = [organiser.get(page).text for page in pages]

    assert all("Next round" in page and "that were planned" not in page for page in another)
    assert all("That was the last round planned." in page for page in last)
    assert all("Publish the standings" in page for page in last)
    assert all(reverse("draw", args=[tournament.pk]) in page for page in last)


@pytest.mark.parametrize(
    ("movement", "first"), [(Movement.FEWEST_REPEATS, "Next round"), (Movement.FREE, "New table")]
)
def test_finishing_is_a_link_that_stands_apart_from_what_comes_next(
    organiser: Client, tournament: Tournament, movement: str, first: str
) -> None:
    night = make.night(tournament.club)
    Tournament.objects.update(movement=movement)
    make.round_of(tournament, night=night, state=RoundState.CLOSED)

    for page in (url(tournament), night.get_absolute_url()):
        (step,) = re.findall(
            '<div class="next-step">(.*?)</div>', organiser.get(page).text, re.DOTALL
        )

        loud = re.findall('class="button primary[^>]*>([^<]*)<', step)
        *_, (form, button, says) = re.findall(
            '<form( class="[^"]*")?(?:(?!</form).)*class="(button[^"]*)"[^>]*>([^<]*)<',
            step,
            re.DOTALL,
        )
        assert loud == [first]
        assert (form, button.split()[:2], says) == (
            ' class="apart"',
            ["button", "link"],
            "Finish and publish",
        )


def test_what_cannot_be_finished_is_said(organiser: Client, tournament: Tournament) -> None:
    make.sitting(*FOUR, at=tournament)

    page = organiser.post(url(tournament), {"do": "official"}, follow=True)

    assert "Round 1 is still being played: close it first." in page.text


@pytest.mark.parametrize("tables", [1, 3])
def test_the_desk_costs_the_same_however_many_tables_there_are(
    organiser: Client,
    tournament: Tournament,
    tables: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(tables):
        sitting = make.sitting(at=tournament)
        make.report(sitting, WON)
        issue(sitting, "query")

    # session, user, tournament with role; rounds standing and undone, issues, tables, people,
    # who rests, the stages
    with django_assert_num_queries(9):
        page = organiser.get(url(tournament))

    assert len(page.context["desk"].tables) == tables


def test_a_scorer_looks_and_does_not_touch(client: Client, tournament: Tournament) -> None:
    make.sitting(*FOUR, at=tournament)
    stranger = client.get(url(tournament))
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))

    looked = client.get(url(tournament))
    touched = client.post(url(tournament), {"do": "official"})

    assert stranger.headers["Location"].startswith(reverse("sign-in"))
    assert "Table 1" in looked.text
    assert "Close round 1" not in looked.text
    assert touched.status_code == 403


def test_a_table_closed_with_results_missing_is_not_called_finished(
    organiser: Client, tournament: Tournament
) -> None:
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, WON)
    close_round(round_id=sitting.round_id, anyway=True, by=make.actor())

    page = organiser.get(url(tournament))

    assert "1 missing" in page.text
    assert '<span class="pill">finished</span>' not in page.text


def test_hand_struck_out_is_owed_again_at_the_desk_and_when_the_round_closes() -> None:
    """Two hands of two are in, one is struck out: one count of progress for all who ask."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=2))
    make.report(sitting, {"eaten": [70, 50]})
    make.report(sitting, {"eaten": [70, 50]})
    correct_sitting(sitting_id=sitting.pk, changes={2: STRIKE}, reason="Twice", by=make.actor())

    [on_desk] = tournament_desk(sitting.round.tournament, now=make.NOON).tables
    [missing_table] = pending_tables(sitting.round)

    assert (on_desk.table.progress.done, on_desk.table.done, on_desk.table.progress.owed) == (
        1,
        False,
        1,
    )
    assert missing_table.progress.owed == 1
    make.report(sitting, {"eaten": [70, 50]})
    [on_desk] = tournament_desk(sitting.round.tournament, now=make.NOON).tables
    assert (on_desk.table.progress.done, on_desk.table.done) == (2, True)
    assert pending_tables(sitting.round) == []


def test_once_a_knock_out_is_decided_the_standing_is_what_comes_next(
    organiser: Client, tournament: Tournament
) -> None:
    cup = make.tournament(
        club=tournament.club, hands=1, teams=True, movement=Movement.KNOCKOUT, name="Knock-out"
    )
    pairs = [make.team(*(make.player(name, club=cup.club) for name in pair)) for pair in PAIRS]
    enter_teams(tournament_id=cup.pk, teams=[pair.pk for pair in pairs], by=make.actor())

    def play() -> str:
        draw_rounds(tournament_id=cup.pk, by=make.actor(), rng=Random(7))
        opened = open_draw(tournament_id=cup.pk, by=make.actor(), rng=Random(7))
        for sitting in opened.sittings.all():
            make.report(sitting, WON)
        close_round(round_id=opened.pk, by=make.actor())
        return str(tournament_desk(cup, now=NOON).step)

    assert [play(), play()] == ["seat", "publish"]
    assert "Publish the standings" in organiser.get(url(cup)).content.decode()


@pytest.mark.parametrize("left", [20, 300])
def test_little_room_on_the_disk_is_said(
    organiser: Client,
    tournament: Tournament,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    left: int,
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=left * 1024**2))
    settings.DATABASE_URL = ""  # as on SQLite

    assert ("Only 20 MB are left" in organiser.get(url(tournament)).text) is (left == 20)


def test_a_disk_that_takes_nothing_in_is_said(
    organiser: Client,
    tournament: Tournament,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> None:
    monkeypatch.setattr(files, "_last_check", None)
    monkeypatch.setattr(files, "write_error", lambda _: OSError(30, "Read-only file system"))
    settings.DATABASE_URL = ""  # as on SQLite

    assert "Nothing can be saved" in organiser.get(url(tournament)).text
    assert files._last_check is not None
    monkeypatch.setattr(files, "write_error", lambda _: None)
    assert "Nothing can be saved" in organiser.get(url(tournament)).text  # it was just tried
    monkeypatch.setattr(files, "_last_check", (files._last_check[0] - 11, True))
    assert "Nothing can be saved" not in organiser.get(url(tournament)).text


def test_what_else_can_be_done_is_three_folded_lists(
    organiser: Client, tournament: Tournament
) -> None:
    make.sitting(*FOUR, at=tournament)
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)

    page = organiser.get(url(tournament)).text

    before, rounds, paper, whole = page.split('<details class="more">')[-4:]
    assert all(group.count('<ul class="rows">') == 1 for group in (rounds, paper, whole))
    assert 'class="button"' not in rounds + paper + whole
    assert "Print score sheets" not in before
    assert rounds.index("Change seats") < rounds.index("Reopen round 1")
    assert "Undo round 1" in rounds
    assert "Type in paper sheets" in paper
    assert "Bonus and penalty points" in whole
