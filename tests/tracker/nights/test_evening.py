"""An evening of several games at one set of tables, run from the page of its night, to its end."""

import re
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries, assertRedirects

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, seen_on, shows, words
from tracker.models import (
    Club,
    ClubNight,
    Entrant,
    Format,
    Issue,
    IssueKind,
    Player,
    Round,
    Table,
    Tournament,
)
from tracker.nights.queries.desk import NextStep, night_desk
from tracker.nights.queries.nights import people_of_night
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import end_night, reopen_night
from tracker.nights.services.tonight import begin_tonight
from tracker.seating.logic.saved_draws import DrawSettings
from tracker.seating.queries.players import waiting_players
from tracker.seating.queries.table_cards import open_sitting_at
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import undo_round
from tracker.standings.services.standings import publish_standing, reopen_tournament

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
FOUR = ("Asha", "Neema", "Juma", "Baraka")
EIGHT = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")
OTHERS = ("Ana", "Bela", "Cesar", "Dani")
WON = {"eaten": [70, 50]}


def play(
    club: Club, *names: str, game: str = "albastini", now: datetime = NOON, **more: Any
) -> Round:
    """Begin a tournament of these people, and open its first round."""
    asked = {"title": game.title(), "players": (), **more}
    by = make.actor(at=now)
    return begin_tonight(club_id=club.pk, game=game, new_names=names, by=by, rng=Random(7), **asked)


def play_now(club: Club, *names: str, **more: Any) -> Round:
    return play(club, *names, now=timezone.now(), **more)


def report_won(round_: Round, **more: Any) -> None:
    make.report(round_.sittings.get(), WON, **more)


def park(round_: Round) -> Issue:
    """Let a hand wait for the organiser."""
    make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)
    return Issue.objects.latest("pk")


def close(round_: Round) -> None:
    close_round(round_id=round_.pk, anyway=True, by=make.actor(at=timezone.now()))


def night_of(round_: Round) -> ClubNight:
    assert round_.night is not None
    return round_.night


def at_tables(round_: Round) -> list[int]:
    return list(round_.sittings.order_by("number").values_list("number", flat=True))


def next_round(tournament: Tournament, **more: Any) -> Round:
    by, rng = make.actor(), Random(7)
    draw_rounds(tournament_id=tournament.pk, by=by, rng=rng, **more)
    return open_draw(tournament_id=tournament.pk, by=by, rng=rng)


def publish(tournament: Tournament, until: datetime = NOON + HOUR) -> None:
    publish_standing(tournament_id=tournament.pk, until=until, by=make.actor())


def here(night: ClubNight) -> list[str]:
    return [stay.player.name for stay in people_of_night(night).here]


# Several games at one night's tables --------------------------------------------------------------


def test_who_sits_down_tonight_is_at_the_night(club: Club) -> None:
    round_ = play(club, *FOUR)
    assert here(night_of(round_)) == sorted(FOUR)
    assert Table.objects.get().night == round_.night


def test_a_reader_sees_what_is_played(client: Client, club: Club, now_night: ClubNight) -> None:
    round_ = play_now(club, *FOUR)
    page = client.get(now_night.get_absolute_url())
    shows(client.get(club.get_absolute_url()), "on now")
    shows(page, round_.tournament.name, reverse("my-table", args=[club.pk]))
    lacks(page, "Nobody has said yes")


def test_tournaments_share_the_tables_of_a_night_and_keep_theirs(club: Club) -> None:
    first, second = play(club, *EIGHT), play(club, *OTHERS, game="dalmuti")
    assert (at_tables(first), at_tables(second), first.night) == ([1, 2], [3], second.night)
    for round_ in (first, second):
        act.close(round_, anyway=True)
    dalmuti = next_round(second.tournament)
    more = next_round(first.tournament, new_names=["Eli", "Fadi", "Gita", "Hana"])
    assert (at_tables(dalmuti), at_tables(more)) == ([3], [1, 2, 4])
    assert {dalmuti.night, more.night} == {first.night}


