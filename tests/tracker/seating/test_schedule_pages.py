"""Everybody's tables, where I sit next, and why: public once a round is open or its draw published."""

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.models import Draw, Entrant, Round, Sitting, Tournament
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.nights.services.closing import close_round
from tracker.seating.logic.seatings import meeting_history
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db
FOUR = TableShape("4t2", ((0, 2), (1, 3)))


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=1, name="Friday Cup")


def people(tournament: Tournament, number: int) -> list[Entrant]:
    players = [make.player(f"P{each:02d}", club=tournament.club).pk for each in range(number)]
    return list(enter_players(tournament_id=tournament.pk, players=players, by=make.actor()))


def draw(tournament: Tournament, rounds: int = 1) -> list[Draw]:
    return draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7), rounds=rounds)


def publish(tournament: Tournament) -> None:
    publish_draws(tournament_id=tournament.pk, by=make.actor())


def open_it(tournament: Tournament) -> Round:
    return open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))


def play(tournament: Tournament, rounds: int) -> None:
    for _ in range(rounds):
        draw(tournament)
        close_round(round_id=open_it(tournament).pk, not_played=True, by=make.actor())


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def schedule_path(tournament: Tournament, who: int | None = None) -> str:
    path = reverse("schedule", args=[tournament.pk])
    return f"{path}?who={who}" if who else path


def why_path(tournament: Tournament, number: int, who: int | None = None) -> str:
    path = reverse("why", args=[tournament.pk, number])
    return f"{path}?who={who}" if who else path


def i_am(client: Client, entrant: Entrant) -> Any:
    path = reverse("my-table", args=[entrant.tournament.club_id])
    return client.post(path, {"player": entrant.player_id}, follow=True)


# The schedule ---------------------------------------------------------------------------------


def test_a_draw_is_nobodys_business_before_it_is_published(
    client: Client, tournament: Tournament
) -> None:
    asha = people(tournament, 8)[0]
    draw(tournament, rounds=3)

    secret = client.get(schedule_path(tournament, asha.pk))
    publish(tournament)
    seen = client.get(schedule_path(tournament, asha.pk))

    assert "No round is drawn yet" in words(secret)
    assert "P00" not in words(secret)
    assert [own.number for own in seen.context["seats"]] == [1, 2, 3]
    assert words(seen).count("coming up") == 3
    assert words(seen).count("with P0") == 3


def test_the_schedule_has_what_was_played_and_what_is_to_come(
    client: Client, tournament: Tournament
) -> None:
    asha = people(tournament, 9)[0]
    draw(tournament, rounds=3)
    publish(tournament)
    plans = [each.plan for each in Draw.objects.order_by("number")]
    open_it(tournament)

    context = client.get(schedule_path(tournament, asha.pk)).context
    schedule = context["schedule"]

    assert tuple(schedule.seatings) == (1, 2, 3)
    assert schedule.to_come == {2, 3}
    for own, plan in zip(context["seats"], plans, strict=True):
        at = [table["number"] for table in plan["tables"] if asha.pk in table["units"]]
        assert [own.seat.table] == (at or [None])
        assert own.seat.resting == (asha.pk in plan["resting"])


