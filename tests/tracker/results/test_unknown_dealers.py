"""A first game that the table drew for: nobody wrote down who dealt it, and no page says who did."""

import csv
import re
from html import unescape
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertRedirects

from games.errors import RuleError, SheetError
from tests import make
from tests.one_file import from_elsewhere
from tests.reading import Forms, Tables
from tracker.models import Hand, Role, Round, RoundState, SeatTally, Sitting, Tally
from tracker.people.services.merging import merge_players, unmerge
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.table_actions import bring_back, take_back
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.tournament_files.logic.packing import pack
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
ORDER = {"order_0": 2, "order_1": 4, "order_2": 1, "order_3": 3}  # by seat
UNKNOWN: dict[str, object] = {
    "table": "dealer not written down",
    "hands": "not written down",
    "file": "",
    "hand": "not written down",
    "sitting": "not written down",
    "dealt": {},
    "dealt first": {},
    "kept": None,
}


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament("dalmuti", "4i", hands=4))


@pytest.fixture
def scorer(client: Client, table: Sitting) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=table.round.tournament.club))
    return client


def words(page: Any) -> str:
    assert page.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def said(pattern: str, page: Any) -> str:
    found = re.search(pattern, words(page))
    assert found, (pattern, words(page))
    return found[1]


def dealers(client: Client, sitting: Sitting) -> dict[str, object]:
    """Return who dealt the first game, and how often everybody dealt, by every page that says it."""
    tournament = sitting.round.tournament
    standing = client.get(reverse("tournament", args=[tournament.pk]))
    head, *rows = Tables(standing.text).rows
    hands = reverse("hands", args=[tournament.pk])
    listed = [row for row in Tables(client.get(hands).text).rows if "Game 1" in row[0]]
    written = csv.DictReader(client.get(f"{hands}?_export=csv").text.lstrip("\ufeff").splitlines())
    [in_file] = {row["Dealer"] for row in written if row["Game"] == "1"}
    counts = {
        column: {
            row[1].split()[0]: row[head.index(column)] for row in rows if len(row) == len(head)
        }
        for column in ("Dealt", "Dealt first")
    }
    hand = Hand.objects.get(sitting=sitting, number=1)
    assert hand.sheet["dealer"] == hand.dealer
    assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()
    return {
        "table": said(
            r"is Peon\. · (dealer not written down|\w+ dealt)",
            client.get(reverse("table", args=[sitting.token])),
        ),
        "hands": next(
            cell for row in listed for cell in row if cell in {"not written down", *PEOPLE}
        ),
        "file": in_file,
        "hand": said(
            r"Dealt (not written down|\w+) ", client.get(reverse("hand", args=[sitting.pk, 1]))
        ),
        "sitting": said(
            r"Dealt (not written down|\w+) ", client.get(reverse("sitting", args=[sitting.pk]))
        ),
        **{
            column.lower(): {
                who: int(times) for who, times in counts[column].items() if times != "0"
            }
            for column in counts
        },
        "kept": hand.dealer,
    }


def report_by_page(client: Client, sitting: Sitting, number: int, **answers: object) -> None:
    """Send the sheet that lies on a table, as the page has it but for these answers."""
    path = reverse("table", args=[sitting.token])
    forms = Forms(client.get(path).text, path).forms
    [form] = [form for form in forms if form.fields.get("number") == [str(number)]][:1]
    answer = client.post(form.path, form.pressing("how", "save", **answers))
    assert answer.status_code in {302, 303}, words(answer)


def correct_by_page(client: Client, sitting: Sitting, number: int, **answers: object) -> Any:
    """FilePreview at a correction, and keep it if it is not refused; return the page that came last."""
    path = reverse("hand-correct", args=[sitting.pk, number])
    page, name = client.get(path), f"h{number}-number"
    for step in ("look", "keep"):
        [form] = [form for form in Forms(page.text, path).forms if name in form.fields]
        typed = {f"h{number}-{key}": answer for key, answer in answers.items()}
        page = client.post(path, form.pressing("step", step, reason="Asked them", **typed))
        if step == "look" and 'name="seen"' not in page.text:
            break
    return page


def named(who: str, place: int) -> dict[str, object]:
    return {
        "table": f"{who} dealt",
        "hands": who,
        "file": who,
        "hand": who,
        "sitting": who,
        "dealt": {who: 1},
        "dealt first": {who: 1},
        "kept": place,
    }


def test_every_page_says_that_nobody_wrote_down_who_dealt(scorer: Client, table: Sitting) -> None:
    report_by_page(scorer, table, 1, **ORDER)

    assert dealers(scorer, table) == UNKNOWN
    assert Sitting.objects.get().next_dealer == 1  # the last


