"""The page people at a table stand in front of: asked, refused, saved, settled."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import seen_on
from tracker.models import (
    Hand,
    Issue,
    IssueKind,
    Player,
    Report,
    Role,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Verdict,
)
from tracker.nights.services.closing import close_round
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.seating.services.seat_swaps import substitute

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8), number=3)


def address(sitting: Sitting, name: str = "table", *args: int) -> str:
    return reverse(name, args=[sitting.token, *args])


def sheet(number: int = 1, **answers: Any) -> dict[str, Any]:
    return {"entry": str(uuid4()), "number": number, **answers}


def counted(number: int, ours: int, theirs: int, **more: Any) -> dict[str, Any]:
    return sheet(number, eaten_0=ours, eaten_1=theirs, **more)


def words(page: Any) -> str:
    """Return what a page says, without its markup."""
    plain = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))
    return plain.replace(" ,", ",")


def another_phone() -> Client:
    phone = Client()
    phone.cookies["kula_device"] = f"phone-{uuid4().hex[:8]}"
    return phone


# Asked ----------------------------------------------------------------------------------------


def test_head_says_table_round_hand_dealer_and_leader(client: Client, table: Sitting) -> None:
    page = words(client.get(address(table)))

    assert "Table 3 Round 1 · Hand 1 of 8" in page
    assert "Asha deals Neema leads" in page


def test_sides_are_called_by_their_people_in_the_order_of_the_paper(
    client: Client, table: Sitting
) -> None:
    page = words(client.get(address(table)))

    assert "How much did each side eat? A Asha & Juma B Neema & Baraka" in page


def test_who_deals_next_is_said_for_every_outcome(client: Client, table: Sitting) -> None:
    page = words(client.get(address(table)))

    assert "Who deals after this hand? If Asha & Juma win Juma" in page  # Asha has just dealt (R11)
    assert "If it is a tie Asha" in page  # the deal stays


def test_only_who_deals_now_has_the_badge(client: Client, table: Sitting) -> None:
    assert client.get(address(table)).text.count("dealer-badge") == 1


def test_button_speaks_without_a_script_too(client: Client, table: Sitting) -> None:
    assert "Save hand 1" in words(client.get(address(table)))


def test_first_visit_gives_the_phone_a_name_and_keeps_it(client: Client, table: Sitting) -> None:
    first = client.get(address(table)).cookies["kula_device"]
    again = client.get(address(table)).cookies

    assert (first["samesite"], first["httponly"], first["secure"]) == ("Lax", True, "")
    assert "kula_device" not in again


@pytest.mark.parametrize(
    ("game", "mode", "question"),
    [
        ("albastini", "2i", "How much did each player eat?"),
        ("albastini", "3i", "How much did each player eat?"),
        ("albastini", "4i", "How much did each player eat?"),
        ("albastini", "5i", "Which card was left over?"),
        ("albastini", "6t2", "How much did each side eat?"),
        ("albastini", "6t3", "How much did each side eat?"),
        ("briscola", "2i", "How many card points did each player take?"),
        ("briscola", "4t2", "How many card points did each side take?"),
        ("dalmuti", "5i", "In what order did they go out?"),
        ("dalmuti", "10i", "In what order did they go out?"),
        ("mambassa", "3i", "Who had the lowest hand and pays?"),
        ("mambassa", "8i", "How did the deal end?"),
    ],
)
def test_every_game_asks_its_own_questions(
    client: Client, game: str, mode: str, question: str
) -> None:
    page = client.get(address(make.sitting(at=make.tournament(game, mode))))

    assert question in words(page)


def test_draw_decides_who_deals_first_at_the_great_dalmuti(client: Client) -> None:
    page = words(client.get(address(make.sitting(at=make.tournament("dalmuti", "4i")))))

    assert "Draw for the deal" in page  # R2


def test_tokens_and_pool_are_shown(client: Client) -> None:
    page = client.get(address(make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))))

    assert "3 tokens in the pool" in words(page)  # R2
    assert page.text.count('aria-label="3 tokens"') >= 3


def test_a_deal_is_changed_from_the_tokens_that_it_was_played_for(client: Client) -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))
    for payers in ([1], [0, 1]):
        make.report(table, {"event": "normal", "payers": payers})
    for number, held in ((1, [3, 3, 3]), (2, [3, 2, 3]), (3, [2, 1, 3])):
        asked = who_pays(client.get(address(table), {"hand": number}))
        assert re.findall(r'aria-label="(\d) token', asked) == [str(each) for each in held]


def test_a_hand_is_changed_under_the_names_of_those_who_played_it(client: Client) -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))
    make.report(table, {"event": "normal", "payers": [1]})
    seat = table.seats.get(place=1)
    zuwena = make.player("Zuwena", club=seat.player.club)
    substitute(seat_id=seat.pk, player_id=zuwena.pk, by=make.actor())
    refused = client.post(address(table), sheet(1, event="normal"))
    assert "Neema" in who_pays(refused)
    assert "Zuwena" not in who_pays(refused)


def who_pays(page: Any) -> str:
    """Return what Mambassa's sheet asks of everybody, with its markup."""
    return str(page.text.split('id="q-payers"')[1].split("</fieldset>")[0])


