"""Two players who are one person: found, merged, and taken apart again."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.make import NOON
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.common.names import alike
from tracker.models import (
    Attendance,
    Award,
    Club,
    ClubNight,
    Draw,
    Entrant,
    LogEntry,
    Player,
    Rest,
    Role,
    Round,
    RoundState,
    Rsvp,
    Seat,
    Sitting,
    Tally,
    Tournament,
)
from tracker.nights.services.attendance import arrive
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import end_night
from tracker.people.pages.duplicate_players import likely_pairs
from tracker.people.services.merging import merge_players, unmerge
from tracker.results.services.recount import recount
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import undo_round
from tracker.standings.queries.standings import standings
from tracker.tables.entrant_replacement import entrants_in
from tracker.tournaments.services.entering import seed_entrants

pytestmark = pytest.mark.django_db


@pytest.fixture
def user_id(client: Client, club: Club) -> int:
    user = make.user(role=Role.ORGANISER, club=club)
    client.force_login(user)
    return user.pk


def played(tournament: Tournament, *people: str, eaten: tuple[int, int] = (70, 50)) -> Sitting:
    """Let four play a hand in a round that is over."""
    round_ = make.round_of(tournament, state=RoundState.CLOSED, closed_at=NOON)
    sitting = make.sitting(*people, in_round=round_)
    Round.objects.filter(pk=round_.pk).update(state=RoundState.OPEN)
    make.report(sitting, {"eaten": eaten})
    Round.objects.filter(pk=round_.pk).update(state=RoundState.CLOSED)
    return sitting


def points(tournament: Tournament) -> dict[str, tuple[int, int]]:
    """Return of everybody in the standing the hands played and how often they dealt."""
    return {row.name: (row.hands, row.dealt) for row in standings(tournament).rows}


def tallies(tournament: Tournament) -> set[tuple[int, str, int]]:
    """Return the sums that are kept, those that came to nothing left out."""
    stored = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    return set(stored.values_list("entrant__player", "key", "amount"))


def found(tournament: Tournament) -> tuple[object, ...]:
    return recount(tournament_id=tournament.pk, by=make.actor()).findings


def rests_of(tournament: Tournament) -> set[tuple[int, int]]:
    taken = Rest.objects.filter(round__tournament=tournament)
    return set(taken.values_list("round", "entrant"))


def merged(club: Club, gone: str, stays: str, user_id: int) -> LogEntry:
    return merge_players(
        player_id=make.player(gone, club=club).pk,
        into_id=make.player(stays, club=club).pk,
        by=make.actor(user_id),
    )


# Merging --------------------------------------------------------------------------------------


def test_results_of_another_tournament_follow(club: Club, user_id: int) -> None:
    tournament, other = make.tournament(club=club), make.tournament(club=club, name="Winter")
    played(tournament, "Juma", "Asha", "Neema", "Baraka")
    played(other, "Juma Kapera", "Asha", "Neema", "Baraka")

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)

    assert points(tournament)["Juma Kapera"] == points(other)["Juma Kapera"] == (1, 1)
    assert "Juma" not in points(tournament)
    assert found(tournament) == found(other) == ()
    assert (log_entry.verb, "Juma" in str(log_entry.on | log_entry.numbers)) == (
        "players-merged",
        False,
    )


def test_a_table_that_is_being_played_plays_on(club: Club, user_id: int, client: Client) -> None:
    tournament, other = make.tournament(club=club), make.tournament(club=club, name="Winter")
    there = make.sitting("Juma Kapera", "Asha", "Neema", "Baraka", at=other)
    make.report(there, {"eaten": [70, 50]})
    other.rounds.update(state=RoundState.CLOSED)
    here = make.sitting("Juma", "Asha", "Neema", "Baraka", at=tournament)
    make.report(here, {"eaten": [70, 50]})

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    assertContains(client.get(here.get_absolute_url()), "Juma")
    make.report(here, {"eaten": [50, 70]})

    assert points(tournament)["Juma Kapera"] == (2, 1)
    assert points(other)["Juma Kapera"] == (1, 1)
    assert found(tournament) == found(other) == ()
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))
    assert points(tournament)["Juma"] == (2, 1)
    assert points(other)["Juma Kapera"] == (1, 1)
    assert found(tournament) == found(other) == ()


def test_two_who_sit_in_two_running_rounds_are_merged_once_one_is_closed(
    club: Club, user_id: int, client: Client
) -> None:
    tables = [
        make.sitting(*names, at=make.tournament(club=club, name=cup))
        for cup, names in (("Friday", ("Juma", "Asha")), ("Winter", ("Baraka", "Juma Kapera")))
    ]
    gone, stays = (make.player(name, club=club) for name in ("Juma", "Juma Kapera"))
    address, sent = reverse("player-merge", args=[gone.pk]), {"into": stays.pk}

    assertContains(
        client.post(address, sent),
        "Juma sits at table 1 of “Friday”, and Juma Kapera at table 1 of “Winter”:"
        " close one of these rounds first.",
    )
    assert Player.objects.present().filter(pk=gone.pk).exists()
    tables[0].round.state = RoundState.CLOSED
    tables[0].round.save()
    assertRedirects(client.post(address, sent), reverse("duplicates", args=[club.pk]))

    assert {*Seat.objects.filter(player=stays).values_list("sitting", flat=True)} == {
        table.pk for table in tables
    }


def test_results_of_the_same_tournament_become_one_line(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    first = played(tournament, "Juma", "Asha", "Neema", "Baraka", eaten=(90, 30))
    played(tournament, "Asha", "Juma Kapera", "Neema", "Baraka", eaten=(60, 60))
    gone = first.seats.get(place=0).entrant
    Award.objects.create(
        tournament=tournament, entrant=gone, kind="penalty", amount=-1, reason="Late"
    )

    merged(club, "Juma", "Juma Kapera", user_id)

    assert points(tournament)["Juma Kapera"] == (2, 1)
    assert len(points(tournament)) == 4
    assert Award.objects.get().entrant.player == make.player("Juma Kapera", club=club)
    assert not Entrant.objects.filter(pk=gone.pk).exists()
    assert found(tournament) == ()


def test_an_undone_round_stays_out_of_the_sums(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    played(tournament, "Juma Kapera", "Asha", "Neema", "Baraka")
    undone = played(tournament, "Juma", "Asha", "Neema", "Baraka")
    undo_round(round_id=undone.round_id, by=make.actor())

    merged(club, "Juma", "Juma Kapera", user_id)

    assert points(tournament)["Juma Kapera"] == (1, 1)
    assert found(tournament) == ()


def test_who_sat_in_one_round_are_two_people(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    played(tournament, "Juma", "Juma Kapera", "Neema", "Baraka")

    with pytest.raises(Refused, match="both sat in round 1 of “Friday Cup”") as refusal:
        merged(club, "Juma", "Juma Kapera", user_id)

    assert refusal.value.code == "merge-two"
    assert Player.objects.exclude(merged_into=None).count() == 0


def test_who_rests_in_a_running_round_is_left_alone(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    resting = make.entrant(make.player("Juma", club=club), at=tournament)
    make.entrant(make.player("Juma Kapera", club=club), at=tournament)
    make.round_of(tournament).rests.create(entrant=resting)

    with act.refused("merge-resting"):
        merged(club, "Juma", "Juma Kapera", user_id)


def test_rests_of_the_same_tournament_become_one_line_and_two_again(
    club: Club, user_id: int
) -> None:
    tournament = make.tournament(club=club)
    names = ("Juma", "Juma Kapera")
    gone, stays = (make.entrant(make.player(name, club=club), at=tournament) for name in names)
    first, both, last = (make.round_of(tournament, state=RoundState.CLOSED) for _ in range(3))
    for round_, entrant in ((first, gone), (both, gone), (both, stays), (last, stays)):
        round_.rests.create(entrant=entrant)
    before = rests_of(tournament)

    log_entry = merged(club, *names, user_id)
    together = rests_of(tournament)
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert together == {(round_.pk, stays.pk) for round_ in (first, both, last)}
    assert rests_of(tournament) == before


@pytest.mark.parametrize("other_plays", [False, True])
def test_a_rest_is_credited_once_and_not_to_whoever_played(
    club: Club, user_id: int, other_plays: bool
) -> None:
    tournament = make.tournament(club=club, hands=1)
    table = make.sitting("Juma Kapera" if other_plays else "Ali", "Asha", at=tournament)
    for name in ("Juma", "Juma Kapera"):
        entrant = make.entrant(make.player(name, club=club), at=tournament)
        if not entrant.seats.exists():
            table.round.rests.create(entrant=entrant)
    make.report(table, {"eaten": [70, 50]})
    close_round(round_id=table.round_id, by=make.actor())
    credited = set(Award.objects.values_list("entrant", "withdrawn_at"))

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    assert Award.objects.filter(withdrawn_at=None).count() == (0 if other_plays else 1)
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert set(Award.objects.values_list("entrant", "withdrawn_at")) == credited


def test_whoever_was_drawn_is_the_one_who_stays(club: Club, user_id: int, client: Client) -> None:
    """A published draw is on the wall: it must not name somebody who is no more."""
    tournament = make.tournament(club=club)
    names = ("Juma", "Asha", "Neema", "Baraka", "Juma Kapera")
    gone, *others, stays = (
        make.entrant(make.player(name, club=club), at=tournament).pk for name in names
    )
    draw_rounds(
        tournament_id=tournament.pk,
        entrants=[gone, *others],
        rounds=2,
        rng=Random(3),
        by=make.actor(),
    )
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(3))
    close_round(round_id=Round.objects.get().pk, by=make.actor(), anyway=True)
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    before = entrants_in(Round.objects.get().seating_plan["seating"])

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)

    for page in ("tournament-display", "schedule", "draw"):
        assertContains(client.get(reverse(page, args=[tournament.pk])), "Juma")
    assert stays in entrants_in(Draw.objects.get().plan)
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))
    assert entrants_in(Round.objects.get().seating_plan["seating"]) == before


@pytest.mark.parametrize("entered_by_then", [True, False])
def test_what_was_published_of_either_is_still_published_of_both(
    club: Club, user_id: int, client: Client, entered_by_then: bool
) -> None:
    tournament = make.tournament(club=club)
    table = make.sitting("Juma", "Asha", "Neema", "Baraka", at=tournament)
    if entered_by_then:
        make.entrant(make.player("Juma Kapera", club=club), at=tournament)
    make.report(table, {"eaten": [75, 45]})
    close_round(round_id=table.round_id, by=make.actor())
    if not entered_by_then:
        make.entrant(make.player("Juma Kapera", club=club), at=tournament)
    page = reverse("tournament", args=[tournament.pk]) + "?round=1"
    published = Round.objects.get(pk=table.round_id).published_standing

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)

    assertContains(client.get(page), "tied for place 1, with 1", count=2)
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))
    assert Round.objects.get(pk=table.round_id).published_standing == published


def test_a_draw_with_both_goes(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    names = ("Juma", "Asha", "Neema", "Baraka", "Juma Kapera")
    entrants = [make.entrant(make.player(name, club=club), at=tournament).pk for name in names]
    draw_rounds(tournament_id=tournament.pk, entrants=entrants, rng=Random(3), by=make.actor())

    merged(club, "Juma", "Juma Kapera", user_id)

    assert not tournament.draws.exists()


@pytest.mark.parametrize(("own", "together"), [(None, 2), (1, 1)])
def test_the_seed_goes_along_and_comes_back(
    club: Club, user_id: int, own: int | None, together: int
) -> None:
    tournament = make.tournament(club=club)
    names = ("Juma", "Juma Kapera")
    gone, stays = (make.entrant(make.player(name, club=club), at=tournament) for name in names)
    for entrant, seed in ((gone, 2), (stays, own)):
        Entrant.objects.filter(pk=entrant.pk).update(seed=seed)

    log_entry = merged(club, *names, user_id)
    stays.refresh_from_db()
    assert stays.seed == together
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert dict(tournament.entrants.values_list("pk", "seed")) == {gone.pk: 2, stays.pk: own}


def test_a_seed_that_somebody_else_has_by_now_is_not_taken_back(club: Club, user_id: int) -> None:
    tournament = make.tournament(club=club)
    names = ("Juma", "Juma Kapera", "Asha")
    gone, stays, asha = (
        make.entrant(make.player(each, club=club), at=tournament) for each in names
    )
    Entrant.objects.filter(pk=gone.pk).update(seed=1)
    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    seed_entrants(tournament_id=tournament.pk, seeds={stays.pk: 2, asha.pk: 1}, by=make.actor())

    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    seeds = dict(tournament.entrants.values_list("pk", "seed"))
    assert seeds == {gone.pk: None, stays.pk: 2, asha.pk: 1}


@pytest.mark.parametrize("wrong", ["same", "elsewhere", "erased"])
def test_only_two_players_of_one_club_can_be_one(club: Club, user_id: int, wrong: str) -> None:
    juma, erased = make.player("Juma", club=club), make.player("Ali", club=club)
    Player.objects.filter(pk=erased.pk).update(erased_at=NOON)
    into = {"same": juma, "elsewhere": make.player("Juma", club=make.club()), "erased": erased}

    with act.refused("merge-same"):
        merge_players(player_id=juma.pk, into_id=into[wrong].pk, by=make.actor(user_id))


def test_teams_evenings_and_the_login_follow(club: Club, user_id: int) -> None:
    gone, stays = make.player("Juma", club=club), make.player("Juma Kapera", club=club)
    login = make.user()
    Player.objects.filter(pk=gone.pk).update(user=login)
    team = make.team(gone, make.player("Asha", club=club))
    both = make.team(gone, stays)
    tonight = make.night(club)
    before = ClubNight.objects.create(club=club, starts_at=NOON - timedelta(days=7))
    for night, people in [(tonight, (gone, stays)), (before, (gone,))]:
        for player in people:
            Attendance.objects.create(night=night, player=player, since=NOON)
            Rsvp.objects.create(night=night, player=player, yes=True, answered_at=NOON)

    log_entry = merged(club, "Juma", "Juma Kapera", user_id)

    stays.refresh_from_db()
    assert stays.user == login
    assert {player.name for player in team.roster.all()} == {"Asha", "Juma Kapera"}
    assert stays.attendances.filter(until=None).count() == 2
    assert stays.rsvps.count() == 2
    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))
    gone.refresh_from_db()
    stays.refresh_from_db()
    assert [gone.user, stays.user, gone.merged_into] == [login, None, None]
    assert {player.name for player in both.roster.all()} == {"Juma", "Juma Kapera"}
    assert {player.name for player in team.roster.all()} == {"Asha", "Juma"}
    assert gone.attendances.filter(until=None).count() == 2


def test_old_links_lead_to_the_one_who_stays(client: Client, club: Club, user_id: int) -> None:
    first, second = make.player("Juma", club=club), make.player("Juma K.", club=club)
    last = make.player("Juma Kapera", club=club)
    merged(club, "Juma", "Juma K.", user_id)
    merged(club, "Juma K.", "Juma Kapera", user_id)

    for old in (first, second):
        old.refresh_from_db()
        assert old.merged_into == last
        for name in ("player", "player-edit"):
            answer = client.get(reverse(name, args=[old.pk]))
            assertRedirects(answer, reverse(name, args=[last.pk]))


# Taking apart ---------------------------------------------------------------------------------


def test_taken_back_everything_is_as_it_was(club: Club, user_id: int) -> None:
    tournament, other = make.tournament(club=club), make.tournament(club=club, name="Winter")
    played(tournament, "Juma", "Asha", "Neema", "Baraka", eaten=(90, 30))
    played(tournament, "Asha", "Juma Kapera", "Neema", "Baraka", eaten=(60, 60))
    played(other, "Juma", "Asha", "Neema", "Baraka")
    gone = tournament.entrants.get(player__name="Juma")
    Award.objects.create(tournament=tournament, entrant=gone, kind="award", amount=1, reason="Kind")
    before = (tallies(tournament), tallies(other), points(tournament), points(other))
    seats = set(Seat.objects.values_list("pk", "player", "entrant"))
    log_entry = merged(club, "Juma", "Juma Kapera", user_id)

    for _twice in range(2):
        unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert (tallies(tournament), tallies(other), points(tournament), points(other)) == before
    assert set(Seat.objects.values_list("pk", "player", "entrant")) == seats
    assert Entrant.objects.get(pk=gone.pk).uid == gone.uid
    assert Award.objects.get().entrant == gone
    assert found(tournament) == found(other) == ()
    assert LogEntry.objects.filter(verb="merge-undone").get().undoes == log_entry


def test_nobody_comes_back_to_a_night_that_has_ended(club: Club, user_id: int) -> None:
    night = make.night(club)
    names = ("Juma", "Juma Kapera")
    people = [make.player(name, club=club).pk for name in names]
    arrive(night_id=night.pk, players=people, by=make.actor(user_id))
    log_entry = merged(club, *names, user_id)
    end_night(night_id=night.pk, by=make.actor(user_id))

    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert not Attendance.objects.filter(until=None).exists()


def test_a_login_given_since_stays_where_it_was_given(club: Club, user_id: int) -> None:
    make.player("Juma", club=club)
    Player.objects.filter(name="Juma").update(user=make.user())
    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    rukia = make.user("rukia")
    Player.objects.filter(name="Juma Kapera").update(user=rukia)

    unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))

    assert make.player("Juma", club=club).user is None
    assert make.player("Juma Kapera", club=club).user == rukia


def seat_again(club: Club) -> None:
    """Let the one who stays sit down once more where the other had entered."""
    played(Tournament.objects.get(), "Juma Kapera", "Asha", "Neema", "Baraka")


def merge_on(club: Club) -> None:
    merged(club, "Juma Kapera", "Mzee Juma", make.user().pk)


def forget(club: Club) -> None:
    Player.objects.filter(name="Juma Kapera").update(erased_at=NOON)


def give_away(club: Club) -> None:
    Seat.objects.filter(player__name="Juma Kapera").update(player=make.player("Ali", club=club))


@pytest.mark.parametrize("happening", [seat_again, merge_on, forget, give_away])
def test_when_more_was_built_upon_it_it_stays(
    club: Club, user_id: int, happening: Callable[[Club], None]
) -> None:
    tournament = make.tournament(club=club)
    played(tournament, "Juma", "Asha", "Neema", "Baraka")
    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    happening(club)

    with act.refused("unmerge-late"):
        unmerge(log_entry_id=log_entry.pk, by=make.actor(user_id))


def test_a_name_given_away_since_is_not_taken_back(
    client: Client, club: Club, user_id: int
) -> None:
    log_entry = merged(club, "Juma", "Juma Kapera", user_id)
    Player.objects.create(club=club, name="Juma", name_key="juma")

    page = client.post(reverse("merge-undo", args=[log_entry.pk]), follow=True)

    assertContains(page, "Juma is in this club already.")
    assertContains(page, "Juma is Juma Kapera")


def test_a_second_merger_can_be_taken_back_and_not_the_first_twice(
    club: Club, user_id: int
) -> None:
    first = merged(club, "Juma", "Juma Kapera", user_id)
    unmerge(log_entry_id=first.pk, by=make.actor(user_id))
    second = merged(club, "Juma", "Juma Kapera", user_id)

    with pytest.raises(Refused):
        unmerge(log_entry_id=first.pk, by=make.actor(user_id))
    unmerge(log_entry_id=second.pk, by=make.actor(user_id))

    assert make.player("Juma", club=club).merged_into is None


# The pages ------------------------------------------------------------------------------------


def test_the_page_finds_who_may_be_one_and_merges_them(
    client: Client, club: Club, user_id: int
) -> None:
    tournament = make.tournament(club=club)
    played(tournament, "Juma Kapera", "Asha", "Nema", "Neema")
    make.player("Juma K.", club=club)
    page = client.get(reverse("duplicates", args=[club.pk]))
    assert [(player.name, other.name) for player, other in page.context["pairs"]] == [
        ("Juma K.", "Juma Kapera")  # Nema and Neema sat at one table
    ]
    link = page.context["pairs"][0]
    path = reverse("player-merge", args=[link[0].pk])
    asked = client.get(f"{path}?into={link[1].pk}")
    assertContains(asked, f'<option value="{link[1].pk}" selected>Juma Kapera</option>', html=True)

    done = client.post(path, {"into": link[1].pk}, follow=True)

    assertContains(done, "Juma K. is Juma Kapera")
    log_entry = LogEntry.objects.get(verb="players-merged")
    back = client.post(reverse("merge-undo", args=[log_entry.pk]), follow=True)
    assertContains(back, "Juma K. is a player again.")
    assertNotContains(back, "Merged recently")


def test_a_refusal_stands_beside_the_choice(client: Client, club: Club, user_id: int) -> None:
    played(make.tournament(club=club), "Juma", "Juma Kapera", "Neema", "Baraka")
    juma, other = make.player("Juma", club=club), make.player("Juma Kapera", club=club)

    page = client.post(reverse("player-merge", args=[juma.pk]), {"into": other.pk})

    assert "they are two people" in page.context["form"].errors["into"][0]


def test_names_of_one_person_are_found_and_of_two_are_not() -> None:
    names = [
        "Juma Kapera", "Kapera Juma", "juma k.", "Zoé Mbeki", "Zoe Mbeki", "Neema", "Nema",
        "Asha", "A. Asha", "Omari A.", "Aisha Salum", "Baraka", "Baraka 2", "Baraka 3",
    ]  # fmt: skip

    pairs = {tuple(sorted(pair)) for pair in alike({name: name for name in names})}

    assert pairs == {
        ("Juma Kapera", "Kapera Juma"),
        ("Juma Kapera", "juma k."),
        ("Kapera Juma", "juma k."),
        ("Zoe Mbeki", "Zoé Mbeki"),
        ("Neema", "Nema"),
        ("A. Asha", "Asha"),  # and no "Omari A.", of whom an initial alone is the same
    }


@pytest.mark.parametrize("pairs", [1, 3])
def test_duplicates_cost_the_same_however_many(
    client: Client, club: Club, user_id: int, pairs: int
) -> None:
    for letter in "ABC"[:pairs]:
        make.player(f"{letter}sha", club=club)
        make.player(f"{letter}sha K.", club=club)
        merged(club, f"{letter}ga", f"{letter}ga M.", user_id)

    # session, user, club with role; players, their rounds, their tournaments; acts, their players
    with costs(7):
        page = client.get(reverse("duplicates", args=[club.pk]))

    assert len(page.context["pairs"]) == len(page.context["mergers"]) == pairs
    assert len(likely_pairs(club)) == pairs


@pytest.mark.parametrize("away", ["withdrawn_at", "reserve_since"])
@pytest.mark.parametrize("gone_plays", [True, False])
def test_whoever_plays_under_one_name_plays(
    club: Club, user_id: int, away: str, *, gone_plays: bool
) -> None:
    tournament = make.tournament(club=club)
    gone, stays = (
        make.entrant(make.player(name, club=club), at=tournament) for name in ("Juma", "Juma K.")
    )
    absent = stays if gone_plays else gone
    expelled = away == "withdrawn_at"
    Entrant.objects.filter(pk=absent.pk).update(expelled=expelled, **{away: NOON})

    merger = merged(club, "Juma", "Juma K.", user_id)
    assert list(Entrant.objects.playing()) == [stays]
    unmerge(log_entry_id=merger.pk, by=make.actor(user_id))

    absent.refresh_from_db()
    assert (getattr(absent, away), absent.expelled) == (NOON, expelled)
    assert list(Entrant.objects.playing()) == [gone if gone_plays else stays]
