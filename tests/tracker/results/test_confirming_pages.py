"""Two phones at one table: which side each is, yes or no, the last hand changed and taken back."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.reading import lacks, seen_on, shows, words
from tests.tracker.results.phones import Phone, Phones
from tests.tracker.results.stored import eaten
from tracker.models import Confirm, Hand, Issue, Round, RoundState, Sitting, Tournament

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
RIGHT = "Asha & Juma 70, Neema & Baraka 50: is that right?"
WAITS = "Neema & Baraka must still say yes"
CHANGED = "It has been changed meanwhile. Look at it again."


@pytest.fixture
def table(table: Sitting) -> Sitting:
    """Return the table, where both sides must agree."""
    Tournament.objects.update(confirm=Confirm.BOTH)
    return table


@pytest.fixture
def phones(table: Sitting) -> Phones:
    """Return a phone of each side; the first has written down hand 1."""
    return first_hand_at(table)


@pytest.fixture
def plain() -> Sitting:
    """Return a table where one report is enough."""
    return make.sitting(*PEOPLE, at=make.tournament(hands=8))


def first_hand_at(table: Sitting) -> Phones:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    ours.writes(1, 70, 50)
    return ours, theirs


def is_confirmed(number: int = 1) -> bool:
    return Hand.objects.get(number=number).confirmed_at is not None


def test_phone_is_asked_once_which_side_it_is_and_keeps_it_for_this_table(table: Sitting) -> None:
    phone = Phone(table)
    first = phone.reads()
    assert "Which side are you?" in first
    assert "How much did each side eat?" not in first
    answer = phone.post(phone.at("table-side"), {"side": "1"})
    assert (answer.status_code, answer.cookies["kula_side"]["path"]) == (303, phone.path)
    then = phone.get(phone.path)
    shows(then, "This phone is with Neema & Baraka.", '<option value="1" selected>')
    lacks(then, "Which side are you?")
    assert "Which side are you?" in phone.reads("?speak")  # they change their mind


def test_phone_without_cookies_is_believed_by_its_address(table: Sitting) -> None:
    answer = Client().post(Phone(table).at("table-side"), {"side": "1"})
    page = words(Client().get(answer.headers["Location"]))
    shows(page, "This phone is with Neema & Baraka.", "How much did each side eat?")


def test_only_phone_of_a_table_waits_for_the_organiser(table: Sitting) -> None:
    phone = Phone(table)
    phone.post(phone.at("table-side"), {"side": ""})
    page = words(phone.writes(1, 70, 50))
    shows(page, "the organiser must still say yes", "This phone is with the whole table.")


def test_where_one_report_is_enough_nobody_is_asked_anything(plain: Sitting) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50, side="0")
    for page in (phone.reads(), Phone(plain, 1).reads()):
        for asked in ("Which side are you", "is that right?", "must still say yes"):
            assert asked not in page


def test_other_side_is_asked_and_confirms_by_one_tap(table: Sitting) -> None:
    ours, theirs = Phone(table, 0), Phone(table, 1)
    saved = words(ours.writes(1, 70, 50))
    page = theirs.get(theirs.path)
    thanks = theirs.confirms()

    assert saved.split("So far")[0].count(WAITS) == 1  # said once
    assert RIGHT not in saved
    assert RIGHT in words(page)
    no_break = "Juma\N{NO-BREAK SPACE}70, Neema &amp; Baraka\N{NO-BREAK SPACE}50"
    assert no_break in page.text  # no line ends between a side and its count
    assert "waits for you" in words(page)
    assert "Thank you: your counts agree." in thanks
    assert RIGHT not in thanks
    assert "confirmed" in ours.reads()
    assert is_confirmed()


def test_next_hand_may_be_played_while_the_last_waits(phones: Phones) -> None:
    ours, theirs = phones
    page = words(ours.writes(2, 64, 56))
    assert f"Hand 1: {WAITS}" in page
    assert page.split("So far")[0].count(WAITS) == 2
    shows(theirs.reads(), RIGHT, "Asha & Juma 64, Neema & Baraka 56: is that right?")


def test_phone_that_wrote_it_cannot_say_yes_for_the_others(phones: Phones) -> None:
    assert "Your own side wrote this down" in phones[0].confirms(side="1")
    assert not is_confirmed()


def test_what_was_changed_meanwhile_is_asked_again(phones: Phones) -> None:
    ours, theirs = phones
    seen = Hand.objects.get().accepted_report_id
    ours.writes(1, 60, 60)
    shows(theirs.confirms(seen=seen), CHANGED, "Asha & Juma 60, Neema & Baraka 60: is that right?")
    assert CHANGED in theirs.confirms(seen=1_234_567)


@pytest.mark.parametrize(("counts", "said"), [((50, 70), "conflicts"), ((70, 50), "agrees")])
def test_no_leads_to_a_sheet_of_its_own(phones: Phones, counts: tuple[int, int], said: str) -> None:
    ours, theirs = phones
    ours.writes(2, 70, 50)  # also when it is not the last any more

    page = theirs.get(theirs.path + "?hand=1&own")
    assert 'name="is_next" value="no"' in page.text
    assert "Our count of hand 1" in words(page)
    assert 'value="70"' not in page.text  # the second would be an echo

    assert f"as={said}" in theirs.writes(1, *counts, is_next="no").redirect_chain[-1][0]
    assert is_confirmed() is (said == "agrees")
    if said == "conflicts":
        shown = ours.reads()
        shows(shown, "Hand 1: 70–50 or 50–70?", "you have played on: the organiser settles it")
        lacks(shown, "Keep this one")


@pytest.mark.parametrize(("side", "outcome"), [(0, "take"), (1, "keep")])
def test_who_gives_way_confirms_it(phones: Phones, side: int, outcome: str) -> None:
    phones[1].writes(1, 50, 70, is_next="no")
    phones[side].settles(outcome)
    assert eaten() == ([50, 70] if outcome == "take" else [70, 50])
    assert is_confirmed()


@pytest.mark.parametrize("confirm", Confirm)
def test_no_phone_decides_for_what_it_sent_itself(table: Sitting, confirm: Confirm) -> None:
    Tournament.objects.update(confirm=confirm)
    ours, theirs = first_hand_at(table)
    theirs.writes(1, 50, 70, is_next="no")
    for phone, mine, other in ((ours, "keep", "take"), (theirs, "take", "keep")):
        page = phone.get(phone.path)
        assert re.findall(r'value="(keep|take)"', page.text) == [other]
        shows(page, "Sent from this phone: whoever sent the other one can take it.")
        shows(phone.settles(mine), "This phone sent that count itself")
    assert Issue.objects.get().settled_at is None
    assert eaten() == [70, 50]


def test_receipt_says_what_counts_by_now(plain: Sitting) -> None:
    ours, theirs = first_hand_at(plain)
    assert "both counts are kept" in words(theirs.writes(1, 50, 70, is_next="no"))
    ours.settles("take")
    assert "Hand 1 was changed after you saved it. Now: 50–70" in ours.reads("?saved=1&as=accepted")
    assert "Hand 1 is settled: 50–70" in theirs.reads("?saved=1&as=conflicts")


def test_receipt_calls_nothing_settled_that_waits_for_another_side(phones: Phones) -> None:
    receipt = phones[0].reads("?saved=1&as=proposes")
    shows(receipt, "Hand 1, for now: 70–50", WAITS)
    lacks(receipt, "settled")


@pytest.mark.parametrize("outcome", ["keep", "take", "two"])
def test_old_page_settles_nothing_changed_since(phones: Phones, outcome: str) -> None:
    ours, theirs = phones
    theirs.writes(1, 50, 70, is_next="no")
    page = theirs.get(theirs.path)
    ours.writes(1, 115, 5)
    answer = theirs.settles(outcome, re.findall(r'name="seen" value="(\d+)"', page.text)[-1])
    assert "70–50 or 50–70?" in words(page)
    shows(answer, CHANGED, "115–5 or 50–70?")
    assert (eaten(), is_confirmed()) == ([115, 5], False)
    assert Issue.objects.get().settled_at is None


def test_everybody_alone_is_asked_who_they_are_and_sees_the_whole_answer() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament("dalmuti", "4i", confirm=Confirm.BOTH))
    make.report(table, {"order": [2, 0, 1, 3]}, device="somebody", side=0)
    assert "Who are you?" in Phone(table).reads()
    shows(Phone(table, 3).reads(), "is that right?", "Juma, Asha, Neema, Baraka")
    assert "another player must still say yes" in Phone(table, 0).reads()


def test_closed_round_asks_nothing(phones: Phones) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    assert "is that right?" not in phones[1].reads()
    assert "This round is closed: the organiser confirms it now." in phones[1].confirms()


# The last hand ---------------------------------------------------------------------------------


def test_last_hand_is_changed_after_a_reload_and_older_ones_asked_for(plain: Sitting) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50)
    assert "Change hand 1" in phone.reads()
    assert "Undo (Hand 2)" in words(phone.writes(2, 64, 56))
    assert "Change hand 2" in phone.reads()
    assert "Ask the organiser to change hand 1" in phone.reads("?hands")
    assert "Hand 1 saved" not in phone.reads("?saved=1&as=accepted")
    assert " Change hand 1 " not in Phone(plain).reads()


def test_older_hand_is_asked_for_and_organiser_sees_both(organiser: Client, table: Sitting) -> None:
    Tournament.objects.update(confirm=Confirm.ONE)
    phone = Phone(table)
    phone.writes(1, 70, 50)
    phone.writes(2, 64, 56)
    sheet = phone.reads("?hand=1")
    shows(sheet, "Ask the organiser to change hand 1", "The organiser sees both and decides")

    answer = words(phone.writes(1, 50, 70, is_next="no"))

    assert "Hand 1: the organiser is asked to change it. Until then: 70–50" in answer
    assert "Hand 1: change 70–50 to 50–70? · with the organiser" in answer
    desk = words(organiser.get(reverse("desk", args=[table.round.tournament_id])))
    assert "Table 3, Hand 1 the table asks to change it" in desk
    issue = reverse("issue", args=[Issue.objects.get().pk])
    page = organiser.get(issue)
    assert "<h1>Hand 1: change 70–\u206050 to 50–\u206070?</h1>" in page.text  # whole
    assert words(page).count("This one counts") == 2
    sent = {"outcome": "take", "reason": "They are right", "seen": seen_on(page.text)}
    organiser.post(issue, sent)
    assert eaten(1) == [50, 70]
    assert "Hand 1 is settled: 50–70" in phone.reads("?saved=1&as=proposes")


def test_table_takes_its_last_hand_back_and_brings_it_back(plain: Sitting) -> None:
    phone = Phone(plain)
    phone.writes(1, 70, 50)

    page = phone.takes_back(1)
    gone, other = words(page), Phone(plain).reads()
    shows(gone, "Hand 1 was undone. Bring it back", "Asha deals", "Save hand 1")
    assert re.findall(r'name="eaten_\d" value="(\d+)"', page.text) == ["70", "50"]
    assert "Hand 1 was undone: write it down again." in other
    assert "Bring it back" not in other
    assert "Hands 1" not in gone + other

    shows(words(phone.takes_back(1, do="bring")), "Juma deals", "Take hand 1 back")
    assert "Another phone wrote this down" in words(Phone(plain).takes_back(1))


def test_hand_of_the_number_taken_back_is_asked_about_and_gets_in(plain: Sitting) -> None:
    phone, other = Phone(plain), Phone(plain)
    phone.writes(1, 50, 70)
    phone.takes_back(1)

    asked = other.writes(1, 70, 51, is_next="no")
    [undone] = set(re.findall(r'name="undone" value="(\d+)"', asked.text))
    says = words(asked)
    shows(says, "Hand 1 was undone at this table: 50–70", "It is hand 1")
    shows(says, "It is the next: hand 2, once 1 is in")
    lacks(says, "we count differently")
    ahead = other.writes(1, 70, 50, is_next="yes", undone=undone)
    assert "Hand 1 has not arrived yet" in words(ahead)

    wrong = other.writes(1, 70, 51, is_next="no", undone=undone)
    shows(wrong, "Save hand 1", 'name="number" value="1"')
    assert "Hand 1 saved" in words(other.writes(1, 70, 50, is_next="no", undone=undone))
    assert [hand.number for hand in Hand.objects.filter(struck_at=None)] == [1]


# The organiser ---------------------------------------------------------------------------------


def test_organiser_sees_which_hands_wait_and_confirms(organiser: Client, table: Sitting) -> None:
    for _ in range(2):
        make.report(table, {"eaten": [70, 50]}, device="a", side=0)
    at = table.round.tournament_id
    desk, path = reverse("desk", args=[at]), reverse("sitting", args=[table.pk])

    assert "2 results not confirmed" in words(organiser.get(desk))
    assert WAITS in words(organiser.get(reverse("hands", args=[at])))
    page = words(organiser.get(path))
    shows(page, "2 results not confirmed", f"Hand 1 Asha & Juma 70, Neema & Baraka 50 {WAITS}")

    said = words(organiser.post(f"{path}confirm/", {"number": ["1", "x"]}, follow=True))

    assert "1 result is confirmed." in said
    assert f"1 result: {WAITS}" in words(organiser.get(desk))
    assert [hand.number for hand in Hand.objects.unconfirmed()] == [2]


def test_organiser_confirms_nothing_changed_since(organiser: Client, phones: Phones) -> None:
    path = reverse("sitting", args=[phones[0].table.pk])
    [seen] = re.findall(r'name="seen" value="(\d+)"', organiser.get(path).text)
    phones[0].writes(1, 50, 70)
    sent = {"number": ["1"], "seen": [seen]}
    said = words(organiser.post(f"{path}confirm/", sent, follow=True))
    shows(said, "0 results are confirmed.", f"Hand 1 Asha & Juma 50, Neema & Baraka 70 {WAITS}")