@pytest.mark.parametrize("hands", [1, 3])
def test_page_costs_the_same_however_much_was_played(
    client: Client,
    table: Sitting,
    hands: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(1, hands + 1):
        client.post(address(table), counted(number, 70, 50))
        client.post(address(table, "table-query", number), {})

    with django_assert_num_queries(
        4
    ):  # the table with its people, its round, its hands, what is open
        client.get(address(table))


# Saved ----------------------------------------------------------------------------------------


def test_count_is_saved_and_said(client: Client, table: Sitting) -> None:
    answer = client.post(address(table), counted(1, 70, 50))
    page = words(client.get(answer.headers["Location"]))

    assert answer.status_code == 303
    assert "Hand 1 saved: 70–50, Asha & Juma win · 1 victory point Change (Hand 1)" in page
    assert "It is 2 if another side ate too little" in page
    assert "Juma deals ⇄ Asha Asha deals instead Baraka leads" in page


def test_sheet_carries_the_dealer_the_page_showed(client: Client, table: Sitting) -> None:
    shown = client.get(address(table))
    assert '<input type="hidden" name="shown" value="0"' in shown.text

    client.post(address(table), counted(1, 70, 50, dealer=0, shown=0))

    assert Report.objects.get().sheet == {"eaten": [70, 50], "dealer": 0}


def test_same_entry_twice_is_one_hand(client: Client, table: Sitting) -> None:
    fields = counted(1, 70, 50)

    answers = [client.post(address(table), fields).headers["Location"] for _ in range(3)]

    assert (len(set(answers)), Hand.objects.count()) == (1, 1)


def test_five_players_name_the_card_left_over_by_its_rank_alone(client: Client) -> None:
    five = make.sitting(*PEOPLE, "Zuhura", at=make.tournament("albastini", "5i"))
    eaten = {f"eaten_{side}": total for side, total in enumerate((40, 30, 27, 20, 0))}

    answer = client.post(address(five), sheet(1, **eaten, face_up="J"))

    assert "as=accepted" in answer.headers["Location"]  # 117: the Jack is nobody's (R9)
    assert Hand.objects.get().sheet["face_up"] == "J"


def test_very_card_wins_over_its_rank(client: Client) -> None:
    five = make.sitting(at=make.tournament("albastini", "5i"))
    eaten = {f"eaten_{side}": total for side, total in enumerate((40, 30, 27, 20, 0))}

    client.post(address(five), sheet(1, **eaten, face_up="J", face_up_exact="JS", trump="S"))

    assert Hand.objects.get().sheet["face_up"] == "JS"


def test_order_of_going_out_is_given_by_places(client: Client) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament("dalmuti", "4i"))

    answer = client.post(address(table), sheet(1, order_1="1", order_3="2", order_0="3"))
    page = words(client.get(answer.headers["Location"]))

    assert Hand.objects.get().sheet["order"] == [1, 3, 0, 2]
    assert "Neema is Dalmuti" in page
    assert "Juma deals" in page  # who went out last (D-4)
    assert "Neema now Dalmuti 1" in page
    assert "Juma now Peon 0" in page
    assert "So far Dalmuti: games out first" in page


def test_mambassa_asks_only_what_the_event_needs(client: Client) -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))

    client.post(address(table), sheet(1, event="normal", payers=["2"], declarer="1"))

    assert Hand.objects.get().sheet == {"event": "normal", "payers": [2], "dealer": 0}


def test_finishing_order_may_be_shared(client: Client) -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))

    client.post(address(table), sheet(1, how="bare", bare_0="1", bare_1="2", bare_2="2"))

    assert Hand.objects.get().sheet["bare"] == [0, [1, 2]]


