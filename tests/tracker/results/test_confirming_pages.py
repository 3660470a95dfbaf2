"""Two phones at one table: which side each is, yes or no, the last hand changed and taken back."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import seen_on
from tracker.models import Confirm, Hand, Issue, Role, Round, RoundState, Sitting

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
RIGHT = "Asha & Juma 70, Neema & Baraka 50: is that right?"
WAITS = "Neema & Baraka must still say yes"


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8, confirm=Confirm.BOTH), number=3)


def address(sitting: Sitting, name: str = "table", *args: int) -> str:
    return reverse(name, args=[sitting.token, *args])


def words(page: Any) -> str:
    """Return what a page says, without its markup."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text))).replace(" ,", ",")


class Phone(Client):
    """A phone that has come to a table by its card, and speaks for a side of it, if it said so."""

    def __init__(self, table: Sitting, side: int | None = None) -> None:
        super().__init__()
        self.table = table
        self.get(address(table))
        if side is not None:
            self.post(address(table, "table-side"), {"side": side})

    def reads(self, query: str = "") -> str:
        return words(self.get(address(self.table) + query))

    def writes(self, number: int, ours: int, theirs: int, **more: Any) -> Any:
        side = self.cookies["kula_side"].value if "kula_side" in self.cookies else ""
        sheet = {"entry": str(uuid4()), "number": number, "eaten_0": ours, "eaten_1": theirs}
        return self.post(address(self.table), {**sheet, "side": side, **more}, follow=True)

    def confirms(self, number: int = 1, **more: Any) -> str:
        seen = Hand.objects.get(number=number).accepted_report_id
        sent = {"seen": seen, **more}
        return words(self.post(address(self.table, "table-confirm", number), sent, follow=True))

    def settles(self, outcome: str, seen: object = None) -> str:
        """Choose between two counts, by the page as it is or as it was *seen*."""
        seen = seen or Hand.objects.get(number=1).accepted_report_id
        path = address(self.table, "table-settle", Issue.objects.get().pk)
        return words(self.post(path, {"outcome": outcome, "seen": seen}, follow=True))


def test_phone_is_asked_once_which_side_it_is_and_keeps_it_for_this_table(table: Sitting) -> None:
    phone = Phone(table)
    first = phone.reads()
    assert "Which side are you?" in first
    assert "How much did each side eat?" not in first

    answer = phone.post(address(table, "table-side"), {"side": "1"})

    assert (answer.status_code, answer.cookies["kula_side"]["path"]) == (303, address(table))
    then = phone.reads()
    assert "Which side are you?" not in then
    assert "This phone is with Neema & Baraka." in then
    assert '<option value="1" selected>' in phone.get(address(table)).text
    assert "Which side are you?" in phone.reads("?speak")  # they change their mind


def test_phone_without_cookies_is_believed_by_its_address(table: Sitting) -> None:
    answer = Client().post(address(table, "table-side"), {"side": "1"})

    page = words(Client().get(answer.headers["Location"]))

    assert "This phone is with Neema & Baraka." in page
    assert "How much did each side eat?" in page


def test_only_phone_of_a_table_waits_for_the_organiser(table: Sitting) -> None:
    phone = Phone(table)
    phone.post(address(table, "table-side"), {"side": ""})

    page = phone.writes(1, 70, 50)

    assert "the organiser must still say yes" in words(page)
    assert "This phone is with the whole table." in words(page)


def test_where_one_report_is_enough_nobody_is_asked_anything() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=8))
    phone = Phone(table)
    phone.writes(1, 70, 50, side="0")

    for page in (phone.reads(), Phone(table, 1).reads()):
        assert not any(
            said in page for said in ("Which side are you", "is that right?", "must still say yes")
        )


def test_no_line_ends_between_a_side_and_its_count(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)

    asked = theirs.get(address(table)).text

    assert "Juma\N{NO-BREAK SPACE}70, Neema &amp; Baraka\N{NO-BREAK SPACE}50" in asked


def test_other_side_is_asked_and_confirms_by_one_tap(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)

    saved = words(ours.writes(1, 70, 50))
    asked = theirs.reads()
    thanks = theirs.confirms()

    assert saved.split("So far")[0].count(WAITS) == 1  # said once
    assert RIGHT not in saved
    assert RIGHT in asked
    assert "waits for you" in asked
    assert "Thank you: your counts agree." in thanks
    assert RIGHT not in thanks
    assert "confirmed" in ours.reads()
    assert Hand.objects.get().confirmed_at is not None


