"""Seats that are promised: a table kept, two kept apart; read by organisers and by the draw."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from tests import act, make
from tests.reading import costs, lacks, path, shows
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


def key(name: str, club: Club) -> int:
    return make.player(name, club=club).pk


def keeps(name: str, table: int, *, club: Club) -> SeatingWish:
    return keep_table(club_id=club.pk, player_id=key(name, club), table=table, by=make.actor())


def apart(
    player: str, other: str, *, club: Club, kind: WishKind = WishKind.NOT_MEET
) -> SeatingWish:
    first, second = key(player, club), key(other, club)
    return keep_apart(club_id=club.pk, kind=kind, player_id=first, other_id=second, by=make.actor())


def merge(gone: str, into: str, club: Club) -> LogEntry:
    return merge_players(player_id=key(gone, club), into_id=key(into, club), by=make.actor())


def said(club: Club) -> list[tuple[object, ...]]:
    """Return what is promised, as the page tells it."""
    listed = wishes_by_name(club)
    return [
        *((wish.player.name, wish.table) for wish in listed["tables"]),
        *(
            (str(wish.player), str(wish.other), wish.kind == WishKind.NOT_PARTNERS)
            for wish in listed["apart"]
        ),
    ]


# Promising


def test_a_table_is_kept_and_another_one_instead(club: Club) -> None:
    for table in (3, 3, 5):
        keeps("Asha", table, club=club)

    assert said(club) == [("Asha", 5)]
    verbs = list(LogEntry.objects.values_list("verb", flat=True))
    assert verbs == ["wish-made", "wish-made"]


def test_two_are_kept_apart_once_and_the_log_does_not_name_them(club: Club) -> None:
    both = {apart(*names, club=club) for names in (("Asha", "Juma"), ("Juma", "Asha"))}

    entry, wish = LogEntry.objects.get(), SeatingWish.objects.get()
    assert both == {wish}
    assert (entry.on, entry.numbers) == ({"wish": wish.pk}, {})
    apart("Juma", "Asha", club=club, kind=WishKind.NOT_PARTNERS)
    assert said(club) == [("Asha", "Juma", False), ("Asha", "Juma", True)]


def test_a_promise_is_taken_back_once_and_by_its_own_club(club: Club) -> None:
    wish = keeps("Asha", 3, club=club).pk
    dropped = [
        drop_wish(wish_id=wish, club_id=by.pk, by=make.actor())
        for by in (make.club("Ilala"), club, club)
    ]

    assert dropped == [False, True, False]
    entry = LogEntry.objects.get(verb="wish-dropped")
    assert entry.on == {"wish": wish, "player": key("Asha", club)}


def test_what_cannot_be_promised_is_refused_beside_its_question(club: Club) -> None:
    asha, stranger = (key("Asha", home) for home in (club, make.club("Ilala")))
    meet: dict[str, Any] = {"kind": WishKind.NOT_MEET, "player_id": asha}

    for promise, code, question, asked in (
        (keep_table, "player-unknown", "player", {"player_id": stranger, "table": 1}),
        (keep_table, "table-number", "table", {"player_id": asha, "table": 0}),
        (keep_apart, "wish-alone", "other", {**meet, "other_id": asha}),
        (keep_apart, "player-unknown", "other", {**meet, "other_id": stranger}),
    ):
        with act.refused(code, question=question):
            promise(club_id=club.pk, by=make.actor(), **asked)
    assert not SeatingWish.objects.exists()


# As the draw reads them


def test_the_draw_reads_wishes_by_entrant(club: Club) -> None:
    tournament = make.tournament(club=club)
    keeps("Asha", 3, club=club)
    apart("Asha", "Juma", club=club)
    apart("Juma", "Neema", club=club, kind=WishKind.NOT_PARTNERS)
    apart("Asha", "Away", club=club)
    entrants = act.enter(tournament, "Asha", "Juma", "Neema")
    asha, juma, neema = (entrant.pk for entrant in entrants)
    with costs(1):
        wishes = wishes_of(tournament, entrants)

    assert wishes == Wishes(
        keeps={asha: 3},
        apart=frozenset({frozenset({asha, juma})}),
        not_partners=frozenset({frozenset({juma, neema})}),
    )


def test_a_wish_of_anybody_in_a_team_is_the_team_s(club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    first, second = (
        make.entrant(make.team(*(make.player(name, club=club) for name in pair)), at=tournament)
        for pair in (("Asha", "Juma"), ("Neema", "Baraka"))
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
    for player, other in (
        ("Juma", "Asha"),
        ("Juma", "Juma K."),  # of whom nobody knew that they are one
        ("Juma K.", "Neema"),
        ("Juma", "Neema"),
    ):
        apart(player, other, club=club)
    before = said(club)
    merger = merge("Juma", "Juma K.", club)

    assert said(club) == [("Juma K.", 3), ("Asha", "Juma K.", False), ("Juma K.", "Neema", False)]
    unmerge(log_entry_id=merger.pk, by=make.actor())
    assert said(club) == before
    keeps("Juma K.", 5, club=club)
    merge("Juma", "Juma K.", club)
    assert said(club)[0] == ("Juma K.", 5)  # who keeps a table already keeps that one


def test_nothing_is_left_of_the_wishes_of_somebody_erased(club: Club) -> None:
    for table, name in enumerate(("Juma", "Asha", "Twin"), start=1):
        keeps(name, table, club=club)
    apart("Asha", "Juma", club=club)
    merge("Twin", "Asha", club)
    erase_player(player_id=key("Asha", club), team_names={}, by=make.actor())

    assert [str(wish.player) for wish in SeatingWish.objects.all()] == ["Juma"]


def test_every_row_about_a_player_is_known_where_players_are_merged_and_erased() -> None:
    """A new one fails here, until ``merging`` and ``erasing`` know what becomes of it."""
    about = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("tracker").get_models()
        for field in (*model._meta.local_fields, *model._meta.local_many_to_many)
        if field.related_model is Player
    }

    assert sorted(about) == [
        "Attendance.player",
        "Entrant.player",
        "Invitation.player",
        "Player.merged_into",
        "Rsvp.player",
        "Seat.player",
        "SeatingWish.other",
        "SeatingWish.player",
        "Team.roster",
    ]


# The page


@pytest.fixture
def organiser(club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club)


def asked_apart(player: int, other: int, kind: str) -> dict[str, object]:
    return {"do": "apart", "apart-player": player, "apart-other": other, "apart-kind": kind}


def test_an_organiser_promises_and_takes_back(organiser: Client, club: Club) -> None:
    asha, juma, url = key("Asha", club), key("Juma", club), path("wishes", club)
    organiser.post(url, {"do": "table", "keeps-player": asha, "keeps-table": "3"})
    organiser.post(url, asked_apart(juma, asha, "partner"))

    assert said(club) == [("Asha", 3), ("Asha", "Juma", True)]
    shows(organiser.get(url), "Asha and Juma", "never partners")
    for _ in range(2):
        organiser.post(url, {"drop": SeatingWish.objects.earliest("pk").pk})
    shows(organiser.get(url), "No requests yet")
    shows(organiser.post(url, asked_apart(asha, asha, "meet")), "Choose somebody else.")
    shows(organiser.post(url, {"do": "table"}), "Please fill this in.")


def test_the_page_costs_the_same_however_much_is_promised(organiser: Client, club: Club) -> None:
    for number in range(1, 4):
        keeps(f"Player {number}", number, club=club)
        with costs(5):  # session, user, club, players, wishes
            page = organiser.get(path("wishes", club))
        assert page.text.count("Remove<") == number


def test_nobody_else_reads_of_it(club: Club) -> None:
    keeps("Asha", 7, club=club)
    scorer = act.sign_in(Role.SCORER, club)

    for page in ("club", "players", "my-table"):
        lacks(scorer.get(path(page, club)), path("wishes", club))
    lacks(scorer.get(path("player", key("Asha", club))), "able 7")
