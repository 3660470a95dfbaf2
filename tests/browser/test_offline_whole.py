"""The rest of what a network that goes and comes can do; tried in whole runs."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import phones
from tests.browser.bad_network import BadNetwork, Cut
from tests.browser.visiting import HALL, Visitors, violations
from tests.browser.waiting_hall import PAIRS
from tests.browser.waiting_phones import (
    OFFLINE,
    Phones,
    Table,
    astray,
    begin,
    box,
    expect_box,
    hold,
    keep,
    queue,
    saved,
    write,
)
from tests.drilled import FULL
from tests.serving import Site

__test__ = FULL

_REWRITE = """
() => new Promise((resolve) => {
  indexedDB.open("kula").onsuccess = ({ target: { result: base } }) => {
    const work = base.transaction("reports", "readwrite");
    work.oncomplete = () => { base.close(); resolve(); };
    work.objectStore("reports").openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return;
      const { value: report } = cursor;
      ({act})(report);
      cursor.update(report);
      cursor.continue();
    };
  };
})
"""


def test_what_waits_stays_out_of_the_way_of_whoever_types(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    phones.total(phone, PAIRS[0]).fill("64")

    phone.context.set_offline(False)
    expect_box(phone, "Saved now")

    expect(phones.total(phone, PAIRS[0])).to_have_value("64")
    phones.total(phone, PAIRS[1]).fill("56")
    phones.save(phone)
    phones.expect_saved(phone, 2)
    assert table.hands() == [[70, 50], [64, 56]]


def test_what_is_typed_while_a_page_is_on_its_way_stays(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    held = hold(phone, "**/t/*/?saved=*")
    with phone.expect_request("**/t/*/?saved=*"):
        phone.context.set_offline(False)

    first = phones.total(phone, PAIRS[0])
    first.fill("6")
    with phone.expect_response("**/t/*/?saved=*"):
        held[0].continue_()
    expect(box(phone)).to_be_hidden()
    first.press_sequentially("4")

    expect(first).to_have_value("64")
    phones.total(phone, PAIRS[1]).fill("56")
    phones.save(phone)
    phones.expect_saved(phone, 2)


def test_an_unfinished_sheet_is_not_kept_as_a_hand(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    phones.total(phone, PAIRS[0]).fill("70")

    phones.save(phone)

    expect(phone.locator("[data-save-why]")).to_have_text("Something is still missing.")
    assert queue(phone) == []
    phone.context.set_offline(False)
    phones.save(phone)
    expect(phone.get_by_role("alert")).to_be_visible()


def test_what_the_rules_refuse_at_once_stays_on_the_sheet(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    write(phone, 70, 48)
    phones.save(phone)
    phones.expect_refused(phone, "Is a Queen missing?")

    phone.goto(table.path)

    expect(phone.locator(".save-verb")).to_have_text("Save hand 1")
    expect(phones.total(phone, PAIRS[1])).to_have_value("48")
    expect(box(phone)).to_be_hidden()
    assert queue(phone) == []


def test_what_was_refused_later_is_put_right_though_the_page_is_loaded_anew(
    hall: Phones, table: Table
) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 3, 4)
    phone.context.set_offline(False)
    expect_box(phone, "Hand 1: 3–4 The totals make 7")
    box(phone).get_by_role("button", name="Look at it").click()
    expect(phone.get_by_role("alert")).to_contain_text("The totals make 7")
    begin(phone, "70")
    begin(phone, "50", side=1)

    phone.reload()

    expect(phone.locator(".save-verb")).to_have_text("Save hand 1")
    expect(phones.total(phone, PAIRS[0])).to_have_value("70")
    expect(box(phone)).to_be_hidden()
    phones.save(phone)
    phones.expect_saved(phone, 1)
    assert table.hands() == [[70, 50]]


def test_what_is_typed_goes_along_when_its_hand_gets_another_number(
    hall: Phones, table: Table
) -> None:
    phone, other = hall.come(), hall.come()
    phone.goto(table.path)
    phone.context.set_offline(True)
    keep(phone, 1, 40, 80)
    phones.total(phone, PAIRS[0]).fill("64")
    other.goto(table.path)
    saved(other, 1, 70, 50)

    phone.context.set_offline(False)
    box(phone).get_by_role("button", name="Look at it").click()
    phone.get_by_role("button", name="It is the next: hand 2").click()

    expect(phone.locator(".save-verb")).to_have_text("Save hand 3")
    expect(phones.total(phone, PAIRS[0])).to_have_value("64")
    assert table.hands() == [[70, 50], [40, 80]]


def test_what_is_typed_goes_along_when_the_hand_before_it_is_deleted(
    hall: Phones, table: Table
) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 40, 80)
    phones.total(phone, PAIRS[0]).fill("64")
    phone.once("dialog", lambda dialog: dialog.accept())

    box(phone).get_by_role("button", name="Delete").click()

    expect(phone.locator(".save-verb")).to_have_text("Save hand 1")
    phone.context.set_offline(False)
    phone.reload()
    expect(phone.locator(".save-verb")).to_have_text("Save hand 1")
    expect(phones.total(phone, PAIRS[0])).to_have_value("64")


@pytest.mark.parametrize("at_once", [True, False])
def test_a_question_answered_without_a_network_leaves_a_sheet_to_go_on_with(
    hall: Phones, table: Table, at_once: bool
) -> None:
    phone, other = hall.come(), hall.come()
    phone.goto(table.path)
    write(phone, 40, 80)
    other.goto(table.path)
    saved(other, 1, 70, 50)
    phone.context.set_offline(not at_once)
    phones.save(phone)
    if not at_once:
        expect_box(phone, OFFLINE)
        expect(phone.locator(".save-verb")).to_have_text("Save hand 2")  # the next sheet lies there
        phones.total(phone, PAIRS[0]).fill("64")
        phone.context.set_offline(False)
        box(phone).get_by_role("button", name="Look at it").click()
    answer = phone.get_by_role("button", name="It is the next: hand 2")
    expect(answer).to_be_visible()
    phone.context.set_offline(True)

    answer.click()

    expect_box(phone, "Hand 1: 40–80")
    expect(phone.locator(".save-verb")).to_have_text("Save hand 2")
    if at_once:
        write(phone, 64, 56)
    else:
        expect(phones.total(phone, PAIRS[0])).to_have_value("64")
        phones.total(phone, PAIRS[1]).fill("56")
    phones.save(phone)
    expect_box(phone, "Hand 2: 64–56")
    phone.context.set_offline(False)
    phones.expect_saved(phone, 3)
    assert table.hands() == [[70, 50], [40, 80], [64, 56]]


def test_what_arrived_is_not_said_any_more_once_it_was_taken_back(
    hall: Phones, table: Table
) -> None:
    phone = hall.at(table)
    held = hold(phone, "**/t/*/", method="POST")
    write(phone, 70, 50)
    phones.save(phone)
    expect(phone.locator(".save-verb")).to_have_text("Save hand 2")
    phones.total(phone, PAIRS[0]).fill("64")
    held[0].continue_()
    expect_box(phone, "Hand 1: 70–50 ✓ saved")

    phone.locator("summary", has_text="Hand 1").click()
    phone.get_by_role("button", name="Take hand 1 back").click()

    expect(phone.get_by_text("Hand 1 was undone.")).to_be_visible()
    expect(box(phone)).to_be_hidden()
    expect(phones.total(phone, PAIRS[0])).to_have_value("70")
    phones.save(phone)
    phones.expect_saved(phone, 1)
    expect(phones.total(phone, PAIRS[0])).to_have_value("64")  # of the hand that was begun
    assert table.hands() == [[70, 50]]


SLOW_TO_READ = """
const { get } = IDBObjectStore.prototype;
IDBObjectStore.prototype.get = function slow(key) {
  const asked = get.call(this, key);
  if (this.name !== "drafts") return asked;
  return {
    get result() { return asked.result; },
    set onsuccess(read) { asked.onsuccess = () => setTimeout(read, 2500); },
    set onerror(failed) { asked.onerror = failed; },
  };
};
"""


def test_what_was_typed_comes_back_on_a_phone_that_is_slow(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    begin(phone, "64")
    begin(phone, "56", side=1)

    phone.add_init_script(SLOW_TO_READ)
    phone.reload()

    expect(phones.total(phone, PAIRS[0])).to_have_value("64")
    expect(phone.locator("[data-save]")).to_contain_text("Asha & Juma win")
    phones.save(phone)
    phones.expect_saved(phone, 1)
    assert table.hands() == [[64, 56]]


def test_a_wifi_that_wants_to_be_signed_in_to_leaves_the_page_standing(
    hall: Phones, table: Table
) -> None:
    phone = hall.at(table)
    portal = {"status": 302, "headers": {"Location": "http://portal.test/sign-in"}}
    phone.context.route("**/t/**", lambda route: route.fulfill(**portal))

    expect(phone.locator("[data-live-mark]")).to_be_visible()
    expect(phone.locator(".save-verb")).to_have_text("Save hand 1")

    phone.context.unroute("**/t/**")
    expect(phone.locator("[data-live-mark]")).to_be_hidden()


def test_a_closed_tab_loses_nothing(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    begin(phone, "4")
    context = phone.context
    phone.close()
    context.set_offline(False)

    phone = context.new_page()
    phone.goto(table.path)

    expect(phone.locator(".save-verb")).to_have_text("Save hand 2")
    expect(phones.total(phone, PAIRS[0])).to_have_value("4")
    expect_box(phone, "Saved now")
    assert table.hands() == [[70, 50]]


def test_two_tabs_send_it_once_and_say_it_once(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    other = phone.context.new_page()
    other.goto(table.path)
    phone.context.set_offline(True)
    keep(phone, 1, 70, 50)
    expect_box(other, "Hand 1: 70–50")
    expect(other.locator(".save-verb")).to_have_text("Save hand 2")

    phone.context.set_offline(False)
    for tab in (phone, other):
        tab.bring_to_front()
        expect(tab.locator("#so-far ~ details")).to_contain_text("Hand 1")
        expect(box(tab).get_by_text(OFFLINE)).to_be_hidden()

    assert table.verdicts() == [[1, "accepted"]]
    assert queue(phone) == []


def test_a_lost_token_is_fetched_again(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    write(phone, 70, 50)
    phone.context.clear_cookies(name="csrftoken")

    phones.save(phone)

    phones.expect_saved(phone, 1)
    assert table.hands() == [[70, 50]]


def test_what_turns_out_to_be_the_next_hand_moves_those_after_it(
    hall: Phones, table: Table
) -> None:
    first, second = hall.come(), hall.come()
    second.goto(table.path)
    second.context.set_offline(True)
    keep(second, 1, 40, 80)
    keep(second, 2, 66, 54)
    first.goto(table.path)
    saved(first, 1, 70, 50)

    second.context.set_offline(False)
    box(second).get_by_role("button", name="Look at it").click()
    second.get_by_role("button", name="It is the next: hand 2").click()

    phones.expect_saved(second, 3)
    assert table.hands() == [[70, 50], [40, 80], [66, 54]]


def test_another_phone_takes_over_and_the_first_agrees_when_it_wakes(
    hall: Phones, table: Table
) -> None:
    dead, living = hall.come(), hall.come()
    dead.goto(table.path)
    dead.context.set_offline(True)
    keep(dead, 1, 70, 50)
    living.goto(table.path)
    saved(living, 1, 70, 50)

    dead.context.set_offline(False)

    expect(dead.locator(".receipt")).to_contain_text("your counts agree")
    assert table.hands() == [[70, 50]]


def test_a_hand_that_waits_can_be_changed_and_the_last_deleted(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    keep(phone, 2, 40, 80)
    rows = box(phone).locator("li")
    expect(rows.nth(0).get_by_role("button", name="Delete")).to_be_hidden()

    rows.nth(0).get_by_role("button", name="Change").click()
    expect(phone.locator(".save-verb")).to_have_text("Change hand 1")
    expect(phones.total(phone, PAIRS[0])).to_have_value("70")
    write(phone, 50, 70)
    phones.save(phone)
    expect(rows.nth(0)).to_contain_text("Hand 1: 50–70")
    phone.on("dialog", lambda dialog: dialog.accept())
    rows.nth(1).get_by_role("button", name="Delete").click()
    expect(rows).to_have_count(1)
    expect(phone.locator(".save-verb")).to_have_text("Save hand 2")

    phone.context.set_offline(False)
    phones.expect_saved(phone, 1)
    assert table.hands() == [[50, 70]]


def test_a_whole_round_waits_and_arrives_in_order(hall: Phones, table: Table) -> None:
    counts = [[70 + number, 50 - number] for number in range(8)]
    phone = hall.at(table, offline=True)
    for number, totals in enumerate(counts[:-1], start=1):
        keep(phone, number, *totals)
    write(phone, *counts[-1])
    phones.save(phone)
    expect_box(phone, "Hand 8: 77–43")
    expect(phone.locator("button.save")).to_be_hidden()  # the round has no ninth
    expect(phone.locator(".page-head .where")).to_contain_text("Hand 8 of 8")

    phone.context.set_offline(False)

    expect(phone.locator("#all-in")).to_have_text("All 8 hands are in")
    assert table.hands() == counts


def test_any_page_of_the_site_sends_what_waits(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    context = phone.context
    phone.close()
    context.set_offline(False)

    phone = context.new_page()
    phone.goto("/")

    expect_box(phone, "Hand 1: 70–50")
    expect_box(phone, "Saved now")
    assert table.hands() == [[70, 50]]


def test_the_box_is_read_by_everybody(visitors: Visitors, table: Table) -> None:
    phone = visitors.phone(color_scheme="dark")
    phone.goto(table.path)
    phone.context.set_offline(True)
    keep(phone, 1, 70, 50)
    phone.context.set_offline(False)

    assert violations(phone) == []
    # A browser may report late that there was no network.
    visitors.complaints[:] = [each for each in visitors.complaints if "DISCONNECTED" not in each]


@pytest.mark.parametrize(("host", "can"), [("127.0.0.1", True), (HALL, False)])
def test_the_screen_stays_awake_where_a_browser_can(
    hall: Phones, table: Table, host: str, *, can: bool
) -> None:
    phone = hall.come(host, permissions=["screen-wake-lock"] if can else [])
    phone.add_init_script(
        """if (navigator.wakeLock) {
          const ask = navigator.wakeLock.request.bind(navigator.wakeLock);
          navigator.wakeLock.request = async (...of) => { window.lock = await ask(...of); return window.lock; };
        }"""
    )

    phone.goto(table.path)

    assert phone.evaluate("'wakeLock' in navigator") is can
    if can:
        phone.wait_for_function("() => window.lock && !window.lock.released")
    table.close_round()
    phone.goto(table.path)
    assert phone.evaluate("'lock' in window") is False


def test_without_a_script_it_is_a_form_that_works(hall: Phones, table: Table) -> None:
    phone = hall.at(table, java_script_enabled=False)
    phones.total(phone, PAIRS[0]).fill("70")
    phones.total(phone, PAIRS[1]).fill("48")
    phones.save(phone)
    phones.expect_refused(phone, "Is a Queen missing?")
    phones.total(phone, PAIRS[1]).fill("50")

    phones.save(phone)

    phones.expect_saved(phone, 1)
    expect(box(phone)).to_be_hidden()
    assert table.hands() == [[70, 50]]


def _keep_back(route: Route) -> None:
    """Let pages come to a phone, and nothing it sends go out."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.fallback()