def test_nobody_counted_but_somebody_won(client: Client, table: Sitting) -> None:
    client.post(address(table), sheet(1, how="bare", bare="1"))

    hand = Hand.objects.get()
    assert (hand.sheet["bare"], hand.kind) == (1, "bare")
    assert not Issue.objects.exists()


@pytest.mark.parametrize(("said", "stored"), [("none", None), ("void", "void")])
def test_a_tie_and_a_void_hand_are_results_too(
    client: Client, table: Sitting, said: str, stored: object
) -> None:
    client.post(address(table), sheet(1, how="bare", bare=said))

    assert Hand.objects.get().sheet["bare"] == stored


def test_void_game_of_an_order(client: Client) -> None:
    table = make.sitting(at=make.tournament("mambassa", "3i"))

    client.post(address(table), sheet(1, how="bare", bare_void="on"))

    assert Hand.objects.get().sheet["bare"] == "void"


def test_hand_that_will_not_add_up_is_parked_with_what_was_counted(
    client: Client, table: Sitting
) -> None:
    answer = client.post(address(table), counted(1, 70, 48, how="park", bare="0"))
    page = words(client.get(answer.headers["Location"]))

    assert "Hand 1 is with the organiser: Asha & Juma win · 1 victory point" in page
    assert "The totals make 118, not 120: 2 too few. Is a Queen missing?" in page
    assert Issue.objects.get().kind == IssueKind.PARKED
    assert Report.objects.get().sheet["eaten"] == [70, 48]


def test_last_hand_of_the_round_ends_it_calmly(client: Client) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=1))

    answer = client.post(address(table), counted(1, 70, 50))
    page = words(client.get(answer.headers["Location"]))

    assert "The hand is in" in page
    assert "Save hand 2" not in page


def test_so_far_adds_up_what_each_side_has(client: Client, table: Sitting) -> None:
    client.post(address(table), counted(1, 110, 10))  # Neema & Baraka are under 20
    client.post(address(table), counted(2, 50, 70))

    page = words(client.get(address(table)))

    assert "A Asha & Juma 2 B Neema & Baraka 1" in page


def test_hands_before_the_last_come_once_somebody_opens_them(
    client: Client, table: Sitting
) -> None:
    for number, ours in enumerate((110, 50, 70), start=1):
        client.post(address(table), counted(number, ours, 120 - ours))
    folded = client.get(f"{address(table)}?side=1")

    assert re.findall(r"Hand \d: \d+–\d+", words(folded)) == ["Hand 3: 70–50"]
    [link] = re.findall(r'href="(\S+)" data-unfold', folded.text)
    assert link == "?side=1&amp;hands=#hands-so-far"

    opened = client.get(address(table) + unescape(link))

    assert re.findall(r"Hand \d: \d+–\d+", words(opened)) == [
        "Hand 1: 110–10",
        "Hand 2: 50–70",
        "Hand 3: 70–50",
    ]
    assert "data-unfold" not in opened.text


# The last hand, in a line ---------------------------------------------------------------------


def line(page: Any) -> str:
    """Return what is said of the last hand."""
    said = re.search(r'<p class="news-says saved-what".*?</p>', page.text, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", said[0])).split()) if said else ""


def test_the_phone_that_wrote_a_hand_may_undo_it_however_it_comes_back(table: Sitting) -> None:
    phone, back = another_phone(), address(table, "table-take-back", 1)
    answer = phone.post(address(table), counted(1, 70, 50))

    for path in (answer.headers["Location"], address(table)):
        page = phone.get(path)
        assert line(page) == "Hand 1 saved: 70–50, Asha & Juma win · 1 victory point"
        assert "Undo (Hand 1)" in words(page)
        assert back in page.text
    assert "Undo" not in words(phone.get(address(table) + "?hand=1"))


def test_another_phone_is_told_where_the_last_hand_came_from(table: Sitting) -> None:
    another_phone().post(address(table), counted(1, 70, 50))

    page = another_phone().get(address(table))

    assert line(page) == "Hand 1, from another phone: 70–50, Asha & Juma win · 1 victory point"
    assert "Undo" not in words(page)


def test_what_the_organiser_wrote_down_is_from_no_phone(table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]}, device="")

    assert line(another_phone().get(address(table))) == ""


