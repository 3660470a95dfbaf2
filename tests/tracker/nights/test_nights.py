"""Club nights: announced, who comes and who is here, in people's calendars, the link to reply."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.models import Attendance, Club, ClubNight, LogEntry, Player, Role, Rsvp
from tracker.nights.queries.nights import people_of_night, replies
from tracker.nights.services.attendance import MOST_NEW_NAMES, arrive, leave, record_rsvp
from tracker.nights.services.nights import (
    announce_night,
    current_or_new_night,
    edit_night,
    end_night,
)

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FOUR = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def night(club: Club) -> ClubNight:
    return make.night(club)


def says(night: ClubNight, who: Player | str, *, yes: bool = True) -> Rsvp:
    """Let a player, or somebody who types a name, say whether they come."""
    known = {"player_id": who.pk} if isinstance(who, Player) else {"player_id": None, "name": who}
    return record_rsvp(night_id=night.pk, yes=yes, by=make.actor(), **known)


def comes(night: ClubNight, *people: Player | str, **more: Any) -> Any:
    players = [person.pk for person in people if isinstance(person, Player)]
    names = [person for person in people if isinstance(person, str)]
    return arrive(night_id=night.pk, players=players, new_names=names, by=make.actor(), **more)


def goes(night: ClubNight, who: Player) -> list[int]:
    return leave(night_id=night.pk, players=[who.pk], by=make.actor(at=NOON + HOUR))


def here(night: ClubNight) -> list[str]:
    return [stay.player.name for stay in people_of_night(night).here]


def people_page(night: ClubNight) -> str:
    return reverse("night-people", args=[night.pk])


def rsvp(night: ClubNight | UUID) -> str:
    return reverse("night-rsvp", args=[night if isinstance(night, UUID) else night.reply_id])


def calendar(night: ClubNight | UUID) -> str:
    return reverse("night-calendar", args=[night if isinstance(night, UUID) else night.reply_id])


# Announcing ---------------------------------------------------------------------------------------


def test_a_night_is_announced_changed_and_logged(club: Club) -> None:
    where = {"place": "  Bar  Kijiji ", "games": "Albastini"}
    night = announce_night(club_id=club.pk, starts_at=NOON, by=make.actor(), **where)
    assert night.place == "Bar Kijiji"
    edit_night(night_id=night.pk, starts_at=NOON + HOUR, place="Home", games="", by=make.actor())
    night.refresh_from_db()
    assert (night.starts_at, night.place, night.games) == (NOON + HOUR, "Home", "")
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["night-announced", "night-changed"]


def test_a_night_goes_on_from_before_it_begins_until_past_midnight(night: ClubNight) -> None:
    on = {
        hours: ClubNight.objects.going_on(night.club_id, NOON + hours * HOUR) is not None
        for hours in (-9, -7, 0, 15, 17)
    }
    assert on == {-9: False, -7: True, 0: True, 15: True, 17: False}


def test_of_two_nights_the_one_begun_last_goes_on(club: Club, night: ClubNight) -> None:
    later = make.night(club, NOON + 2 * HOUR)
    make.night(make.club("Elsewhere"), NOON + HOUR)
    assert ClubNight.objects.going_on(club.pk, NOON + HOUR) == night
    assert ClubNight.objects.going_on(club.pk, NOON + 3 * HOUR) == later


def test_tonight_begins_a_night_that_nobody_announced(club: Club) -> None:
    begun = current_or_new_night(club_id=club.pk, by=make.actor())
    assert begun.starts_at == NOON
    assert current_or_new_night(club_id=club.pk, by=make.actor(at=NOON + HOUR)) == begun


def test_the_list_has_coming_and_past_nights_or_says_that_there_are_none(
    client: Client, organiser: Client, club: Club
) -> None:
    path, now = reverse("nights", args=[club.pk]), timezone.now()
    shows(Client().get(path), "No night is announced")
    shows(organiser.get(path), reverse("night-new", args=[club.pk]))
    night, past = make.night(club, now + 7 * DAY), make.night(club, now - 7 * DAY)
    ended = make.night(club, now - HOUR, ended_at=now)
    says(night, "Zuri")
    comes(past, *FOUR)
    listed = client.get(path).context
    assert [(each, each.coming, each.came) for each in listed["coming"]] == [(night, 1, 0)]
    assert [(each, each.came) for each in listed["past"]] == [(ended, 0), (past, 4)]


def test_an_organiser_announces_a_night_through_the_pages(organiser: Client, club: Club) -> None:
    new, before = reverse("night-new", args=[club.pk]), timezone.now()
    proposed = timezone.make_aware(organiser.get(new).context["form"]["starts_at"].value())
    refused = organiser.post(new, {"starts_at": "soon", "place": "Bar"})
    made = organiser.post(new, {"starts_at": "2031-11-27T19:30", "place": "Bar"}, follow=True)
    night = ClubNight.objects.get()
    edit = reverse("night-edit", args=[night.pk])
    shows(organiser.get(edit), 'value="2031-11-27T19:30"')
    organiser.post(edit, {"starts_at": "2031-11-27T20:00", "games": "Dalmuti"})

    assert proposed.minute in {0, 30}
    assert before - timedelta(minutes=1) < proposed < timezone.now() + timedelta(minutes=30)
    shows(refused, "Please write a day and a time", 'value="Bar"')
    shows(made, reverse("night-rsvp", args=[night.uid]))
    assert made.text.count("Send it around") == 1
    lacks(made, "Send the link")
    night.refresh_from_db()
    assert (night.starts_at.hour, night.place, night.games) == (20, "", "Dalmuti")


def test_a_reader_sees_when_and_where_and_who_comes(client: Client, club: Club) -> None:
    night = make.night(club, timezone.now() + 3 * DAY, place="Bar Kijiji")
    says(night, "Zuri")
    says(night, "Ali", yes=False)
    shows(client.get(reverse("nights", args=[club.pk])), "1 coming")
    shows(client.get(night.get_absolute_url()), "Bar Kijiji", "Zuri", "Can’t make it")
    shows(client.get(club.get_absolute_url()), "Bar Kijiji")


def test_a_night_to_come_is_called_off_and_has_no_break(organiser: Client, club: Club) -> None:
    night = make.night(club, timezone.now() + 14 * DAY)
    before = organiser.get(night.get_absolute_url())
    after = organiser.post(night.get_absolute_url(), {"do": "end"}, follow=True)
    shows(before, "Cancel the night")
    lacks(before, "End the night", "break-minutes")
    shows(after, "Reopen the night")


# At the ends of what a calendar has

FAR = ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"]
OTHER_AGES = "9999-12-31T23:59 9999-01-01T12:00 2200-01-01T00:00 1899-12-31T23:59 0001-01-01T00:00"
NO_DAYS = [
    "10000-01-01T00:00",
    "99999999999999",
    "-1",
    "٢٠٢٦-١١-٢٧T١٩:٣٠",
    "x" * 5000,
    "2026-02-30",
]


def announce(organiser: Client, club: Club, when: str) -> Any:
    sent = {"starts_at": when, "place": "", "games": ""}
    return organiser.post(reverse("night-new", args=[club.pk]), sent, follow=True)


@pytest.mark.parametrize("zone", FAR)
def test_a_night_of_another_age_is_refused_in_words(
    organiser: Client, club: Club, settings: Settings, zone: str
) -> None:
    settings.TIME_ZONE = zone
    for when in OTHER_AGES.split():
        shows(announce(organiser, club, when), "Please write a year from 1900 to 2199.")
    assert not ClubNight.objects.exists()


def test_what_is_no_day_is_refused_in_words(organiser: Client, club: Club) -> None:
    for when in NO_DAYS:
        page = announce(organiser, club, when)
        assert "Please write a day and a time" in page.text or ClubNight.objects.exists()


@pytest.mark.parametrize("zone", FAR)
@pytest.mark.parametrize("when", ["2199-12-29T06:59", "1900-01-03T19:00"])
def test_the_first_and_the_last_night_are_shown_everywhere(
    organiser: Client, club: Club, settings: Settings, zone: str, when: str
) -> None:
    settings.TIME_ZONE = zone
    announce(organiser, club, when)
    night = ClubNight.objects.get()
    of_night = ("night", "night-edit", "night-people", "night-display", "night-door")

    pages = [
        *(reverse(name, args=[club.pk]) for name in ("club", "nights", "tonight", "my-table")),
        *(reverse(name, args=[night.pk]) for name in of_night),
        rsvp(night),
    ]
    assert {organiser.get(path).status_code for path in pages} == {200}
    shows(organiser.get(calendar(night)), "END:VCALENDAR")


# Saying that one comes ----------------------------------------------------------------------------


def test_the_last_word_counts(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)
    for who, yes in ((asha, True), (asha, False), ("Zuri", False), (" ZURI ", True)):
        says(night, who, yes=yes)
    said = {answer: [rsvp.called for rsvp in of] for answer, of in replies(night).items()}
    assert said == {"yes": ["ZURI"], "no": ["Asha"]}
    assert [name for _key, name in people_of_night(night).typed] == ["ZURI"]


def test_a_typed_name_of_a_player_is_that_player_until_erased(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)
    assert says(night, "asha").player == asha
    assert [reply.player for reply in replies(night)["yes"]] == [asha]
    Player.objects.update(erased_at=NOON)
    assert not replies(night)["yes"]


def test_what_cannot_be_said_is_refused(night: ClubNight) -> None:
    Rsvp.objects.bulk_create(
        Rsvp(night=night, name=f"N{n}", name_key=f"n{n}", yes=True, answered_at=NOON)
        for n in range(MOST_NEW_NAMES)
    )
    stranger = make.player("Ali", club=make.club("Elsewhere"))

    for who, code in ((stranger, "player-unknown"), ("  ", "name-empty"), ("Zuri", "rsvps-full")):
        with act.refused(code):
            says(night, who)
    with act.refused("player-unknown"):
        comes(night, stranger)
    end_night(night_id=night.pk, by=make.actor())
    with act.refused("night-over"):
        says(night, "N1")


def test_whoever_has_the_link_answers_without_signing_in(client: Client) -> None:
    night = make.night(make.club("Quiet", public=False), timezone.now() + HOUR)
    asha = make.player("Asha", club=night.club)

    def answers(**sent: str) -> Any:
        return client.post(rsvp(night), sent, follow=True)

    thanks = answers(player=str(asha.pk), answer="yes")
    shows(thanks, "See you there, Asha!")
    lacks(thanks, reverse("club", args=[night.club_id]))
    shows(answers(name="Zuri", answer="no"), "A pity, Zuri.")
    shows(answers(answer="yes"), "Choose your name, or type it.")
    shows(answers(name="Ali"), "Tap one of the two.", 'value="Ali"')
    assert client.get(night.get_absolute_url()).status_code == 404
    assert Rsvp.objects.count() == 2
    ClubNight.objects.update(ended_at=NOON)
    shows(answers(name="Zu", answer="yes"), "This night is finished.")
    assert client.get(reverse("night-rsvp", args=["no-link"])).status_code == 404


def test_a_new_link_is_good_and_the_old_one_says_that_it_is_not() -> None:
    night = make.night(make.club(public=False), NOON.replace(year=2036))
    organiser, stranger = act.sign_in(Role.ORGANISER, night), Client()
    links = [night.reply_id]
    for _ in range(2):  # it is renewed again and again
        page = organiser.post(night.get_absolute_url(), {"do": "new-link"}, follow=True)
        night.refresh_from_db()
        links.append(night.reply_id)

    shows(page, "the old one no longer works", rsvp(night))
    lacks(page, rsvp(links[1]))
    assert [stranger.get(rsvp(link)).status_code for link in links] == [404, 404, 200]
    shows(stranger.get(rsvp(links[0])), "Ask the organiser for the new link")
    assert stranger.get(calendar(links[0])).status_code == 404
    assert night.uid == links[0] != night.reply_id
    assert rsvp(night) in stranger.get(calendar(night)).text.replace("\r\n ", "")
    entry = LogEntry.objects.earliest("pk")
    assert entry.verb == "night-link-renewed"
    assert str(entry.user_id) == organiser.session["_auth_user_id"]
    assert entry.reason == "The night has a new link; the old one leads nowhere."


def test_scorers_look_and_do_not_touch(night: ClubNight) -> None:
    for role in (Role.MEMBER, Role.SCORER):
        reader = act.sign_in(role, night)
        for do in ("new-link", "end"):
            assert reader.post(night.get_absolute_url(), {"do": do}).status_code == 403
        lacks(reader.get(night.get_absolute_url()), "Check people in")
        assert reader.get(people_page(night)).status_code == 403
    night.refresh_from_db()
    assert (night.new_link, night.ended_at) == (None, None)


# Arriving and leaving -----------------------------------------------------------------------------


def test_people_arrive_leave_and_come_back(night: ClubNight) -> None:
    asha = make.player("Asha", club=night.club)
    first, again = comes(night, asha, "Zuri", "asha"), comes(night, asha)
    gone, left, twice = goes(night, asha), here(night), goes(night, asha)
    arrive(night_id=night.pk, players=[asha.pk], by=make.actor(at=NOON + 2 * HOUR))
    assert [player.name for player in first[1]] == ["Asha", "Zuri"]
    assert (again[1], gone, twice) == ([], [asha.pk], [])
    assert (left, here(night)) == (["Zuri"], ["Asha", "Zuri"])
    assert Attendance.objects.filter(player=asha).count() == 2


def test_visitors_count_tonight_only_unless_ticked(night: ClubNight) -> None:
    make.player("Asha", club=night.club)
    comes(night, "Ali", "Asha", visitor_from="Temeke")
    comes(night, "Omari", visitor_from="Temeke", in_season=True)
    comes(night, "Zuri")

    players = Player.objects.order_by("name").values_list("name", "visitor_from", "in_season")
    assert list(players) == [
        ("Ali", "Temeke", False),
        ("Asha", "", True),
        ("Omari", "Temeke", True),
        ("Zuri", "", True),
    ]


def test_who_announced_themselves_by_name_is_a_player_once_here(night: ClubNight) -> None:
    says(night, "Zuri")
    comes(night, "zuri")
    assert Rsvp.objects.get().player == Player.objects.get()
    assert people_of_night(night).typed == ()


def test_people_are_checked_in_by_tapping_or_typing(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    asha, juma = (make.player(name, club=club) for name in ("Asha", "Juma"))
    says(now_night, asha)
    zuri = says(now_night, "Zuri")

    def posted(**sent: Any) -> Any:
        return organiser.post(people_page(now_night), sent, follow=True)

    shows(posted(names=""), "Tap or type who has arrived.")
    came = posted(people=[asha.pk, juma.pk], typed=[zuri.pk], names="Ali", visitor_from="X")
    shows(came, "4 more are here.")
    shows(posted(left=str(juma.pk)), "Juma has gone home.")
    assert posted(left="x").status_code == 200
    shows(posted(people=[juma.pk]), "Juma is here.")
    assert here(now_night) == ["Ali", "Asha", "Juma", "Zuri"]
    second = posted(names="Juma, Rehema")  # another by a name that somebody here has
    shows(second, "Rehema is here.", "Here already: Juma. Is this somebody else?")
    shows(second, "such as “Juma K.”.")


def test_among_those_who_are_known_a_name_is_found_before_a_new_one_is_typed(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    unfolded = '<details class="more" open>'
    shows(organiser.get(people_page(now_night)), unfolded)
    make.player("Asha", club=club)
    known = organiser.get(people_page(now_night)).text
    refused = organiser.post(people_page(now_night), {"names": "x" * 61})
    assert known.index("Find a name") < known.index('<details class="more">')
    assert known.index("New names") > known.index("Somebody new?")
    shows(refused, unfolded, "is too long", "x" * 61)


def test_a_first_name_is_the_player_of_the_club_who_has_it_alone(
    organiser: Client, club: Club, now_night: ClubNight
) -> None:
    for name in ("Sandro Vidali", "Asha Mrema", "Asha Kimaro", "Juma Hassan", "Juma"):
        make.player(name, club=club)

    def typed(names: str, **more: str) -> Any:
        return organiser.post(people_page(now_night), {"names": names, **more}, follow=True)

    shows(typed("sandro"), "Sandro Vidali is here.")
    shows(typed("Sandro"), "Here already: Sandro Vidali.")
    typed("Asha, Juma")
    typed("Sandro", visitor_from="Trieste")

    assert here(now_night) == ["Asha", "Juma", "Sandro", "Sandro Vidali"]


def test_refused_check_in_loses_no_tap(organiser: Client, club: Club, now_night: ClubNight) -> None:
    asha, zuri = make.player("Asha", club=club), says(now_night, "Zuri")
    asked = {"people": [asha.pk], "typed": [zuri.pk], "visitor_from": "X" * 200}
    page = organiser.post(people_page(now_night), asked)
    for name, key in (("people", asha.pk), ("typed", zuri.pk)):
        shows(page, f'<input type="checkbox" name="{name}" value="{key}" checked>')


# Into people's own calendars ----------------------------------------------------------------------


def test_a_night_goes_into_a_calendar(client: Client) -> None:
    club = make.club("Upanga; Dar", public=False)
    night = make.night(club, place="Café, upstairs", games="Briscola")
    answer = client.get(calendar(night))

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
        f"URL:http://testserver{rsvp(night)}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    shows(client.get(rsvp(night)), calendar(night))
    assert client.get("/come/nowhere/night.ics").status_code == 404


def test_a_long_line_of_a_calendar_is_folded_between_signs(client: Client) -> None:
    night = make.night(make.club(name="é" * 80), NOON)
    written = client.get(calendar(night)).content
    pieces = written.split(b"\r\n")
    assert max(map(len, pieces)) <= 75
    assert "é" * 80 in "".join(piece.decode().removeprefix(" ") for piece in pieces)
    assert b"LOCATION" not in written