@pytest.mark.parametrize("number", [8, 12])
def test_the_pages_cost_the_same_however_many_play(
    client: Client,
    tournament: Tournament,
    number: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    entrants = people(tournament, number)
    play(tournament, 2)
    draw(tournament, rounds=2)
    publish(tournament)

    # tournament, rounds, their plans, seats, rests, draws, entrants
    with django_assert_num_queries(7):
        client.get(schedule_path(tournament, entrants[0].pk))
    with django_assert_num_queries(9):  # those, the plan, the names
        client.get(why_path(tournament, 2, entrants[0].pk))
    i_am(client, entrants[0])
    # the revision; club, player, seat, rest, draw, entrant, names
    with django_assert_num_queries(8):
        client.get(reverse("my-table", args=[tournament.club_id]))


# Where I sit next -----------------------------------------------------------------------------


def test_whoever_waits_reads_where_they_sit_next(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 8)[0]
    (drawn,) = draw(tournament)
    before = i_am(client, asha)
    publish(tournament)
    table = next(table for table in drawn.plan["tables"] if asha.pk in table["units"])
    opener = Entrant.objects.get(pk=table["units"][table["opener"]])

    page = i_am(client, asha)
    opens = i_am(client, opener)

    assert "You have no seat yet" in words(before)
    assert "P0" not in words(before).replace("P00", "")
    assert f"Round 1: table {table['number']} with P0" in words(page)
    assert schedule_path(tournament, asha.pk) in page.text
    assert "You deal first" in words(opens)


def test_whoever_rests_next_reads_why(client: Client, tournament: Tournament) -> None:
    people(tournament, 9)
    (drawn,) = draw(tournament)
    publish(tournament)
    resting = Entrant.objects.get(pk=drawn.plan["resting"][0])

    page = i_am(client, resting)

    assert "You sit out round 1" in words(page)
    assert f"Sitting out: {resting} (nobody has sat out less)." in words(page)
    assert why_path(tournament, 1, resting.pk) in page.text


def test_after_the_last_hand_the_phone_says_where_to_go(
    client: Client, tournament: Tournament
) -> None:
    asha = people(tournament, 8)[0]
    draw(tournament, rounds=2)
    open_it(tournament)
    sitting = Sitting.objects.get(seats__entrant=asha)
    client.get(sitting.get_absolute_url())
    playing = i_am(client, asha)
    make.report(sitting, {"eaten": [70, 50]})

    waits = i_am(client, asha)
    publish(tournament)
    knows = i_am(client, asha)

    assert playing.redirect_chain[-1][0] == sitting.get_absolute_url()
    assert f"Table {sitting.number} has finished" in words(waits)
    assert "Round 2: table" in words(knows)
    assert sitting.get_absolute_url() in knows.text
    assert (
        reverse("my-table", args=[tournament.club_id])
        in client.get(sitting.get_absolute_url()).text
    )


def test_a_phone_in_a_private_club_gets_no_links_it_may_not_follow(
    client: Client, tournament: Tournament
) -> None:
    asha = people(tournament, 8)[0]
    draw(tournament, rounds=2)
    publish(tournament)
    open_it(tournament)
    tournament.club.public = False
    tournament.club.save()
    sitting = Sitting.objects.get(seats__entrant=asha)
    client.get(sitting.get_absolute_url())
    make.report(sitting, {"eaten": [70, 50]})

    page = i_am(client, asha)

    assert "Round 2: table" in words(page)
    assert reverse("schedule", args=[tournament.pk]) not in page.text
    assert client.get(schedule_path(tournament)).status_code == 404


# Why ------------------------------------------------------------------------------------------


def test_why_do_i_meet_juma_again(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 12)[0]
    play(tournament, 7)

    page = client.get(why_path(tournament, 7, asha.pk))

    said = page.context["answer"]
    assert re.fullmatch(r"You (meet|play with) P\d\d again \(rounds [\d, and]+ and 7\)\.", said[0])
    assert any(
        "With 12 taking part and 7 rounds you must meet somebody again 10 times; no plan can have fewer."
        in line
        for line in said
    )
    assert "You meet" not in words(client.get(why_path(tournament, 7)))


def test_nobody_again_needs_no_reason(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 16)[0]
    play(tournament, 2)

    answer = client.get(why_path(tournament, 2, asha.pk)).context["answer"]

    assert answer[0] == "You meet nobody again."


def test_whoever_rests_is_told_why(client: Client, tournament: Tournament) -> None:
    people(tournament, 9)
    (drawn,) = draw(tournament)
    (resting,) = drawn.plan["resting"]
    hidden = client.get(why_path(tournament, 1, resting))
    publish(tournament)
    page = client.get(why_path(tournament, 1, resting))
    open_it(tournament)
    opened = client.get(why_path(tournament, 1, resting))

    assert hidden.status_code == 404
    assert "You sit out this round. Sitting out:" in words(page)
    assert opened.context["answer"] == page.context["answer"]


def test_a_round_opened_from_no_draw_says_so(client: Client, tournament: Tournament) -> None:
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)

    assert "There is no record" in words(client.get(why_path(tournament, 1)))
    assert client.get(why_path(tournament, 2)).status_code == 404


@pytest.mark.parametrize("who", ["x", "0", "9" * 30, "7777"])
def test_nobody_is_meant_by_that(client: Client, tournament: Tournament, who: str) -> None:
    people(tournament, 8)
    play(tournament, 1)

    for name, args in (("schedule", [tournament.pk]), ("why", [tournament.pk, 1])):
        page = client.get(reverse(name, args=args), {"who": who})
        assert page.status_code == 200
        assert "You " not in words(page).partition("Show me")[2]


def test_company_is_counted_over_all_rounds_up_to_this_one() -> None:
    def seated(*tables: tuple[int, ...]) -> RoundSeating:
        return RoundSeating(
            tables=tuple(
                TableSeating(shape=FOUR, units=units, number=number)
                for number, units in enumerate(tables, start=1)
            )
        )

    rounds = {1: seated((1, 2, 3, 4)), 2: seated((1, 5, 3, 2)), 3: seated((1, 2, 4, 5))}

    company = meeting_history(1, rounds, 2)

    assert company.again == {3: (1, 2), 2: (1, 2)}
    assert company.partners == {3: (1, 2)}
    assert (company.meetings, company.repeats, company.others, company.never_met) == (6, 2, 4, 0)
    assert company.least_repeats == 2
