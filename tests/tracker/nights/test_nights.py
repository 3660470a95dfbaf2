"""Club nights: announced, who comes and who is here, several games at one set of tables, the end."""

import re
from datetime import datetime, timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import make
from tests.make import NOON
from tests.reading import seen_on
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Entrant,
    Format,
    Issue,
    LogEntry,
    Player,
    Role,
    Round,
    Rsvp,
    Table,
    Tournament,
)
from tracker.nights.queries.desk import NextStep, night_desk
from tracker.nights.queries.nights import people_of_night, replies
from tracker.nights.services.attendance import MOST_NEW_NAMES, arrive, leave, record_rsvp
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import (
    announce_night,
    current_or_new_night,
    edit_night,
    end_night,
    reopen_night,
)
from tracker.nights.services.tonight import begin_tonight
from tracker.seating.logic.saved_draws import DrawSettings
from tracker.seating.queries.players import waiting_players
from tracker.seating.queries.table_cards import open_sitting_at
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import undo_round
from tracker.standings.services.standings import (
    finish_tournament,
    publish_standing,
    reopen_tournament,
)

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
FOUR = ("Asha", "Neema", "Juma", "Baraka")
EIGHT = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")
WON = {"eaten": [70, 50]}


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def night(club: Club) -> ClubNight:
    return make.night(club)


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    return client


@pytest.fixture
def now_night(club: Club) -> ClubNight:
    """Return a night that goes on while the test runs, for tests of pages."""
    return make.night(club, timezone.now() - HOUR)


def play(
    club: Club, *names: str, game: str = "albastini", now: datetime = NOON, **more: object
) -> Round:
    by = make.actor(at=now)
    asked = {"title": game.title(), "by": by, "rng": Random(7), "players": (), **more}
    return begin_tonight(club_id=club.pk, game=game, new_names=names, **asked)  # type: ignore[arg-type]


def at_tables(round_: Round) -> list[int]:
    return list(round_.sittings.order_by("number").values_list("number", flat=True))


def next_round(tournament: Tournament, *, now: datetime = NOON, **more: object) -> Round:
    by = make.actor(at=now)
    draw_rounds(tournament_id=tournament.pk, by=by, rng=Random(7), **more)  # type: ignore[arg-type]
    return open_draw(tournament_id=tournament.pk, by=by, rng=Random(7))


# Announcing ---------------------------------------------------------------------------------------


def test_a_night_is_announced_changed_and_logged(club: Club) -> None:
    night = announce_night(
        club_id=club.pk, starts_at=NOON, place="  Bar  Kijiji ", games="Albastini", by=make.actor()
    )
    edit_night(night_id=night.pk, starts_at=NOON + HOUR, place="Home", games="", by=make.actor())

    night.refresh_from_db()
    assert (night.starts_at, night.place, night.games) == (NOON + HOUR, "Home", "")
    assert [log_entry.verb for log_entry in LogEntry.objects.order_by("pk")] == [
        "night-announced",
        "night-changed",
    ]


@pytest.mark.parametrize(
    ("hours", "goes_on"), [(-7, True), (-9, False), (0, True), (15, True), (17, False)]
)
def test_a_night_goes_on_from_before_it_begins_until_past_midnight(
    night: ClubNight, hours: int, *, goes_on: bool
) -> None:
    assert (ClubNight.objects.going_on(night.club_id, NOON + hours * HOUR) is not None) == goes_on


def test_of_two_nights_the_one_begun_last_goes_on(club: Club, night: ClubNight) -> None:
    later = make.night(club, NOON + 2 * HOUR)
    make.night(make.club("Elsewhere"), NOON + HOUR)

    assert ClubNight.objects.going_on(club.pk, NOON + HOUR) == night
    assert ClubNight.objects.going_on(club.pk, NOON + 3 * HOUR) == later


def test_tonight_begins_a_night_that_nobody_announced(club: Club) -> None:
    begun = current_or_new_night(club_id=club.pk, by=make.actor())

    assert begun.starts_at == NOON
    assert current_or_new_night(club_id=club.pk, by=make.actor(at=NOON + HOUR)) == begun


def test_the_list_has_coming_and_past_nights(client: Client, club: Club) -> None:
    now = timezone.now()
    night = make.night(club, now + timedelta(days=7))
    past = make.night(club, now - timedelta(days=7))
    ended = make.night(club, now - HOUR, ended_at=now)
    record_rsvp(night_id=night.pk, player_id=None, name="Zuri", yes=True, by=make.actor())
    arrive(night_id=past.pk, new_names=FOUR, by=make.actor())

    listed = client.get(reverse("nights", args=[club.pk])).context

    assert [(each, each.coming, each.came) for each in listed["coming"]] == [(night, 1, 0)]
    assert [(each, each.came) for each in listed["past"]] == [(ended, 0), (past, 4)]


def test_an_organiser_announces_a_night_through_the_pages(organiser: Client, club: Club) -> None:
    new = reverse("night-new", args=[club.pk])
    proposed = timezone.make_aware(organiser.get(new).context["form"]["starts_at"].value())
    refused = organiser.post(new, {"starts_at": "soon", "place": "Bar"})
    made = organiser.post(new, {"starts_at": "2031-11-27T19:30", "place": "Bar"}, follow=True)
    night = ClubNight.objects.get()
    edit = reverse("night-edit", args=[night.pk])
    form = organiser.get(edit)
    organiser.post(edit, {"starts_at": "2031-11-27T20:00", "games": "Dalmuti"})

    assert proposed.minute in {0, 30}
    assert timezone.now() - timedelta(minutes=1) < proposed < timezone.now() + timedelta(minutes=30)
    assertContains(refused, "Please write a day and a time")
    assertContains(refused, 'value="Bar"')
    assertContains(made, reverse("night-rsvp", args=[night.uid]))
    assert made.text.count("Send it around") == 1
    assert "Send the link" not in made.text
    assertContains(form, 'value="2031-11-27T19:30"')
    night.refresh_from_db()
    assert (night.starts_at.hour, night.place, night.games) == (20, "", "Dalmuti")


