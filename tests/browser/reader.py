"""Somebody in front of a screen: how often they tap, which pages they see, how long they read."""

from dataclasses import dataclass, field

from playwright.sync_api import Frame, Locator, Page, expect

from tests.browser.rest import settle

# Adults read prose in silence at 238 words a minute (Brysbaert, Journal of Memory and Language
# 109, 2019, over 190 studies). Nobody reads the whole of a form, so this is on the slow side.
WORDS_A_MINUTE = 238
SECONDS_A_TAP = 1.5  # to find the next thing to touch, and to touch it


@dataclass
class Reader:
    """A phone in somebody's hand: they read all that a page says below its header, and tap."""

    page: Page
    taps: int = 0
    words: int = 0
    read: list[str] = field(default_factory=list)  # headings of the pages, as they came
    arrived: int = 0

    def __post_init__(self) -> None:
        # Also a page that is laid into the one before it, under an address of its own.
        self.page.on("framenavigated", self._arrive)

    def _arrive(self, _frame: Frame) -> None:
        self.arrived += 1

    def open(self, address: str) -> None:
        """Open an address that was scanned, or tapped where it was printed."""
        self.taps += 1
        self.page.goto(address)

    def tap(self, target: Locator) -> None:
        self.taps += 1
        target.tap()

    def type(self, label: str, words: str) -> None:
        """Tap a field and type; the letters are no taps."""
        self.tap(self.page.get_by_label(label, exact=True))
        self.page.keyboard.insert_text(words)

    def look(self, heading: str) -> None:
        """See a page whose heading says this, and read what is to be seen of it."""
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(heading)
        settle(self.page)  # a page that is still coming is not all there to read
        self.read.append(heading)
        self.words += len(self.page.get_by_role("main").inner_text().split())
        assert self.arrived == len(self.read), f"a page before {heading!r} was not looked at"

    @property
    def minutes(self) -> float:
        return self.words / WORDS_A_MINUTE + self.taps * SECONDS_A_TAP / 60