def _save_online(phone: Page, path: str, *hands: tuple[int, int]) -> None:
    phone.goto(path)
    for number, totals in enumerate(hands, start=1):
        saved(phone, number, *totals)


def test_what_is_written_after_a_lost_answer_keeps_its_number(
    hall: Phones, table: Table, site: Site
) -> None:
    with BadNetwork(site.port) as network:
        first, second = hall.come(), hall.come(port=network.port)
        second.goto(table.path)
        second.context.set_offline(True)
        keep(second, 1, 40, 80)
        _save_online(first, table.path, (70, 50), (71, 49), (72, 48))
        second.context.set_offline(False)
        box(second).get_by_role("button", name="Look at it").click()
        is_next = second.get_by_role("button", name="It is the next: hand 4")
        expect(is_next).to_be_visible()
        network.cut = Cut.BEFORE_ANSWER
        is_next.click()
        expect(is_next).to_be_hidden()
        second.context.route("**/t/**", _keep_back)
        network.up = True
        second.goto(table.path)
        expect(second.locator(".save-verb")).to_have_text("Save hand 5")  # the site has its four
        write(second, 66, 54)
        phones.save(second)
        expect_box(second, "Hand 5: 66–54")

        second.context.unroute("**/t/**")
        second.goto(table.path)

        expect(second.locator(".save-verb")).to_have_text("Save hand 6")
        expect(box(second).get_by_text(OFFLINE)).to_be_hidden()
        assert table.hands() == [[70, 50], [71, 49], [72, 48], [40, 80], [66, 54]]