def test_a_reader_sees_when_and_where_and_who_comes(client: Client, club: Club) -> None:
    night = make.night(club, timezone.now() + timedelta(days=3), place="Bar Kijiji")
    record_rsvp(night_id=night.pk, player_id=None, name="Zuri", yes=True, by=make.actor())
    record_rsvp(night_id=night.pk, player_id=None, name="Ali", yes=False, by=make.actor())

    listed = client.get(reverse("nights", args=[club.pk]))
    shown = client.get(night.get_absolute_url())
    home = client.get(club.get_absolute_url())

    assertContains(listed, "1 coming")
    assertContains(shown, "Bar Kijiji")
    assertContains(shown, "Zuri")
    assertContains(shown, "Can’t make it")
    assertContains(home, "Bar Kijiji")


def test_a_reader_sees_what_is_played(client: Client, club: Club, now_night: ClubNight) -> None:
    round_ = play(club, *FOUR, now=timezone.now())

    page = client.get(now_night.get_absolute_url())
    assertContains(client.get(club.get_absolute_url()), "on now")
    assertContains(page, round_.tournament.name)
    assertContains(page, reverse("my-table", args=[now_night.club_id]))
    assertNotContains(page, "Nobody has said yes")


def test_without_nights_the_list_says_so(client: Client, club: Club) -> None:
    page = reverse("nights", args=[club.pk])
    assertContains(client.get(page), "No night is announced")
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    assertContains(client.get(page), reverse("night-new", args=[club.pk]))


# Saying that one comes ----------------------------------------------------------------------------


def test_the_last_word_counts(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)
    for yes in (True, False):
        record_rsvp(night_id=night.pk, player_id=asha.pk, yes=yes, by=make.actor())
    record_rsvp(night_id=night.pk, player_id=None, name="Zuri", yes=False, by=make.actor())
    record_rsvp(night_id=night.pk, player_id=None, name=" ZURI ", yes=True, by=make.actor())

    said = {answer: [rsvp.called for rsvp in of] for answer, of in replies(night).items()}

    assert said == {"yes": ["ZURI"], "no": ["Asha"]}
    assert [name for _key, name in people_of_night(night).typed] == ["ZURI"]


def test_a_typed_name_of_a_player_is_that_player(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)

    rsvp = record_rsvp(night_id=night.pk, player_id=None, name="asha", yes=True, by=make.actor())

    assert rsvp.player == asha
    assert [reply.player for reply in replies(night)["yes"]] == [asha]


def test_who_was_erased_is_not_listed(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)
    record_rsvp(night_id=night.pk, player_id=asha.pk, yes=True, by=make.actor())
    Player.objects.update(erased_at=NOON)

    assert not replies(night)["yes"]


def test_what_cannot_be_said(night: ClubNight) -> None:
    stranger = make.player("Ali", club=make.club("Elsewhere"))
    Rsvp.objects.bulk_create(
        Rsvp(night=night, name=f"N{n}", name_key=f"n{n}", yes=True, answered_at=NOON)
        for n in range(MOST_NEW_NAMES)
    )
    codes = []

    for who in ({"player_id": stranger.pk}, {"name": "  "}, {"name": "One more"}):
        with pytest.raises(Refused) as refused:
            record_rsvp(
                night_id=night.pk,
                player_id=who.get("player_id"),  # type: ignore[arg-type]
                name=str(who.get("name", "")),
                yes=True,
                by=make.actor(),
            )
        codes.append(refused.value.code)
    end_night(night_id=night.pk, by=make.actor())
    with pytest.raises(Refused) as over:
        record_rsvp(night_id=night.pk, player_id=None, name="N1", yes=True, by=make.actor())

    assert [*codes, over.value.code] == [
        "player-unknown",
        "name-empty",
        "rsvps-full",
        "night-over",
    ]


def test_whoever_has_the_link_answers_without_signing_in(client: Client) -> None:
    night = make.night(make.club("Quiet", public=False), timezone.now() + HOUR)
    asha = make.player("Asha", club=night.club)
    link = reverse("night-rsvp", args=[night.uid])

    thanks = client.post(link, {"player": str(asha.pk), "answer": "yes"}, follow=True)
    pity = client.post(link, {"name": "Zuri", "answer": "no"}, follow=True)
    nobody = client.post(link, {"answer": "yes"})
    unsaid = client.post(link, {"name": "Ali"})

    assertContains(thanks, "See you there, Asha!")
    assertContains(pity, "A pity, Zuri.")
    assertContains(nobody, "Choose your name, or type it.")
    assertContains(unsaid, "Tap one of the two.")
    assertContains(unsaid, 'value="Ali"')
    assertNotContains(thanks, reverse("club", args=[night.club.pk]))
    assert client.get(night.get_absolute_url()).status_code == 404
    assert Rsvp.objects.count() == 2


def test_a_refusal_stands_beside_what_was_typed(client: Client, club: Club) -> None:
    night = make.night(club, ended_at=NOON)

    page = client.post(reverse("night-rsvp", args=[night.uid]), {"name": "Zu", "answer": "yes"})

    assertContains(page, "This night is finished.")
    assert client.get(reverse("night-rsvp", args=["no-link"])).status_code == 404


# Arriving and leaving -----------------------------------------------------------------------------


def here(night: ClubNight) -> list[str]:
    return [stay.player.name for stay in people_of_night(night).here]


def test_people_arrive_leave_and_come_back(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)

    first = arrive(
        night_id=night.pk, players=[asha.pk], new_names=["Zuri", "asha"], by=make.actor()
    )
    again = arrive(night_id=night.pk, players=[asha.pk], by=make.actor())
    gone = leave(night_id=night.pk, players=[asha.pk], by=make.actor(at=NOON + HOUR))
    left, twice = (
        here(night),
        leave(night_id=night.pk, players=[asha.pk], by=make.actor(at=NOON + HOUR)),
    )
    arrive(night_id=night.pk, players=[asha.pk], by=make.actor(at=NOON + 2 * HOUR))

    assert [player.name for player in first.new] == ["Asha", "Zuri"]
    assert (again.new, gone, twice) == ((), [asha.pk], [])
    assert (left, here(night)) == (["Zuri"], ["Asha", "Zuri"])
    assert Attendance.objects.filter(player=asha).count() == 2