def test_a_hand_that_was_changed_is_not_taken_back_by_the_same_tap(table: Sitting) -> None:
    phone = another_phone()
    phone.post(address(table), counted(1, 70, 50))

    page = phone.get(phone.post(address(table), counted(1, 60, 60)).headers["Location"])

    assert line(page).startswith("Hand 1 changed: 60–60")
    assert "Change (Hand 1)" in words(page)
    assert "Undo" not in words(page)


def test_two_counts_are_one_line_until_somebody_opens_it(table: Sitting) -> None:
    ours, theirs = another_phone(), another_phone()
    ours.post(address(table), counted(1, 70, 50))
    theirs.post(address(table), counted(1, 50, 70, is_next="no"))

    page = ours.get(address(table)).text

    folded = re.search(
        r'<details class="news warn" id="conflict-\d+">(.*?)</details>', page, re.DOTALL
    )
    assert folded is not None
    summary, inside = folded[1].split("</summary>")
    assert "Hand 1: 70–50 or 50–70?" in summary
    assert "Settle" in summary
    assert "Take this one" in inside


def test_nobody_deals_instead_before_anything_was_played(client: Client, table: Sitting) -> None:
    assert " instead" not in words(client.get(address(table)))


@pytest.mark.parametrize(
    ("game", "mode", "said"),
    [
        ("briscola", "4t2", "After this deal, however it ends Neema deals"),
        ("mambassa", "4i", "After this deal, however it ends Neema deals"),
    ],
)
def test_who_deals_next_in_any_case_is_said_once(
    client: Client, game: str, mode: str, said: str
) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(game, mode))

    page = words(client.get(address(table)))

    assert said in page
    assert page.count("Neema deals") == 1
    assert "whoever wins" not in page


# Refused --------------------------------------------------------------------------------------


def test_refused_sheet_says_why_and_keeps_what_was_typed(client: Client, table: Sitting) -> None:
    fields = counted(1, 70, 48)

    page = client.post(address(table), fields)

    assert page.status_code == 200
    assert words(page).count("The totals make 118, not 120: 2 too few. Is a Queen missing?") == 1
    assert page.text.count('role="alert"') == 1
    assert 'value="70"' in page.text
    assert 'value="48"' in page.text
    assert f'value="{fields["entry"]}"' in page.text
    assert not Report.objects.exists()


def test_fault_of_one_side_stands_beside_it(client: Client, table: Sitting) -> None:
    page = client.post(address(table), counted(1, 119, 1))

    assert 'id="id_eaten_1_error"' in page.text
    assert words(page).count("No cards are worth exactly 1 point: it is 0, or 2 or more.") == 1


def test_letters_for_a_number_are_refused_and_kept(client: Client, table: Sitting) -> None:
    page = client.post(address(table), sheet(1, eaten_0="7o", eaten_1="50"))

    assert "This must be a whole number." in words(page)
    assert 'value="7o"' in page.text


def test_two_people_cannot_go_out_in_one_place(client: Client) -> None:
    table = make.sitting(at=make.tournament("dalmuti", "4i"))

    page = client.post(address(table), sheet(1, order_0="1", order_1="1", order_2="3"))

    assert "Two people cannot have the same place here." in words(page)


def test_a_place_may_not_be_skipped(client: Client) -> None:
    table = make.sitting(at=make.tournament("dalmuti", "4i"))

    page = client.post(address(table), sheet(1, order_0="1", order_1="2", order_2="4"))

    assert "A place before the last one is still empty." in words(page)


def test_parking_asks_who_won(client: Client, table: Sitting) -> None:
    page = client.post(address(table), counted(1, 70, 48, how="park"))

    assert "Say who won, so that the deal can pass on." in words(page)
    assert not Report.objects.exists()


def test_page_without_an_entry_asks_to_be_loaded_again(client: Client, table: Sitting) -> None:
    page = client.post(address(table), {"number": 1, "eaten_0": 70, "eaten_1": 50})

    assert "This page has grown old: load it again, please." in words(page)


def test_hand_that_runs_ahead_stays_on_the_phone(client: Client, table: Sitting) -> None:
    page = client.post(address(table), counted(3, 70, 50))

    assert "Hand 1 has not arrived yet" in words(page)


# Changed and told twice -----------------------------------------------------------------------


def test_change_starts_from_what_was_said(client: Client, table: Sitting) -> None:
    client.post(address(table), counted(1, 70, 50))

    page = client.get(address(table) + "?hand=1")

    assert "Change hand 1" in words(page)
    assert 'value="70"' in page.text
    assert 'name="number" value="1"' in page.text


