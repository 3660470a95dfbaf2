"""The page of a draw: looked at, changed, published and opened; and what everybody reads of it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertRedirects

from tests import act, make
from tests.reading import Form, Forms, costs, lacks, path, shows
from tests.tracker.seating.seats import EIGHT, FOUR, OTHERS, close, people
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
from tracker.seating.queries.drawn_round import DrawnRound

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


class Page:
    """The page of a draw, and the organiser who looks at it."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.url = tournament, path("draw", tournament)
        self.client = act.sign_in(Role.ORGANISER, tournament)

    def look(self) -> Any:
        return self.client.get(self.url)

    def press(self, do: str, **more: object) -> Any:
        """Press a button, and return the page that it leads to."""
        answer = self.client.post(self.url, {"do": do, **more}, follow=True)
        assert answer.status_code == 200
        return answer

    def draw(self) -> Any:
        return self.press("draw")

    def open(self) -> Round:
        assertRedirects(self.client.post(self.url, {"do": "open"}), path("desk", self.tournament))
        return Round.objects.filter(tournament=self.tournament).latest("number")

    def play_round(self) -> Any:
        """Draw, open and close a round, and return the page on which it was drawn."""
        page = self.draw()
        close(self.open())
        return page

    def settings(self, page: Any = None) -> Form:
        """Return the form of the settings as a browser would send it."""
        forms = Forms((page or self.look()).text, self.url).forms
        (form,) = [form for form in forms if ("do", "set") in form.buttons]
        return form

    def set(self, **typed: object) -> Any:
        """Send the settings with what is typed, and return the page that follows."""
        sent = self.settings().pressing("do", "set", **typed)
        return self.client.post(self.url, sent, follow=True)


@pytest.fixture
def page(tournament: Tournament) -> Page:
    return Page(tournament)


@pytest.fixture
def night(tournament: Tournament) -> ClubNight:
    """Return a night that goes on while the test runs, so that people can come and go."""
    return make.night(tournament.club, timezone.now() - timedelta(hours=1))


def entered(at: Tournament, *names: str) -> list[int]:
    return [entrant.pk for entrant in act.enter(at, *names)]


def drawn_on(page: Any) -> DrawnRound:
    drawn: DrawnRound = page.context["page"]["round"]
    return drawn


def seats_shown(page: Any) -> list[list[str]]:
    """Return who sits at every table of the page, by side and place."""
    tables = drawn_on(page).tables
    return [[each.name for side in table.sides for each in side] for table in tables]


def names_shown(page: Any) -> list[str]:
    return sorted(name for names in seats_shown(page) for name in names)


def seats_of(round_: Round) -> list[list[str]]:
    return [people(sitting) for sitting in round_.sittings.order_by("number")]


def alike(tables: list[list[str]]) -> list[list[str]]:
    """Return who sits at every table, at whichever place."""
    return [sorted(names) for names in tables]


# Draw, look, open ---------------------------------------------------------------------------------


