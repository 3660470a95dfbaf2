"""What an organiser does on the page of an evening, and what people do with its link."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser import club
from tests.browser.club import Laid


@dataclass(frozen=True, slots=True)
class Night:
    """An evening: its organiser's screen, and the link that goes to everybody."""

    page: Page
    title: str
    link: str

    def look(self) -> None:
        """See that the page of the evening is open."""
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(self.title)

    def return_to(self) -> None:
        """Go back from one of its pages by the crumbs; a phone shows the last of them alone."""
        crumbs = self.page.get_by_role("navigation", name="You are here")
        back = crumbs.get_by_role("link", name=re.compile(f"^({self.title}|Club night)$"))
        expect(crumbs).to_be_visible()
        if back.count() == 0:
            crumbs.get_by_role("link").last.click()
        back.click()
        self.look()

    def of(self, tournament: str) -> Locator:
        """Return the panel of a tournament that is being played."""
        return self.page.get_by_role("region", name=re.compile(f"^{tournament}, "))

    def people(self) -> Locator:
        return self.page.get_by_role("region", name="People")

    def table(self, number: int) -> Locator:
        tables = self.page.get_by_role("region", name="Tables")
        return tables.get_by_role("link", name=re.compile(rf"^Table {number}\b"))

    def said(self, words: str | re.Pattern[str]) -> None:
        """See that the organiser is back here, and told what was done."""
        self.look()
        expect(self.page.get_by_text(words)).to_be_visible()


def announce(page: Page, *, place: str, games: str) -> Night:
    """From the club's page announce an evening that is about to begin."""
    begins = datetime.now(UTC) + timedelta(minutes=30)
    more = page.get_by_role("navigation", name="More of this club")
    more.get_by_role("link", name="Club nights").click()
    page.get_by_role("link", name="Announce a night").first.click()
    page.get_by_label("When?").fill(f"{begins:%Y-%m-%dT%H:%M}")
    page.get_by_label("Where?").fill(place)
    page.get_by_label("What do you play?").fill(games)
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_text("Announced.")).to_be_visible()
    link = page.get_by_role("region", name="The link for everybody").get_by_role("textbox")
    # The day, without the hour in small letters.
    title = page.get_by_role("heading", level=1).evaluate("h1 => h1.firstChild.data.trim()")
    return Night(page, title, urlsplit(link.input_value()).path)


def record_rsvp(phone: Page, link: str, name: str, *, listed: bool) -> None:
    """Say with the link that one comes: a name of the list, or one that is typed."""
    phone.goto(link)
    if listed:
        phone.get_by_label("Your name").select_option(label=name)
    else:
        phone.get_by_label("Not in the list? Type it").fill(name)
    phone.get_by_role("button", name="I’m in").click()
    expect(phone.get_by_text(f"See you there, {name}!")).to_be_visible()


def check_in(page: Page, tapped: Sequence[str], *, new: str = "", visits_from: str = "") -> None:
    """On the page of who is here, tap who has arrived, and write who is new."""
    for name in tapped:
        face(page, name).click()
    if new:
        names = page.get_by_label("New names")
        if not names.is_visible():
            page.get_by_text("Somebody new?").click()
        names.fill(new)
    if visits_from:
        page.get_by_label("Visiting from").fill(visits_from)
    page.get_by_role("button", name="Check in").click()
    here = page.get_by_role("region", name="Here")
    for name in (*tapped, *([new] if new else [])):
        expect(here.get_by_text(name, exact=True)).to_be_visible()


def face(page: Page, name: str) -> Locator:
    """Return a name to tap."""
    return page.locator("label.tap", has_text=re.compile(rf"^\s*{name}\b"))


def seat(
    night: Night, step: str, game: str, *, length: int, without: Sequence[str] = ()
) -> list[Laid]:
    """Seat who is here and does not play, but some of them; return the tables of the evening."""
    night.page.get_by_role("link", name=step).click()
    fill_tonight(night.page, game, length=length, without=without)
    return go(night)


def fill_tonight(page: Page, game: str, *, length: int, without: Sequence[str] = ()) -> None:
    face(page, game).click()
    for name in without:
        face(page, name).click()
    page.get_by_text("More: how people sit").click()
    page.get_by_label("How long is a round?").fill(str(length))


def go(night: Night) -> list[Laid]:
    night.page.get_by_role("button", name="Go", exact=True).click()
    night.look()
    return club.tables(night.page)


def close_round(night: Night, tournament: str, number: int) -> None:
    """Close a round of which everything is in."""
    night.page.reload()
    panel = night.of(tournament)
    expect(panel.get_by_text("All results are in.")).to_be_visible()
    panel.get_by_role("button", name=f"Close round {number}").click()
    night.said(f"Round {number} is closed.")


def put_up(night: Night, tournament: str) -> None:
    """Put up the standing of a tournament, against which people may object for a while."""
    panel = night.of(tournament)
    panel.get_by_role("button", name="Finish and publish").click()
    expect(panel.get_by_text("provisional until")).to_be_visible()


def make_official(night: Night, tournament: str) -> None:
    """Make a standing official; what the page then says is for the caller to see."""
    night.of(tournament).get_by_role("button", name="No objections: make it official").click()
    expect(night.page.get_by_text("are official").first).to_be_visible()


def settle_tie(
    page: Page, place: int, how: str, order: Sequence[str] = (), *, names: Sequence[str] = ()
) -> None:
    """Say how those who stand level at a place settled it; the best of *order* comes first."""
    tie = page.get_by_role("form", name=f"Tied for place {place}")
    for name in names or order:
        expect(page.get_by_role("row", name=name)).to_contain_text(f"{place}=")
        expect(tie.get_by_label(f"Place of {name}")).to_be_hidden()  # until it is needed
    tie.get_by_role("radio", name=how).check()
    for position, name in enumerate(order, start=place):
        tie.get_by_label(f"Place of {name}").select_option(str(position))
    tie.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The prize is settled.")).to_be_visible()


def end(night: Night) -> None:
    """Send everybody home, once everything is official."""
    night.page.get_by_role("button", name="End the night").first.click()
    expect(night.page.get_by_role("link", name="Announce the next night")).to_be_visible()