def test_next_hand_may_be_played_while_the_last_waits(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)

    page = words(ours.writes(2, 64, 56))

    assert f"Hand 1: {WAITS}" in page
    assert page.split("So far")[0].count(WAITS) == 2
    asked = theirs.reads()
    assert RIGHT in asked
    assert "Asha & Juma 64, Neema & Baraka 56: is that right?" in asked


def test_phone_that_wrote_it_cannot_say_yes_for_the_others(table: Sitting) -> None:
    ours = Phone(table, 0)
    ours.writes(1, 70, 50)

    refused = ours.confirms(side="1")

    assert "Your own side wrote this down" in refused
    assert Hand.objects.get().confirmed_at is None


def test_what_was_changed_meanwhile_is_asked_again(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)
    seen = Hand.objects.get().accepted_report_id
    ours.writes(1, 60, 60)

    page = theirs.confirms(seen=seen)

    assert "It has been changed meanwhile. Look at it again." in page
    assert "Asha & Juma 60, Neema & Baraka 60: is that right?" in page
    assert "It has been changed meanwhile." in theirs.confirms(seen=1_234_567)


@pytest.mark.parametrize(("eaten", "said"), [((50, 70), "conflicts"), ((70, 50), "agrees")])
def test_no_leads_to_a_sheet_of_its_own(table: Sitting, eaten: tuple[int, int], said: str) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)
    ours.writes(2, 70, 50)  # also when it is not the last any more

    page = theirs.get(address(table) + "?hand=1&own")
    assert 'name="is_next" value="no"' in page.text
    assert "Our count of hand 1" in words(page)
    assert 'value="70"' not in page.text  # the second would be an echo
    answer = theirs.writes(1, *eaten, is_next="no")

    assert f"as={said}" in answer.redirect_chain[-1][0]
    assert (Hand.objects.get(number=1).confirmed_at is not None) is (said == "agrees")
    if said == "conflicts":
        shown = ours.reads()
        assert "Hand 1: 70–50 or 50–70?" in shown
        assert "you have played on: the organiser settles it" in shown
        assert "Keep this one" not in shown


@pytest.mark.parametrize(("side", "outcome"), [(0, "take"), (1, "keep")])
def test_who_gives_way_has_confirmed_it(table: Sitting, side: int, outcome: str) -> None:
    phones = Phone(table, 0), Phone(table, 1)
    phones[0].writes(1, 70, 50)
    phones[1].writes(1, 50, 70, is_next="no")

    phones[side].settles(outcome)

    hand = Hand.objects.get()
    assert hand.sheet["eaten"] == ([50, 70] if outcome == "take" else [70, 50])
    assert hand.confirmed_at is not None


@pytest.mark.parametrize(("side", "outcome"), [(0, "keep"), (1, "take")])
@pytest.mark.parametrize("both", [True, False])
def test_no_phone_decides_for_what_it_sent_itself(
    table: Sitting, plain: Sitting, both: bool, side: int, outcome: str
) -> None:
    at = table if both else plain
    phones = Phone(at, 0), Phone(at, 1)
    phones[0].writes(1, 70, 50)
    phones[1].writes(1, 50, 70, is_next="no")

    page = phones[side].get(address(at))
    answer = phones[side].settles(outcome)

    assert [value for value in ("keep", "take") if f'value="{value}"' in page.text] == [
        "take" if outcome == "keep" else "keep"
    ]
    assert "Sent from this phone: whoever sent the other one can take it." in words(page)
    assert "This phone sent that count itself" in answer
    assert Issue.objects.get().settled_at is None
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_receipt_says_what_counts_by_now(plain: Sitting) -> None:
    ours, theirs = Phone(plain, 0), Phone(plain, 1)
    ours.writes(1, 70, 50)
    disputed = words(theirs.writes(1, 50, 70, is_next="no"))
    assert "both counts are kept" in disputed

    ours.settles("take")

    assert "Hand 1 was changed after you saved it. Now: 50–70" in ours.reads("?saved=1&as=accepted")
    assert "Hand 1 is settled: 50–70" in theirs.reads("?saved=1&as=conflicts")


