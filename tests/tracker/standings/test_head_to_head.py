"""Two players: as partners, and head to head."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import Club, Player, RoundState, Seat, Sitting, Tournament
from tracker.standings.pages.pair import PairRecord, pair_record

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def play(sitting: Sitting, *sheets: dict[str, Any]) -> None:
    for sheet in sheets:
        make.report(sitting, sheet)


def next_round(tournament: Tournament, *names: str) -> Sitting:
    tournament.rounds.filter(state=RoundState.OPEN).update(state=RoundState.CLOSED)
    table = make.sitting(*names, in_round=make.round_of(tournament))
    Sitting.objects.filter(pk=table.pk).update(
        started_at=NOON + timedelta(hours=tournament.rounds.count())
    )
    return table


def met(player: str, other: str) -> PairRecord:
    return pair_record(Player.objects.get(name=player).pk, Player.objects.get(name=other).pk)


def path_of(player: str, other: str) -> str:
    people = [Player.objects.get(name=name).pk for name in (player, other)]
    return reverse("pair", args=people)


def evening(rounds: int = 2) -> Tournament:
    """Let Asha and Juma play together, then against each other, and so on."""
    tournament = make.tournament()
    for number in range(rounds):
        names = FOUR if number % 2 == 0 else ("Asha", "Juma", "Neema", "Baraka")
        play(next_round(tournament, *names), {"eaten": [70, 50]}, {"eaten": [15, 105]})
    return tournament


def test_partners_are_summed_once_and_opponents_side_by_side() -> None:
    evening()

    result = met("Asha", "Juma")

    (together,), (duel,) = result.together, result.duels
    assert (together.game.name, together.hands) == ("Albastini", 2)
    assert together.figures[:3] == (("Victory points", "1"), ("Won", "1"), ("Two-point wins", "0"))
    assert duel.hands == 2
    assert duel.figures[:3] == (
        ("Victory points", "1", "2"),
        ("Won", "1", "1"),
        ("Two-point wins", "0", "1"),
    )


def test_it_is_the_same_from_the_other_side() -> None:
    evening()

    first, second = met("Asha", "Juma"), met("Juma", "Asha")

    assert first.together == second.together
    assert [line.points for line in first.meetings] == [
        (theirs, mine) for mine, theirs in (line.points for line in second.meetings)
    ]
    assert second.duels[0].figures[0] == ("Victory points", "2", "1")


def test_every_table_is_listed_the_latest_first() -> None:
    evening(3)

    lines = met("Asha", "Juma").meetings

    assert [(line.seat.round.number, line.partners, line.hands) for line in lines] == [
        (3, True, 2),
        (2, False, 2),
        (1, True, 2),
    ]
    assert [[int(points) for points in line.points] for line in lines] == [[1, 1], [1, 2], [1, 1]]


def test_only_the_hands_that_both_played_count() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]})
    neema = table.seats.get(player__name="Neema")
    Seat.objects.filter(pk=neema.pk).update(to_hand=1)
    Seat.objects.create(
        sitting=table,
        round=table.round,
        place=neema.place,
        side=neema.side,
        player=make.player("Zuwena", club=tournament.club),
        entrant=neema.entrant,
        from_hand=2,
    )
    play(table, {"eaten": [15, 105]}, {"bare": "void"}, {"eaten": [40, 80]})

    with_neema, with_zuwena = met("Asha", "Neema").duels[0], met("Asha", "Zuwena").duels[0]

    assert (with_neema.hands, with_neema.figures[0]) == (1, ("Victory points", "1", "0"))
    assert (with_zuwena.hands, with_zuwena.figures[0]) == (2, ("Victory points", "0", "3"))
    assert met("Neema", "Zuwena").meetings == ()  # one came when the other had left


def test_everybody_for_themselves_is_head_to_head() -> None:
    tournament = make.tournament("dalmuti", "4i", options={"dalmuti_points": "descending"})
    play(make.sitting(*FOUR, at=tournament), {"order": [2, 0, 1, 3]}, {"order": [0, 1, 2, 3]})

    result = met("Asha", "Juma")

    assert result.together == ()
    figures = {label: (mine, theirs) for label, mine, theirs in result.duels[0].figures}
    assert (figures["Dalmuti"], figures["Points"]) == (("1", "1"), ("5", "4"))


# The page -----------------------------------------------------------------------------------------


def test_the_page_tells_both(client: Client) -> None:
    evening()

    text = client.get(path_of("Asha", "Juma")).text

    for words in ("Asha and Juma", "Partners in Albastini", "Head to head in Albastini"):
        assert words in text


def test_who_never_met_is_told_so(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    make.player("Zuwena", club=tournament.club)

    for other in ("Zuwena", "Juma"):  # Juma sits at the table, and nothing is played yet
        assert "They have not met yet" in client.get(path_of("Asha", other)).text


def test_a_merged_player_leads_to_the_pair_as_it_is_now(client: Client) -> None:
    tournament = evening()
    old = make.player("Juma K", club=tournament.club)
    asha, juma = (Player.objects.get(name=name) for name in ("Asha", "Juma"))
    Player.objects.filter(pk=old.pk).update(merged_into=juma)

    def leads(player: Player, other: Player) -> str:
        return client.get(reverse("pair", args=[player.pk, other.pk])).headers["Location"]

    assert leads(asha, old) == path_of("Asha", "Juma")
    assert leads(old, asha) == path_of("Juma", "Asha")
    assert leads(old, juma) == leads(juma, juma) == reverse("player", args=[juma.pk])


def test_who_asked_to_be_forgotten_makes_no_pair(client: Client) -> None:
    evening()
    path = path_of("Asha", "Juma")
    Player.objects.filter(name="Asha").update(erased_at=NOON)

    answer = client.get(path)

    juma = Player.objects.get(name="Juma")
    assert answer.headers["Location"] == reverse("player", args=[juma.pk])


@pytest.mark.parametrize("public", [True, False])
def test_players_of_two_clubs_are_no_pair(client: Client, *, public: bool) -> None:
    player = make.player("Asha", club=make.club())
    other = make.player("Juma", club=Club.objects.create(name="Ilala", public=public))

    for people in ((player.pk, other.pk), (other.pk, player.pk), (player.pk, 999)):
        assert client.get(reverse("pair", args=people)).status_code == 404


def test_a_private_club_shows_its_pairs_to_nobody_else(client: Client) -> None:
    tournament = evening()
    Club.objects.filter(pk=tournament.club_id).update(public=False)

    assert client.get(path_of("Asha", "Juma")).status_code == 404


@pytest.mark.parametrize("tables", [1, 3])
def test_a_pair_costs_the_same_however_often_they_met(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening(tables)
    path = path_of("Asha", "Juma")

    with django_assert_num_queries(4):  # the two, their stints, the tournaments, the sums
        page = client.get(path)

    assert len(page.context["pair"].meetings) == tables
