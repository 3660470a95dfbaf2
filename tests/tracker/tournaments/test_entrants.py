"""Who plays: withdrawn and back again, places and the reserve list, seeds, somebody who walks in."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings, strategies as st

from tests import act, make
from tests.make import NOON
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.models import Club, Entrant, LogEntry, Movement, Player, RoundState, Tournament
from tracker.standings.queries.standings import standings
from tracker.tournaments.pages.entrants import entrants_by_status
from tracker.tournaments.pages.tournaments import tournaments_of
from tracker.tournaments.queries import newcomers
from tracker.tournaments.services.entering import (
    come_back,
    enter_players,
    enter_teams,
    limit_places,
    seed_entrants,
    withdraw,
)
from tracker.tournaments.services.entry_lists import enter_by_name

pytestmark = pytest.mark.django_db
FIVE = ("Asha", "Baraka", "Juma", "Neema", "Omari")


def lists(tournament: Tournament) -> tuple[list[str], list[str], list[str]]:
    """Return by name who plays, who waits, in order, and who withdrew."""
    tournament.refresh_from_db()
    who = entrants_by_status(tournament)
    playing, waiting, gone = (
        [str(entrant) for entrant in rows]
        for rows in (who["playing"], who["reserve"], who["withdrawn"])
    )
    return playing, waiting, gone


def verbs() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))


# Withdrawing and coming back


def test_whoever_withdraws_plays_no_further_and_may_come_back(club: Club) -> None:
    tournament = make.tournament(club=club)
    asha, _baraka = act.enter(tournament, "Asha", "Baraka")

    for _ in range(2):
        gone = withdraw(entrant_id=asha.pk, by=make.actor())
    assert (gone.table, gone.moved_up, lists(tournament)) == (None, (), (["Baraka"], [], ["Asha"]))
    for _ in range(2):
        come_back(entrant_id=asha.pk, by=make.actor())

    assert lists(tournament) == (["Asha", "Baraka"], [], [])
    assert verbs() == ["entered", "entrant-withdrew", "entered"]


def test_a_team_comes_back_as_a_team(club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    pair = make.team(make.player("Asha", club=club), make.player("Juma", club=club))
    (entrant,) = enter_teams(tournament_id=tournament.pk, teams=[pair.pk], by=make.actor())
    withdraw(entrant_id=entrant.pk, by=make.actor())

    assert come_back(entrant_id=entrant.pk, by=make.actor()) == entrant
    assert lists(tournament) == (["Asha & Juma"], [], [])


def test_somebody_erased_does_not_come_back(club: Club) -> None:
    tournament = make.tournament(club=club)
    (asha,) = act.enter(tournament, "Asha")
    withdraw(entrant_id=asha.pk, by=make.actor())
    Player.objects.update(erased_at=NOON)

    with act.refused("player-unknown"):
        come_back(entrant_id=asha.pk, by=make.actor())


def test_it_is_said_at_which_table_somebody_sits_still() -> None:
    sitting = make.sitting("Asha", "Neema", number=3)

    gone = withdraw(entrant_id=sitting.seats.get(place=0).entrant_id, by=make.actor())

    assert gone.table == 3
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()
    assert withdraw(entrant_id=gone.entrant.pk, by=make.actor()).table is None


# Places and the reserve list


def test_beyond_the_places_people_wait_in_order(club: Club) -> None:
    tournament = make.tournament(club=club, places=2)

    act.enter(tournament, "Neema", "Juma", "Omari", "Baraka")
    act.enter(tournament, "Asha", "Omari")

    assert lists(tournament) == (["Juma", "Neema"], ["Omari", "Baraka", "Asha"], [])
    assert LogEntry.objects.filter(verb="entered").count() == 2
    waiting = Entrant.objects.get(player__name="Asha").pk
    assert LogEntry.objects.latest("pk").numbers == {"reserve": [waiting]}


def test_the_first_of_the_reserve_moves_up_by_itself(club: Club) -> None:
    tournament = make.tournament(club=club, places=2)
    asha, _baraka, juma, *_others = act.enter(tournament, *FIVE)

    gone = withdraw(entrant_id=asha.pk, by=make.actor())
    withdraw(entrant_id=Entrant.objects.get(player__name="Neema").pk, by=make.actor())

    assert gone.moved_up == (juma,)
    assert lists(tournament) == (["Baraka", "Juma"], ["Omari"], ["Asha", "Neema"])
    assert verbs().count("reserve-moved-up") == 1
    assert str(come_back(entrant_id=asha.pk, by=make.actor(at=NOON + timedelta(hours=1)))) == "Asha"
    assert lists(tournament)[1] == ["Omari", "Asha"]


def test_more_places_let_people_move_up_and_fewer_throw_nobody_out(club: Club) -> None:
    tournament = make.tournament(club=club, places=2)
    act.enter(tournament, *FIVE)

    def limited(places: int | None) -> list[str]:
        moved = limit_places(tournament_id=tournament.pk, places=places, by=make.actor())
        return [str(entrant) for entrant in moved]

    assert limited(3) == ["Juma"]
    assert limited(3) == limited(1) == []
    assert lists(tournament)[:2] == (["Asha", "Baraka", "Juma"], ["Neema", "Omari"])
    assert limited(None) == ["Neema", "Omari"]
    assert verbs().count("places-limited") == 3


@pytest.mark.parametrize("places", [0, 1000])
def test_there_is_a_place_at_least(club: Club, places: int) -> None:
    tournament = make.tournament(club=club)

    with pytest.raises(Refused) as refusal:
        limit_places(tournament_id=tournament.pk, places=places, by=make.actor())

    assert refusal.value.question == "places"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(
    places=st.integers(1, 4),
    acts=st.lists(st.tuples(st.sampled_from(["in", "out", "places"]), st.integers(0, 6))),
)
def test_no_place_stays_free_while_somebody_waits(places: int, acts: list[tuple[str, int]]) -> None:
    tournament = make.tournament(places=places)
    for hour, (what, which) in enumerate(acts):
        by = make.actor(at=NOON + timedelta(hours=hour))
        player = make.player(f"Player {which}", club=tournament.club)
        before = lists(tournament)[1]
        if what == "in":
            enter_players(tournament_id=tournament.pk, players=[player.pk], by=by)
        elif what == "places":
            limit_places(tournament_id=tournament.pk, places=which or None, by=by)
        elif there := Entrant.objects.filter(tournament=tournament, player=player).first():
            withdraw(entrant_id=there.pk, by=by)

        playing, waiting, _gone = lists(tournament)
        most = tournament.places
        assert not waiting or (most is not None and len(playing) >= most)
        still = [name for name in before if name in waiting]
        assert still == [name for name in waiting if name in before]  # nobody is overtaken


def test_who_only_waits_is_in_no_standing_and_no_count(club: Club) -> None:
    tournament = make.tournament(club=club, places=4)
    make.sitting("Asha", "Baraka", "Juma", "Neema", at=tournament)
    act.enter(tournament, "Omari")

    assert [row.name for row in standings(tournament).rows] == ["Asha", "Baraka", "Juma", "Neema"]
    assert tournaments_of(club).get().entered == 4  # type: ignore[attr-defined]
    assert newcomers(tournament) == []


# Seeds


def test_seeds_are_kept_and_exchanged(club: Club) -> None:
    tournament = make.tournament(club=club)
    asha, baraka, juma = (entrant.pk for entrant in act.enter(tournament, "Asha", "Baraka", "Juma"))

    for seeds in ({asha: 1, baraka: 2}, {asha: 2, baraka: 1, juma: None}, {asha: 2}):
        seed_entrants(tournament_id=tournament.pk, seeds=seeds, by=make.actor())

    assert lists(tournament)[0] == ["Baraka", "Asha", "Juma"]
    assert verbs().count("entrants-seeded") == 2


@pytest.mark.parametrize(
    ("seeds", "code"), [((1, 1), "seed-twice"), ((0, 1), "seed"), ((1, 1000), "seed")]
)
def test_seeds_that_cannot_be_are_refused(club: Club, seeds: tuple[int, int], code: str) -> None:
    tournament = make.tournament(club=club)
    asked = {
        entrant.pk: seed
        for entrant, seed in zip(act.enter(tournament, "Asha", "Juma"), seeds, strict=True)
    }

    with act.refused(code):
        seed_entrants(tournament_id=tournament.pk, seeds=asked, by=make.actor())

    assert not Entrant.objects.exclude(seed=None).exists()


def test_nobody_is_seeded_who_is_not_in_it_and_who_withdraws_gives_the_seed_up(club: Club) -> None:
    tournament, other = make.tournament(club=club), make.tournament(club=club)
    (asha,), (juma,) = act.enter(tournament, "Asha"), act.enter(other, "Juma")
    seed_entrants(tournament_id=tournament.pk, seeds={asha.pk: 1}, by=make.actor())

    with pytest.raises(Refused, match="Only who is in the tournament gets a seed"):
        seed_entrants(tournament_id=tournament.pk, seeds={juma.pk: 2}, by=make.actor())

    withdraw(entrant_id=asha.pk, by=make.actor())
    assert not Entrant.objects.exclude(seed=None).exists()


def test_in_a_bracket_that_has_begun_who_withdraws_keeps_the_seed(club: Club) -> None:
    cup = make.tournament("briscola", "2i", club=club, movement=Movement.KNOCKOUT)
    (asha,) = act.enter(cup, "Asha")
    seed_entrants(tournament_id=cup.pk, seeds={asha.pk: 1}, by=make.actor())
    make.round_of(cup)

    withdraw(entrant_id=asha.pk, by=make.actor())
    assert Entrant.objects.get().seed == 1


# By name


def test_a_name_is_enough_and_a_team_is_its_people(club: Club) -> None:
    alone, pairs = make.tournament(club=club), make.tournament(club=club, teams=True)
    make.player("Asha", club=club)

    def named(tournament: Tournament, *names: str) -> list[str]:
        new = enter_by_name(tournament_id=tournament.pk, lines=names, by=make.actor())
        return [str(entrant) for entrant in new]

    assert named(alone, "asha", "Rehema") == ["Asha", "Rehema"]
    assert named(pairs, "Rehema, Asha") == ["Rehema & Asha"]
    assert club.players.count() == 2
    with act.refused("team-of"):
        named(pairs, "Asha")


# The page


def url_of(tournament: Tournament) -> str:
    return reverse("entrants", args=[tournament.pk])


def test_everybody_reads_entrants_by_status_and_nobody_else_acts(
    client: Client, club: Club
) -> None:
    tournament = make.tournament(club=club, places=2)
    act.enter(tournament, "Asha", "Juma", "Neema")

    page = client.get(url_of(tournament))

    assert "2 of 2 places are taken · 1 on the reserve list" in page.text
    assert "<form" not in page.text.partition("<main")[2]


def test_an_organiser_takes_out_and_back_and_hears_who_moves_up(
    organiser: Client, club: Club
) -> None:
    tournament = make.tournament(club=club, places=1)
    asha, _juma = act.enter(tournament, "Asha", "Juma")

    out = organiser.post(url_of(tournament), {"withdraw": asha.pk}, follow=True)
    back = organiser.post(url_of(tournament), {"back": asha.pk}, follow=True)
    nobody = organiser.post(url_of(tournament), {"withdraw": "x"}, follow=True)

    assert "Asha has withdrawn. What was played stays." in out.text
    assert "Juma moves up from the reserve list." in out.text
    assert "All places are taken: Asha waits on the reserve list." in back.text
    assert "That player is not in this tournament." in nobody.text


def test_whoever_sits_still_is_named_with_the_table(organiser: Client, club: Club) -> None:
    sitting = make.sitting("Asha", at=make.tournament(club=club))
    asha = sitting.seats.get(place=0)
    url = url_of(sitting.round.tournament)

    page = organiser.post(url, {"withdraw": asha.entrant_id}, follow=True)

    assert "sits at table 1 still: they finish the round" in page.text
    Player.objects.filter(pk=asha.player_id).update(erased_at=NOON)
    refused = organiser.post(url, {"back": asha.entrant_id}, follow=True)
    assert "Choose only players of this club." in refused.text


def test_expelling_needs_a_reason_and_coming_back_clears_it(
    organiser: Client, client: Client, club: Club
) -> None:
    tournament = make.tournament(club=club)
    asha, juma, _neema = act.enter(tournament, "Asha", "Juma", "Neema")
    withdraw(entrant_id=juma.pk, by=make.actor())

    for wrong in ({"entrant": asha.pk}, {"reason": "Hid cards"}, {"entrant": "9" * 30}):
        page = organiser.post(url_of(tournament), {"do": "expel", **wrong})
        assert page.context["expel"].errors
        assert str(wrong.get("reason", "")) in page.text  # what was typed is not lost
    with pytest.raises(Refused, match="Say why"):
        withdraw(entrant_id=asha.pk, expelled=True, by=make.actor())
    assert not Entrant.objects.filter(expelled=True).exists()
    for gone in (asha, juma):  # also somebody who has withdrawn
        for _twice in range(2):
            answer = {"do": "expel", "entrant": gone.pk, "reason": "Hid cards"}
            organiser.post(url_of(tournament), answer)

    assert lists(tournament) == (["Neema"], [], ["Asha", "Juma"])
    told = LogEntry.objects.filter(verb="entrant-expelled").values_list("reason", flat=True)
    assert list(told) == ["Hid cards"] * 2
    assert client.get(url_of(tournament)).text.count(">expelled<") == 2
    come_back(entrant_id=asha.pk, by=make.actor())
    assert [str(each) for each in Entrant.objects.filter(expelled=True)] == ["Juma"]


def test_a_walk_in_is_one_line(organiser: Client, club: Club) -> None:
    tournament = make.tournament(club=club, places=3)
    known = make.player("Asha", club=club)

    answer = {"do": "enter", "names": "Rehema, Salim", "known": [known.pk]}
    page = organiser.post(url_of(tournament), answer, follow=True)
    more = organiser.post(url_of(tournament), {"do": "enter", "names": "Ali"}, follow=True)

    assert "Asha, Rehema and Salim play, from the coming round on." in page.text
    assert "Ali waits on the reserve list" in more.text


def test_teams_are_tapped_or_named(organiser: Client, club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    pair = make.team(make.player("Asha", club=club), make.player("Juma", club=club))

    answer = {"do": "enter", "names": "Rehema, Salim", "known": [pair.pk]}
    organiser.post(url_of(tournament), answer)

    assert lists(tournament)[0] == ["Asha & Juma", "Rehema & Salim"]
    page = organiser.post(url_of(tournament), {"do": "enter", "names": "Ali"})
    assert "Line 1, “Ali”: a team here is 2 people, such as “Asha &amp; Juma”." in page.text


def test_places_and_seeds_are_said_on_the_page(organiser: Client, club: Club) -> None:
    tournament = make.tournament(club=club, places=1)
    asha, juma = act.enter(tournament, "Asha", "Juma")
    seeds = {"do": "seeds", f"seed_{asha.pk}": "2", f"seed_{juma.pk}": "1"}

    page = organiser.post(url_of(tournament), {"do": "places", "places": ""}, follow=True)
    organiser.post(url_of(tournament), seeds)
    twice = organiser.post(url_of(tournament), {**seeds, f"seed_{asha.pk}": "1"})

    assert "Juma moves up from the reserve list." in page.text
    assert lists(tournament)[0] == ["Juma", "Asha"]
    assert "Two of them are number 1: give each a number of its own." in twice.text


@pytest.mark.parametrize("number", [1, 12])
def test_the_page_costs_the_same_however_many_play(
    organiser: Client, club: Club, number: int
) -> None:
    tournament = make.tournament(club=club, places=number)
    act.enter(tournament, *(f"Player {nth}" for nth in range(2 * number)))

    # Session, user, the tournament; entrants with their tables, who else is in the club.
    with costs(5):
        page = organiser.get(url_of(tournament))

    assert page.text.count("Withdraw<") == 2 * number
