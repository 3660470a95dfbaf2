"""A first game that the table drew for: nobody wrote down who dealt it, and no page says who did.

That all pages agree about it is asked of every page in ``tests/tracker/agreeing``.
"""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.one_file import from_elsewhere
from tests.reading import Forms, form_with, shows
from tracker.models import Hand, Round, RoundState, SeatTally, Sitting, Tally
from tracker.people.services.merging import merge_players, unmerge
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.table_actions import bring_back, take_back
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.tournament_files.logic.packing import pack
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
ORDER = {"order_0": 2, "order_1": 4, "order_2": 1, "order_3": 3}  # by seat
SHEET = {"order": [2, 0, 3, 1]}


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament("dalmuti", "4i", hands=None))


def dealer() -> str | None:
    """Return who dealt the first game: the hand, its sheet and the sums say the same."""
    hand = Hand.objects.get(number=1)
    name = None if hand.dealer is None else PEOPLE[hand.dealer]
    dealt = Tally.objects.filter(key__in=["dealt", "opened"], amount__gt=0)
    assert hand.sheet["dealer"] == hand.dealer
    assert {*dealt.values_list("entrant__player__name", flat=True)} == ({name} if name else set())
    assert act.is_as_its_sheets_say(hand.sitting)
    return name


def report_by_page(client: Client, table: Sitting, number: int, **answers: object) -> None:
    """Send the sheet that lies on a table, as the page has it but for these answers."""
    path = table.get_absolute_url()
    forms = Forms(client.get(path).text, path).forms
    [form] = [form for form in forms if form.fields.get("number") == [str(number)]][:1]
    assert client.post(form.path, form.pressing("how", "save", **answers)).status_code == 303


def correct_by_page(client: Client, table: Sitting, **answers: object) -> None:
    """Look at a correction of the first game, and keep it."""
    path = reverse("hand-correct", args=[table.pk, 1])
    page = client.get(path)
    for step in ("look", "keep"):
        typed = {f"h1-{key}": answer for key, answer in answers.items()}
        form = form_with(page, path, "h1-number")
        page = client.post(path, form.pressing("step", step, reason="Asked them", **typed))
    assert page.headers["Location"] == reverse("sitting", args=[table.pk])


def correct(table: Sitting, number: int, change: Any) -> None:
    act.correct(table, {number: change})


def seen() -> dict[int, int | None]:
    return dict(Hand.objects.values_list("number", "accepted_report"))


def test_pages_say_that_nobody_wrote_down_who_dealt(organiser: Client, table: Sitting) -> None:
    report_by_page(organiser, table, 1, **ORDER)
    assert dealer() is None
    assert Sitting.objects.get().next_dealer == 1  # the last
    shows(organiser.get(table.get_absolute_url()), "is Peon. · dealer not written down")
    shows(organiser.get(reverse("hands", args=[table.round.tournament_id])), "not written down")
    for address in (reverse("hand", args=[table.pk, 1]), reverse("sitting", args=[table.pk])):
        shows(organiser.get(address), "Dealt not written down ")


def test_a_correction_names_who_dealt_and_takes_it_back(organiser: Client, table: Sitting) -> None:
    report_by_page(organiser, table, 1, **ORDER)
    correct_by_page(organiser, table, order_0=1, order_2=2)
    assert (dealer(), Hand.objects.get().sheet["order"]) == (None, [0, 2, 3, 1])
    correct_by_page(organiser, table, dealer=2)
    assert dealer() == "Juma"
    correct_by_page(organiser, table, dealer="")
    assert dealer() is None
    correct(table, 1, RESTORE)
    assert dealer() == "Juma"


def test_the_table_changes_it_as_a_correction_does(organiser: Client, table: Sitting) -> None:
    report_by_page(organiser, table, 1, **ORDER, dealer=3)
    assert dealer() == "Baraka"
    path = f"{table.get_absolute_url()}?hand=1"
    forms = Forms(organiser.get(path).text, path).forms
    [form] = [form for form in forms if form.fields.get("number") == ["1"]]
    organiser.post(form.path, form.pressing("how", "save", dealer="", is_next="no"))
    assert dealer() is None


def test_whose_order_is_known_has_dealt_by_the_rules(organiser: Client, table: Sitting) -> None:
    opening = {"opening_0": 2, "opening_1": 1, "opening_2": 4, "opening_3": 3}
    report_by_page(organiser, table, 1, **ORDER, **opening)
    assert dealer() == "Juma"


def test_paper_says_nothing_of_who_dealt_and_can(organiser: Client, table: Sitting) -> None:
    path = reverse("paper", args=[table.pk])

    def type_in(**typed: object) -> str | None:
        form = form_with(organiser.get(path), path, "h1-seen")
        sent = form.pressing(**{f"h1-{key}": answer for key, answer in typed.items()})
        assert organiser.post(path, sent).status_code == 302
        return dealer()

    assert [type_in(**ORDER), type_in(dealer=2), type_in(dealer="")] == [None, "Juma", None]


def test_a_later_hand_cannot_be_left_without_a_dealer(table: Sitting) -> None:
    make.report(table, SHEET)
    make.report(table, {**SHEET, "dealer": 2})
    with act.refused("dealer-known", question="dealer"):
        correct(table, 2, {**SHEET, "dealer": None})
    assert [hand.dealer for hand in Hand.objects.order_by("number")] == [None, 2]


SHEETS: dict[str, dict[str, Any]] = {
    "albastini": {"eaten": [70, 50]},
    "briscola": {"points": [70, 50]},
    "mambassa": {"event": "normal", "payers": [0]},
}


