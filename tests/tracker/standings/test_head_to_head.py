"""Two players: as partners, and head to head."""

from typing import Any

import pytest
from django.test import Client

from tests import make
from tests.make import NOON
from tests.reading import costs, path, shows
from tests.tracker.standings.tables import (
    CROSSED,
    FOUR,
    eaten,
    next_round,
    play,
    played,
    takes_over,
)
from tracker.models import Club, Player, Tournament
from tracker.standings.pages.pair import PairRecord, pair_record

pytestmark = pytest.mark.django_db


def met(player: str, other: str) -> PairRecord:
    return pair_record(Player.objects.get(name=player).pk, Player.objects.get(name=other).pk)


def path_of(player: str, other: str) -> str:
    return path("pair", *(Player.objects.get(name=name) for name in (player, other)))


def evening(rounds: int = 2) -> Tournament:
    """Let Asha and Juma play together, then against each other, and so on."""
    tournament = make.tournament()
    for number in range(rounds):
        next_round(tournament, *eaten(70, 15), names=CROSSED if number % 2 else FOUR)
    return tournament


def test_partners_are_summed_once_and_opponents_side_by_side_from_either_side() -> None:
    evening()
    result, back = met("Asha", "Juma"), met("Juma", "Asha")

    (together,), (duel,) = result.together, result.duels
    assert (together.game.name, together.hands) == ("Albastini", 2)
    assert together.figures[:3] == (("Victory points", "1"), ("Won", "1"), ("Two-point wins", "0"))
    assert duel.hands == 2
    assert duel.figures[:3] == (
        ("Victory points", "1", "2"),
        ("Won", "1", "1"),
        ("Two-point wins", "0", "1"),
    )
    assert back.together == result.together
    assert [line.points[::-1] for line in back.meetings] == [
        line.points for line in result.meetings
    ]
    assert back.duels[0].figures[0] == ("Victory points", "2", "1")


def test_every_table_is_listed_the_latest_first(client: Client) -> None:
    evening(3)
    lines = met("Asha", "Juma").meetings

    assert [
        (line.seat.round.number, line.partners, line.hands, [int(each) for each in line.points])
        for line in lines
    ] == [(3, True, 2, [1, 1]), (2, False, 2, [1, 2]), (1, True, 2, [1, 1])]
    page = client.get(path_of("Asha", "Juma"))
    shows(page, "Asha and Juma", "Partners in Albastini", "Head to head in Albastini")


def test_only_the_hands_that_both_played_count() -> None:
    table = played(make.tournament(), *eaten(70))
    takes_over(table, "Neema", "Zuwena", after=1)
    play(table, *eaten(15), {"bare": "void"}, *eaten(40))
    with_neema, with_zuwena = met("Asha", "Neema").duels[0], met("Asha", "Zuwena").duels[0]

    assert (with_neema.hands, with_neema.figures[0]) == (1, ("Victory points", "1", "0"))
    assert (with_zuwena.hands, with_zuwena.figures[0]) == (2, ("Victory points", "0", "3"))
    assert met("Neema", "Zuwena").meetings == ()  # one came when the other had left


def test_everybody_for_themselves_is_head_to_head() -> None:
    tournament = make.tournament("dalmuti", "4i", options={"dalmuti_points": "descending"})
    played(tournament, {"order": [2, 0, 1, 3]}, {"order": [0, 1, 2, 3]})
    result = met("Asha", "Juma")

    assert result.together == ()
    figures = {label: (mine, theirs) for label, mine, theirs in result.duels[0].figures}
    assert (figures["Dalmuti"], figures["Points"]) == (("1", "1"), ("5", "4"))


# Who is a pair ------------------------------------------------------------------------------------


def test_who_never_met_is_told_so(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    make.player("Zuwena", club=tournament.club)

    for other in ("Zuwena", "Juma"):  # Juma sits at the table, and nothing is played yet
        shows(client.get(path_of("Asha", other)), "They have not met yet")


def test_a_merged_or_forgotten_player_leads_to_who_is_there_now(client: Client) -> None:
    tournament = evening()
    asha, juma = (Player.objects.get(name=name) for name in ("Asha", "Juma"))
    old = make.player("Juma K", club=tournament.club)
    Player.objects.filter(pk=old.pk).update(merged_into=juma)

    def leads(player: Player, other: Player) -> Any:
        return client.get(path("pair", player, other)).headers["Location"]

    assert leads(asha, old) == path_of("Asha", "Juma")
    assert leads(old, asha) == path_of("Juma", "Asha")
    assert leads(old, juma) == leads(juma, juma) == path("player", juma)
    Player.objects.filter(name="Asha").update(erased_at=NOON)
    assert leads(asha, juma) == path("player", juma)


@pytest.mark.parametrize("public", [True, False])
def test_players_of_two_clubs_are_no_pair(client: Client, *, public: bool) -> None:
    player = make.player("Asha", club=make.club())
    other = make.player("Juma", club=Club.objects.create(name="Ilala", public=public))
    for people in ((player, other), (other, player), (player, 999)):
        assert client.get(path("pair", *people)).status_code == 404


def test_a_pair_costs_the_same_however_often_they_met(client: Client) -> None:
    tournament = evening(1)
    address = path_of("Asha", "Juma")

    for tables in (1, 3):
        while tournament.rounds.count() < tables:
            next_round(tournament, *eaten(70))
        with costs(4):  # the two, their stints, the tournaments, the sums
            page = client.get(address)
        assert len(page.context["pair"].meetings) == tables