def test_what_is_written_before_a_late_answer_moves_up_by_one(hall: Phones, table: Table) -> None:
    first, second = hall.come(), hall.come()
    second.goto(table.path)
    second.context.set_offline(True)
    keep(second, 1, 40, 80)
    _save_online(first, table.path, (70, 50))
    second.context.set_offline(False)
    box(second).get_by_role("button", name="Look at it").click()
    is_next = second.get_by_role("button", name="It is the next: hand 2")
    expect(is_next).to_be_visible()
    second.context.route("**/t/**", _keep_back)
    is_next.click()
    expect(is_next).to_be_hidden()
    second.goto(table.path)
    expect(second.locator(".save-verb")).to_have_text("Save hand 2")
    write(second, 66, 54)
    phones.save(second)
    expect_box(second, "Hand 2: 66–54")

    second.context.unroute("**/t/**")
    second.goto(table.path)

    expect(second.locator(".save-verb")).to_have_text("Save hand 4")
    assert table.hands() == [[70, 50], [40, 80], [66, 54]]
    assert table.verdicts() == [[1, "accepted"], [2, "accepted"], [3, "accepted"]]


def test_a_hand_before_which_one_is_missing_waits_for_nobody(hall: Phones, table: Table) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    keep(phone, 2, 40, 80)
    _rewrite(
        phone,
        """(report) => {
          report.number += 4;
          report.called = `Hand ${report.number}`;
          report.answers.find(([name]) => name === "number")[1] = String(report.number);
        }""",
    )
    phone.on("dialog", lambda dialog: dialog.accept())

    phone.context.set_offline(False)
    rows = box(phone).locator("li")
    expect_box(phone, "please look at it")
    expect(rows.nth(0)).to_contain_text("Hand 5: 70–50 Hand 1 has not arrived yet")
    expect(rows.nth(1)).to_contain_text("Hand 6: 40–80 goes after Hand 5")
    rows.nth(0).get_by_role("button", name="Send it as Hand 1").click()

    expect(phone.locator(".save-verb")).to_have_text("Save hand 3")
    expect(box(phone).get_by_text("please look at it")).to_be_hidden()
    assert table.hands() == [[70, 50], [40, 80]]