def test_receipt_calls_nothing_settled_that_another_side_has_yet_to_agree_to(
    table: Sitting,
) -> None:
    ours = Phone(table, 0)
    ours.writes(1, 70, 50)

    receipt = ours.reads("?saved=1&as=proposes")

    assert "Hand 1, for now: 70–50" in receipt
    assert "Neema & Baraka must still say yes" in receipt
    assert "settled" not in receipt


@pytest.mark.parametrize("outcome", ["keep", "take", "two"])
def test_old_page_settles_nothing_that_was_changed_since(table: Sitting, outcome: str) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)
    theirs.writes(1, 50, 70, is_next="no")
    page = theirs.get(address(table))
    seen = re.findall(r'name="seen" value="(\d+)"', page.text)
    ours.writes(1, 115, 5)

    answer = theirs.settles(outcome, seen[-1])

    assert "70–50 or 50–70?" in words(page)
    assert "It has been changed meanwhile. Look at it again." in answer
    assert "115–5 or 50–70?" in answer
    assert (Hand.objects.get().sheet["eaten"], Hand.objects.get().confirmed_at) == ([115, 5], None)
    assert Issue.objects.get().settled_at is None


def test_everybody_alone_is_asked_who_they_are_and_sees_the_whole_answer() -> None:
    tournament = make.tournament("dalmuti", "4i", confirm=Confirm.BOTH)
    table = make.sitting(*PEOPLE, at=tournament)
    make.report(table, {"order": [2, 0, 1, 3]}, device="somebody", side=0)

    assert "Who are you?" in Phone(table).reads()
    page = Phone(table, 3).reads()

    assert "is that right?" in page
    assert "Juma, Asha, Neema, Baraka" in page
    assert "another player must still say yes" in Phone(table, 0).reads()


@pytest.mark.parametrize("hands", [1, 3])
def test_asking_costs_no_query(
    table: Sitting, hands: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    theirs = Phone(table, 1)
    for _ in range(hands):
        make.report(table, {"eaten": [70, 50]}, device="a", side=0)

    with django_assert_num_queries(5):  # as the page of a table where nobody confirms
        theirs.get(address(table))


def test_closed_round_asks_nothing(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)
    Round.objects.update(state=RoundState.CLOSED)

    assert "is that right?" not in theirs.reads()
    assert "This round is closed: the organiser confirms it now." in theirs.confirms()


# The last hand ---------------------------------------------------------------------------------


@pytest.fixture
def plain() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8))


def test_last_hand_can_be_changed_also_after_a_reload_and_older_ones_are_asked_for(
    plain: Sitting,
) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50)
    assert "Change hand 1" in phone.reads()

    saved = words(phone.writes(2, 64, 56))

    assert "Undo (Hand 2)" in saved
    page = phone.reads()
    assert "Change hand 2" in page
    assert "Ask the organiser to change hand 1" in phone.reads("?hands")
    assert "Hand 1 saved" not in phone.reads("?saved=1&as=accepted")
    assert " Change hand 1 " not in Phone(plain).reads()


def test_older_hand_is_asked_for_and_the_organiser_sees_both(
    client: Client, plain: Sitting
) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50)
    phone.writes(2, 64, 56)
    sheet = phone.reads("?hand=1")
    assert "Ask the organiser to change hand 1" in sheet
    assert "The organiser sees both and decides" in sheet

    answer = words(phone.writes(1, 50, 70, is_next="no"))

    assert "Hand 1: the organiser is asked to change it. Until then: 70–50" in answer
    assert "Hand 1: change 70–50 to 50–70? · with the organiser" in answer
    client.force_login(make.user(role=Role.ORGANISER, club=plain.round.tournament.club))
    desk = words(client.get(reverse("desk", args=[plain.round.tournament_id])))
    assert "Table 1, Hand 1 the table asks to change it" in desk
    issue = reverse("issue", args=[Issue.objects.get().pk])
    page = client.get(issue)
    assert "Hand 1: change 70–50 to 50–70?" in words(page)
    assert "<h1>Hand 1: change 70–\u206050 to 50–\u206070?</h1>" in page.text  # whole
    assert words(page).count("This one counts") == 2
    sent = {"outcome": "take", "reason": "They are right", "seen": seen_on(page.text)}
    client.post(issue, sent)
    assert Hand.objects.get(number=1).sheet["eaten"] == [50, 70]
    assert "Hand 1 is settled: 50–70" in phone.reads("?saved=1&as=proposes")