def test_same_phone_amends(client: Client, table: Sitting) -> None:
    client.get(address(table))
    client.post(address(table), counted(1, 70, 50))

    answer = client.post(address(table), counted(1, 60, 60))

    assert "as=amends" in answer.headers["Location"]
    assert Hand.objects.get().sheet["eaten"] == [60, 60]


def test_other_side_agrees_and_the_hand_is_confirmed(table: Sitting) -> None:
    another_phone().post(address(table), counted(1, 70, 50, side="0"))

    answer = another_phone().post(address(table), counted(1, 70, 50, side="1"))

    assert "as=agrees" in answer.headers["Location"]
    assert Hand.objects.get().confirmed_at is not None


def test_phone_that_lags_is_asked_which_hand_it_means(table: Sitting) -> None:
    another_phone().post(address(table), counted(1, 70, 50))

    page = another_phone().post(address(table), counted(1, 64, 56))

    assert "Is this hand 1, or the next?" in words(page)
    assert 'name="eaten_0" value="64"' in page.text
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("game", "asked", "length", "one"),
    [
        ("albastini", "eaten", {"hands": 3}, "hand"),
        ("briscola", "points", {"games": 1, "options": {"match_wins": 3}}, "deal"),
    ],
)
def test_nothing_is_offered_to_follow_where_the_round_is_over(
    game: str, asked: str, length: dict[str, Any], one: str
) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(game, **length))
    ours, theirs = another_phone(), another_phone()
    for number in (1, 2, 3):
        ours.post(address(table), sheet(number, **{f"{asked}_0": 70, f"{asked}_1": 50}))
    another = sheet(3, **{f"{asked}_0": 80, f"{asked}_1": 40})

    over = words(theirs.post(address(table), another))
    seen = seen_on(ours.get(address(table)).text)
    ours.post(address(table, "table-take-back", 3), {"seen": seen})
    undone = words(theirs.post(address(table), another))

    assert f"Is this {one} 3? Table 1 · Round 1 All 3 {one}s are in: the round is over" in over
    assert f"It is {one} 3: we count differently Do not send it" in over
    assert "It is the next" not in over
    assert "Nothing is saved yet" not in over + undone
    # A round of hands ends with this one, a match may go on.
    assert ("Hand 3 is the last of this round." in undone) is (one == "hand")
    assert ("It is the next: deal 4, once 3 is in" in undone) is (one == "deal")


def test_it_was_the_next_hand_and_its_own_dealer_dealt_it(table: Sitting) -> None:
    another_phone().post(address(table), counted(1, 70, 50, dealer="0", shown="0"))

    answer = another_phone().post(
        address(table), counted(1, 64, 56, dealer="0", shown="0", is_next="yes")
    )

    second = Hand.objects.get(number=2)
    assert "saved=2&as=accepted" in answer.headers["Location"]
    assert second.dealer == 2  # Juma, and not the Asha that the old page showed


def test_two_counts_are_laid_side_by_side_and_settled_at_the_table(table: Sitting) -> None:
    ours, theirs = another_phone(), another_phone()
    ours.post(address(table), counted(1, 70, 50, side="0"))
    theirs.post(address(table), counted(1, 50, 70, side="1", is_next="no"))
    issue = Issue.objects.get()

    page = ours.get(address(table))
    assert "Hand 1: 70–50 or 50–70?" in words(page)
    assert "By Asha & Juma counts now" in words(page)
    assert "Hand 1, from another phone" not in words(theirs.get(address(table)))  # said above

    sent = {"outcome": "take", "seen": seen_on(page.text)}
    answer = ours.post(address(table, "table-settle", issue.pk), sent)

    assert answer.status_code == 303
    assert Hand.objects.get().sheet["eaten"] == [50, 70]
    assert "70–50 or 50–70?" not in words(ours.get(address(table)))


