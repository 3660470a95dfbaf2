"""The page of a draw: looked at, changed, published and opened; and what everybody reads of it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import make
from tests.reading import Form, Forms
from tracker.models import (
    ClubNight,
    Draw,
    Entrant,
    Player,
    Role,
    Round,
    RoundState,
    SeatingWish,
    Sitting,
    Tournament,
    WishKind,
)
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.closing import close_round
from tracker.seating.queries.drawn_round import DrawnRound
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
EIGHT = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


@pytest.fixture
def night(tournament: Tournament) -> ClubNight:
    """Return a night that goes on while the test runs, so that people can come and go."""
    return make.night(tournament.club, timezone.now() - timedelta(hours=1))


def entered(at: Tournament, *names: str) -> list[int]:
    players = [make.player(name, club=at.club).pk for name in names]
    entrants = enter_players(tournament_id=at.pk, players=players, by=make.actor())
    return [entrant.pk for entrant in entrants]


def url(tournament: Tournament) -> str:
    return reverse("draw", args=[tournament.pk])


def press(organiser: Client, tournament: Tournament, do: str, **more: object) -> Any:
    """Press a button of the page, and return the page that it leads to."""
    answer = organiser.post(url(tournament), {"do": do, **more}, follow=True)
    assert answer.status_code == 200
    return answer


def seats_shown(page: Any) -> list[list[str]]:
    """Return who sits at every table of the page, by side and place."""
    tables = page.context["page"]["round"].tables
    return [[each.name for side in table.sides for each in side] for table in tables]


def settings(page: Any) -> Form:
    """Return the form of the settings as a browser would send it."""
    forms = Forms(page.text, page.request["PATH_INFO"]).forms
    (form,) = [form for form in forms if ("do", "set") in form.buttons]
    return form


def sent(form: Form, **typed: object) -> dict[str, list[str]]:
    return form.pressing("do", "set", **typed)


def people(sitting: Sitting) -> list[str]:
    return list(sitting.seats.order_by("place").values_list("player__name", flat=True))


def tables(round_: Round) -> list[Sitting]:
    return list(round_.sittings.order_by("number"))


def close(round_: Round) -> None:
    close_round(round_id=round_.pk, not_played=True, by=make.actor())


# Draw, look, open ---------------------------------------------------------------------------------


def test_two_taps_open_a_round_with_a_look_between(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *EIGHT)

    looked = press(organiser, tournament, "draw")
    again = press(organiser, tournament, "draw")
    before = Round.objects.count()
    opened = organiser.post(url(tournament), {"do": "open"})

    assertContains(looked, "only you can see it so far")
    assertContains(looked, "All new opponents.")
    assertContains(looked, 'id="open-round">Open round 1<')
    assert (before, seats_shown(again)) == (0, seats_shown(looked))
    assertRedirects(opened, reverse("desk", args=[tournament.pk]))
    round_ = Round.objects.get()
    assert round_.state == RoundState.OPEN
    assert [sorted(people(sitting)) for sitting in tables(round_)] == [
        sorted(names) for names in seats_shown(looked)
    ]
    assert not Draw.objects.exists()


def test_the_first_round_asks_who_is_here(organiser: Client, tournament: Tournament) -> None:
    for name in FOUR:
        make.player(name, club=tournament.club)

    page = organiser.get(url(tournament))

    assertContains(page, "Asha")
    assertContains(page, "Draw round 1")
    assertContains(page, '<details class="more" id="settings" open>')
    assertNotContains(page, "Open round 1")


def test_drawn_again_others_meet_unless_a_table_is_kept(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *(f"P{number}" for number in range(16)))
    first = seats_shown(press(organiser, tournament, "draw"))

    locked = press(organiser, tournament, "lock:2")
    drawn = [seats_shown(press(organiser, tournament, "redraw")) for _ in range(3)]
    freed = press(organiser, tournament, "free:2")

    assertContains(locked, 'value="free:2" aria-pressed="true"')
    assert all(seating[1] == first[1] for seating in drawn)
    assert any(seating != first for seating in drawn)
    assertContains(freed, 'value="lock:2" aria-pressed="false"')
    assertNotContains(freed, 'aria-pressed="true"')


def test_a_draw_is_thrown_away(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *FOUR)
    press(organiser, tournament, "draw")

    page = organiser.post(url(tournament), {"do": "discard"})
    opened = press(organiser, tournament, "open")

    assertRedirects(page, reverse("desk", args=[tournament.pk]))
    assert not Draw.objects.exists()
    assertContains(opened, "Nothing is drawn yet: draw the round first.")


def test_a_round_is_drawn_while_another_is_played_and_opens_after_it(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *EIGHT)
    press(organiser, tournament, "draw")
    press(organiser, tournament, "open")
    first = Round.objects.get()

    drawn = press(organiser, tournament, "draw")
    too_soon = press(organiser, tournament, "open")
    close(first)
    press(organiser, tournament, "open")

    assertContains(drawn, "Open round 2")
    assert "Round 1 is still being played" in too_soon.text
    second = tournament.rounds.get(number=2)
    assert [sorted(people(sitting)) for sitting in tables(second)] == [
        sorted(names) for names in seats_shown(drawn)
    ]


def test_rest_goes_round(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *FOUR, "Ali")
    resting = []

    for _ in range(5):
        page = press(organiser, tournament, "draw")
        resting += [each.name for each in page.context["page"]["round"].resting]
        assertContains(page, f"Sitting out: {resting[-1]} (nobody has sat out less).")
        press(organiser, tournament, "open")
        close(Round.objects.order_by("-number")[0])

    assert sorted(resting) == sorted((*FOUR, "Ali"))


def test_a_tournament_that_is_over_draws_no_more(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *FOUR)
    Tournament.objects.update(official_at=make.NOON)

    page = press(organiser, tournament, "draw")

    assertContains(page, "This tournament is finished: reopen it first.")
    assert not Draw.objects.exists()


# Who plays, how and how long ----------------------------------------------------------------------


def test_tapped_and_written_people_sit_down(organiser: Client, tournament: Tournament) -> None:
    tapped = [make.player(name, club=tournament.club).pk for name in FOUR[:3]]
    form = settings(organiser.get(url(tournament)))

    answer = organiser.post(url(tournament), sent(form, more=tapped, names="Baraka"))
    organiser.post(url(tournament), {"do": "open"})

    assertRedirects(answer, url(tournament))
    assert sorted(people(Sitting.objects.get())) == sorted(FOUR)


def test_the_clock_begins_with_the_round(organiser: Client, tournament: Tournament) -> None:
    Tournament.objects.update(minutes=30)
    entered(tournament, *FOUR)
    form = settings(organiser.get(url(tournament)))

    organiser.post(url(tournament), sent(form))
    organiser.post(url(tournament), {"do": "open"})

    assert form.fields["minutes"] == ["30"]
    assert Round.objects.get().clock["minutes"] == 30


def test_a_round_is_as_long_as_is_said(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *FOUR)
    form = settings(organiser.get(url(tournament)))

    organiser.post(url(tournament), sent(form, length=6, minutes=25))
    organiser.post(url(tournament), {"do": "open"})

    round_ = Round.objects.get()
    assert (form.fields["length"], round_.hands, round_.clock["minutes"]) == (["2"], 6, 25)


def test_nobody_rests_where_tables_of_another_size_are_chosen(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *EIGHT, "Zuri")
    first = press(organiser, tournament, "draw")

    organiser.post(url(tournament), sent(settings(first), odd_tables="yes"))
    looked = organiser.get(url(tournament))
    organiser.post(url(tournament), {"do": "open"})

    assertContains(first, "the standings do not make up for it")
    assert len(first.context["page"]["round"].resting) == 1
    assert looked.context["page"]["round"].resting == ()
    assertContains(looked, "five, each alone")
    round_ = Round.objects.get()
    assert sorted((table.mode, len(people(table))) for table in tables(round_)) == [
        ("4t2", 4),
        ("5i", 5),
    ]
    assert not round_.rests.exists()
    close(round_)
    assert settings(organiser.get(url(tournament))).fields["odd_tables"] == ["yes"]


def test_who_is_tapped_away_does_not_play_nor_is_proposed_again(
    organiser: Client, tournament: Tournament
) -> None:
    units = entered(tournament, *EIGHT)
    first = press(organiser, tournament, "draw")

    organiser.post(url(tournament), sent(settings(first), playing=units[:4]))
    looked = organiser.get(url(tournament))
    organiser.post(url(tournament), {"do": "open"})
    close(Round.objects.get())
    proposed = settings(organiser.get(url(tournament))).fields["playing"]

    assert [sorted(names) for names in seats_shown(looked)] == [sorted(FOUR)]
    assert not Round.objects.get().rests.exists()
    assert sorted(map(int, proposed)) == sorted(units[:4])


def test_numbers_are_the_order_of_the_seats(organiser: Client, tournament: Tournament) -> None:
    Tournament.objects.update(movement="in_order")
    asha, neema, juma, baraka, ali = entered(tournament, *FOUR, "Ali")
    numbers = {asha: "3", neema: "", juma: "1", baraka: "2", ali: "4"}
    form = settings(organiser.get(url(tournament)))

    organiser.post(
        url(tournament), sent(form, **{f"place_{unit}": at for unit, at in numbers.items()})
    )
    looked = organiser.get(url(tournament))
    organiser.post(url(tournament), {"do": "open"})

    assert people(Sitting.objects.get()) == ["Juma", "Baraka", "Asha", "Ali"]
    listed = [(str(field.label), field.value()) for field in looked.context["form"].number_fields]
    assert listed == [("Juma", 1), ("Baraka", 2), ("Asha", 3), ("Ali", 4), ("Neema", None)]


def test_several_rounds_are_drawn_ahead(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    form = settings(organiser.get(url(tournament)))

    organiser.post(url(tournament), sent(form, rounds=3))
    page = organiser.get(url(tournament))
    press(organiser, tournament, "open")
    close(Round.objects.get())
    second = organiser.get(url(tournament))

    assertContains(page, "Drawn ahead up to round 3.")
    assertContains(second, "Open round 2")
    assertContains(second, "Drawn ahead up to round 3.")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"names": "Asha\nNeema"}, "A table takes 4 people here, and only 2 are chosen."),
        ({"names": "Asha\n" + "x" * 61}, "is too long"),
        ({"names": "Asha\nNeema\nJuma\nBaraka", "length": "none"}, "Please write a whole number."),
        (
            {"names": "Asha\nNeema\nJuma\nBaraka", "rounds": "3", "movement": "equals"},
            "These rounds follow the results, so draw them one at a time.",
        ),
        (
            {"names": "Asha\nNeema\nJuma\nBaraka", "movement": "by_magic"},
            "Please choose one of these.",
        ),
    ],
)
def test_a_refusal_keeps_what_was_typed(
    organiser: Client, tournament: Tournament, typed: dict[str, str], sentence: str
) -> None:
    form = settings(organiser.get(url(tournament)))

    page = organiser.post(url(tournament), sent(form, **typed))

    assertContains(page, sentence)
    form = settings(page)
    for key, value in typed.items():
        assert key == "movement" or form.fields[key][0].strip() == value
    assert not Entrant.objects.exists()
    assert not Player.objects.exists()
    assert not Draw.objects.exists()


def test_a_refused_change_leaves_the_draw_as_it_was(
    organiser: Client, tournament: Tournament
) -> None:
    units = entered(tournament, *EIGHT)
    first = press(organiser, tournament, "draw")

    page = organiser.post(url(tournament), sent(settings(first), playing=units[:3]))

    assertContains(page, "A table takes 4 people here, and only 3 are chosen.")
    assert sorted(map(int, settings(page).fields["playing"])) == sorted(units[:3])
    assert seats_shown(page) == seats_shown(first)


def test_fixed_teams_are_asked_for_teams(client: Client) -> None:
    tournament = make.tournament(teams=True, hands=2)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    for pair in (("Asha", "Juma"), ("Neema", "Baraka")):
        make.entrant(
            make.team(*(make.player(name, club=tournament.club) for name in pair)), at=tournament
        )
    late = make.team(*(make.player(name, club=tournament.club) for name in ("Ali", "Omari")))
    # A player who waits at the night, with the key of a team that does not.
    zuri = {"club": tournament.club, "name": "Zuri", "name_key": "zuri"}
    waiting, _ = Player.objects.get_or_create(pk=late.pk, defaults=zuri)
    running = make.night(tournament.club, timezone.now() - timedelta(hours=1))
    arrive(night_id=running.pk, players=[waiting.pk], by=make.actor(at=running.starts_at))

    page = client.get(url(tournament))
    tapped = sent(settings(page), more=late.pk, names="Eli & Ida")
    drawn = client.post(url(tournament), tapped, follow=True)

    form = page.context["form"]
    assert sorted(name for _, name in form.entrants) == ["Asha & Juma", "Neema & Baraka"]
    assert form.not_entered == [(late.pk, "Ali & Omari")]
    assert form.initial["more"] == []
    assert all(code.count("t") for code, _ in form.fields["mode"].choices)
    shown = drawn.context["page"]["round"]
    assert (len(shown.tables), len(shown.resting)) == (2, 0)
    assert Entrant.objects.filter(team=late).exists()
    assert Entrant.objects.filter(team__name="Eli & Ida").exists()


# Two who change places ----------------------------------------------------------------------------


def test_a_swap_is_looked_at_and_then_made(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    first = press(organiser, tournament, "draw")
    player, other = (table.sides[0][0] for table in first.context["page"]["round"].tables)
    tapped = [player.entrant, other.entrant]

    looked = press(organiser, tournament, "look", unit=tapped)
    before = seats_shown(organiser.get(url(tournament)))
    swapped = press(organiser, tournament, "swap", unit=tapped)

    names = {player.name: other.name, other.name: player.name}
    assertContains(looked, "change places?")
    assertContains(looked, "All new opponents.")
    assert re.search("Table [12]: .+ deals first \\(was|The same people deal first", looked.text)
    for unit in tapped:
        assert re.search(rf'name="unit" value="{unit}" checked', looked.text)
    assert before == seats_shown(first)
    assert seats_shown(swapped) == [
        [names.get(name, name) for name in table] for table in seats_shown(first)
    ]
    assertContains(swapped, "Changed by the organiser.", count=2)


def test_a_swap_says_who_deals_first_in_whose_place(
    organiser: Client, tournament: Tournament
) -> None:
    units = entered(tournament, *EIGHT)
    shown = press(organiser, tournament, "draw").context["page"]["round"]

    for other in units[4:]:
        tapped = [units[0], other]
        said = press(organiser, tournament, "look", unit=tapped).context["effect"]["says"]
        press(organiser, tournament, "swap", unit=tapped)
        was, shown = shown, organiser.get(url(tournament)).context["page"]["round"]
        changed = [
            f"Table {number}: {now} deals first (was {before})."
            for number, (before, now) in enumerate(
                zip(openers(was), openers(shown), strict=True), start=1
            )
            if before != now
        ]
        assert [line for line in said if re.search("deals? first", line)] == (
            changed or ["The same people deal first."]
        )


def openers(shown: DrawnRound) -> list[str]:
    return [
        person.name
        for table in shown.tables
        for side in table.sides
        for person in side
        if person.opens
    ]


def test_what_a_swap_does_is_asked_for_alone(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    first = press(organiser, tournament, "draw")
    tapped = [table.sides[0][0].entrant for table in first.context["page"]["round"].tables]

    part = organiser.post(
        url(tournament), {"do": "look", "unit": tapped}, headers={"HX-Request": "true"}
    )

    assertContains(part, "change places?")
    assertContains(part, 'name="do" value="swap"')
    assert "<html" not in part.text
    assert 'id="effect"' not in part.text


def test_what_a_swap_would_repeat_is_said(organiser: Client, tournament: Tournament) -> None:
    units = entered(tournament, *EIGHT)
    press(organiser, tournament, "draw")
    press(organiser, tournament, "open")
    close(Round.objects.get())
    page = press(organiser, tournament, "draw")
    clean = page.context["page"]["round"].summary

    said = {
        press(organiser, tournament, "look", unit=[unit, other]).text
        for unit in units[:2]
        for other in units[4:]
    }

    met = re.compile(r"<p>\d pairs? of players (?:has|have) met before(?:, \d as partners)?\.</p>")
    assert {len(met.findall(text)) for text in said} == {1}
    assert clean == organiser.get(url(tournament)).context["page"]["round"].summary


@pytest.mark.parametrize("do", ["look", "swap"])
def test_only_two_of_the_draw_change_places(
    organiser: Client, tournament: Tournament, do: str
) -> None:
    units = entered(tournament, *FOUR)
    first = press(organiser, tournament, "draw")

    for tapped in ([], units[:1], units[:3], [units[0], 0], ["x", "9" * 30]):
        page = press(organiser, tournament, do, unit=tapped)
        assertContains(page, "Tap the two who change places.")
        assert seats_shown(page) == seats_shown(first)


def test_who_must_not_meet_is_not_put_together(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    first = press(organiser, tournament, "draw")
    table, other = first.context["page"]["round"].tables
    apart = table.sides[0][0], other.sides[0][0]
    players = Player.objects.filter(entrants__in=[each.entrant for each in apart]).order_by("pk")
    SeatingWish.objects.create(
        club=tournament.club, kind=WishKind.NOT_MEET, player=players[0], other=players[1]
    )
    press(organiser, tournament, "discard")
    drawn = press(organiser, tournament, "draw")
    mine, _theirs = drawn.context["page"]["round"].tables
    here = {each.name for side in mine.sides for each in side}
    stays, goes = sorted(apart, key=lambda each: each.name not in here)
    place = next(each for side in mine.sides for each in side if each.name != stays.name)

    look = press(organiser, tournament, "look", unit=[place.entrant, goes.entrant])
    swapped = press(organiser, tournament, "swap", unit=[place.entrant, goes.entrant])

    for page in (look, swapped):
        assert stays.name in page.text
        assertNotContains(page, "Changed by the organiser.")
        assert seats_shown(page) == seats_shown(drawn)
        assert re.search(r"must not|together", page.text)


# Who comes and goes -------------------------------------------------------------------------------


def test_who_left_since_is_said_and_the_draw_is_mended(
    organiser: Client, tournament: Tournament, night: ClubNight
) -> None:
    entered(tournament, *EIGHT, "Zuri")
    everybody = list(tournament.entrants.values_list("player", flat=True))
    now = make.actor(at=night.starts_at)
    arrive(night_id=night.pk, players=everybody, by=now)
    press(organiser, tournament, "draw")
    leave(night_id=night.pk, players=[Player.objects.get(name="Asha").pk], by=now)

    said = organiser.get(url(tournament))
    mended = press(organiser, tournament, "open")
    before = Round.objects.count()
    opened = organiser.post(url(tournament), {"do": "open"})

    assertContains(said, "Since it was drawn")
    assertContains(said, "Asha has gone home.")
    assertContains(mended, "The draw is updated. Have another look.")
    assertNotContains(mended, "Since it was drawn")
    assert before == 0
    assert sorted(name for names in seats_shown(mended) for name in names) == sorted(
        (*EIGHT[1:], "Zuri")
    )
    assertRedirects(opened, reverse("desk", args=[tournament.pk]))


def test_who_came_since_is_taken_in_by_mending(
    organiser: Client, tournament: Tournament, night: ClubNight
) -> None:
    entered(tournament, *FOUR)
    now = make.actor(at=night.starts_at)
    everybody = list(tournament.entrants.values_list("player", flat=True))
    arrive(night_id=night.pk, players=everybody, by=now)
    press(organiser, tournament, "draw")
    arrive(night_id=night.pk, new_names=EIGHT[4:], by=now)

    said = organiser.get(url(tournament))
    mended = press(organiser, tournament, "mend")

    assertContains(said, "Ali, Omari, Rehema and Zawadi have arrived.")
    assert sorted(name for names in seats_shown(mended) for name in names) == sorted(EIGHT)


def test_a_late_arrival_is_told_the_table_and_who_sits_out(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *EIGHT)
    press(organiser, tournament, "draw")

    added = press(organiser, tournament, "add", names="Mwajuma")

    said = added.text
    resting = re.search(r"(\w+) sits out this round\.", said)
    assert resting
    if resting[1] != "Mwajuma":  # whom the lot may choose, too
        table = re.search(r"Mwajuma plays at table (\d)\.", said)
        assert table
        assert "Mwajuma" in seats_shown(added)[int(table[1]) - 1]
    assertContains(added, 'href="#add-names"')


# What everybody reads -----------------------------------------------------------------------------


def test_only_organisers_draw(client: Client, tournament: Tournament) -> None:
    entered(tournament, *FOUR)

    stranger = client.get(url(tournament))
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))
    scorer = [client.post(url(tournament), {"do": do}).status_code for do in ("draw", "open")]
    looked = client.get(url(tournament)).status_code

    assert stranger.headers["Location"].startswith("/sign-in/")
    assert (scorer, looked) == ([403, 403], 403)
    assert not Draw.objects.exists()


def test_a_draw_is_read_by_everybody_only_once_it_is_shown(
    organiser: Client, tournament: Tournament
) -> None:
    units = entered(tournament, *EIGHT)
    drawn = press(organiser, tournament, "draw")
    schedule = reverse("schedule", args=[tournament.pk])
    why = reverse("why", args=[tournament.pk, 1])
    hidden, hidden_why = Client().get(schedule), Client().get(why)

    shown = press(organiser, tournament, "publish")
    everybody = Client().get(schedule)
    own = Client().get(schedule, {"who": units[0]})
    explained = Client().get(why)

    assertContains(hidden, "No round is drawn yet")
    assertNotContains(hidden, "Asha")
    assert hidden_why.status_code == 404
    assertContains(shown, "published")
    assertContains(shown, schedule)
    assertNotContains(shown, 'value="publish"')
    assertContains(everybody, "Asha")
    assertContains(own, "coming up")
    assertContains(own, why)
    (mine,) = [names for names in seats_shown(drawn) if "Asha" in names]
    (round_,) = own.context["seats"]
    with_whom = [*round_.partners.split(" & "), *round_.opponents.split(" & ")]
    assert sorted([*with_whom, "Asha"]) == sorted(mine)
    assert " & " not in round_.partners
    assertContains(explained, "How round 1 was drawn")
    assertContains(explained, str(Draw.objects.get().seed))
    assertContains(explained, "All new opponents.")


def test_an_opened_round_says_how_it_was_drawn(organiser: Client, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    seen = []
    for _ in range(2):
        seen.append(press(organiser, tournament, "draw"))
        press(organiser, tournament, "open")
        close(Round.objects.order_by("-number")[0])

    pages = [Client().get(reverse("why", args=[tournament.pk, number])) for number in (1, 2)]
    nothing = Client().get(reverse("why", args=[tournament.pk, 3]))
    schedule = Client().get(reverse("schedule", args=[tournament.pk]))

    for page, drawn in zip(pages, seen, strict=True):
        assert page.context["drawn"].round.summary == drawn.context["page"]["round"].summary
        assertContains(page, drawn.context["page"]["round"].summary)
        assertContains(page, "8 play")
    assert nothing.status_code == 404
    assert list(schedule.context["schedule"].seatings) == [1, 2]
    assert schedule.context["schedule"].to_come == frozenset()


def test_whoever_is_signed_in_finds_their_own_rounds(
    organiser: Client, tournament: Tournament
) -> None:
    entered(tournament, *FOUR)
    press(organiser, tournament, "draw")
    press(organiser, tournament, "publish")
    user = make.user("asha", role=Role.MEMBER, club=tournament.club)
    Player.objects.filter(name="Asha").update(user=user)
    phone = Client()
    phone.force_login(user)

    page = phone.get(reverse("schedule", args=[tournament.pk]))
    other = phone.get(reverse("schedule", args=[tournament.pk]), {"who": "9" * 30})

    assert len(page.context["seats"]) == 1
    assert other.context["seats"] == ()


def test_a_private_clubs_schedule_is_for_its_members() -> None:
    tournament = make.tournament(club=make.club("Quiet", public=False))
    entered(tournament, *FOUR)

    for address in ("schedule", "why"):
        more = [1] if address == "why" else []
        assert Client().get(reverse(address, args=[tournament.pk, *more])).status_code == 404


def test_a_promised_table_that_is_taken_is_said_before_the_draw_is_published(
    organiser: Client, tournament: Tournament, night: ClubNight
) -> None:
    asha = make.player("Asha", club=tournament.club)
    SeatingWish.objects.create(
        club=tournament.club, kind=WishKind.KEEPS_TABLE, player=asha, table=1
    )
    other = make.tournament(club=tournament.club, name="Friday Dalmuti", hands=2)
    theirs = make.sitting("Ali", "Zawadi", "Omari", "Rehema", at=other, number=1).round
    Round.objects.filter(pk=theirs.pk).update(
        night=night, opened_at=timezone.now() - timedelta(minutes=9)
    )
    entered(tournament, *FOUR)

    drawn = press(organiser, tournament, "draw")
    published = press(organiser, tournament, "publish")

    sentence = (
        "Asha’s table 1 is taken by Friday Dalmuti. Draw again once that round is closed,"
        " or promise another table."
    )
    for page in (drawn, published):
        assert sentence in page.text
    for address in (
        reverse("why", args=[tournament.pk, 1]),
        reverse("schedule", args=[tournament.pk]),
    ):
        assert "Friday Dalmuti" not in Client().get(address).text  # promises are the organisers'

    press(organiser, tournament, "open")
    Round.objects.filter(pk=theirs.pk).update(state=RoundState.CLOSED, closed_at=timezone.now())
    ours = Round.objects.get(tournament=tournament)
    close(ours)
    again = press(organiser, tournament, "draw")
    assert Draw.objects.get().plan["tables"][0]["number"] == 1
    assert "Asha’s table" not in again.text


def test_a_promised_table_beyond_those_of_the_round_is_said(
    organiser: Client, tournament: Tournament
) -> None:
    SeatingWish.objects.create(
        club=tournament.club,
        kind=WishKind.KEEPS_TABLE,
        player=make.player("Asha", club=tournament.club),
        table=9,
    )
    entered(tournament, *FOUR)

    page = press(organiser, tournament, "draw")

    assert (
        "Asha is promised table 9, and this draw says table 1. Draw again, or promise another"
        " table." in page.text
    )
    SeatingWish.objects.update(table=1)
    assert press(organiser, tournament, "redraw").context["page"]["missed"] == ()


def test_a_promised_table_is_not_taken_by_a_tournament_of_another_club(
    organiser: Client, tournament: Tournament
) -> None:
    asha = make.player("Asha", club=tournament.club)
    SeatingWish.objects.create(
        club=tournament.club, kind=WishKind.KEEPS_TABLE, player=asha, table=9
    )
    make.sitting(at=make.tournament(club=make.club("Ilala"), name="Ilala Cup"), number=9)
    entered(tournament, *FOUR)

    page = press(organiser, tournament, "draw")

    assert "Ilala Cup" not in page.text
    assert "Asha is promised table 9, and this draw says table 1." in page.text


@pytest.mark.parametrize("many", [1, 3])
def test_pages_cost_the_same_however_many_sit(
    organiser: Client,
    tournament: Tournament,
    many: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    entered(tournament, *(f"P{number:02d}" for number in range(4 * many + 1)))

    # session, user, tournament with role; its last round, the night that goes on, what is drawn;
    # who is able to play, how they are called, and who else there is
    with django_assert_num_queries(9):
        organiser.get(url(tournament))
    for _ in range(2):
        press(organiser, tournament, "draw")
        press(organiser, tournament, "open")
        close(Round.objects.order_by("-number")[0])
    with django_assert_num_queries(9):
        organiser.get(url(tournament))
    press(organiser, tournament, "draw")
    press(organiser, tournament, "publish")

    # besides, who came or went: who is able to play; what is promised; the rounds before with their
    # seats and rests; openings and deals; who is seated, and how they are called; promised tables
    with django_assert_num_queries(18):
        organiser.get(url(tournament))
    # tournament; rounds; rounds, seats and rests of before; what is drawn, who entered
    with django_assert_num_queries(7):
        Client().get(reverse("schedule", args=[tournament.pk]))
    # tournament, the round as it was drawn; for whoever asks who they are, the schedule; names
    with django_assert_num_queries(9):
        Client().get(reverse("why", args=[tournament.pk, 2]))
    with django_assert_num_queries(10):  # there is no such round, so what is drawn
        Client().get(reverse("why", args=[tournament.pk, 3]))