def _rewrite(phone: Page, act: str) -> None:
    """Change everything that waits as a script says, to what this version would not write."""
    phone.evaluate(_REWRITE.replace("{act}", act))


def test_what_a_version_before_set_aside_is_sent_after_all(hall: Phones, table: Table) -> None:
    phone = hall.at(table)
    phone.context.route("**/t/**", astray)
    keep(phone, 1, 70, 50)
    keep(phone, 2, 40, 80)
    _rewrite(
        phone,
        """(report) => {
          if (report.number === 1) Object.assign(report, { state: "needs-you", answer: null, status: 404 });
        }""",
    )
    phone.context.unroute("**/t/**")

    phone.goto(table.path)

    expect(phone.locator(".save-verb")).to_have_text("Save hand 3")
    expect(box(phone).get_by_text(OFFLINE)).to_be_hidden()
    expect(box(phone).get_by_text("please look at it")).to_be_hidden()
    assert table.hands() == [[70, 50], [40, 80]]
    assert queue(phone) == []


def test_a_hand_for_an_address_that_was_withdrawn_goes_to_the_new_one(
    hall: Phones, table: Table
) -> None:
    phone = hall.at(table, offline=True)
    keep(phone, 1, 70, 50)
    renewed = table.at_a_new_address()

    phone.context.set_offline(False)
    expect_box(phone, "Hand 1: 70–50 This address was withdrawn")
    box(phone).get_by_role("button", name="Look at it").click()
    expect(phone.get_by_text("Scan the table’s card again")).to_be_visible()
    expect(box(phone).get_by_role("button", name="Change")).to_be_hidden()
    phone.goto(renewed.path)
    box(phone).get_by_role("button", name="Change").click()
    expect(phone.locator(".save-verb")).to_have_text("Change hand 1")
    expect(phones.total(phone, PAIRS[0])).to_have_value("70")
    phones.save(phone)

    phones.expect_saved(phone, 1)
    assert renewed.hands() == [[70, 50]]
    assert queue(phone) == []