def test_two_taps_open_a_round_with_a_look_between(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    looked, again = page.draw(), page.draw()
    assert not Round.objects.exists()
    round_ = page.open()

    shows(looked, "only you can see it so far", "All new opponents.")
    shows(looked, 'id="open-round">Open round 1<')
    assert seats_shown(again) == seats_shown(looked)
    assert round_.state == RoundState.OPEN
    assert alike(seats_of(round_)) == alike(seats_shown(looked))
    assert not Draw.objects.exists()


def test_drawn_again_others_meet_unless_a_table_is_kept(page: Page, tournament: Tournament) -> None:
    entered(tournament, *(f"P{number}" for number in range(16)))
    first = seats_shown(page.draw())
    locked = page.press("lock:2")
    page.press("publish")
    drawn = [seats_shown(page.press("redraw")) for _ in range(3)]
    freed = page.press("free:2")

    shows(locked, 'value="free:2" aria-pressed="true"')
    assert all(seating[1] == first[1] for seating in drawn)
    assert any(seating != first for seating in drawn)
    assert Draw.objects.get().published_at  # as the one before
    shows(freed, 'value="lock:2" aria-pressed="false"')
    lacks(freed, 'aria-pressed="true"')


def test_a_draw_is_thrown_away_and_nothing_drawn_once_all_is_over(
    page: Page, tournament: Tournament
) -> None:
    entered(tournament, *FOUR)
    page.draw()

    assertRedirects(page.client.post(page.url, {"do": "discard"}), path("desk", tournament))
    assert not Draw.objects.exists()
    shows(page.press("open"), "Nothing is drawn yet: draw the round first.")
    Tournament.objects.update(official_at=make.NOON)
    shows(page.draw(), "This tournament is finished: reopen it first.")
    assert not Draw.objects.exists()


def test_a_round_is_drawn_while_another_is_played(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    page.draw()
    first = page.open()
    drawn, too_soon = page.draw(), page.press("open")
    close(first)
    second = page.open()

    shows(drawn, "Open round 2")
    shows(too_soon, "Round 1 is still being played")
    assert second.number == 2
    assert alike(seats_of(second)) == alike(seats_shown(drawn))


def test_rest_goes_round(page: Page, tournament: Tournament) -> None:
    entered(tournament, *FOUR, "Ali")
    resting = []
    for _ in range(5):
        looked = page.play_round()
        resting += [each.name for each in drawn_on(looked).resting]
        shows(looked, f"Sitting out: {resting[-1]} (nobody has sat out less).")

    assert sorted(resting) == sorted((*FOUR, "Ali"))


# Who plays, how and how long ----------------------------------------------------------------------


def test_tapped_and_written_people_sit_down(page: Page, tournament: Tournament) -> None:
    tapped = [make.player(name, club=tournament.club).pk for name in FOUR[:3]]
    asked = page.look()
    shows(asked, "Asha", "Draw round 1", '<details class="more" id="settings" open>')
    lacks(asked, "Open round 1")
    answer = page.set(more=tapped, names="Baraka")
    page.open()

    assertRedirects(answer, page.url)
    assert sorted(people(Sitting.objects.get())) == sorted(FOUR)


@pytest.mark.parametrize(
    ("typed", "hands", "minutes"), [({}, 2, 30), ({"length": 6}, 6, 30), ({"minutes": 25}, 2, 25)]
)
def test_a_round_is_as_long_as_is_said_and_its_clock_begins_with_it(
    page: Page, tournament: Tournament, typed: dict[str, int], hands: int, minutes: int
) -> None:
    Tournament.objects.update(minutes=30)
    entered(tournament, *FOUR)
    fields = page.settings().fields
    page.set(**typed)
    round_ = page.open()

    assert (fields["length"], fields["minutes"]) == (["2"], ["30"])
    assert (round_.hands, round_.clock["minutes"]) == (hands, minutes)


def test_nobody_rests_where_odd_tables_are_chosen(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT, "Zuri")
    first = page.draw()
    looked = page.set(odd_tables="yes")
    round_ = page.open()

    shows(first, "the standings do not make up for it")
    assert (len(drawn_on(first).resting), drawn_on(looked).resting) == (1, ())
    shows(looked, "five, each alone")
    sizes = sorted((table.mode, len(people(table))) for table in round_.sittings.all())
    assert sizes == [("4t2", 4), ("5i", 5)]
    assert not round_.rests.exists()
    close(round_)
    assert page.settings().fields["odd_tables"] == ["yes"]


def test_who_is_tapped_away_is_not_proposed_again(page: Page, tournament: Tournament) -> None:
    units = entered(tournament, *EIGHT)
    first = page.draw()
    refused = page.set(playing=units[:3])
    shows(refused, "A table takes 4 people here, and only 3 are chosen.")
    assert sorted(map(int, page.settings(refused).fields["playing"])) == sorted(units[:3])
    assert seats_shown(refused) == seats_shown(first)
    looked = page.set(playing=units[:4])
    close(page.open())
    proposed = page.settings().fields["playing"]

    assert alike(seats_shown(looked)) == [sorted(FOUR)]
    assert not Round.objects.get().rests.exists()
    assert sorted(map(int, proposed)) == sorted(units[:4])


def test_numbers_are_the_order_of_the_seats(page: Page, tournament: Tournament) -> None:
    Tournament.objects.update(movement="in_order")
    units = entered(tournament, *FOUR, "Ali")
    numbers = ("3", "", "1", "2", "4")
    looked = page.set(**{f"place_{unit}": at for unit, at in zip(units, numbers, strict=True)})
    page.open()

    assert people(Sitting.objects.get()) == ["Juma", "Baraka", "Asha", "Ali"]
    listed = [(str(field.label), field.value()) for field in looked.context["form"].number_fields]
    assert listed == [("Juma", 1), ("Baraka", 2), ("Asha", 3), ("Ali", 4), ("Neema", None)]


def test_several_rounds_are_drawn_ahead(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    shows(page.set(rounds=3), "Drawn ahead up to round 3.")
    close(page.open())
    shows(page.look(), "Open round 2", "Drawn ahead up to round 3.")


NAMES = "\n".join(FOUR)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"names": "Asha\nNeema"}, "A table takes 4 people here, and only 2 are chosen."),
        ({"names": "Asha\n" + "x" * 61}, "is too long"),
        ({"names": NAMES, "length": "none"}, "Please write a whole number."),
        (
            {"names": NAMES, "rounds": "3", "movement": "equals"},
            "These rounds follow the results, so draw them one at a time.",
        ),
        ({"names": NAMES, "movement": "by_magic"}, "Please choose one of these."),
    ],
)
def test_a_refusal_keeps_what_was_typed(page: Page, typed: dict[str, str], sentence: str) -> None:
    answer = page.set(**typed)

    shows(answer, sentence)
    form = page.settings(answer)
    for key, value in typed.items():
        assert key == "movement" or form.fields[key][0].strip() == value
    for model in (Entrant, Player, Draw):
        assert not model.objects.exists()


