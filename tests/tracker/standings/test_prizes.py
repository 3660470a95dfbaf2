"""Prizes for which some stand level: shared, by the cut of the cards, or played off."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import (
    Entrant,
    LogEntry,
    Membership,
    Role,
    RoundState,
    TieResolution,
    Tournament,
)
from tracker.results.services.corrections import correct_sitting
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import finish_tournament, reopen_tournament, resolve_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament that is over: Asha and Juma won, and stand level."""
    tournament = make.tournament("albastini", "4t2")
    make.report(make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament), {"eaten": [70, 50]})
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    return finish_tournament(tournament_id=tournament.pk, by=make.actor())


@pytest.fixture
def level(tournament: Tournament) -> list[int]:
    """Return the entrants who are level for the first prize: Asha, then Juma."""
    first = tournament.entrants.filter(player__name__in=["Asha", "Juma"]).order_by("player__name")
    return list(first.values_list("pk", flat=True))


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> None:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))


def placed(tournament: Tournament) -> list[tuple[str, int, bool]]:
    """Return who stands where; both ways of asking agree."""
    tournament.refresh_from_db()
    rows = standings(tournament).rows
    finish_by = finishes([tournament])
    assert [(finish_by[row.entrant].place, finish_by[row.entrant].tied) for row in rows] == [
        (row.place, row.tied) for row in rows
    ]
    return [(row.name, row.place, row.tied) for row in rows]


@pytest.mark.parametrize("how", [TieResolution.CUT, TieResolution.PLAY_OFF])
def test_the_cut_and_a_play_off_give_places_of_their_own(
    client: Client, tournament: Tournament, level: list[int], how: TieResolution
) -> None:
    resolve_tie(tournament_id=tournament.pk, how=how, order=level[::-1], by=make.actor())

    assert placed(tournament)[:2] == [("Juma", 1, False), ("Asha", 2, False)]
    assert placed(tournament)[2:] == [("Baraka", 3, True), ("Neema", 3, True)]
    assertContains(client.get(tournament.get_absolute_url()), "Juma, Asha: in this order by")
    assert LogEntry.objects.get(verb="tie-resolved").numbers == {"how": how}


def test_who_shares_stays_level(client: Client, tournament: Tournament, level: list[int]) -> None:
    resolve_tie(tournament_id=tournament.pk, how=TieResolution.SHARE, order=level, by=make.actor())

    assert placed(tournament)[:2] == [("Asha", 1, True), ("Juma", 1, True)]
    assertContains(client.get(tournament.get_absolute_url()), "Asha, Juma share the prize.")


def test_it_holds_only_while_exactly_those_are_level(
    tournament: Tournament, level: list[int]
) -> None:
    resolve_tie(
        tournament_id=tournament.pk, how=TieResolution.CUT, order=level[::-1], by=make.actor()
    )
    [sitting] = tournament.rounds.get().sittings.all()

    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: {"eaten": [60, 60]}},
        reason="counted again",
        by=make.actor(),
    )

    assert {(place, tied) for _, place, tied in placed(tournament)} == {(1, True)}


def test_reopening_forgets_it(tournament: Tournament, level: list[int]) -> None:
    resolve_tie(tournament_id=tournament.pk, how=TieResolution.CUT, order=level, by=make.actor())

    reopen_tournament(tournament_id=tournament.pk, by=make.actor())

    assert placed(tournament)[:2] == [("Asha", 1, True), ("Juma", 1, True)]


def test_only_a_tie_of_a_finished_tournament_is_settled(
    tournament: Tournament, level: list[int]
) -> None:
    strangers = list(Entrant.objects.values_list("pk", flat=True))
    with pytest.raises(Refused) as changed:
        resolve_tie(
            tournament_id=tournament.pk, how=TieResolution.CUT, order=strangers, by=make.actor()
        )
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())
    with pytest.raises(Refused) as early:
        resolve_tie(
            tournament_id=tournament.pk, how=TieResolution.CUT, order=level, by=make.actor()
        )

    assert (changed.value.code, early.value.code) == ("prize-not-tied", "prize-not-over")


@pytest.mark.usefixtures("organiser")
def test_the_organiser_enters_who_drew_the_higher_card(
    client: Client, tournament: Tournament, level: list[int]
) -> None:
    page = reverse("prizes", args=[tournament.pk])
    asha, juma = level
    same = {"tie": "1", "tie1-how": "cut", f"tie1-place_{asha}": "1", f"tie1-place_{juma}": "1"}

    refused = client.post(page, same)
    answer = client.post(page, {**same, f"tie1-place_{asha}": ""})  # the other place is left

    assertContains(refused, "Give each of them a place of their own")
    assertRedirects(answer, page)  # where the tie for the third place still waits
    assertNotContains(client.get(page), "Tied for place 1")
    assertContains(client.get(page), "Tied for place 3")
    assert placed(tournament)[0] == ("Juma", 1, False)


@pytest.mark.usefixtures("organiser")
def test_finishing_with_a_tie_leads_to_the_prizes(client: Client, tournament: Tournament) -> None:
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())

    tied = client.post(reverse("desk", args=[tournament.pk]), {"do": "official"})

    assertRedirects(tied, reverse("prizes", args=[tournament.pk]))


@pytest.mark.usefixtures("organiser")
def test_without_a_tie_there_is_nothing_to_settle(client: Client, tournament: Tournament) -> None:
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())

    page = client.get(reverse("prizes", args=[tournament.pk]))

    assertContains(page, "When the standings are official, a tie")


@pytest.mark.usefixtures("organiser")
@pytest.mark.parametrize(("eaten", "ties"), [([60, 60], 1), ([70, 50], 2)])
def test_prizes_cost_the_same_however_many_ties(
    client: Client,
    eaten: list[int],
    ties: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Level for the first prize and for the third; of the first three, no more ties can be."""
    level = make.tournament("albastini", "4t2", club=Membership.objects.get().club)
    make.report(make.sitting(at=level), {"eaten": eaten})
    Tournament.objects.filter(pk=level.pk).update(official_at=NOON)

    # session, user, tournament with role; sums, awards, entrants, night
    with django_assert_num_queries(7):
        page = client.get(reverse("prizes", args=[level.pk]))

    assert len(page.context["forms"]) == ties