@pytest.mark.parametrize("outcome", ["keep", "take", "two"])
def test_closed_round_is_the_organisers_to_settle(table: Sitting, outcome: str) -> None:
    ours, theirs = another_phone(), another_phone()
    ours.post(address(table), counted(1, 70, 50))
    theirs.post(address(table), counted(1, 50, 70, is_next="no"))
    type(table.round).objects.update(state=RoundState.CLOSED)
    settling = address(table, "table-settle", Issue.objects.get().pk)

    page = ours.get(address(table))
    answer = words(ours.post(settling, {"outcome": outcome}, follow=True))

    assert "70–50 or 50–70?" in words(page)
    assert settling not in page.text
    assert "This round is closed: the organiser settles it now." in answer
    assert Issue.objects.get().settled_at is None
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_settling_twice_or_elsewhere_changes_nothing(client: Client, table: Sitting) -> None:
    ours, theirs = another_phone(), another_phone()
    ours.post(address(table), counted(1, 70, 50))
    theirs.post(address(table), counted(1, 50, 70, is_next="no"))
    issue = Issue.objects.get()
    stranger = make.sitting()

    client.post(address(stranger, "table-settle", issue.pk), {"outcome": "take"})
    client.post(address(table, "table-settle", issue.pk), {"outcome": "dismiss"})

    assert Issue.objects.get().settled_at is None
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_somebody_else_deals_by_one_tap(client: Client, table: Sitting) -> None:
    client.post(address(table), counted(1, 70, 50))

    answer = client.post(
        address(table, "table-dealer"), {"place": "0", "saved": "1", "as": "accepted"}
    )
    page = words(client.get(answer.headers["Location"]))

    assert "Asha deals ⇄ Juma Juma deals instead Neema leads" in page


def test_an_endless_notice_is_dropped_once_somebody_deals(client: Client, table: Sitting) -> None:
    sent = {"place": "0", "saved": "1", "as": "x" * 20_000}

    answer = client.post(address(table, "table-dealer"), sent)

    assert answer.headers["Location"] == f"{address(table)}?saved=1"


def test_who_may_not_deal_is_refused_in_a_sentence(client: Client, table: Sitting) -> None:
    client.post(address(table), counted(1, 70, 50))

    answer = client.post(address(table, "table-dealer"), {"place": "1"})

    assert "By the rules somebody else deals: choose one of those named." in words(
        client.get(answer.headers["Location"])
    )


def test_hand_can_be_queried(client: Client, table: Sitting) -> None:
    client.post(address(table), counted(1, 70, 50))

    answer = client.post(address(table, "table-query", 1), {"note": "We had 60"})
    page = words(client.get(answer.headers["Location"]))

    assert "The organiser will look at it." in page
    assert "with the organiser" in page
    assert Issue.objects.get().note == "We had 60"


# Closed, withdrawn, unknown -------------------------------------------------------------------


def test_late_hand_is_kept_and_the_way_on_is_shown(client: Client, table: Sitting) -> None:
    table.round.state = RoundState.CLOSED
    table.round.save()

    answer = client.post(address(table), counted(1, 70, 50))
    page = client.get(answer.headers["Location"])

    assert "Hand 1 came late: it is with the organiser" in words(page)
    assert reverse("my-table", args=[table.round.tournament.club_id]) in page.text
    assert Report.objects.get().verdict == Verdict.LATE


@pytest.mark.parametrize("state", [RoundState.OPEN, RoundState.CLOSED])
def test_the_next_round_is_led_to_once_it_is_open_at_this_table(
    client: Client, state: RoundState
) -> None:
    cup = make.tournament(hands=1)
    table = make.sitting(*PEOPLE, at=cup, number=3)
    make.report(table, {"eaten": [70, 50]})
    Round.objects.update(state=state)

    before = words(client.get(address(table)))
    later = make.sitting(
        "Ali", "Bibi", "Chui", "Dodo", at=make.tournament("briscola", club=cup.club)
    )
    elsewhere = words(client.get(address(table)))
    Sitting.objects.filter(pk=later.pk).update(table=table.table, number=3)
    page = client.get(address(table))

    led_on = "Go to this table’s next round"
    assert led_on not in before + elsewhere
    assert before.count("Where do I sit next?") == 1
    assert led_on in words(page)
    assert client.get(address(table, "table-next")).headers["Location"] == address(later)


@pytest.mark.parametrize(
    ("public", "role", "led_on"),
    [(True, None, True), (False, None, False), (False, Role.MEMBER, True)],
)
def test_a_closed_round_leads_on_to_what_its_reader_may_see(
    client: Client, table: Sitting, *, public: bool, role: Role | None, led_on: bool
) -> None:
    tournament = table.round.tournament
    tournament.club.public = public
    tournament.club.save()
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now())
    if role:
        client.force_login(make.user(role=role, club=tournament.club))

    page = client.get(address(table)).text

    links = [tournament.get_absolute_url(), reverse("my-table", args=[tournament.club_id])]
    assert [f'href="{link}"' in page for link in links] == [led_on, True]
    assert [client.get(link).status_code for link in links] == [200 if led_on else 404, 200]