def test_fixed_teams_are_asked_for_teams() -> None:
    tournament = make.tournament(teams=True, hands=2)
    club, page = tournament.club, Page(tournament)
    first, second, late = (
        make.team(*(make.player(name, club=club) for name in pair))
        for pair in (("Asha", "Juma"), ("Neema", "Baraka"), ("Ali", "Omari"))
    )
    for team in (first, second):
        make.entrant(team, at=tournament)
    # A player who waits at the night, with the key of a team that does not.
    zuri = {"club": club, "name": "Zuri", "name_key": "zuri"}
    waiting, _ = Player.objects.get_or_create(pk=late.pk, defaults=zuri)
    running = make.night(club, timezone.now() - timedelta(hours=1))
    arrive(night_id=running.pk, players=[waiting.pk], by=make.actor(at=running.starts_at))

    form = page.look().context["form"]
    drawn = drawn_on(page.set(more=late.pk, names="Eli & Ida"))

    assert sorted(name for _, name in form.entrants) == ["Asha & Juma", "Neema & Baraka"]
    assert form.not_entered == [(late.pk, "Ali & Omari")]
    assert form.initial["more"] == []
    assert all(code.count("t") for code, _ in form.fields["mode"].choices)
    assert (len(drawn.tables), len(drawn.resting)) == (2, 0)
    assert Entrant.objects.filter(team=late).exists()
    assert Entrant.objects.filter(team__name="Eli & Ida").exists()


# Two who change places ----------------------------------------------------------------------------