@pytest.mark.parametrize("game", SHEETS)
def test_of_other_games_it_is_always_known_who_dealt(game: str) -> None:
    table = make.sitting(at=make.tournament(game))
    make.report(table, SHEETS[game])
    document = from_elsewhere(table.round.tournament)
    [hand] = document["stages"][0]["rounds"][0]["tables"][0]["hands"]
    hand["sheet"]["dealer"] = hand["dealer"] = None
    paper = Paper(sheets={1: {"bare": "void", "dealer": None}}, seen=seen())
    club, by = make.club("Ilala").pk, make.actor()

    with act.refused("dealer-known"), transaction.atomic():
        correct(table, 1, {**SHEETS[game], "dealer": None})
    with act.refused("dealer-known"), transaction.atomic():
        write_down({table.pk: paper}, reason="x", by=by)
    with act.refused("dealer"), transaction.atomic():
        import_tournament(club_id=club, content=pack(document), choices=None, by=by)
    assert Hand.objects.get().dealer == 0


@pytest.mark.parametrize("sheet", [{"eaten": [70, 50], "dealer": 0}, {"eaten": [70, 50]}])
def test_the_database_keeps_no_unknown_dealer_that_the_sheet_names(sheet: dict[str, Any]) -> None:
    make.report(make.sitting(), {"eaten": [70, 50]})
    named = pytest.raises(IntegrityError, match="hand_dealer_unknown_by_its_sheet")
    with named, transaction.atomic():
        Hand.objects.update(dealer=None, sheet=sheet)


def test_unknown_whatever_becomes_of_hand_and_people(client: Client, table: Sitting) -> None:
    """Taken back and brought back, struck and restored, swapped, taken over, merged and unmerged."""
    by, club = make.actor(device="a"), act.club_of(table)
    make.report(table, SHEET, device="a")
    take_back(token=table.token, number=1, by=by)
    shows(client.get(table.get_absolute_url()), "Draw for the deal")
    bring_back(token=table.token, number=1, by=by)
    correct(table, 1, STRIKE)
    correct(table, 1, RESTORE)
    first, second, third, _ = table.seats.order_by("place")
    swap_seats(seats=(first.pk, second.pk), by=by)
    substitute(seat_id=third.pk, player_id=make.player("Ali", club=club).pk, by=by)
    gone, stays = make.player("Asha", club=club), make.player("Zuri", club=club)
    merged = merge_players(player_id=gone.pk, into_id=stays.pk, by=by)
    assert dealer() is None
    unmerge(log_entry_id=merged.pk, by=by)

    assert dealer() is None


def test_after_a_void_first_game_the_next_is_drawn_for(client: Client, table: Sitting) -> None:
    make.report(table, {"bare": "void"})
    shows(client.get(table.get_absolute_url()), "Draw for the deal")
    report_by_page(client, table, 2, **ORDER)
    assert [hand.dealer for hand in Hand.objects.order_by("number")] == [None, None]
    assert not SeatTally.objects.filter(key="dealt", amount__gt=0).exists()


def test_a_file_takes_it_along(table: Sitting) -> None:
    for _ in range(2):
        make.report(table, SHEET)
    document = from_elsewhere(table.round.tournament)
    Round.objects.update(state=RoundState.CLOSED)
    there = make.club("Ilala")
    import_tournament(club_id=there.pk, content=pack(document), choices=None, by=make.actor())
    hands = Hand.objects.filter(sitting__round__tournament__club=there).order_by("number")
    assert [(hand.dealer, hand.sheet["dealer"]) for hand in hands] == [(None, None), (1, 1)]
    assert document["version"] >= 3


def rows() -> dict[str, list[Any]]:
    """Return all that a migration of dealers may touch."""
    kept = {model.__name__: [*model.objects.order_by("pk").values()] for model in (Hand, Sitting)}
    for sitting in kept["Sitting"]:
        del sitting["revision"], sitting["last_at"]
    for model in (SeatTally, Tally):
        kept[model.__name__] = [*model.objects.exclude(amount=0).order_by("pk").values()]
    return kept


def test_dealers_that_an_earlier_version_invented_are_forgotten(table: Sitting) -> None:
    """What it wrote is what is written now with the first place named in the sheets alone."""
    tournament = table.round.tournament
    for _ in range(2):
        make.report(table, SHEET)
    ali = make.player("Ali", club=tournament.club)
    substitute(seat_id=table.seats.get(place=0).pk, player_id=ali.pk, by=make.actor())
    bare, order = {"bare": SHEET["order"]}, SHEET
    named, known, void, struck, usual = (
        make.sitting(*names, at=tournament)
        for names in (("Ana", "Bela", "Cesar", "Dani"), (), (), (), ())
    )
    make.report(named, {**bare, "dealer": 0})
    make.report(known, {**order, "opening": [1, 2, 3, 0]})
    make.report(void, {"bare": "void"})
    make.report(void, bare)
    make.report(struck, order)
    correct(struck, 1, STRIKE)
    make.report(usual, order)
    tournament.rounds.update(state=RoundState.CLOSED)
    make.report(make.sitting("Asha", "Neema", "Ana", "Bela", at=tournament), order)
    recount(tournament_id=tournament.pk, by=make.actor(), write=True)
    before = rows()
    unknown = Hand.objects.filter(dealer=None)
    assert len(unknown) == 6

    for hand in unknown:
        invented = hand.session_before["dealer"]
        sheet = {**hand.sheet, "dealer": invented}
        Hand.objects.filter(pk=hand.pk).update(dealer=invented, sheet=sheet)
    assert recount(tournament_id=tournament.pk, by=make.actor(), write=True).findings
    assert rows() != before
    import_module("tracker.migrations.0011_unknown_dealers").forget_invented_dealers(apps, None)

    assert act.is_as_its_sheets_say(tournament)
    assert rows() == before
