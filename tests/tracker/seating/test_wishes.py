"""Seats that are promised: a table kept, two kept apart; read by organisers and by the draw."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.common.errors import Refused
from tracker.models import Club, Entrant, LogEntry, Player, Role, SeatingWish, WishKind
from tracker.movements.types import Wishes
from tracker.people.services.erasing import erase_player
from tracker.people.services.merging import merge_players, unmerge
from tracker.seating.pages.wishes import wishes_by_name
from tracker.seating.queries.wishes import wishes_of
from tracker.seating.services.wishes import drop_wish, keep_apart, keep_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make.club()


def keeps(name: str, table: int, *, club: Club) -> SeatingWish:
    player = make.player(name, club=club).pk
    return keep_table(club_id=club.pk, player_id=player, table=table, by=make.actor())


def apart(
    player: str, other: str, *, club: Club, kind: WishKind = WishKind.NOT_MEET
) -> SeatingWish:
    first, second = (make.player(name, club=club).pk for name in (player, other))
    return keep_apart(club_id=club.pk, kind=kind, player_id=first, other_id=second, by=make.actor())


def said(club: Club) -> list[tuple[object, ...]]:
    """Return what is promised, as the page tells it."""
    listed = wishes_by_name(club)
    tables = [(wish.player.name, wish.table) for wish in listed["tables"]]
    apart = [
        (str(wish.player), str(wish.other), wish.kind == WishKind.NOT_PARTNERS)
        for wish in listed["apart"]
    ]
    return [*tables, *apart]


# Promising


def test_a_table_is_kept_and_another_one_instead(club: Club) -> None:
    for table in (3, 3, 5):
        keeps("Asha", table, club=club)

    assert said(club) == [("Asha", 5)]
    verbs = list(LogEntry.objects.values_list("verb", flat=True))
    assert verbs == ["wish-made", "wish-made"]


def test_two_are_kept_apart_once_in_whichever_order_they_are_named(club: Club) -> None:
    both = {apart(*names, club=club) for names in (("Asha", "Juma"), ("Juma", "Asha"))}
    apart("Juma", "Asha", club=club, kind=WishKind.NOT_PARTNERS)

    assert len(both) == 1
    assert said(club) == [("Asha", "Juma", False), ("Asha", "Juma", True)]


def test_a_promise_is_taken_back_once_and_by_its_own_club(club: Club) -> None:
    wish, elsewhere = keeps("Asha", 3, club=club), make.club("Ilala")

    def drop(of: Club) -> bool:
        return drop_wish(wish_id=wish.pk, club_id=of.pk, by=make.actor())

    pk = wish.pk
    assert drop(elsewhere) is False
    assert [drop_wish(wish_id=pk, club_id=club.pk, by=make.actor()) for _ in range(2)] == [
        True,
        False,
    ]
    dropped = LogEntry.objects.get(verb="wish-dropped")
    assert dropped.on == {"wish": pk, "player": make.player("Asha", club=club).pk}


def test_what_cannot_be_promised_is_refused_beside_its_question(club: Club) -> None:
    asha, stranger = (make.player("Asha", club=home).pk for home in (club, make.club("Ilala")))

    def question(promise: Any, **asked: Any) -> str | None:
        with pytest.raises(Refused) as refusal:
            promise(club_id=club.pk, by=make.actor(), **asked)
        return refusal.value.question

    meet = {"kind": WishKind.NOT_MEET}
    assert [
        question(keep_table, player_id=stranger, table=1),
        question(keep_table, player_id=asha, table=0),
        question(keep_apart, player_id=asha, other_id=asha, **meet),
        question(keep_apart, player_id=asha, other_id=stranger, **meet),
    ] == ["player", "table", "other", "other"]
    assert not SeatingWish.objects.exists()


def test_the_log_says_of_nobody_that_they_asked(club: Club) -> None:
    wish = apart("Asha", "Juma", club=club)

    entry = LogEntry.objects.get()
    assert (entry.on, entry.numbers) == ({"wish": wish.pk}, {})


# As the draw reads them


def test_the_draw_reads_wishes_by_entrant(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = make.tournament(club=club)
    keeps("Asha", 3, club=club)
    apart("Asha", "Juma", club=club)
    apart("Juma", "Neema", club=club, kind=WishKind.NOT_PARTNERS)
    apart("Asha", "Away", club=club)
    entrants = [
        make.entrant(make.player(name, club=club), at=tournament)
        for name in ("Asha", "Juma", "Neema")
    ]
    asha, juma, neema = (entrant.pk for entrant in entrants)

    with django_assert_num_queries(1):
        wishes = wishes_of(tournament, entrants)

    assert wishes == Wishes(
        keeps={asha: 3},
        apart=frozenset({frozenset({asha, juma})}),
        not_partners=frozenset({frozenset({juma, neema})}),
    )


def test_a_wish_of_anybody_in_a_team_is_the_team_s(club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    names = ("Asha", "Juma", "Neema", "Baraka")
    people = [make.player(name, club=club) for name in names]
    first, second = (
        make.entrant(make.team(*pair), at=tournament) for pair in (people[:2], people[2:])
    )
    keeps("Juma", 2, club=club)
    keeps("Asha", 4, club=club)
    apart("Asha", "Baraka", club=club)
    apart("Asha", "Juma", club=club)
    apart("Juma", "Neema", club=club, kind=WishKind.NOT_PARTNERS)

    assert wishes_of(tournament, [first, second]) == Wishes(
        keeps={first.pk: 2}, apart=frozenset({frozenset({first.pk, second.pk})})
    )
    assert wishes_of(tournament, list(Entrant.objects.none())) == Wishes()


# Merged and erased


def test_promises_follow_a_merger_and_come_back(club: Club) -> None:
    keeps("Juma", 3, club=club)
    apart("Juma", "Asha", club=club)
    apart("Juma", "Juma K.", club=club)  # of whom nobody knew that they are one
    apart("Juma K.", "Neema", club=club)
    apart("Juma", "Neema", club=club)
    before = said(club)
    gone, stays = (make.player(name, club=club) for name in ("Juma", "Juma K."))

    merger = merge_players(player_id=gone.pk, into_id=stays.pk, by=make.actor())

    assert said(club) == [("Juma K.", 3), ("Asha", "Juma K.", False), ("Juma K.", "Neema", False)]
    unmerge(log_entry_id=merger.pk, by=make.actor())
    assert said(club) == before


def test_whoever_keeps_a_table_already_keeps_that_one(club: Club) -> None:
    keeps("Juma", 3, club=club)
    keeps("Juma K.", 5, club=club)
    gone, stays = (make.player(name, club=club) for name in ("Juma", "Juma K."))

    merge_players(player_id=gone.pk, into_id=stays.pk, by=make.actor())

    assert said(club) == [("Juma K.", 5)]


def test_nothing_is_left_of_the_wishes_of_somebody_erased(club: Club) -> None:
    keeps("Asha", 3, club=club)
    apart("Asha", "Juma", club=club)
    keeps("Twin", 4, club=club)
    keeps("Juma", 1, club=club)
    asha, twin = (make.player(name, club=club) for name in ("Asha", "Twin"))
    merge_players(player_id=twin.pk, into_id=asha.pk, by=make.actor())

    erase_player(player_id=asha.pk, team_names={}, by=make.actor())

    assert [str(wish.player) for wish in SeatingWish.objects.all()] == ["Juma"]


def test_every_row_about_a_player_is_known_where_players_are_merged_and_erased() -> None:
    """A new one fails here, until ``merging`` and ``erasing`` know what becomes of it."""
    about = {
        (model.__name__, field.name)
        for model in apps.get_app_config("tracker").get_models()
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many)
        if field.related_model is Player
    }

    assert about == {
        ("Attendance", "player"),
        ("Entrant", "player"),
        ("Invitation", "player"),
        ("Player", "merged_into"),
        ("Rsvp", "player"),
        ("Seat", "player"),
        ("SeatingWish", "other"),
        ("SeatingWish", "player"),
        ("Team", "roster"),
    }


# The page


def url_of(club: Club) -> str:
    return reverse("wishes", args=[club.pk])


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    return client


def test_an_organiser_promises_and_takes_back(organiser: Client, club: Club) -> None:
    asha, juma = (make.player(name, club=club).pk for name in ("Asha", "Juma"))

    organiser.post(url_of(club), {"do": "table", "keeps-player": asha, "keeps-table": "3"})
    organiser.post(
        url_of(club),
        {"do": "apart", "apart-player": juma, "apart-other": asha, "apart-kind": "partner"},
    )
    page = organiser.get(url_of(club))

    assert said(club) == [("Asha", 3), ("Asha", "Juma", True)]
    assert "Asha and Juma" in page.text
    assert "never partners" in page.text
    for _ in range(2):
        organiser.post(url_of(club), {"drop": SeatingWish.objects.earliest("pk").pk})
    assert "No requests yet" in organiser.get(url_of(club)).text


def test_a_refusal_stands_beside_its_field(organiser: Client, club: Club) -> None:
    asha = make.player("Asha", club=club).pk
    same = {"do": "apart", "apart-player": asha, "apart-other": asha, "apart-kind": "meet"}

    assert "Choose somebody else." in organiser.post(url_of(club), same).text
    assert "Please fill this in." in organiser.post(url_of(club), {"do": "table"}).text


@pytest.mark.parametrize("number", [1, 8])
def test_the_page_costs_the_same_however_much_is_promised(
    organiser: Client, club: Club, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for nth in range(number):
        keeps(f"Player {nth}", 1 + nth, club=club)

    with django_assert_num_queries(5):  # session, user, club, players, wishes
        page = organiser.get(url_of(club))

    assert page.text.count("Remove<") == number


def test_nobody_else_reads_of_it(client: Client, club: Club) -> None:
    keeps("Asha", 7, club=club)
    asha = make.player("Asha", club=club)

    client.force_login(make.user(role=Role.SCORER, club=club))
    assert client.get(url_of(club)).status_code == 403
    for page in ("club", "players", "my-table"):
        assert url_of(club) not in client.get(reverse(page, args=[club.pk])).text
    assert "able 7" not in client.get(reverse("player", args=[asha.pk])).text
