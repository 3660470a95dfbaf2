"""Everybody's tables, where I sit next, and why: public once a round is open or its draw published."""

import re
from typing import Any

import pytest
from django.test import Client

from tests import act, make
from tests.reading import costs, lacks, path, shows, words
from tracker.models import Draw, Entrant, Sitting, Tournament
from tracker.movements.types import RoundSeating, TableSeating, TableShape
from tracker.seating.logic.seatings import meeting_history
from tracker.seating.services.draws import publish_draws

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=1, name="Friday Cup")


def people(tournament: Tournament, number: int) -> list[Entrant]:
    return act.enter(tournament, *(f"P{each:02d}" for each in range(number)))


def draw(tournament: Tournament, rounds: int = 1) -> Draw:
    return act.draw(tournament, 7, rounds=rounds)[0]


def publish(tournament: Tournament) -> None:
    publish_draws(tournament_id=tournament.pk, by=make.actor())


def play(tournament: Tournament, rounds: int) -> None:
    for _ in range(rounds):
        draw(tournament)
        act.close(act.open_drawn(tournament), not_played=True)


def schedule(tournament: Tournament, who: int) -> str:
    return path("schedule", tournament, query=f"?who={who}")


def why(tournament: Tournament, number: int, who: int) -> str:
    return path("why", tournament, number, query=f"?who={who}")


def my_table(tournament: Tournament) -> str:
    return path("my-table", tournament.club)


def i_am(client: Client, entrant: Entrant) -> Any:
    return client.post(my_table(entrant.tournament), {"player": entrant.player_id}, follow=True)


def sitting_of(client: Client, entrant: Entrant) -> Sitting:
    """Open the page of the table at which somebody sits, as if by its card."""
    sitting = Sitting.objects.get(seats__entrant=entrant)
    client.get(sitting.get_absolute_url())
    return sitting


# The schedule ---------------------------------------------------------------------------------


def test_the_schedule_has_past_and_coming_rounds(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 9)[0]
    draw(tournament, rounds=3)
    publish(tournament)
    plans = [each.plan for each in Draw.objects.order_by("number")]
    act.open_drawn(tournament)
    context = client.get(schedule(tournament, asha.pk)).context

    assert tuple(context["schedule"].seatings) == (1, 2, 3)
    assert context["schedule"].to_come == {2, 3}
    for own, plan in zip(context["seats"], plans, strict=True):
        at = [table["number"] for table in plan["tables"] if asha.pk in table["units"]]
        assert [own.seat.table] == (at or [None])
        assert own.seat.resting == (asha.pk in plan["resting"])


@pytest.mark.parametrize("number", [8, 12])
def test_pages_cost_the_same(client: Client, tournament: Tournament, number: int) -> None:
    asha = people(tournament, number)[0]
    play(tournament, 2)
    draw(tournament, rounds=2)
    publish(tournament)

    with costs(7):  # tournament, rounds, their plans, seats, rests, draws, entrants
        client.get(schedule(tournament, asha.pk))
    with costs(9):  # those, the plan, the names
        client.get(why(tournament, 2, asha.pk))
    i_am(client, asha)
    with costs(8):  # the revision; club, player, seat, rest, draw, entrant, names
        client.get(my_table(tournament))


# Where I sit next -----------------------------------------------------------------------------


def test_whoever_waits_reads_where_they_sit_next(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 8)[0]
    drawn = draw(tournament)
    before = words(i_am(client, asha))
    publish(tournament)
    table = next(table for table in drawn.plan["tables"] if asha.pk in table["units"])
    opener = Entrant.objects.get(pk=table["units"][table["opener"]])

    assert "You have no seat yet" in before
    assert "P0" not in before.replace("P00", "")
    page = i_am(client, asha)
    shows(page, f"Round 1: table {table['number']} with P0", schedule(tournament, asha.pk))
    shows(i_am(client, opener), "You deal first")


def test_whoever_rests_next_reads_why(client: Client, tournament: Tournament) -> None:
    people(tournament, 9)
    resting = Entrant.objects.get(pk=draw(tournament).plan["resting"][0])
    explained = why(tournament, 1, resting.pk)
    assert client.get(explained).status_code == 404
    publish(tournament)
    page, published = i_am(client, resting), client.get(explained)

    shows(page, "You sit out round 1", explained)
    shows(page, f"Sitting out: {resting} (nobody has sat out less).")
    shows(published, "You sit out this round. Sitting out:")
    act.open_drawn(tournament)
    assert client.get(explained).context["answer"] == published.context["answer"]


def test_after_the_last_hand_it_says_where_to_go(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 8)[0]
    draw(tournament, rounds=2)
    act.open_drawn(tournament)
    sitting = sitting_of(client, asha)
    at = sitting.get_absolute_url()
    assert i_am(client, asha).redirect_chain[-1][0] == at
    make.report(sitting, {"eaten": [70, 50]})

    shows(i_am(client, asha), f"Table {sitting.number} has finished")
    publish(tournament)
    shows(i_am(client, asha), "Round 2: table", at)
    shows(client.get(at), my_table(tournament))


def test_a_phone_gets_no_links_it_may_not_follow(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 8)[0]
    draw(tournament, rounds=2)
    publish(tournament)
    act.open_drawn(tournament)
    tournament.club.public = False
    tournament.club.save()
    make.report(sitting_of(client, asha), {"eaten": [70, 50]})
    page = i_am(client, asha)

    shows(page, "Round 2: table")
    lacks(page, path("schedule", tournament))


# Why ------------------------------------------------------------------------------------------


def test_why_do_i_meet_juma_again(client: Client, tournament: Tournament) -> None:
    asha = people(tournament, 12)[0]
    play(tournament, 7)
    said = client.get(why(tournament, 7, asha.pk)).context["answer"]

    assert re.fullmatch(r"You (meet|play with) P\d\d again \(rounds [\d, and]+ and 7\)\.", said[0])
    reason = (
        "With 12 taking part and 7 rounds you must meet somebody again 10 times;"
        " no plan can have fewer."
    )
    assert any(reason in line for line in said)
    lacks(client.get(path("why", tournament, 7)), "You meet")
    assert client.get(why(tournament, 1, asha.pk)).context["answer"][0] == "You meet nobody again."


def test_a_round_opened_from_no_draw_says_so(client: Client, tournament: Tournament) -> None:
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    shows(client.get(path("why", tournament, 1)), "There is no record")
    assert client.get(path("why", tournament, 2)).status_code == 404


def test_nobody_is_meant_by_that(client: Client, tournament: Tournament) -> None:
    people(tournament, 8)
    play(tournament, 1)

    for who in ("x", "0", "9" * 30, "7777"):
        for address in (path("schedule", tournament), path("why", tournament, 1)):
            page = client.get(address, {"who": who})
            assert page.status_code == 200
            assert "You " not in words(page).partition("Show me")[2]


def test_company_is_counted_over_all_rounds_up_to_this_one() -> None:
    shape = TableShape("4t2", ((0, 2), (1, 3)))
    rounds = {
        number: RoundSeating(tables=(TableSeating(shape=shape, units=units, number=1),))
        for number, units in {1: (1, 2, 3, 4), 2: (1, 5, 3, 2), 3: (1, 2, 4, 5)}.items()
    }
    company = meeting_history(1, rounds, 2)

    assert company.again == {3: (1, 2), 2: (1, 2)}
    assert company.partners == {3: (1, 2)}
    assert (company.meetings, company.repeats, company.others, company.never_met) == (6, 2, 4, 0)
    assert company.least_repeats == 2