def test_closed_round_says_how_many_are_in(client: Client, table: Sitting) -> None:
    for number in (1, 2):
        client.post(address(table), counted(number, 70, 50))
    type(table.round).objects.update(state=RoundState.CLOSED)

    assert "2 of 8 hands are in" in words(client.get(address(table)))


def test_hand_that_came_late_is_in_without_counting_yet(client: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now())
    client.post(address(table), counted(2, 60, 60))

    page = words(client.get(address(table)))

    assert "1 of 8 hands count so far" in page
    assert "of 8 hands are in" not in page


@pytest.mark.parametrize("hands", [1, 8])
def test_closed_round_that_lacks_hands_asks_for_them_first(client: Client, hands: int) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=hands))
    make.report(table, {"eaten": [70, 50]})
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now())

    page = client.get(address(table)).text

    actions = page.split('id="all-in"')[1].split("</section>")[0]
    missing, onwards = "Write down a missing hand", "Where do I sit next?"
    assert ("button primary" in actions) is (hands == 1)
    assert (actions.index(missing) < actions.index(onwards)) is (hands == 8)


def test_round_with_an_undone_hand_ends_with_the_number_of_its_last() -> None:
    table, phone = make.sitting(*PEOPLE, at=make.tournament(hands=2)), another_phone()
    for number in (1, 2):
        phone.post(address(table), counted(number, 70, 50))
    phone.post(address(table, "table-take-back", 2))

    page = phone.get(address(table))
    assert "Round 1 · Hand 2 of 2" in words(page)
    undone = re.search(r'name="undone" value="(\d+)"', page.text)
    assert undone

    phone.post(address(table), counted(2, 60, 60, undone=undone.group(1)))

    assert "All 2 hands are in" in words(phone.get(address(table)))
    assert [hand.number for hand in Hand.objects.filter(struck_at=None)] == [1, 2]


def test_hand_that_was_deleted_in_the_middle_is_not_called_one_too_many() -> None:
    """Its number stays used, as others were played after it."""
    table = make.sitting(*PEOPLE, at=make.tournament(hands=2))
    for _ in range(2):
        make.report(table, {"eaten": [70, 50]})
    correct_sitting(sitting_id=table.pk, changes={1: STRIKE}, reason="No", by=make.actor())

    page = words(another_phone().get(address(table)))

    assert "Round 1 · Hand 3 " in page
    assert "3 of 2" not in page


def test_hands_that_nobody_played_are_one_line_of_a_finished_round() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=8))
    for _ in range(2):
        make.report(table, {"eaten": [70, 50]})
    close_round(round_id=table.round_id, not_played=True, by=make.actor(at=timezone.now()))

    page = words(another_phone().get(address(table)))

    assert page.count("Round 1 is finished: 2 hands played, 6 not.") == 1
    assert "Hands 3–8 not played" in page
    assert "are in" not in page
    assert "Say that hand 2 is wrong" in page
    assert "Say that hand 3 is wrong" not in page


def test_closed_round_shows_results_and_no_sheet(client: Client, table: Sitting) -> None:
    table.round.state = RoundState.CLOSED
    table.round.save()

    page = client.get(address(table))

    assert "Round 1 · finished" in words(page)
    assert "No hands are in" in words(page)
    assert "data-sheet" not in page.text


def closed_long_ago(table: Sitting, *, ago: timedelta) -> None:
    """Let the table's round be over for so long, while a later one is played."""
    make.report(table, {"eaten": [70, 50]})
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - ago)
    make.round_of(table.round.tournament)


def test_a_closed_round_tells_its_table_for_half_an_hour(client: Client, table: Sitting) -> None:
    closed_long_ago(table, ago=timedelta(minutes=20))

    assert "Asha" in client.get(address(table)).text


def test_then_it_says_that_it_is_over_and_where_to_look(client: Client, table: Sitting) -> None:
    closed_long_ago(table, ago=timedelta(minutes=31))
    club = table.round.tournament.club

    pages = [
        client.get(address(table)),
        client.post(address(table), sheet(1, eaten_0="x")),
        client.post(address(table), {**counted(2, 70, 50), "how": "count"}),
        client.post(address(table, "table-check"), counted(2, 70, 50)),
        client.get(address(table, "enter-wins")),
        client.get(address(table, "table-next"), follow=True),
    ]

    assert [page.status_code for page in pages] == [200] * 6
    assert not any(name in page.text for page in pages for name in ("Asha", "Neema", "Juma"))
    assert "Round 1 is over" in words(pages[0])
    assert reverse("my-table", args=[club.pk]) in pages[0].text
    assert "Tell the organiser what was played." in words(pages[1])
    assert "kula_tables" not in client.cookies