def test_tables_of_a_closed_round_are_free_for_whoever_plays_next(club: Club) -> None:
    round_ = play(club, *EIGHT)
    act.close(round_, anyway=True)
    other, again = play(club, *OTHERS, game="dalmuti"), next_round(round_.tournament)
    assert (at_tables(other), at_tables(again)) == ([1], [2, 3])


def test_the_tables_of_what_is_official_or_undone_are_free_again(club: Club) -> None:
    """The card of a table leads to whoever sits there now."""
    first = play(club, *FOUR)
    act.close(first, not_played=True)
    act.finish(first.tournament)
    second = play(club, *FOUR, game="dalmuti")
    assert open_sitting_at(Table.objects.get()) == second.sittings.get()
    undo_round(round_id=second.pk, by=make.actor())
    assert at_tables(play(club, *OTHERS)) == [1]


def test_cards_are_printed_once_for_the_season(club: Club) -> None:
    first = play(club, *FOUR)
    act.close(first, anyway=True)
    second = play(club, *EIGHT, now=NOON + timedelta(days=7))
    cards = {table.number: table for table in Table.objects.all()}
    assert sorted(cards) == [1, 2]
    assert first.night != second.night
    assert {table.night for table in cards.values()} == {second.night}
    assert open_sitting_at(cards[1]) == second.sittings.get(number=1)


def test_a_table_where_people_still_play_stays_where_it_is(club: Club) -> None:
    first = play(club, *FOUR)
    second = play(club, *OTHERS, now=NOON + timedelta(days=7))
    assert Table.objects.count() == 2
    assert first.sittings.get().table != second.sittings.get().table


def test_nobody_sits_in_two_games_at_once(club: Club) -> None:
    play(club, *FOUR)
    with act.refused("seated-already"):
        play(club, "Asha", "Ana", "Bela", "Cesar", game="dalmuti")
    assert Tournament.objects.count() == 1