def test_table_takes_its_last_hand_back_and_brings_it_back(plain: Sitting) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50)
    back = address(plain, "table-take-back", 1)

    page = phone.post(back, follow=True)
    gone, other = words(page), Phone(plain).reads()
    assert "Hand 1 was undone. Bring it back" in gone
    assert "Asha deals" in gone
    assert "Save hand 1" in gone
    assert re.findall(r'name="eaten_\d" value="(\d+)"', page.text) == ["70", "50"]
    assert "Hand 1 was undone: write it down again." in other
    assert "Bring it back" not in other
    assert "Hands 1" not in gone + other

    there = words(phone.post(back, {"do": "bring"}, follow=True))
    assert "Juma deals" in there
    assert "Take hand 1 back" in there
    other = words(Phone(plain).post(back, follow=True))
    assert "Another phone wrote this down" in other


def test_hand_of_the_number_taken_back_is_asked_about_and_gets_in(plain: Sitting) -> None:
    phone, other = Phone(plain), Phone(plain)
    phone.writes(1, 50, 70)
    phone.post(address(plain, "table-take-back", 1))

    asked = other.writes(1, 70, 51, is_next="no")
    undone = re.search(r'name="undone" value="(\d+)"', asked.text)
    assert undone
    says = words(asked)
    assert "Hand 1 was undone at this table: 50–70" in says
    assert "It is hand 1" in says
    assert "It is the next: hand 2, once 1 is in" in says
    assert "we count differently" not in says
    assert "Hand 1 has not arrived yet" in words(
        other.writes(1, 70, 50, is_next="yes", undone=undone.group(1))
    )

    wrong = other.writes(1, 70, 51, is_next="no", undone=undone.group(1))
    assert "Save hand 1" in words(wrong)
    assert re.search(r'name="number" value="1"', wrong.text)
    assert "Hand 1 saved" in words(other.writes(1, 70, 50, is_next="no", undone=undone.group(1)))
    assert [hand.number for hand in Hand.objects.filter(struck_at=None)] == [1]


# The organiser ---------------------------------------------------------------------------------


def test_organiser_sees_for_whom_hands_wait_and_confirms_them(
    client: Client, table: Sitting
) -> None:
    for _ in range(2):
        make.report(table, {"eaten": [70, 50]}, device="a", side=0)
    tournament = table.round.tournament
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))

    assert "2 results not confirmed" in words(client.get(reverse("desk", args=[tournament.pk])))
    listed = words(client.get(reverse("hands", args=[tournament.pk])))
    assert "Neema & Baraka must still say yes" in listed
    path = reverse("sitting", args=[table.pk])
    page = words(client.get(path))
    assert "2 results not confirmed" in page
    assert "Hand 1 Asha & Juma 70, Neema & Baraka 50 Neema & Baraka must still say yes" in page

    said = words(client.post(f"{path}confirm/", {"number": ["1", "x"]}, follow=True))

    assert "1 result is confirmed." in said
    desk = words(client.get(reverse("desk", args=[tournament.pk])))
    assert "1 result: Neema & Baraka must still say yes" in desk
    assert [hand.number for hand in Hand.objects.unconfirmed()] == [2]


def test_organiser_who_looked_before_a_change_confirms_nothing(
    client: Client, table: Sitting
) -> None:
    make.report(table, {"eaten": [70, 50]}, device="a", side=0)
    client.force_login(make.user(role=Role.ORGANISER, club=table.round.tournament.club))
    path = reverse("sitting", args=[table.pk])
    seen = re.findall(r'name="seen" value="(\d+)"', client.get(path).text)
    make.report(table, {"eaten": [50, 70]}, number=1, device="a", side=0)

    said = words(client.post(f"{path}confirm/", {"number": ["1"], "seen": seen}, follow=True))

    assert len(seen) == 1
    assert "0 results are confirmed." in said
    assert "Hand 1 Asha & Juma 50, Neema & Baraka 70 Neema & Baraka must still say yes" in said
