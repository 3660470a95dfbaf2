"""Whoever walks in: on the night's page they are in after two taps and their name."""

from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser import club, draws, night
from tests.browser.reader import Reader
from tests.browser.visiting import Visitors

EIGHT = ("Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji", "Grace", "Hamisi")
MANY = tuple(f"{name} {letter}." for letter in "ABC" for name in EIGHT)


def test_a_walk_in_is_two_taps_and_a_name(visitors: Visitors, owner: StorageState) -> None:
    desk = visitors.laptop(has_touch=True, storage_state=owner)
    organiser = Reader(desk)
    club.make_club(desk, "Upanga Walk-ins")
    club.add_players(desk, EIGHT)
    desk.get_by_role("link", name="Upanga Walk-ins").first.click()
    evening = night.announce(desk, place="Bar Kijiji", games="Albastini")
    desk.get_by_role("link", name="Check people in").click()
    night.check_in(desk, EIGHT)
    evening.return_to()
    night.seat(evening, "Choose a game and seat everybody", "Albastini", length=1)
    draws.report(visitors.port, draws.open_tables(desk), lambda _table: (70, 50))
    night.close_round(evening, "Albastini", 1)

    organiser.tap(desk.get_by_text("+ Arrived"))
    desk.keyboard.insert_text("Zuri")
    organiser.tap(desk.get_by_role("button", name="Check in"))
    evening.said("Zuri is here.")
    assert organiser.taps == 2
    expect(evening.people().get_by_text("Zuri")).to_be_visible()

    # And whoever is here has a seat, or a turn to sit out, in the coming round.
    organiser.tap(desk.get_by_role("button", name="Next round"))
    assert draws.look(desk, 2).people == sorted([*EIGHT, "Zuri"])
    organiser.tap(desk.get_by_role("button", name="Open round 2"))
    evening.look()
    assert organiser.taps == 4

    # Enter does what the button does.
    desk.get_by_text("+ Arrived").tap()
    desk.keyboard.insert_text("Zawadi")
    desk.keyboard.press("Enter")
    evening.said("Zawadi is here.")


def test_among_many_names_one_is_found_by_typing(visitors: Visitors, owner: StorageState) -> None:
    page = visitors.laptop(storage_state=owner)
    club.make_club(page, "Upanga Names")
    club.add_players(page, MANY)
    page.get_by_role("link", name="Upanga Names").first.click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("main").get_by_role("link", name="Tonight").click()
    night.face(page, "Albastini").click()

    top = page.get_by_label("Find a name").bounding_box()
    assert top is not None
    assert top["y"] < page.viewport_size["height"]  # type: ignore[index]
    for name in ("grace c", "Asha B", "Daudi A", "Hamisi C"):
        page.get_by_label("Find a name").fill(name)
        page.get_by_label("Find a name").press("Enter")
    page.get_by_label("Find a name").fill("Nobody")
    expect(page.get_by_text("Nobody in the club is called that.")).to_be_visible()
    expect(_names(page)).to_have_count(0)
    page.get_by_label("Find a name").fill("")

    ticked = page.locator(".tap", has=page.locator("[name=people]:checked"))
    expect(ticked).to_have_text(["Asha B. 2", "Daudi A. 3", "Grace C. 1", "Hamisi C. 4"])
    expect(page.get_by_text("4 people make 1 table")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tonight")


def _names(page: Page) -> Locator:
    return page.locator(".tap:visible", has=page.locator("[name=people]"))