def test_a_correction_names_who_dealt_and_takes_it_back(scorer: Client, table: Sitting) -> None:
    report_by_page(scorer, table, 1, **ORDER)

    correct_by_page(scorer, table, 1, order_0=1, order_2=2)
    assert (dealers(scorer, table), Hand.objects.get().sheet["order"]) == (UNKNOWN, [0, 2, 3, 1])

    correct_by_page(scorer, table, 1, dealer=2)
    assert dealers(scorer, table) == named("Juma", 2)

    kept = correct_by_page(scorer, table, 1, dealer="")
    assertRedirects(kept, reverse("sitting", args=[table.pk]))
    assert dealers(scorer, table) == UNKNOWN

    correct_sitting(sitting_id=table.pk, changes={1: RESTORE}, reason="x", by=make.actor())
    assert dealers(scorer, table) == named("Juma", 2)


def test_the_table_changes_it_as_a_correction_does(scorer: Client, table: Sitting) -> None:
    report_by_page(scorer, table, 1, **ORDER, dealer=3)
    assert dealers(scorer, table) == named("Baraka", 3)

    path = f"{reverse('table', args=[table.token])}?hand=1"
    [form] = [
        f for f in Forms(scorer.get(path).text, path).forms if f.fields.get("number") == ["1"]
    ]
    scorer.post(form.path, form.pressing("how", "save", dealer="", is_next="no"))

    assert dealers(scorer, table) == UNKNOWN


def test_whose_order_is_known_has_dealt_by_the_rules(scorer: Client, table: Sitting) -> None:
    report_by_page(scorer, table, 1, **ORDER, opening_0=2, opening_1=1, opening_2=4, opening_3=3)

    assert dealers(scorer, table) == named("Juma", 2)


def test_a_later_hand_cannot_be_left_without_a_dealer(scorer: Client, table: Sitting) -> None:
    make.report(table, {"order": [2, 0, 3, 1]})
    make.report(table, {"order": [2, 0, 3, 1], "dealer": 2})

    with pytest.raises(SheetError) as refusal:
        correct(table, 2, {"order": [2, 0, 3, 1], "dealer": None})

    assert (refusal.value.code, refusal.value.question) == ("dealer-known", "dealer")
    assert [hand.dealer for hand in Hand.objects.order_by("number")] == [None, 2]


def correct(sitting: Sitting, number: int, sheet: Any) -> None:
    correct_sitting(sitting_id=sitting.pk, changes={number: sheet}, reason="x", by=make.actor())


SHEETS: dict[str, dict[str, Any]] = {
    "albastini": {"eaten": [70, 50]},
    "briscola": {"points": [70, 50]},
    "mambassa": {"event": "normal", "payers": [0]},
}


@pytest.mark.parametrize("game", SHEETS)
def test_of_other_games_it_is_always_known_who_dealt(game: str) -> None:
    sitting = make.sitting(at=make.tournament(game))
    make.report(sitting, SHEETS[game])
    document = from_elsewhere(sitting.round.tournament)
    [hand] = document["stages"][0]["rounds"][0]["tables"][0]["hands"]
    hand["sheet"]["dealer"] = hand["dealer"] = None

    for write in (
        lambda: correct(sitting, 1, {**SHEETS[game], "dealer": None}),
        lambda: write_down(
            {sitting.pk: Paper(sheets={1: {"bare": "void", "dealer": None}}, seen=seen())},
            reason="x",
            by=make.actor(),
        ),
        lambda: import_tournament(
            club_id=make.club("Ilala").pk, content=pack(document), choices=None, by=make.actor()
        ),
    ):
        with pytest.raises(RuleError) as refusal, transaction.atomic():
            write()
        assert refusal.value.code in {"dealer-known", "dealer"}
    assert Hand.objects.get().dealer == 0


def seen() -> dict[int, int | None]:
    return dict(Hand.objects.values_list("number", "accepted_report"))


@pytest.mark.parametrize("sheet", [{"eaten": [70, 50], "dealer": 0}, {"eaten": [70, 50]}])
def test_the_database_keeps_no_unknown_dealer_that_the_sheet_names(sheet: dict[str, Any]) -> None:
    make.report(make.sitting(), {"eaten": [70, 50]})

    with (
        pytest.raises(IntegrityError, match="hand_dealer_unknown_by_its_sheet"),
        transaction.atomic(),
    ):
        Hand.objects.update(dealer=None, sheet=sheet)