def test_visitors_count_tonight_only_unless_ticked(night: ClubNight) -> None:
    make.player("Asha", club=night.club)
    arrive(night_id=night.pk, new_names=["Ali", "Asha"], visitor_from="Temeke", by=make.actor())
    arrive(
        night_id=night.pk,
        new_names=["Omari"],
        visitor_from="Temeke",
        in_season=True,
        by=make.actor(),
    )
    arrive(night_id=night.pk, new_names=["Zuri"], by=make.actor())

    players = Player.objects.order_by("name").values_list("name", "visitor_from", "in_season")
    assert list(players) == [
        ("Ali", "Temeke", False),
        ("Asha", "", True),
        ("Omari", "Temeke", True),
        ("Zuri", "", True),
    ]


def test_who_announced_themselves_by_name_is_a_player_once_here(night: ClubNight) -> None:
    record_rsvp(night_id=night.pk, player_id=None, name="Zuri", yes=True, by=make.actor())

    arrive(night_id=night.pk, new_names=["zuri"], by=make.actor())

    rsvp = Rsvp.objects.get()
    assert rsvp.player == Player.objects.get()
    assert people_of_night(night).typed == ()


def test_nobody_of_another_club_arrives(night: ClubNight) -> None:
    stranger = make.player("Ali", club=make.club("Elsewhere"))

    with pytest.raises(Refused) as refused:
        arrive(night_id=night.pk, players=[stranger.pk], by=make.actor())

    assert refused.value.code == "player-unknown"


