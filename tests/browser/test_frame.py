"""The frame of every page on a phone: its first fact near the top, one thing to do now, and no small print."""

import re
from collections.abc import Mapping

from playwright.sync_api import Page, StorageState

from tests.browser import looks
from tests.browser.laid import Club
from tests.browser.test_pages import one_of_each
from tests.browser.visiting import Visitors

PHONE = {"width": 390, "height": 664}
TOP = 220  # pixels; what a thumb leaves of the screen
LEAST = 15  # pixels; the smallest letters

# Of each kind of page the text that somebody opens it for.
FACTS = {
    "home": r"Playing now at 22 tables",
    "no-network": r"This page opens by itself",
    "sign-in": r"Playing now at 22 tables",  # who is signed in is led on to the club
    "card-code": r"Table code",
    "account": r"Your clubs",
    "password": r"Your password now",
    "join": r"You are signed in as",
    "practice": r"Albastini",
    "replay": r"Paste the hand",
    "rules": r"Search all rule books",
    "rules searched": r"Search all rule books",
    "guide": r"Step by step",
    "how-to-play": r"In short",
    "referee": r"A word, or a rule’s number",
    "referee searched": r"A word, or a rule’s number",
    "club": r"Playing now at 22 tables",
    "search": r"A player, a team, a tournament",
    "search, found": r"A player, a team, a tournament",
    "club-new": r"What is the club called\?",
    "club-edit": r"What is the club called\?",
    "webhooks": r"Addresses",
    "api-docs": r"Start",
    "api-tokens": r"Your tokens",
    "log": r"Zuwena ",
    "log of a table": r"The phone at table 1 called",
    "claim": r"Which of these players are you\?",
    "members": r"People",
    "member": r"Role",
    "seasons": r"Autumn",
    "season": r"Juma",
    "season-edit": r"What is it called\?",
    "my-table": r"Find a name",
    "players-import": r"A file",
    "duplicates": r"Asha and Asha A\.",
    "player-merge": r"Merge into",
    "player-erase": r"The name goes from every page",
    "players": r"Zuwena",
    "player": r"2 hands",
    "player of one game": r"1 game",
    "pair": r"2 hands together",
    "player-edit": r"Name",
    "wishes": r"No requests yet",
    "teams": r"Asha & Juma",
    "team": r"Who played",
    "team-edit": r"Find a name",
    "tonight": r"As last time|Which game\?",
    "plan": r"How many players\?",
    "nights": r"No night is announced",
    "night-new": r"When\?",
    "night": r"Needs you",
    "night-edit": r"When\?",
    "night-people": r"Arrived",
    "night-door": r"Upanga · Fri 20 Nov",
    "door": r"This night is finished",
    "night-display": r"Round 2",
    "night-rsvp": r"Your name",
    "tournaments": r"Cup in stages 2",
    "tournament-new": r"Albastini",
    "tournament-edit": r"What is it called\?",
    "tournament-import": r"The file",
    "tournament-look": r"Tournament",
    "entrants": r"Who joins\?",
    "desk": r"Needs you",
    "desk, between": r"Next round",
    "official": r"3 results still wait for you",
    "prizes": r"The first three",
    "awards": r"Give or take points",
    "stage-new": r"Who qualifies\?",
    "final-ranking": r"Asha",
    "tournament": r"Asha",
    "tournament, of forty": r"Abasi 0",
    "dealers": r"Juma deals",
    "hands": r"A tie: nobody scores",
    "story": r"Round 2",
    "crosstable": r"Asha",
    "entrant": r"Place \d",
    "tournament-display": r"Round 2",
    "draw": r"Draw round 3",
    "round-close": r"Still missing",
    "round-undo": r"2 results will not count",
    "schedule": r"Show me",
    "why": r"There is no record",
    "table-keys": r"Table 1",
    "print-cards": r"Upanga",
    "print-rounds": r"The next round is not drawn yet",
    "print-results": r"Place|No results",
    "print-seats": r"By table",
    "print-sheets": r"Table 1",
    "print-blank": r"Table ______",
    "paper-file": r"Round 2",
    "paper": r"How much did each side eat\?",
    "sitting": r"Results",
    "hand": r"Asha & Juma win",
    "hand-record": r"No replay yet",
    "enter-result-type": r"What happened\?",
    "hand-correct": r"How much did each side eat\?",
    "issue": r"Which result counts\?",
    "enter-wins": r"How many hands did each side win\?",
    "table": r"Juma deals",
    "card": r"Nobody sits here yet",
    "copies": r"\d\d? [A-Z][a-z]{2}",
    "copy": r"What it holds",
    "keeping": r"All is well",
    "round-seats": r"Two players swapped seats",
    "stages": r"Asha",
}
_WHERE = """
said => {
  const fact = new RegExp(said);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const ends = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const around = text.parentElement;
    if (!fact.test(text.data) || around.closest(".site-header, .crumbs, .visually-hidden")) continue;
    if (!around.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getClientRects()[0];
    if (box?.height) ends.push(box.bottom + window.scrollY);
  }
  return ends.length ? Math.min(...ends) : null;
}
"""
_FILLED = """
() => {
  const amber = getComputedStyle(document.documentElement).getPropertyValue("--coin");
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = amber;
  const filled = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll("a, button, summary, input, label, span")]
    .filter(each => !each.matches(".skip") && each.checkVisibility({visibilityProperty: true}))
    .filter(each => getComputedStyle(each).backgroundColor === filled)
    .map(each => each.textContent.trim());
}
"""


def _too_low(page: Page, fact: str) -> list[str]:
    end: float | None = page.evaluate(_WHERE, fact)
    if end is None:
        return [f"says nothing like {fact!r}"]
    return [f"{fact!r} ends at {end:.0f}"] if end > TOP else []


def _kinds(pages: Mapping[str, str]) -> dict[str, str]:
    """Return the page that stands for each kind, and those that have a fact of their own."""
    return {
        name: path for name, path in pages.items() if name in one_of_each(pages) or name in FACTS
    }


def _fact(name: str) -> str:
    return FACTS.get(name) or FACTS[name.partition(",")[0]]


def test_every_page_shows_its_first_fact_at_the_top_of_a_phone(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    phone = visitors.phone(host="127.0.0.1", viewport=PHONE, storage_state=organiser)
    pages = _kinds(club.pages)
    names = iter(pages)

    assert looks.walk(phone, pages, lambda page: _too_low(page, _fact(next(names)))) == {}


def test_every_page_has_at_most_one_filled_button_and_no_small_print(
    visitors: Visitors, club: Club, organiser: StorageState
) -> None:
    phone = visitors.phone(host="127.0.0.1", viewport=PHONE, storage_state=organiser)

    def several(page: Page) -> list[str]:
        filled: list[str] = page.evaluate(_FILLED)
        return filled if len(filled) > 1 else []

    amiss = looks.walk(phone, club.pages, several, lambda page: looks.fine_print(page, LEAST))

    assert amiss == {}


def test_facts_name_no_page_that_is_gone(club: Club) -> None:
    kinds = {name.partition(",")[0] for name in club.pages}

    assert [name for name in FACTS if name not in club.pages and name not in kinds] == []
    assert all(re.compile(fact) for fact in FACTS.values())