def test_a_hand_typed_before_still_gets_in(client: Client, table: Sitting) -> None:
    closed_long_ago(table, ago=timedelta(hours=2))

    answer = client.post(address(table), counted(2, 70, 50))
    page = client.get(answer.headers["Location"])

    assert answer.status_code == 303
    assert "Sent late; waiting for the organiser." in words(page)
    assert Report.objects.filter(verdict=Verdict.LATE).count() == 1
    assert Issue.objects.get().kind == IssueKind.LATE


def test_a_flood_of_late_hands_is_stopped_and_said(client: Client, table: Sitting) -> None:
    closed_long_ago(table, ago=timedelta(hours=2))
    most = 2 * (table.round.hands or 0)

    answers = [client.post(address(table), counted(number, 70, 50)) for number in range(2, 60)]

    assert [answer.status_code for answer in answers] == [303] * most + [200] * (58 - most)
    assert "Enough came late from this table." in words(answers[-1])
    assert Issue.objects.count() == most


def test_nobody_asks_about_hands_of_a_round_long_over(client: Client, table: Sitting) -> None:
    closed_long_ago(table, ago=timedelta(hours=2))

    client.post(reverse("table-query", args=[table.token, 1]), {"note": "really?"})

    assert Issue.objects.count() == 0


@pytest.mark.parametrize(("hours", "over"), [(1, False), (13, True)])
def test_the_last_round_is_quiet_by_the_morning(
    client: Client, table: Sitting, hours: int, *, over: bool
) -> None:
    ago = timezone.now() - timedelta(hours=hours)
    Round.objects.update(state=RoundState.CLOSED, closed_at=ago)

    assert ("Asha" not in client.get(address(table)).text) is over


@pytest.mark.parametrize("path", ["table", "table-check"])
def test_withdrawn_address_refuses_and_says_where_to_go(
    client: Client, table: Sitting, path: str
) -> None:
    table.token_state = TokenState.REVOKED
    table.save()

    page = client.post(address(table, path), counted(1, 70, 50))

    assert page.status_code == 410
    assert "Scan the table’s card again" in words(page)


@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_address_is_a_friendly_404(client: Client, method: str) -> None:
    page = getattr(client, method)(reverse("table", args=["forged"]))

    assert page.status_code == 404
    assert "Scan the card on your table again" in words(page)


# Said before it is saved ----------------------------------------------------------------------


def test_check_says_what_a_sheet_comes_to_and_stores_nothing(
    client: Client, table: Sitting
) -> None:
    answer = client.post(address(table, "table-check"), counted(1, 110, 10))

    assert "Asha & Juma win · 2 victory points" in words(answer)
    assert 'data-brief="Asha &amp; Juma win · 2 VP"' in answer.text
    assert "Neema & Baraka are under 20" in words(answer)
    assert "110–10" in words(answer)
    assert not Report.objects.exists()


def test_check_says_what_is_wrong(client: Client, table: Sitting) -> None:
    answer = client.post(address(table, "table-check"), counted(1, 70, 48))

    assert 'data-told="bad"' in answer.text
    assert "Is a Queen missing?" in words(answer)


def test_check_costs_two_queries(
    client: Client, table: Sitting, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):  # the table with its people
        client.post(address(table, "table-check"), counted(1, 70, 50))


def test_long_names_are_short_at_the_table_and_told_apart(client: Client) -> None:
    table = make.sitting("Juma Kapera Hassan", "Neema", "Juma Rashidi Mwinyi", "Baraka Josephat")

    page = words(client.get(address(table)))

    assert "Juma H. & Juma M." in page
    assert "Neema & Baraka" in page


def test_whoever_asked_to_be_forgotten_is_called_so_in_full(client: Client) -> None:
    table = make.sitting("A former player", "Neema", "Juma Rashidi Mwinyi", "Baraka")
    Player.objects.filter(name="A former player").update(erased_at=make.NOON)

    assert "A former player & Juma" in words(client.get(address(table)))