def test_a_swap_is_looked_at_and_then_made(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    first = page.draw()
    player, other = (table.sides[0][0] for table in drawn_on(first).tables)
    tapped = [player.entrant, other.entrant]
    looked, before = page.press("look", unit=tapped), page.look()
    part = page.client.post(
        page.url, {"do": "look", "unit": tapped}, headers={"HX-Request": "true"}
    )
    swapped = page.press("swap", unit=tapped)

    shows(looked, "change places?", "All new opponents.")
    for unit in tapped:
        assert re.search(rf'name="unit" value="{unit}" checked', looked.text)
    shows(part, "change places?", 'name="do" value="swap"')  # asked for alone
    lacks(part, "<html", 'id="effect"')
    assert seats_shown(before) == seats_shown(first)
    names = {player.name: other.name, other.name: player.name}
    assert seats_shown(swapped) == [
        [names.get(name, name) for name in table] for table in seats_shown(first)
    ]
    assert swapped.text.count("Changed by the organiser.") == 2


def test_a_swap_says_who_deals_first_in_whose_place(page: Page, tournament: Tournament) -> None:
    units = entered(tournament, *EIGHT)
    shown = openers(page.draw())

    for other in units[4:]:
        tapped = [units[0], other]
        said = page.press("look", unit=tapped).context["effect"]["says"]
        page.press("swap", unit=tapped)
        was, shown = shown, openers(page.look())
        changed = [
            f"Table {number}: {now} deals first (was {before})."
            for number, (before, now) in enumerate(zip(was, shown, strict=True), start=1)
            if before != now
        ]
        told = [line for line in said if re.search("deals? first", line)]
        assert told == (changed or ["The same people deal first."])


def openers(page: Any) -> list[str]:
    sides = (side for table in drawn_on(page).tables for side in table.sides)
    return [person.name for side in sides for person in side if person.opens]


def test_what_a_swap_would_repeat_is_said(page: Page, tournament: Tournament) -> None:
    units = entered(tournament, *EIGHT)
    page.play_round()
    clean = drawn_on(page.draw()).summary

    met = re.compile(r"<p>\d pairs? of players (?:has|have) met before(?:, \d as partners)?\.</p>")
    for unit in units[:2]:
        for other in units[4:]:
            looked = page.press("look", unit=[unit, other])
            assert len(met.findall(looked.text)) == 1
    assert clean == drawn_on(page.look()).summary


def test_only_two_of_the_draw_change_places(page: Page, tournament: Tournament) -> None:
    units = entered(tournament, *FOUR)
    first = page.draw()

    for do in ("look", "swap"):
        for tapped in ([], units[:1], units[:3], [units[0], 0], ["x", "9" * 30]):
            answer = page.press(do, unit=tapped)
            shows(answer, "Tap the two who change places.")
            assert seats_shown(answer) == seats_shown(first)


def test_who_must_not_meet_is_not_put_together(page: Page, tournament: Tournament) -> None:
    juma = entered(tournament, *EIGHT)[2]
    asha, other = (make.player(name, club=tournament.club) for name in ("Asha", "Juma"))
    SeatingWish.objects.create(
        club=tournament.club, kind=WishKind.NOT_MEET, player=asha, other=other
    )
    drawn = page.draw()
    (beside,) = [names for names in seats_shown(drawn) if "Asha" in names]
    assert "Juma" not in beside
    place = Entrant.objects.get(player__name=next(name for name in beside if name != "Asha"))

    for do in ("look", "swap"):
        answer = page.press(do, unit=[place.pk, juma])
        shows(answer, "Asha, Juma are not to meet at one table")
        lacks(answer, "Changed by the organiser.")
        assert seats_shown(answer) == seats_shown(drawn)


# Who comes and goes -------------------------------------------------------------------------------


def test_who_came_or_left_is_said(page: Page, tournament: Tournament, night: ClubNight) -> None:
    entered(tournament, *EIGHT, "Zuri")
    everybody = list(tournament.entrants.values_list("player", flat=True))
    now = make.actor(at=night.starts_at)
    arrive(night_id=night.pk, players=everybody, by=now)
    page.draw()
    leave(night_id=night.pk, players=[Player.objects.get(name="Asha").pk], by=now)

    shows(page.look(), "Since it was drawn", "Asha has gone home.")
    mended = page.press("open")
    assert not Round.objects.exists()
    shows(mended, "The draw is updated. Have another look.")
    lacks(mended, "Since it was drawn")
    assert names_shown(mended) == sorted((*EIGHT[1:], "Zuri"))
    arrive(night_id=night.pk, new_names=["Ida", "Eli", "Uli", "Oli"], by=now)
    shows(page.look(), "Eli, Ida, Oli and Uli have arrived.")
    assert names_shown(page.press("mend")) == sorted(
        (*EIGHT[1:], "Zuri", "Eli", "Ida", "Oli", "Uli")
    )
    page.open()


def test_a_late_arrival_is_told_the_table_or_who_rests(page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    page.draw()
    added = page.press("add", names="Mwajuma")

    resting = re.search(r"(\w+) sits out this round\.", added.text)
    assert resting
    if resting[1] != "Mwajuma":  # whom the lot may choose, too
        table = re.search(r"Mwajuma plays at table (\d)\.", added.text)
        assert table
        assert "Mwajuma" in seats_shown(added)[int(table[1]) - 1]
    shows(added, 'href="#add-names"')


# What everybody reads -----------------------------------------------------------------------------


def test_a_draw_is_read_once_it_is_shown(
    client: Client, page: Page, tournament: Tournament
) -> None:
    asha = entered(tournament, *EIGHT)[0]
    drawn = page.draw()
    schedule, why = path("schedule", tournament), path("why", tournament, 1)
    hidden = client.get(schedule)
    shows(hidden, "No round is drawn yet")
    lacks(hidden, "Asha")
    assert client.get(why).status_code == 404
    shown = page.press("publish")

    shows(shown, "published", schedule)
    lacks(shown, 'value="publish"')
    shows(client.get(schedule), "Asha")
    own, explained = client.get(schedule, {"who": asha}), client.get(why)
    shows(own, "coming up", why)
    (mine,) = [names for names in seats_shown(drawn) if "Asha" in names]
    (round_,) = own.context["seats"]
    with_whom = [round_.partners, *round_.opponents.split(" & ")]
    assert sorted([*with_whom, "Asha"]) == sorted(mine)
    shows(explained, "How round 1 was drawn", str(Draw.objects.get().seed), "All new opponents.")
    # Whoever is signed in finds their own rounds.
    user = make.user("asha", role=Role.MEMBER, club=tournament.club)
    Player.objects.filter(name="Asha").update(user=user)
    client.force_login(user)
    assert len(client.get(schedule).context["seats"]) == 1
    assert client.get(schedule, {"who": "9" * 30}).context["seats"] == ()


def test_a_round_says_how_it_was_drawn(client: Client, page: Page, tournament: Tournament) -> None:
    entered(tournament, *EIGHT)
    summaries = [drawn_on(page.play_round()).summary for _ in range(2)]

    for number, summary in enumerate(summaries, start=1):
        why = client.get(path("why", tournament, number))
        assert why.context["drawn"].round.summary == summary
        shows(why, summary, "8 play")
    assert client.get(path("why", tournament, 3)).status_code == 404
    schedule = client.get(path("schedule", tournament)).context["schedule"]
    assert (list(schedule.seatings), schedule.to_come) == ([1, 2], frozenset())


def promised(name: str, table: int, *, at: Tournament) -> None:
    player = make.player(name, club=at.club)
    kind = WishKind.KEEPS_TABLE
    SeatingWish.objects.create(club=at.club, kind=kind, player=player, table=table)


def test_a_promised_table_that_is_taken_is_said_before_the_draw_is_published(
    page: Page, tournament: Tournament, night: ClubNight
) -> None:
    promised("Asha", 1, at=tournament)
    other = make.tournament(club=tournament.club, name="Friday Dalmuti", hands=2)
    theirs = Round.objects.filter(pk=make.sitting(*OTHERS, at=other, number=1).round_id)
    theirs.update(night=night, opened_at=timezone.now() - timedelta(minutes=9))
    entered(tournament, *FOUR)

    sentence = (
        "Asha’s table 1 is taken by Friday Dalmuti. Draw again once that round is closed,"
        " or promise another table."
    )
    shows(page.draw(), sentence)
    shows(page.press("publish"), sentence)
    for address in (path("why", tournament, 1), path("schedule", tournament)):
        lacks(Client().get(address), "Friday Dalmuti")  # promises are the organisers'
    ours = page.open()
    theirs.update(state=RoundState.CLOSED, closed_at=timezone.now())
    close(ours)
    lacks(page.draw(), "Asha’s table")
    assert Draw.objects.get().plan["tables"][0]["number"] == 1


def test_a_promised_table_that_is_not_there_is_said(page: Page, tournament: Tournament) -> None:
    promised("Asha", 9, at=tournament)
    # It is not taken by a tournament of another club.
    make.sitting(at=make.tournament(club=make.club("Ilala"), name="Ilala Cup"), number=9)
    entered(tournament, *FOUR)
    looked = page.draw()

    says = "Asha is promised table 9, and this draw says table 1."
    shows(looked, f"{says} Draw again, or promise another table.")
    lacks(looked, "Ilala Cup")
    SeatingWish.objects.update(table=1)
    assert page.press("redraw").context["page"]["missed"] == ()


@pytest.mark.parametrize("many", [1, 3])
def test_pages_cost_the_same_however_many_sit(
    client: Client, page: Page, tournament: Tournament, many: int
) -> None:
    entered(tournament, *(f"P{number:02d}" for number in range(4 * many + 1)))

    # session, user, tournament with role; its last round, the night that goes on, what is drawn;
    # who is able to play, how they are called, and who else there is
    with costs(9):
        page.look()
    for _ in range(2):
        page.play_round()
    with costs(9):
        page.look()
    page.draw()
    page.press("publish")

    # besides, who came or went: who is able to play; what is promised; the rounds before with their
    # seats and rests; openings and deals; who is seated, and how they are called; promised tables
    with costs(18):
        page.look()
    # For the other pages of a draw see ``test_schedule_pages``.
    with costs(10):  # there is no such round, so what is drawn
        client.get(path("why", tournament, 3))