def test_people_are_checked_in_by_tapping_or_typing(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    asha, juma = (make.player(name, club=club) for name in ("Asha", "Juma"))
    record_rsvp(night_id=now_night.pk, player_id=asha.pk, yes=True, by=make.actor())
    zuri = record_rsvp(
        night_id=now_night.pk, player_id=None, name="Zuri", yes=True, by=make.actor()
    )
    page = reverse("night-people", args=[now_night.pk])

    empty = organiser.post(page, {"names": ""})
    asked = {"people": [asha.pk, juma.pk], "typed": [zuri.pk], "names": "Ali", "visitor_from": "X"}
    came = organiser.post(page, asked, follow=True)
    left = organiser.post(page, {"left": str(juma.pk)}, follow=True)
    nobody = organiser.post(page, {"left": "x"}, follow=True)
    arrived = organiser.post(page, {"people": [juma.pk]}, follow=True)

    assertContains(empty, "Tap or type who has arrived.")
    assertContains(came, "4 more are here.")
    assertContains(left, "Juma has gone home.")
    assertContains(arrived, "Juma is here.")
    assert nobody.status_code == 200
    assert here(now_night) == ["Ali", "Asha", "Juma", "Zuri"]


def test_among_those_who_are_known_a_name_is_found_before_a_new_one_is_typed(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    page = reverse("night-people", args=[now_night.pk])
    nobody_known = organiser.get(page)
    make.player("Asha", club=club)

    known = organiser.get(page).text
    refused = organiser.post(page, {"names": "x" * 61})

    assertContains(nobody_known, '<details class="more" open>')
    assert known.index("Find a name") < known.index('<details class="more">')
    assert known.index("New names") > known.index("Somebody new?")
    assertContains(refused, '<details class="more" open>')


def test_a_first_name_is_the_player_of_the_club_who_has_it_alone(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    for name in ("Sandro Vidali", "Asha Mrema", "Asha Kimaro", "Juma Hassan", "Juma"):
        make.player(name, club=club)
    page = reverse("night-people", args=[now_night.pk])

    one = organiser.post(page, {"names": "sandro"}, follow=True)
    again = organiser.post(page, {"names": "Sandro"}, follow=True)
    organiser.post(page, {"names": "Asha, Juma"})
    organiser.post(page, {"names": "Sandro", "visitor_from": "Trieste"})

    assertContains(one, "Sandro Vidali is here.")
    assertContains(again, "Here already: Sandro Vidali.")
    assert here(now_night) == ["Asha", "Juma", "Sandro", "Sandro Vidali"]


def test_a_refused_check_in_loses_no_tap(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    asha = make.player("Asha", club=club)
    zuri = record_rsvp(
        night_id=now_night.pk, player_id=None, name="Zuri", yes=True, by=make.actor(at=NOON)
    )
    too_long = "X" * 200
    asked = {"people": [asha.pk], "typed": [zuri.pk], "visitor_from": too_long}

    page = organiser.post(reverse("night-people", args=[now_night.pk]), asked)

    for name, key in (("people", asha.pk), ("typed", zuri.pk)):
        assertContains(page, f'<input type="checkbox" name="{name}" value="{key}" checked>')


def test_a_night_to_come_is_called_off_and_has_no_break(organiser: Client, club: Club) -> None:
    night = make.night(club, timezone.now() + timedelta(days=14))

    before = organiser.get(night.get_absolute_url())
    after = organiser.post(night.get_absolute_url(), {"do": "end"}, follow=True)

    assertContains(before, "Cancel the night")
    assertNotContains(before, "End the night")
    assertNotContains(before, "break-minutes")
    assertContains(after, "Reopen the night")


def test_a_second_person_by_a_name_is_asked_for_another(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    arrive(night_id=now_night.pk, players=[make.player("Juma", club=club).pk], by=make.actor())

    page = organiser.post(
        reverse("night-people", args=[now_night.pk]), {"names": "Juma, Ali"}, follow=True
    )

    assertContains(page, "Ali is here.")
    assertContains(page, "Here already: Juma. Is this somebody else?")
    assertContains(page, "such as “Juma K.”.")
    assert here(now_night) == ["Ali", "Juma"]


def test_a_refused_name_is_kept_beside_its_sentence(
    organiser: Client, now_night: ClubNight
) -> None:
    page = organiser.post(reverse("night-people", args=[now_night.pk]), {"names": "x" * 61})

    assertContains(page, "is too long")
    assertContains(page, "x" * 61)


def test_who_leaves_a_table_is_missed_there(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    play(club, *FOUR, now=timezone.now())
    asha = Player.objects.get(name="Asha")

    page = organiser.post(
        reverse("night-people", args=[now_night.pk]), {"left": str(asha.pk)}, follow=True
    )

    assertContains(page, "Asha has gone home, but has a seat at table 1")
    there = reverse("round-seats", args=[Round.objects.get().pk]) + "?back=night"
    assertContains(page, f'<a href="{there}">Change seats there</a>', html=True)


# Several games at one night's tables --------------------------------------------------------------


def test_who_sits_down_tonight_is_at_the_night(club: Club) -> None:
    round_ = play(club, *FOUR)

    assert round_.night is not None
    assert here(round_.night) == sorted(FOUR)
    assert Table.objects.get().night == round_.night


def test_two_tournaments_share_the_tables_of_a_night(club: Club) -> None:
    round_ = play(club, *EIGHT)
    other = play(club, "Ana", "Bela", "Cesar", "Dani", game="dalmuti")

    assert (at_tables(round_), at_tables(other)) == ([1, 2], [3])
    assert round_.night == other.night


def test_a_tournament_keeps_its_tables_and_takes_free_ones(club: Club) -> None:
    first = play(club, *EIGHT)
    second = play(club, "Ana", "Bela", "Cesar", "Dani", game="dalmuti")
    for round_ in (first, second):
        close_round(round_id=round_.pk, anyway=True, by=make.actor())

    dalmuti = next_round(second.tournament)
    more = next_round(first.tournament, new_names=["Eli", "Fadi", "Gita", "Hana"])

    assert (at_tables(dalmuti), at_tables(more)) == ([3], [1, 2, 4])
    assert {dalmuti.night, more.night} == {first.night}


def test_tables_of_a_closed_round_are_free_for_whoever_plays_next(club: Club) -> None:
    round_ = play(club, *EIGHT)
    close_round(round_id=round_.pk, anyway=True, by=make.actor())

    other = play(club, "Ana", "Bela", "Cesar", "Dani", game="dalmuti")
    again = next_round(round_.tournament)

    assert (at_tables(other), at_tables(again)) == ([1], [2, 3])


def test_numbers_do_not_climb_however_many_games_follow_each_other(club: Club) -> None:
    for _ in range(4):
        round_ = play(club, *EIGHT)
        assert at_tables(round_) == [1, 2]
        close_round(round_id=round_.pk, anyway=True, by=make.actor())

    assert Table.objects.count() == 2


def test_tables_of_an_official_tournament_are_free_again(club: Club) -> None:
    round_ = play(club, *EIGHT)
    close_round(round_id=round_.pk, anyway=True, by=make.actor())
    finish_tournament(tournament_id=round_.tournament.pk, by=make.actor())

    other = play(club, "Ana", "Bela", "Cesar", "Dani")

    assert at_tables(other) == [1]


def test_the_card_of_a_table_leads_to_whoever_sits_there_tonight(club: Club) -> None:
    first = play(club, *FOUR)
    table = Table.objects.get()
    close_round(round_id=first.pk, anyway=True, by=make.actor())
    finish_tournament(tournament_id=first.tournament.pk, by=make.actor())
    second = play(club, *FOUR, game="dalmuti")

    assert open_sitting_at(table) == second.sittings.get()


def test_cards_are_printed_once_for_the_season(club: Club) -> None:
    first = play(club, *FOUR)
    close_round(round_id=first.pk, anyway=True, by=make.actor())
    week = NOON + timedelta(days=7)

    second = play(club, *EIGHT, now=week)

    cards = {table.number: table for table in Table.objects.all()}
    assert sorted(cards) == [1, 2]
    assert first.night != second.night
    assert {table.night for table in cards.values()} == {second.night}
    assert open_sitting_at(cards[1]) == second.sittings.get(number=1)


def test_a_table_where_people_still_play_stays_where_it_is(club: Club) -> None:
    first = play(club, *FOUR)

    second = play(club, "Ana", "Bela", "Cesar", "Dani", now=NOON + timedelta(days=7))

    assert Table.objects.count() == 2
    assert first.sittings.get().table != second.sittings.get().table


def test_nobody_sits_in_two_games_at_once(club: Club) -> None:
    play(club, *FOUR)

    with pytest.raises(Refused) as refused:
        play(club, "Asha", "Ana", "Bela", "Cesar", game="dalmuti")

    assert refused.value.code == "seated-already"
    assert Tournament.objects.count() == 1


def test_an_undone_round_leaves_its_tables_free(club: Club) -> None:
    undo_round(round_id=play(club, *EIGHT).pk, by=make.actor())

    assert at_tables(play(club, "Ana", "Bela", "Cesar", "Dani")) == [1]


def test_the_coming_round_is_proposed_without_who_went_home(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    round_ = play(club, *EIGHT, now=timezone.now())
    close_round(round_id=round_.pk, anyway=True, by=make.actor(at=timezone.now()))
    gone = Player.objects.get(name="Zawadi")
    leave(night_id=now_night.pk, players=[gone.pk], by=make.actor(at=timezone.now()))
    arrive(night_id=now_night.pk, new_names=["Eli"], by=make.actor(at=timezone.now()))

    before = organiser.get(reverse("draw", args=[round_.tournament.pk]))
    page = organiser.post(reverse("draw", args=[round_.tournament.pk]), {"do": "draw"}, follow=True)

    tables = page.context["page"]["round"].tables
    placed = {each.name for table in tables for side in table.sides for each in side}
    assert placed == {*EIGHT, "Eli"} - {"Zawadi"}
    eli, zawadi = (Player.objects.get(name=name) for name in ("Eli", "Zawadi"))
    assert re.search(rf'name="more" value="{eli.pk}" checked', before.text)
    form = page.context["form"]
    assert str(zawadi.entrants.get().pk) not in form["playing"].chosen
    assert str(eli.entrants.get().pk) in form["playing"].chosen


def test_tonight_knows_who_was_checked_in(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    play(club, *FOUR, "Rests", mode="4t2", now=timezone.now())
    arrive(night_id=now_night.pk, new_names=["Eli"], by=make.actor(at=timezone.now()))
    make.player("Zuri", club=club)

    page = organiser.get(reverse("tonight", args=[club.pk]))

    assert page.context["form"]["people"].chosen == {str(Player.objects.get(name="Eli").pk)}


# By lot -------------------------------------------------------------------------------------------


def seats(round_: Round) -> list[str]:
    rows = round_.seats.order_by("sitting__number", "place")
    return list(rows.values_list("player__name", flat=True))


def test_the_lot_is_drawn_again_from_the_seed_that_was_kept(club: Club) -> None:
    drawn = play(club, *EIGHT, movement="by_lot")
    other = make.club("Elsewhere")
    again = play(other, *EIGHT, movement="by_lot")

    assert drawn.seating_plan["settings"]["movement"] == "by_lot"
    assert drawn.seating_plan["question"]["seed"] == again.seating_plan["question"]["seed"]
    assert seats(drawn) != list(EIGHT)
    assert sorted(seats(drawn)) == sorted(EIGHT)


def test_the_lot_lets_those_rest_who_rested_least(club: Club) -> None:
    tournament = play(club, *EIGHT, "Eli", mode="4t2").tournament
    first = tournament.rounds.get().rests.get()
    close_round(round_id=tournament.rounds.get().pk, anyway=True, by=make.actor())

    second = next_round(tournament, settings=DrawSettings(movement="by_lot", mode="4t2"))

    assert first.entrant != second.rests.get().entrant


def test_an_unknown_way_to_seat_people_is_refused(club: Club) -> None:
    with pytest.raises(Refused) as refused:
        play(club, *FOUR, movement="by_magic")

    assert refused.value.code == "movement-unknown"


def test_the_lot_can_be_asked_for_on_the_page(organiser: Client, club: Club) -> None:
    asked = {"game": "albastini", "names": ", ".join(EIGHT), "format": "players"}
    organiser.post(reverse("tonight", args=[club.pk]), {**asked, "movement": "by_lot"})
    tournament = Tournament.objects.get()
    first = tournament.rounds.get()
    close_round(round_id=first.pk, anyway=True, by=make.actor(at=timezone.now()))
    where = reverse("draw", args=[tournament.pk]) + "?back=night"
    chosen = {"playing": [each.pk for each in tournament.entrants.all()], "mode": "4t2"}
    drawn = organiser.post(where, {"do": "set", **chosen, "length": 8, "movement": "by_lot"})
    page = organiser.post(where, {"do": "open"})

    assert first.seating_plan["settings"]["movement"] == "by_lot"
    second = tournament.rounds.get(number=2)
    assert second.seating_plan["settings"]["movement"] == "by_lot"
    assertRedirects(drawn, where)
    assertRedirects(page, reverse("night", args=[first.night_id]))


# The organiser's page -----------------------------------------------------------------------------


def press(organiser: Client, night: ClubNight, do: str, **more: object) -> str:
    answer = organiser.post(night.get_absolute_url(), {"do": do, **more}, follow=True)
    assert answer.status_code == 200
    return answer.text


def steps(night: ClubNight, **later: float) -> list[NextStep | None]:
    return [line.step for line in night_desk(night, now=NOON + timedelta(**later)).playing]


def test_what_is_next_goes_from_seats_to_an_official_standing(club: Club) -> None:
    round_ = play(club, *FOUR, length=1)
    assert round_.night is not None
    night, tournament = round_.night, round_.tournament

    waiting = steps(night)
    make.report(round_.sittings.get(), WON)
    whole = steps(night)
    close_round(round_id=round_.pk, by=make.actor())
    closed = steps(night)
    publish_standing(tournament_id=tournament.pk, until=NOON + HOUR, by=make.actor())
    up, late = steps(night, minutes=59), steps(night, minutes=60)
    finish_tournament(tournament_id=tournament.pk, by=make.actor())

    assert (waiting, whole, closed) == ([NextStep.WAIT], [NextStep.CLOSE], [NextStep.SEAT])
    assert (up, late, steps(night)) == ([NextStep.OBJECT], [NextStep.FINISH], [])
    assert night_desk(night, now=NOON).official == (tournament,)


def test_the_most_urgent_tournament_comes_first(club: Club) -> None:
    play(club, *FOUR)
    ready = play(club, "Ana", "Bela", "Cesar", "Dani", length=1)
    make.report(ready.sittings.get(), WON)
    assert ready.night is not None

    desk = night_desk(ready.night, now=NOON)

    assert [line.step for line in desk.playing] == [NextStep.CLOSE, NextStep.WAIT]
    assert desk.first is not None
    assert desk.first.round == ready
    assert desk.several


def test_who_rests_and_who_waits_for_a_seat_is_said(club: Club) -> None:
    round_ = play(club, *FOUR, "Eli", mode="4t2")
    assert round_.night is not None
    arrive(night_id=round_.night.pk, new_names=["Late"], by=make.actor())

    desk = night_desk(round_.night, now=NOON)

    assert desk.resting == (("Eli", 1),)
    assert (desk.free, desk.here) == (("Late",), 6)


def test_the_people_of_a_team_that_rests_do_not_wait_for_a_seat(club: Club) -> None:
    round_ = play(club, *FOUR, "Eli", "Fausta", mode="4t2", format_=Format.TEAMS)
    assert round_.night is not None

    desk = night_desk(round_.night, now=NOON)

    assert desk.resting == (("Eli & Fausta", 1),)
    assert (desk.free, desk.here) == ((), 6)
    assert waiting_players(round_.night) == []


def test_another_round_takes_the_standing_down_again(club: Club) -> None:
    round_ = play(club, *FOUR)
    tournament = round_.tournament
    with pytest.raises(Refused) as running:
        publish_standing(tournament_id=tournament.pk, until=NOON, by=make.actor())
    close_round(round_id=round_.pk, anyway=True, by=make.actor())
    publish_standing(tournament_id=tournament.pk, until=NOON + HOUR, by=make.actor())

    next_round(tournament)

    tournament.refresh_from_db()
    assert running.value.code == "round-open"
    assert tournament.provisional_until is None


def test_an_official_standing_is_not_put_up_again_until_it_goes_on(club: Club) -> None:
    tournament = make.tournament(club=club)
    publish_standing(tournament_id=tournament.pk, until=NOON + HOUR, by=make.actor())
    finish_tournament(tournament_id=tournament.pk, by=make.actor())
    with pytest.raises(Refused) as over:
        publish_standing(tournament_id=tournament.pk, until=NOON, by=make.actor())

    again = reopen_tournament(tournament_id=tournament.pk, by=make.actor())

    assert over.value.code == "tournament-over"
    assert (again.provisional_until, again.official_at) == (None, None)


def test_an_evening_is_run_from_its_page(organiser: Client, club: Club) -> None:
    night = make.night(club, timezone.now() - HOUR, place="Bar")
    empty = organiser.get(night.get_absolute_url())
    arrive(night_id=night.pk, new_names=FOUR, by=make.actor(at=timezone.now()))
    ready = organiser.get(night.get_absolute_url())
    round_ = play(club, *FOUR, length=2, now=timezone.now())
    sitting = round_.sittings.get()
    fresh = organiser.get(night.get_absolute_url())
    started = press(organiser, night, "start", round=round_.pk, minutes=25)
    given = press(organiser, night, "give", sitting=sitting.pk, minutes=5)
    paused = press(organiser, night, "pause")
    resumed = press(organiser, night, "resume")
    away = press(organiser, night, "break", minutes=15)
    press(organiser, night, "resume")
    shorter = press(organiser, night, "shorten", round=round_.pk, length=1)
    make.report(sitting, WON, now=timezone.now())
    whole = organiser.get(night.get_absolute_url())
    closed = organiser.post(reverse("round-close", args=[round_.pk]) + "?back=night", follow=True)
    up = press(organiser, night, "publish", tournament=round_.tournament_id)
    official = press(organiser, night, "official", tournament=round_.tournament_id)
    ended = press(organiser, night, "end")
    reopened = press(organiser, night, "reopen")

    assertContains(empty, "Check people in")
    assertContains(ready, "Choose a game and seat everybody")
    assertContains(fresh, sitting.table.spaced_code if sitting.table else "")
    assert 'data-clock="' in started
    assert "Table 1 has 5 more minutes." in given
    assert "left, and paused" in paused
    assert "Pause all clocks" in resumed
    assert "15 minutes left. All clocks are paused." in away
    assert "Round 1 ends after 1." in shorter
    assertContains(whole, "All results are in.")
    assertContains(closed, "Next round")
    assert "provisional until" in up
    assert "are official." in official
    assert "Announce the next night" in ended
    assert "Nobody sits" not in ended
    assert "End the night" in reopened


@pytest.mark.parametrize(
    ("do", "more", "sentence"),
    [
        ("give", {"sitting": "9" * 30, "minutes": 5}, "That is gone."),
        ("shorten", {"round": "x", "length": 2}, "That is gone."),
        ("start", {"round": 0, "minutes": 20}, "That is gone."),
        ("official", {"tournament": 0}, "That is gone."),
        ("break", {"minutes": "soon"}, "That takes from 1 to 240 minutes."),
        ("end", {}, "is being played: close it first."),
        ("dance", {}, "Table 1"),
    ],
)
def test_what_cannot_be_done_is_said(
    organiser: Client, now_night: ClubNight, do: str, more: dict[str, object], sentence: str
) -> None:
    play(now_night.club, *FOUR, now=timezone.now())

    assert sentence in press(organiser, now_night, do, **more)


def test_nobody_touches_the_rounds_of_another_night(organiser: Client, club: Club) -> None:
    elsewhere = make.sitting(at=make.tournament(club=make.club("Elsewhere"), hands=4))
    night = make.night(club)

    answered = press(organiser, night, "shorten", round=elsewhere.round_id, length=1)

    assert "That is gone." in answered
    assert Round.objects.get().hands == 4


def test_a_tie_for_a_prize_is_asked_about_at_once(organiser: Client, club: Club) -> None:
    round_ = play(club, *FOUR, length=1, now=timezone.now())
    make.report(round_.sittings.get(), WON)
    close_round(round_id=round_.pk, by=make.actor(at=timezone.now()))
    night, tournament = ClubNight.objects.get(), round_.tournament
    pressed = {"do": "official", "tournament": tournament.pk}

    asked = organiser.post(night.get_absolute_url(), pressed, follow=True)
    where = reverse("prizes", args=[tournament.pk]) + "?back=night"
    first = organiser.post(where, {"tie": 1, "tie1-how": "share"})
    last = organiser.post(where, {"tie": 3, "tie3-how": "share"}, follow=True)

    assertRedirects(asked, where)
    assertContains(asked, f'href="{night.get_absolute_url()}">Later')
    assertRedirects(first, where)
    assertRedirects(last, night.get_absolute_url())
    assertContains(last, "The prize is settled.")


@pytest.mark.parametrize("many", [1, 2])
def test_a_night_ends_with_its_winners(
    organiser: Client, club: Club, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for letter in "AB"[:many]:
        names = [f"{name} {letter}." for name in FOUR]
        round_ = play(club, *names, title=f"Cup {letter}", length=1, now=timezone.now())
        make.report(round_.sittings.get(), WON)
        close_round(round_id=round_.pk, by=make.actor(at=timezone.now()))
        finish_tournament(tournament_id=round_.tournament_id, by=make.actor())
    night = ClubNight.objects.get()
    prizes = reverse("prizes", args=[round_.tournament_id]) + "?back=night"
    level = organiser.get(night.get_absolute_url()).text
    first = Entrant.objects.filter(tournament=round_.tournament)
    asha, juma = first.filter(player__name__regex="Asha|Juma").order_by("player__name")
    places = {f"tie1-place_{asha.pk}": 2, f"tie1-place_{juma.pk}": 1}
    organiser.post(prizes, {"tie": 1, "tie1-how": "cut", **places})
    organiser.post(prizes, {"tie": 3, "tie3-how": "share"})

    ended = press(organiser, night, "end")
    with django_assert_num_queries(11):
        organiser.get(night.get_absolute_url())
    member = Client().get(night.get_absolute_url()).text
    sheet = Client().get(reverse("print-results", args=[night.pk])).text
    new = organiser.get(reverse("night-new", args=[club.pk]) + f"?after={night.pk}")

    assert f'primary big block" href="{reverse("prizes", args=[_first_cup(night)])}' in level
    assert "End the night" in level
    last = [["1", f"Juma {letter}.", "1"], ["2", f"Asha {letter}.", "1"]]
    for page in (ended, member, sheet):
        assert all(line in _lines(page) for line in last), page
        assert "in this order by the cut of the cards." in page
    assert ["3=", f"Baraka {letter}.", "0", "1"] in _lines(sheet)
    for offered in ("End the night", "Results sheet"):
        assert (level.count(offered), ended.count(offered)) == (1, offered[0] == "R"), offered
    about_night = [reverse(name, args=[night.pk]) for name in ("night-display", "print-results")]
    links = [
        reverse("tournament-picture", args=[_first_cup(night)]),
        reverse("night-new", args=[club.pk]),
        *about_night,
    ]
    assert [f'href="{link}' in ended for link in links] == [True] * 4
    assert ended.count("primary") == 1
    assert reverse("night-new", args=[club.pk]) not in member
    proposed = new.context["form"].initial["starts_at"]
    assert proposed.minute % 30 == proposed.second == 0
    assert timedelta() <= night.starts_at + timedelta(days=7) - proposed < timedelta(minutes=30)


def _first_cup(night: ClubNight) -> int:
    return night.rounds.earliest("pk").tournament_id


def _lines(page: str) -> list[list[str]]:
    """Return the cells of every row of the tables of a page; the first three of a line too."""
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]
    return [*cells, *(row[:3] for row in cells)]


def test_what_is_settled_from_the_evening_leads_back_there(organiser: Client, club: Club) -> None:
    round_ = play(club, *FOUR, now=timezone.now())
    sitting, night = round_.sittings.get(), ClubNight.objects.get()
    make.report(sitting, {**WON, "bare": 0}, parked=True)
    where = reverse("issue", args=[Issue.objects.get().pk]) + "?back=night"

    waiting = organiser.get(night.get_absolute_url())
    asked = organiser.get(where)
    settled = organiser.post(where, {"outcome": "keep", "seen": seen_on(asked.text)})
    table = organiser.get(reverse("sitting", args=[sitting.pk]))
    closing = organiser.get(reverse("round-close", args=[round_.pk]) + "?back=night")
    seats = organiser.get(reverse("round-seats", args=[round_.pk]))
    draw = reverse("draw", args=[round_.tournament_id]) + "?back=night"
    too_soon = organiser.get(draw)
    organiser.post(draw, {"do": "draw"})
    opened = organiser.post(draw, {"do": "open"}, follow=True)

    assertContains(waiting, where)
    assertNotContains(waiting, "Round 1: it would not add up")
    assertRedirects(settled, night.get_absolute_url())
    assertRedirects(opened, draw)
    assertContains(opened, "Round 1 is still being played")
    for page in (table, closing, seats, too_soon):
        assertContains(page, f'href="{night.get_absolute_url()}">Club night')
    assertContains(closing, f'href="{night.get_absolute_url()}">Keep playing')


def test_results_that_wait_are_asked_about_before_a_standing_is_official(
    organiser: Client, club: Club
) -> None:
    round_ = play(club, *FOUR, length=1, now=timezone.now())
    make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)
    close_round(round_id=round_.pk, by=make.actor(at=timezone.now()), anyway=True)
    night, tournament = ClubNight.objects.get(), round_.tournament
    where = reverse("official", args=[tournament.pk]) + "?back=night"

    asked = organiser.post(
        night.get_absolute_url(), {"do": "official", "tournament": tournament.pk}, follow=True
    )
    tournament.refresh_from_db()
    before = tournament.official_at
    made = organiser.post(where, follow=True)

    assertRedirects(asked, where)
    assertContains(asked, "1 result still waits for you")
    assertContains(asked, reverse("issue", args=[Issue.objects.get().pk]) + "?back=night")
    assertContains(asked, '<button class="button block">Make it official all the same')
    loud = f'class="button primary big block" href="{night.get_absolute_url()}"'
    assertContains(asked, f"{loud}>Settle them first")
    assert before is None
    assertRedirects(made, reverse("prizes", args=[tournament.pk]) + "?back=night")  # two are level
    assertContains(made, "are official.")
    assertRedirects(organiser.get(where), night.get_absolute_url())  # nothing to ask any more


def test_what_waits_from_a_round_that_is_over_says_of_which(organiser: Client, club: Club) -> None:
    round_ = play(club, *FOUR, now=timezone.now())
    make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)
    close_round(round_id=round_.pk, anyway=True, by=make.actor(at=timezone.now()))

    night = ClubNight.objects.get().get_absolute_url()
    page = organiser.get(night)
    seating = organiser.get(reverse("draw", args=[round_.tournament_id]))

    assertContains(page, "Round 1: it would not add up")
    assertContains(seating, f'href="{night}">Club night')


def test_a_night_ends_when_nobody_plays_and_everybody_goes_home(club: Club) -> None:
    round_ = play(club, *FOUR)
    assert round_.night is not None
    with pytest.raises(Refused) as refused:
        end_night(night_id=round_.night.pk, by=make.actor())
    close_round(round_id=round_.pk, anyway=True, by=make.actor())

    ended = end_night(night_id=round_.night.pk, by=make.actor(at=NOON + HOUR))
    again = end_night(night_id=round_.night.pk, by=make.actor(at=NOON + 2 * HOUR))

    assert refused.value.code == "round-open"
    assert ended.ended_at == again.ended_at == NOON + HOUR
    assert here(round_.night) == []
    assert ClubNight.objects.going_on(club.pk, NOON + HOUR) is None
    assert reopen_night(night_id=round_.night.pk, by=make.actor()).ended_at is None
    assert reopen_night(night_id=round_.night.pk, by=make.actor()).ended_at is None


def test_a_scorer_looks_and_does_not_touch(client: Client, club: Club) -> None:
    night = make.night(club)
    client.force_login(make.user(role=Role.SCORER, club=club))

    assertNotContains(client.get(night.get_absolute_url()), "Check people in")
    assert client.post(night.get_absolute_url(), {"do": "end"}).status_code == 403
    assert client.get(reverse("night-people", args=[night.pk])).status_code == 403


def test_tonight_in_the_menu_leads_to_the_night_that_is_on(
    organiser: Client, client: Client, club: Club, now_night: ClubNight
) -> None:
    pages = [
        reverse(name, args=[club.pk]) for name in ("club", "players", "tournaments", "tonight")
    ]

    def menu(page: str) -> str:
        [link] = re.findall(
            r'<a id="menu-tonight" href="([^"]+)".*?>(.*?)</a>', client.get(page).text
        )
        return " ".join(link)

    before = {menu(page) for page in pages}
    tables = [play(club, *(f"{name} {at}" for name in FOUR), now=timezone.now()) for at in "AB"]
    during = {menu(page) for page in pages}
    for round_ in tables:
        make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)
    waiting = {menu(page) for page in pages}
    front = client.get(club.get_absolute_url()).text
    for round_ in tables:
        close_round(round_id=round_.pk, anyway=True, by=make.actor(at=timezone.now()))
    end_night(night_id=now_night.pk, by=make.actor(at=timezone.now()))
    after = {menu(page) for page in pages}

    desk = now_night.get_absolute_url()
    assert before == after == {f"{reverse('tonight', args=[club.pk])} Tonight"}
    assert during == {f"{desk} Tonight"}
    assert waiting == {f"{desk} Tonight · 2"}
    assert "Run tonight (2 need you)" in front


@pytest.mark.parametrize("many", [1, 3])
def test_an_evening_costs_the_same_however_much_is_played(
    organiser: Client,
    club: Club,
    now_night: ClubNight,
    many: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(many):
        names = [f"{name} {number}" for name in (*FOUR, "Eli")]
        round_ = play(club, *names, mode="4t2", now=timezone.now())
        make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)

    # session, user, night with role; the last rounds, issues, tables, seats, who rests, who is
    # here, and who of them sits: the evening of all tournaments at once
    with django_assert_num_queries(10):
        page = organiser.get(now_night.get_absolute_url())

    assert len(page.context["desk"].tables) == many


@pytest.mark.parametrize("many", [1, 3])
def test_lists_cost_the_same_however_many_there_are(
    organiser: Client, club: Club, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(many):
        night = make.night(club, timezone.now())
        make.night(club, ended_at=NOON)
        arrive(night_id=night.pk, new_names=[f"Asha {number}"], by=make.actor())
        record_rsvp(
            night_id=night.pk, player_id=None, name=f"Ali {number}", yes=True, by=make.actor()
        )

    with django_assert_num_queries(5):  # session, user, club with role; coming and past nights
        organiser.get(reverse("nights", args=[club.pk]))
    # session, user, night with role; said, here with their tables, the others
    with django_assert_num_queries(6):
        organiser.get(reverse("night-people", args=[night.pk]))
    with django_assert_num_queries(3):  # its night, the names to choose from, what was said
        Client().get(reverse("night-rsvp", args=[night.uid]))


# Into people's own calendars


def test_a_night_goes_into_a_calendar(client: Client) -> None:
    night = make.night(
        make.club("Upanga; Dar", public=False), place="Café, upstairs", games="Briscola"
    )

    answer = client.get(reverse("night-calendar", args=[night.uid]))

    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="2026-11-20.ics"'
    lines = answer.text.replace("\r\n ", "").split("\r\n")
    assert [line for line in lines if not line.startswith("DTSTAMP")] == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Kula//Club nights//EN",
        "BEGIN:VEVENT",
        "SUMMARY:Cards at Upanga\\; Dar",
        "DTSTART:20261120T120000Z",
        "DTEND:20261120T160000Z",
        f"UID:{night.uid}@kula",
        "DESCRIPTION:Briscola",
        "LOCATION:Café\\, upstairs",
        f"URL:http://testserver{reverse('night-rsvp', args=[night.uid])}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    assert all(len(line.encode()) <= 75 for line in answer.text.split("\r\n"))
    assertContains(
        client.get(reverse("night-rsvp", args=[night.uid])),
        reverse("night-calendar", args=[night.uid]),
    )


def test_nobody_has_a_link_to_no_night(client: Client) -> None:
    assert client.get("/come/nowhere/night.ics").status_code == 404


def test_a_long_line_of_a_calendar_is_folded_between_signs(client: Client) -> None:
    night = make.night(make.club(name="é" * 80), NOON)

    written = client.get(f"/come/{night.reply_id}/night.ics").content

    pieces = written.split(b"\r\n")
    assert max(map(len, pieces)) <= 75
    assert "é" * 80 in "".join(piece.decode().removeprefix(" ") for piece in pieces)
    assert b"LOCATION" not in written