def test_it_stays_unknown_whatever_becomes_of_the_hand_and_its_people(
    scorer: Client, table: Sitting
) -> None:
    """Taken back and brought back, struck and restored, swapped, taken over, merged and unmerged."""
    by, club = make.actor(device="a"), table.round.tournament.club
    make.report(table, {"order": [2, 0, 3, 1]}, device="a")
    take_back(token=table.token, number=1, by=by)
    assert "Draw for the deal" in words(scorer.get(reverse("table", args=[table.token])))
    bring_back(token=table.token, number=1, by=by)
    correct(table, 1, STRIKE)
    correct(table, 1, RESTORE)
    first, second, third, _ = table.seats.order_by("place")
    swap_seats(seats=(first.pk, second.pk), by=by)
    substitute(seat_id=third.pk, player_id=make.player("Ali", club=club).pk, by=by)
    gone, stays = make.player("Asha", club=club), make.player("Zuri", club=club)
    merged = merge_players(player_id=gone.pk, into_id=stays.pk, by=by)
    assert dealers(scorer, table) == UNKNOWN
    unmerge(log_entry_id=merged.pk, by=by)

    assert dealers(scorer, table) == UNKNOWN


def test_where_the_first_game_counts_for_nothing_the_next_is_drawn_for(
    scorer: Client, table: Sitting
) -> None:
    make.report(table, {"bare": "void"})

    assert "Draw for the deal" in words(scorer.get(reverse("table", args=[table.token])))
    report_by_page(scorer, table, 2, **ORDER)

    assert [hand.dealer for hand in Hand.objects.order_by("number")] == [None, None]
    assert SeatTally.objects.filter(key="dealt", amount__gt=0).count() == 0


def test_paper_says_nothing_of_who_dealt_and_can(scorer: Client, table: Sitting) -> None:
    path = reverse("paper", args=[table.pk])

    def type_in(**typed: object) -> None:
        [form] = [f for f in Forms(scorer.get(path).text, path).forms if "h1-seen" in f.fields]
        answer = scorer.post(path, form.pressing(**{f"h1-{key}": v for key, v in typed.items()}))
        assert answer.status_code in {302, 303}, words(answer)

    type_in(**ORDER)
    assert dealers(scorer, table) == UNKNOWN
    type_in(dealer=2)
    assert dealers(scorer, table) == named("Juma", 2)
    type_in(dealer="")

    assert dealers(scorer, table) == UNKNOWN


def test_a_file_takes_it_along(scorer: Client, table: Sitting) -> None:
    make.report(table, {"order": [2, 0, 3, 1]})
    make.report(table, {"order": [2, 0, 3, 1]})
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
    for model in (SeatTally, Tally):
        sums = model.objects.exclude(amount=0).order_by("pk")
        kept[model.__name__] = [*sums.values()]
    return kept


def test_dealers_that_an_earlier_version_invented_are_forgotten() -> None:
    """What it wrote is what is written now with the first place named in the sheets alone."""
    tournament = make.tournament("dalmuti", "4i")
    first = make.sitting(*PEOPLE, at=tournament)
    make.report(first, {"order": [2, 0, 3, 1]})
    make.report(first, {"order": [2, 0, 3, 1]})
    substitute(
        seat_id=first.seats.get(place=0).pk,
        player_id=make.player("Ali", club=tournament.club).pk,
        by=make.actor(),
    )
    others = [
        make.sitting("Ana", "Bela", "Cesar", "Dani", at=tournament),
        make.sitting(at=tournament),
        make.sitting(at=tournament),
        make.sitting(at=tournament),
        make.sitting(at=tournament),
    ]
    make.report(others[0], {"bare": [2, 0, 3, 1], "dealer": 0})  # named
    make.report(others[1], {"order": [2, 0, 3, 1], "opening": [1, 2, 3, 0]})  # known
    make.report(others[2], {"bare": "void"})
    make.report(others[2], {"bare": [2, 0, 3, 1]})
    make.report(others[3], {"order": [2, 0, 3, 1]})
    correct(others[3], 1, STRIKE)
    make.report(others[4], {"order": [2, 0, 3, 1]})
    tournament.rounds.update(state=RoundState.CLOSED)
    later = make.sitting("Asha", "Neema", "Ana", "Bela", at=tournament)
    make.report(later, {"order": [2, 0, 3, 1]})
    recount(tournament_id=tournament.pk, by=make.actor(), write=True)
    before = rows()
    unknown = [hand for hand in Hand.objects.all() if hand.dealer is None]
    assert len(unknown) == 6

    for hand in unknown:
        dealer = hand.session_before["dealer"]
        Hand.objects.filter(pk=hand.pk).update(
            dealer=dealer, sheet={**hand.sheet, "dealer": dealer}
        )
    assert recount(tournament_id=tournament.pk, by=make.actor(), write=True).findings
    assert rows() != before
    import_module("tracker.migrations.0011_unknown_dealers").forget_invented_dealers(apps, None)

    assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()
    after = rows()
    for kept in (before, after):
        for sitting in kept["Sitting"]:
            del sitting["revision"], sitting["last_at"]
    assert after == before