def test_the_coming_round_is_proposed_without_who_went_home(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    round_, by = play_now(club, *EIGHT), make.actor(at=timezone.now())
    close(round_)
    gone = Player.objects.get(name="Zawadi")
    leave(night_id=now_night.pk, players=[gone.pk], by=by)
    arrive(night_id=now_night.pk, new_names=["Eli"], by=by)
    draw = reverse("draw", args=[round_.tournament.pk])
    before = organiser.get(draw)
    page = organiser.post(draw, {"do": "draw"}, follow=True)

    tables = page.context["page"]["round"].tables
    placed = {each.name for table in tables for side in table.sides for each in side}
    assert placed == {*EIGHT, "Eli"} - {"Zawadi"}
    eli = Player.objects.get(name="Eli")
    shows(before, f'name="more" value="{eli.pk}" checked')
    chosen = page.context["form"]["playing"].chosen
    assert str(gone.entrants.get().pk) not in chosen
    assert str(eli.entrants.get().pk) in chosen


def test_tonight_knows_who_is_here(organiser: Client, club: Club, now_night: ClubNight) -> None:
    play_now(club, *FOUR, "Rests", mode="4t2")
    arrive(night_id=now_night.pk, new_names=["Eli"], by=make.actor(at=timezone.now()))
    make.player("Zuri", club=club)
    page = organiser.get(reverse("tonight", args=[club.pk]))
    assert page.context["form"]["people"].chosen == {str(Player.objects.get(name="Eli").pk)}


def test_who_goes_home_is_missed_there(organiser: Client, club: Club, now_night: ClubNight) -> None:
    round_ = play_now(club, *FOUR)
    left = {"left": str(Player.objects.get(name="Asha").pk)}
    page = organiser.post(reverse("night-people", args=[now_night.pk]), left, follow=True)
    shows(page, "Asha has gone home, but has a seat at table 1")
    there = reverse("round-seats", args=[round_.pk]) + "?back=night"
    shows(page, f'<a href="{there}">Change seats there</a>')


# By lot -------------------------------------------------------------------------------------------


def movement_of(round_: Round) -> str:
    return str(round_.seating_plan["settings"]["movement"])


def test_the_lot_is_drawn_again_from_the_seed_that_was_kept(club: Club) -> None:
    drawn = play(club, *EIGHT, movement="by_lot")
    again = play(make.club("Elsewhere"), *EIGHT, movement="by_lot")
    seats = drawn.seats.order_by("sitting__number", "place")
    names = [*seats.values_list("player__name", flat=True)]
    assert movement_of(drawn) == "by_lot"
    assert drawn.seating_plan["question"]["seed"] == again.seating_plan["question"]["seed"]
    assert names != list(EIGHT)
    assert sorted(names) == sorted(EIGHT)
    with act.refused("movement-unknown"):
        play(club, *OTHERS, movement="by_magic")


def test_the_lot_lets_those_rest_who_rested_least(club: Club) -> None:
    first = play(club, *EIGHT, "Eli", mode="4t2")
    act.close(first, anyway=True)
    settings = DrawSettings(movement="by_lot", mode="4t2")
    second = next_round(first.tournament, settings=settings)
    assert first.rests.get().entrant != second.rests.get().entrant


def test_the_lot_can_be_asked_for_on_the_page(organiser: Client, club: Club) -> None:
    asked = {"game": "albastini", "names": ", ".join(EIGHT), "format": "players"}
    organiser.post(reverse("tonight", args=[club.pk]), {**asked, "movement": "by_lot"})
    tournament = Tournament.objects.get()
    first = tournament.rounds.get()
    close(first)
    where = reverse("draw", args=[tournament.pk]) + "?back=night"
    chosen = {"playing": [each.pk for each in tournament.entrants.all()], "mode": "4t2"}
    drawn = organiser.post(where, {"do": "set", **chosen, "length": 8, "movement": "by_lot"})
    page = organiser.post(where, {"do": "open"})

    assert movement_of(first) == movement_of(tournament.rounds.get(number=2)) == "by_lot"
    assertRedirects(drawn, where)
    assertRedirects(page, reverse("night", args=[first.night_id]))


# The organiser's page -----------------------------------------------------------------------------


def press(organiser: Client, night: ClubNight, do: str, **more: object) -> str:
    answer = organiser.post(night.get_absolute_url(), {"do": do, **more}, follow=True)
    assert answer.status_code == 200
    return answer.text


def test_what_is_next_goes_from_seats_to_an_official_standing(club: Club) -> None:
    round_ = play(club, *FOUR, length=1)
    night, tournament = night_of(round_), round_.tournament

    def step(minutes: int = 0) -> NextStep | None:
        [line] = night_desk(night, now=NOON + timedelta(minutes=minutes)).playing
        return line.step

    assert step() == NextStep.WAIT
    report_won(round_)
    assert step() == NextStep.CLOSE
    act.close(round_)
    assert step() == NextStep.SEAT
    publish(tournament)
    assert [step(59), step(60)] == [NextStep.OBJECT, NextStep.FINISH]
    act.finish(tournament)
    desk = night_desk(night, now=NOON)
    assert ([*desk.playing], desk.official) == ([], (tournament,))


def test_the_most_urgent_tournament_comes_first(club: Club) -> None:
    play(club, *FOUR)
    ready = play(club, *OTHERS, length=1)
    report_won(ready)
    desk = night_desk(night_of(ready), now=NOON)
    assert [line.step for line in desk.playing] == [NextStep.CLOSE, NextStep.WAIT]
    assert desk.first is not None
    assert (desk.first.round, desk.several) == (ready, True)


@pytest.mark.parametrize(
    ("names", "more", "resting"),
    [
        (("Eli",), {}, "Eli"),
        (("Eli", "Fausta"), {"format_": Format.TEAMS}, "Eli & Fausta"),
    ],
)
def test_who_rests_does_not_wait_for_a_seat(
    club: Club, names: tuple[str, ...], more: dict[str, Any], resting: str
) -> None:
    night = night_of(play(club, *FOUR, *names, mode="4t2", **more))
    assert waiting_players(night) == []
    arrive(night_id=night.pk, new_names=["Late"], by=make.actor())
    desk = night_desk(night, now=NOON)
    assert desk.resting == ((resting, 1),)
    assert (desk.free, desk.here) == (("Late",), 5 + len(names))


def test_another_round_takes_the_standing_down_again(club: Club) -> None:
    round_ = play(club, *FOUR)
    tournament = round_.tournament
    with act.refused("round-open"):
        publish(tournament)
    act.close(round_, anyway=True)
    publish(tournament)
    next_round(tournament)
    tournament.refresh_from_db()
    assert tournament.provisional_until is None


def test_an_official_standing_is_not_put_up_again_until_it_goes_on(tournament: Tournament) -> None:
    publish(tournament)
    act.finish(tournament)
    with act.refused("tournament-over"):
        publish(tournament)
    again = reopen_tournament(tournament_id=tournament.pk, by=make.actor())
    assert (again.provisional_until, again.official_at) == (None, None)


def test_an_evening_is_run_from_its_page(organiser: Client, club: Club) -> None:
    night = make.night(club, timezone.now() - HOUR, place="Bar")
    page = night.get_absolute_url()
    shows(organiser.get(page), "Check people in")
    arrive(night_id=night.pk, new_names=FOUR, by=make.actor(at=timezone.now()))
    shows(organiser.get(page), "Choose a game and seat everybody")
    round_ = play_now(club, *FOUR, length=2)
    sitting, at = round_.sittings.get(), {"round": round_.pk}
    shows(organiser.get(page), sitting.table.spaced_code if sitting.table else "")

    assert 'data-clock="' in press(organiser, night, "start", minutes=25, **at)
    given = press(organiser, night, "give", sitting=sitting.pk, minutes=5)
    assert "Table 1 has 5 more minutes." in given
    assert "left, and paused" in press(organiser, night, "pause")
    assert "Pause all clocks" in press(organiser, night, "resume")
    assert "15 minutes left. All clocks are paused." in press(organiser, night, "break", minutes=15)
    press(organiser, night, "resume")
    assert "Round 1 ends after 1." in press(organiser, night, "shorten", length=1, **at)
    report_won(round_, now=timezone.now())
    shows(organiser.get(page), "All results are in.")
    closing = reverse("round-close", args=[round_.pk]) + "?back=night"
    shows(organiser.post(closing, follow=True), "Next round")
    cup = {"tournament": round_.tournament_id}
    assert "provisional until" in press(organiser, night, "publish", **cup)
    assert "are official." in press(organiser, night, "official", **cup)
    ended = press(organiser, night, "end")
    shows(ended, "Announce the next night")
    lacks(ended, "Nobody sits")
    assert "End the night" in press(organiser, night, "reopen")


def test_what_cannot_be_done_is_said(organiser: Client, now_night: ClubNight) -> None:
    """The rounds of another night are gone from this one."""
    play_now(now_night.club, *FOUR)
    at = make.tournament(club=make.club("Elsewhere"), hands=4)
    elsewhere, gone = make.sitting(at=at).round, "That is gone."

    for do, more, sentence in (
        ("give", {"sitting": "9" * 30, "minutes": 5}, gone),
        ("shorten", {"round": "x", "length": 2}, gone),
        ("shorten", {"round": elsewhere.pk, "length": 1}, gone),
        ("start", {"round": 0, "minutes": 20}, gone),
        ("official", {"tournament": 0}, gone),
        ("break", {"minutes": "soon"}, "That takes from 1 to 240 minutes."),
        ("end", {}, "is being played: close it first."),
        ("dance", {}, "Table 1"),
    ):
        assert sentence in press(organiser, now_night, do, **more)
    elsewhere.refresh_from_db()
    assert elsewhere.hands == 4


def test_a_tie_for_a_prize_is_asked_about_at_once(organiser: Client, club: Club) -> None:
    round_ = play_now(club, *FOUR, length=1)
    report_won(round_)
    close(round_)
    night, tournament = ClubNight.objects.get().get_absolute_url(), round_.tournament
    asked = organiser.post(night, {"do": "official", "tournament": tournament.pk}, follow=True)
    where = reverse("prizes", args=[tournament.pk]) + "?back=night"
    first = organiser.post(where, {"tie": 1, "tie1-how": "share"})
    last = organiser.post(where, {"tie": 3, "tie3-how": "share"}, follow=True)

    assertRedirects(asked, where)
    shows(asked, f'href="{night}">Later')
    assertRedirects(first, where)
    assertRedirects(last, night)
    shows(last, "The prize is settled.")


@pytest.mark.parametrize("many", [1, 2])
def test_a_night_ends_with_its_winners(organiser: Client, club: Club, many: int) -> None:
    for letter in "AB"[:many]:
        names = [f"{name} {letter}." for name in FOUR]
        round_ = play_now(club, *names, title=f"Cup {letter}", length=1)
        report_won(round_)
        close(round_)
        act.finish(round_.tournament)
    night = ClubNight.objects.get()
    first_cup = night.rounds.earliest("pk").tournament_id
    level = organiser.get(night.get_absolute_url()).text
    settle_ties(organiser, round_)

    ended = press(organiser, night, "end")
    with assertNumQueries(11):
        organiser.get(night.get_absolute_url())
    member = Client().get(night.get_absolute_url()).text
    sheet = Client().get(reverse("print-results", args=[night.pk])).text
    next_night = reverse("night-new", args=[club.pk])
    new = organiser.get(f"{next_night}?after={night.pk}")

    shows(level, f'primary big block" href="{reverse("prizes", args=[first_cup])}')
    for page in (ended, member, sheet):
        rows = rows_of(page)
        assert ["1", f"Juma {letter}.", "1"] in rows
        assert ["2", f"Asha {letter}.", "1"] in rows
        shows(page, "in this order by the cut of the cards.")
    assert ["3=", f"Baraka {letter}.", "0", "1"] in rows_of(sheet)
    for offered, after in (("End the night", 0), ("Results sheet", 1)):
        assert (level.count(offered), ended.count(offered)) == (1, after), offered
    picture = reverse("tournament-picture", args=[first_cup])
    about = [reverse(name, args=[night.pk]) for name in ("night-display", "print-results")]
    shows(ended, *(f'href="{link}' for link in (picture, next_night, *about)))
    assert ended.count("primary") == 1
    lacks(member, next_night)
    proposed = new.context["form"].initial["starts_at"]
    assert proposed.minute % 30 == proposed.second == 0
    assert timedelta() <= night.starts_at + timedelta(days=7) - proposed < timedelta(minutes=30)


def settle_ties(organiser: Client, round_: Round) -> None:
    """Let the cards put Juma before Asha, and the third prize be shared."""
    prizes = reverse("prizes", args=[round_.tournament_id]) + "?back=night"
    level = Entrant.objects.filter(tournament=round_.tournament).order_by("player__name")
    asha, juma = level.filter(player__name__regex="Asha|Juma")
    places = {f"tie1-place_{asha.pk}": 2, f"tie1-place_{juma.pk}": 1}
    organiser.post(prizes, {"tie": 1, "tie1-how": "cut", **places})
    organiser.post(prizes, {"tie": 3, "tie3-how": "share"})


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of every row of the tables of a page; the first three of a line too."""
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    cells = [
        [words(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows
    ]
    return [*cells, *(row[:3] for row in cells)]


def test_what_is_settled_from_the_evening_leads_back_there(organiser: Client, club: Club) -> None:
    round_ = play_now(club, *FOUR)
    where = reverse("issue", args=[park(round_).pk]) + "?back=night"
    night = ClubNight.objects.get().get_absolute_url()

    waiting = organiser.get(night)
    shows(waiting, where)
    lacks(waiting, "Round 1: it would not add up")
    seen = seen_on(organiser.get(where).text)
    assertRedirects(organiser.post(where, {"outcome": "keep", "seen": seen}), night)
    draw = reverse("draw", args=[round_.tournament_id]) + "?back=night"
    closing = organiser.get(reverse("round-close", args=[round_.pk]) + "?back=night")
    shows(closing, f'href="{night}">Keep playing')
    table = organiser.get(reverse("sitting", args=[round_.sittings.get().pk]))
    seats = organiser.get(reverse("round-seats", args=[round_.pk]))
    for page in (table, closing, seats, organiser.get(draw)):
        shows(page, f'href="{night}">Club night')
    organiser.post(draw, {"do": "draw"})
    opened = organiser.post(draw, {"do": "open"}, follow=True)
    assertRedirects(opened, draw)
    shows(opened, "Round 1 is still being played")


def test_results_that_wait_are_asked_about_before_the_end(organiser: Client, club: Club) -> None:
    round_ = play_now(club, *FOUR, length=1)
    issue, tournament = park(round_), round_.tournament
    # While a parked result waits, no standing is official; about a query the organiser decides.
    Issue.objects.update(kind=IssueKind.QUERY)
    close(round_)
    night = ClubNight.objects.get().get_absolute_url()
    shows(organiser.get(night), "Round 1: a player thinks it is wrong")  # which is over by now
    shows(organiser.get(reverse("draw", args=[tournament.pk])), f'href="{night}">Club night')
    where = reverse("official", args=[tournament.pk]) + "?back=night"

    asked = organiser.post(night, {"do": "official", "tournament": tournament.pk}, follow=True)
    tournament.refresh_from_db()
    before = tournament.official_at
    made = organiser.post(where, follow=True)

    assertRedirects(asked, where)
    shows(asked, "1 result still waits for you", reverse("issue", args=[issue.pk]) + "?back=night")
    shows(asked, '<button class="button block">Make it official all the same')
    shows(asked, f'class="button primary big block" href="{night}">Settle them first')
    assert before is None
    assertRedirects(made, reverse("prizes", args=[tournament.pk]) + "?back=night")  # two are level
    shows(made, "are official.")
    assertRedirects(organiser.get(where), night)  # nothing to ask any more


def test_a_night_ends_when_nobody_plays_and_everybody_goes_home(club: Club) -> None:
    round_ = play(club, *FOUR)
    night = night_of(round_)
    with act.refused("round-open"):
        end_night(night_id=night.pk, by=make.actor())
    act.close(round_, anyway=True)

    ended = [
        end_night(night_id=night.pk, by=make.actor(at=NOON + hours * HOUR)).ended_at
        for hours in (1, 2)
    ]

    assert ended == [NOON + HOUR] * 2
    assert here(night) == []
    assert ClubNight.objects.going_on(club.pk, NOON + HOUR) is None
    for _ in range(2):
        assert reopen_night(night_id=night.pk, by=make.actor()).ended_at is None


def test_tonight_in_the_menu_leads_to_the_night_that_is_on(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    pages = [
        reverse(name, args=[club.pk]) for name in ("club", "players", "tournaments", "tonight")
    ]
    link = r'<a id="menu-tonight" href="([^"]+)".*?>(.*?)</a>'

    def menu() -> list[tuple[str, str]]:
        """Return where the menu of every page leads, and what it says."""
        found = {found for page in pages for found in re.findall(link, organiser.get(page).text)}
        return [*found]

    tonight, desk = (reverse("tonight", args=[club.pk]), "Tonight"), now_night.get_absolute_url()
    assert menu() == [tonight]
    tables = [play_now(club, *(f"{name} {at}" for name in FOUR)) for at in "AB"]
    assert menu() == [(desk, "Tonight")]
    for round_ in tables:
        park(round_)
    assert menu() == [(desk, "Tonight · 2")]
    shows(organiser.get(club.get_absolute_url()), "Run tonight (2 need you)")
    for round_ in tables:
        close(round_)
    end_night(night_id=now_night.pk, by=make.actor(at=timezone.now()))
    assert menu() == [tonight]
