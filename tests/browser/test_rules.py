"""How to play on paper, and a rule book at the rule that a link names."""

import re

from playwright.sync_api import Page, expect

from tests.browser.laid import Club


def test_how_to_play_prints_on_two_pages(laptop: Page, club: Club) -> None:
    pages = {}

    for name in (name for name in club.pages if name.startswith("how-to-play")):
        laptop.goto(club.pages[name])
        printed = laptop.pdf(format="A4")
        pages[name] = len(re.findall(rb"/Type\s*/Page\b", printed))

    assert len(pages) > 3
    assert {name: number for name, number in pages.items() if number > 2} == {}


def test_a_cited_rule_is_in_sight_in_the_book_and_stands_out(phone: Page, club: Club) -> None:
    phone.goto(club.pages["how-to-play, albastini"])

    phone.get_by_role("link", name="Rule book: Who wins").click()

    rule = phone.locator("#R10")
    expect(rule).to_be_in_viewport()
    expect(rule).to_contain_text("Whoever ate most wins")
    assert rule.evaluate("rule => rule.matches(':target')")


def test_a_referee_types_a_word_and_return(phone: Page, club: Club) -> None:
    phone.goto(club.pages["referee, dalmuti"])

    phone.get_by_label("A word, or a rule’s number").fill("pass again")
    phone.keyboard.press("Enter")

    expect(phone.locator("mark").first).to_be_visible()
    expect(phone.get_by_role("link", name="D-6")).to_be_visible()
