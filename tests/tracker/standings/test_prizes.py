"""Prizes for which some stand level: shared, by the cut of the cards, or played off."""

from hashlib import sha256

import pytest
from django.test import Client
from pytest_django.asserts import assertRedirects

from tests import act, make
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import eaten, over, played
from tracker.models import Entrant, LogEntry, Membership, Role, Sitting, TieResolution, Tournament
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import reopen_tournament, resolve_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Return a tournament that is over: Asha and Juma won, and stand level."""
    tournament = make.tournament("albastini", "4t2")
    played(tournament, *eaten(70))
    act.finish(over(tournament))
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def level(tournament: Tournament) -> list[int]:
    """Return the entrants who are level for the first prize: Asha, then Juma."""
    first = tournament.entrants.filter(player__name__in=["Asha", "Juma"]).order_by("player__name")
    return list(first.values_list("pk", flat=True))


@pytest.fixture
def organiser(tournament: Tournament) -> Client:
    return act.sign_in(Role.ORGANISER, tournament)


def resolve(tournament: Tournament, how: TieResolution, order: list[int]) -> None:
    resolve_tie(tournament_id=tournament.pk, how=how, order=order, seed=SEED, by=make.actor())


def reopen(tournament: Tournament) -> None:
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())


def placed(tournament: Tournament) -> list[tuple[str, int, bool]]:
    """Return who stands where; all ways of asking agree."""
    tournament.refresh_from_db()
    rows = standings(tournament).rows
    finish_by = finishes([tournament])
    assert [(finish_by[row.entrant].place, finish_by[row.entrant].tied) for row in rows] == [
        (row.place, row.tied) for row in rows
    ]
    assert {runner.name: runner.places[-1] for runner in race(tournament).runners} == {
        row.name: row.place for row in rows
    }
    return [(row.name, row.place, row.tied) for row in rows]


SEED = 5
LEVEL = [("Asha", 1, True), ("Juma", 1, True)]


@pytest.mark.parametrize("how", [each for each in TieResolution if each != TieResolution.LOT])
def test_the_cut_and_a_play_off_give_places_and_a_share_none(
    client: Client, tournament: Tournament, level: list[int], how: TieResolution
) -> None:
    shared = how is TieResolution.SHARE
    resolve(tournament, how, level if shared else level[::-1])

    first = LEVEL if shared else [("Juma", 1, False), ("Asha", 2, False)]
    says = "Asha, Juma share the prize." if shared else "Juma, Asha: in this order by"
    assert placed(tournament) == [*first, ("Baraka", 3, True), ("Neema", 3, True)]
    shows(client.get(tournament.get_absolute_url()), says)
    assert LogEntry.objects.get(verb="tie-resolved").numbers == {"how": how}


def test_lots_are_the_order_of_a_hash_that_anybody_can_check_and_drawn_once(
    organiser: Client, tournament: Tournament, level: list[int]
) -> None:
    answer = organiser.post(path("prizes", tournament), {"tie": "1", "tie1-how": "lot"})

    assertRedirects(answer, path("prizes", tournament))
    tournament.refresh_from_db()
    seed, entrants = tournament.lots_seed, Entrant.objects.in_bulk(level)
    first, second = sorted(
        entrants.values(), key=lambda each: sha256(f"{seed}:{each.uid}".encode()).hexdigest()
    )
    assert placed(tournament)[:2] == [(str(first), 1, False), (str(second), 2, False)]
    says = f"{first}, {second}: in this order by lot, drawn from the number {seed}."
    shows(organiser.get(path("prizes", tournament)), says)
    shows(organiser.get(path("log", tournament.club)), "by lot, drawn here and now.")
    reopen(tournament)
    act.finish(tournament)
    resolve(tournament, TieResolution.LOT, level[::-1])
    assert placed(tournament)[0] == (str(first), 1, False)
    assert tournament.lots_seed == seed


def test_it_holds_only_while_those_are_level(tournament: Tournament, level: list[int]) -> None:
    resolve(tournament, TieResolution.CUT, level[::-1])
    act.correct(Sitting.objects.get(), {1: {"eaten": [60, 60]}})
    assert {(place, tied) for _, place, tied in placed(tournament)} == {(1, True)}


def test_only_a_tie_once_all_is_over_is_settled(tournament: Tournament, level: list[int]) -> None:
    strangers = list(Entrant.objects.values_list("pk", flat=True))
    with act.refused("prize-not-tied"):
        resolve(tournament, TieResolution.CUT, strangers)
    resolve(tournament, TieResolution.CUT, level)
    reopen(tournament)

    assert placed(tournament)[:2] == LEVEL
    with act.refused("prize-not-over"):
        resolve(tournament, TieResolution.CUT, level)


def test_the_organiser_enters_who_drew_the_higher_card(
    organiser: Client, tournament: Tournament, level: list[int]
) -> None:
    page = path("prizes", tournament)
    asha, juma = level
    same = {"tie": "1", "tie1-how": "cut", f"tie1-place_{asha}": "1", f"tie1-place_{juma}": "1"}
    refused = organiser.post(page, same)
    answer = organiser.post(page, {**same, f"tie1-place_{asha}": ""})  # the other place is left

    shows(refused, "Give each of them a place of their own")
    assertRedirects(answer, page)  # where the tie for the third place still waits
    lacks(organiser.get(page), "Tied for place 1")
    shows(organiser.get(page), "Tied for place 3")
    assert placed(tournament)[0] == ("Juma", 1, False)


def test_finishing_with_a_tie_leads_to_prizes(organiser: Client, tournament: Tournament) -> None:
    prizes = path("prizes", tournament)
    reopen(tournament)
    shows(organiser.get(prizes), "When the standings are official, a tie")
    tied = organiser.post(path("desk", tournament), {"do": "official"})

    assertRedirects(tied, prizes)


@pytest.mark.parametrize(("first", "ties"), [(60, 1), (70, 2)])
def test_prizes_cost_the_same_however_many_ties(organiser: Client, first: int, ties: int) -> None:
    """Level for the first prize and for the third; of the first three, no more ties can be."""
    level = make.tournament("albastini", "4t2", club=Membership.objects.get().club)
    played(level, *eaten(first), names=())
    Tournament.objects.filter(pk=level.pk).update(official_at=make.NOON)
    with costs(7):  # session, user, tournament with role; sums, awards, entrants, night
        page = organiser.get(path("prizes", level))

    assert len(page.context["forms"]) == ties
