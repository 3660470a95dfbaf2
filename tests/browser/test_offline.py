"""A network that goes and comes: whatever becomes of it, no phone loses a hand, and none is told twice."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import phones, waiting_hall
from tests.browser.bad_network import BadNetwork, Cut
from tests.browser.visiting import HALL, sign_in
from tests.browser.waiting_hall import PAIRS
from tests.browser.waiting_phones import (
    Phones,
    Table,
    astray,
    begin,
    box,
    expect_box,
    hold,
    keep,
    kill,
    persistent,
    queue,
    saved,
    write,
)
from tests.drilled import FULL
from tests.serving import Site

HOSTS = [HALL, "127.0.0.1"] if FULL else [HALL]
CUTS = list(Cut) if FULL else [Cut.BEFORE_ANSWER]


@pytest.mark.parametrize("host", HOSTS)
def test_two_hands_wait_for_the_network(hall: Phones, table: Table, host: str) -> None:
    phone = hall.at(table, host)
    saved(phone, 1, 70, 50)
    expect(box(phone)).to_be_hidden()

    phone.context.set_offline(True)
    keep(phone, 2, 40, 80)
    expect(phone.locator(".page-head .where")).to_contain_text("Hand 3 of 8")
    expect(phone.locator(".page-head .deals")).to_have_text(
        "Who deals? You will see when the Wi-Fi is back."
    )
    keep(phone, 3, 90, 30)
    expect_box(phone, "Hand 2: 40–80")
    assert table.hands() == [[70, 50]]
    assert "csrf" not in json.dumps(queue(phone))

    phone.context.set_offline(False)
    phones.expect_saved(phone, 3)
    expect(phone.locator(".page-head .where")).to_contain_text("Hand 4 of 8")
    expect(phone.locator(".page-head .deals")).to_contain_text("deals")
    expect_box(phone, "Saved now")
    expect_box(phone, "Hand 2: 40–80")
    assert table.hands() == [[70, 50], [40, 80], [90, 30]]
    assert queue(phone) == []


def test_a_killed_browser_loses_nothing(hall: Phones, table: Table, tmp_path: Path) -> None:
    phone = persistent(hall, tmp_path).new_page()
    phone.goto(table.path)
    phone.context.set_offline(True)
    keep(phone, 1, 70, 50)
    keep(phone, 2, 3, 4)
    begin(phone, "88")
    with phone.context.expect_event("close"):
        kill(tmp_path)

    phone = persistent(hall, tmp_path).new_page()
    phone.goto(table.path)

    expect(phone.locator(".save-verb")).to_have_text("Save hand 3")
    expect(phones.total(phone, PAIRS[0])).to_have_value("88")
    # What cannot be right is shown to people, and is still there.
    expect_box(phone, "Hand 2: 3–4 The totals make 7")
    assert table.hands() == [[70, 50]]
    phones.expect_refused(phone, "The totals make 7")
    write(phone, 90, 30)
    phones.save(phone)
    # Where the club takes long, the next sheet lies there with what was typed of it, and the box says so.
    arrived = phone.locator(".saved-what, [data-on-phone].good").filter(has_text="Hand 2")
    expect(arrived).to_have_count(1)
    assert table.hands() == [[70, 50], [90, 30]]


def test_what_no_phone_keeps_is_pressed_again(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    saved(phone, 1, 70, 50)
    phones.total(phone, PAIRS[0]).fill("88")
    phone.context.set_offline(True)
    phone.locator("summary", has_text="Hand 1").click()
    take_back = phone.get_by_role("button", name="Take hand 1 back")
    no_answer = phone.get_by_text("No connection. Try again in a moment.")

    take_back.click()

    expect(no_answer).to_be_visible()
    expect(phones.total(phone, PAIRS[0])).to_have_value("88")
    assert table.hands() == [[70, 50]]
    phone.context.set_offline(False)
    take_back.click()
    expect(phone.get_by_text("Hand 1 was undone.")).to_be_visible()
    expect(no_answer).to_have_count(0)
    expect(phones.total(phone, PAIRS[0])).to_have_value("70")
    phones.save(phone)
    phones.expect_saved(phone, 1)
    expect(phones.total(phone, PAIRS[0])).to_have_value("88")  # of the hand that was begun
    assert table.hands() == [[70, 50]]


def test_what_answers_in_the_sites_place_takes_no_hand(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    phone.context.route("**/t/**", astray)
    keep(phone, 1, 70, 50)
    expect_box(phone, "Hand 1: 70–50")
    assert [(row["state"], row["status"]) for row in queue(phone)] == [("queued", 404)]
    expect(box(phone).get_by_role("button", name="Look at it")).to_be_hidden()
    keep(phone, 2, 40, 80)

    phone.context.unroute("**/t/**")

    phones.expect_saved(phone, 2)
    assert table.hands() == [[70, 50], [40, 80]]
    assert queue(phone) == []


def test_a_refused_hand_keeps_no_news_from_the_page(hall: Phones, table: Table) -> None:
    phone, other = hall.come(), hall.come()
    phone.goto(table.path)
    phone.context.set_offline(True)
    keep(phone, 1, 3, 4)
    keep(phone, 2, 40, 80)
    phone.context.set_offline(False)
    expect_box(phone, "Hand 1: 3–4 The totals make 7")
    phones.total(phone, PAIRS[0]).fill("6")

    other.goto(table.path)
    saved(other, 1, 50, 70)

    phone.locator("#hands-so-far details").evaluate("(each) => { each.open = true; }")
    expect(phone.locator("#hands-so-far")).to_contain_text("Hand 1: 50–70")
    expect(phone.locator(".page-head .where")).to_contain_text("Hand 3 of 8")
    expect(phone.locator(".save-verb")).to_have_text("Save hand 3")
    expect(phones.total(phone, PAIRS[0])).to_have_value("6")
    expect(phones.total(phone, PAIRS[0])).to_be_focused()
    other.locator("#call summary").click()
    other.get_by_role("button", name="A ruling").click()
    expect(phone.locator("#clock")).to_contain_text("The organiser has been called.")


@pytest.mark.parametrize("cut", CUTS)
def test_cut_at_every_step_it_is_one_hand_and_said_so(
    hall: Phones, table: Table, site: Site, cut: Cut
) -> None:
    with BadNetwork(site.port) as network:
        phone = hall.at(table, port=network.port)
        write(phone, 70, 50)
        network.cut = cut
        phones.save(phone)
        expect_box(phone, "Hand 1: 70–50")
        expect(phone.locator(".save-verb")).to_have_text("Save hand 2")

        network.up = True
        phones.expect_saved(phone, 1)

        assert table.hands() == [[70, 50]]
        assert table.verdicts() == [[1, "accepted"]]
        assert queue(phone) == []


def test_two_phones_count_differently_and_all_three_screens_say_so(
    hall: Phones, laptop: Page, table: Table
) -> None:
    first, second = hall.come(), hall.come()
    for phone, totals in ((first, (70, 50)), (second, (40, 80))):
        phone.goto(table.path)
        phone.context.set_offline(True)
        keep(phone, 1, *totals)
    keep(second, 2, 66, 54)

    first.context.set_offline(False)
    phones.expect_saved(first, 1)
    second.context.set_offline(False)
    expect_box(second, "Is this hand 1, or the next?")
    assert table.hands() == [[70, 50]]  # and hand 2 waits for that
    box(second).get_by_role("button", name="Look at it").click()
    second.get_by_role("button", name="It is hand 1: we count differently").click()

    expect(second.locator("body")).to_contain_text("Hand 2")
    for phone in (first, second):  # of itself, wherever its people have got to
        expect(phone.locator("#conflicts")).to_contain_text("Two counts came in")
        expect(phone.locator("#conflicts")).to_contain_text("70–50")
        expect(phone.locator("#conflicts")).to_contain_text("40–80")
    sign_in(laptop, *waiting_hall.ORGANISER)
    laptop.goto(table.desk)
    needs = laptop.get_by_role("region", name="Needs you")
    expect(needs.get_by_role("link", name=re.compile("Hand 1"))).to_be_visible()
    assert table.hands() == [[70, 50], [66, 54]]
    assert table.verdicts() == [[1, "accepted"], [1, "conflicts"], [2, "accepted"]]


def test_what_was_typed_for_a_round_that_closed_goes_in_as_late(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    table.close_round()

    phone.context.set_offline(False)

    expect(phone.locator(".receipt")).to_contain_text("Hand 1 came late: it is with the organiser")
    assert table.verdicts() == [[1, "late"]]


@pytest.mark.parametrize("is_next", [False, True])
def test_hands_that_waited_get_in_though_the_first_was_undone_elsewhere(
    hall: Phones, table: Table, is_next: bool
) -> None:
    waiting, other = hall.at(table), hall.at(table)
    waiting.context.set_offline(True)
    keep(waiting, 1, 70, 50)
    keep(waiting, 2, 40, 80)
    saved(other, 1, 66, 54)
    other.get_by_role("button", name="Undo").click()
    expect(other.locator("main")).to_contain_text("Hand 1 was undone")

    waiting.context.set_offline(False)
    box(waiting).get_by_role("button", name="Look at it").click()
    expect(waiting.locator("main")).to_contain_text("Hand 1 was undone at this table:")
    held = hold(waiting, "**/t/*/", method="POST")
    words = "It is the next: hand 2, once 1 is in" if is_next else "It is hand 1"
    answer = waiting.get_by_role("button", name=words)
    answer.click()
    expect(answer).to_have_count(0)  # the page has gone on without the network
    held[0].continue_()

    if is_next:
        expect_box(waiting, "Hand 2: 70–50")
        expect_box(waiting, "Hand 3: 40–80")
        assert table.hands() == [[66, 54]]
        phones.save(other)  # as it was, after all
        # The hands that waited may be in before this phone shows what became of its own.
        expect(other.locator(".saved-what")).to_have_text(re.compile(r"^\s*\w+ [123]\b"))
    phones.expect_saved(waiting, 2 + is_next)
    expect(waiting.locator(".save-verb")).to_have_text(f"Save hand {3 + is_next}")
    assert table.hands() == [*([[66, 54]] if is_next else []), [70, 50], [40, 80]]
