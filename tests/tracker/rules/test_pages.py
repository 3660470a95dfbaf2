"""How to play, and the rule books, as people read them."""

import re
import shutil
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

import games
from games import catalogue
from tests import make, toy
from tests.weighing import Page, static_files, wire
from tracker.models import Role

GAMES = ("albastini", "briscola", "dalmuti", "mambassa")
OWN = {"rules.css", "practice.css"}  # what these pages fetch beside what every page has


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text))).strip()


# Run a night -----------------------------------------------------------------------------------


def test_the_guide_names_buttons_as_pages_have_them(client: Client) -> None:
    """Each <b> is the whole text of a button, link or heading of another template, of any number or game."""
    named = re.findall(r"<b>([^<]+)</b>", client.get(reverse("guide")).text)
    written = "".join(
        file.read_text(encoding="utf-8")
        for file in sorted((settings.BASE_DIR / "templates").rglob("*.html"))
        if file.name != "guide.html"
    )
    texts = set(re.findall(r'translate "([^"]+)"', written))
    texts |= set(re.findall(r"blocktranslate[^%]*%}\s*([^<%]+?)\s*(?:<|{%)", written))
    known = {re.sub(r"{{[^}]*}}", "1", text).replace("'", "’") for text in texts}

    assert len(named) > 20
    assert {re.sub(r"\d+|\bhands$", "1", unescape(name)) for name in named} - known == set()


# How to play -----------------------------------------------------------------------------------


def test_a_newcomer_reads_cards_a_hand_how_it_is_scored_house_rules_and_words(
    client: Client,
) -> None:
    page = client.get(reverse("how-to-play", args=["albastini"]))

    said = words(page)
    assert "How to play Albastini" in said
    assert 'aria-label="Ace of spades"' in page.text
    assert (
        "Asha & Juma 81 Neema & Baraka 39 Asha & Juma win · 1 victory point Asha deals next."
        in said
    )
    assert "After every hand somebody at the table writes the result down" in said
    assert "How much did each side eat?" in said
    assert "May six players each play alone? No or: Yes" in said
    assert "Eat Win a trick and take its cards." in said
    assert said.index("Eat Win a trick") < said.index("May six players each play alone?")
    assert "In the rule book" not in said


def test_a_newcomer_reads_it_in_their_language_if_somebody_has_written_it(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.LANGUAGES = [("en", "English"), ("sw", "Kiswahili")]
    shutil.copytree(Path(games.__file__).parent / "albastini", tmp_path / "albastini")
    english = (tmp_path / "albastini/how_to_play.md").read_text("utf-8")
    translation = tmp_path / "albastini/how_to_play.sw.md"
    translation.write_text(english.replace("## Who wins", "## Nani anashinda"), "utf-8")
    monkeypatch.setattr("games.how_to_play._GAMES", tmp_path)

    path = reverse("how-to-play", args=["albastini"])
    told = {
        language: client.get(path, headers={"accept-language": language}).text
        for language in ("sw", "en")
    }

    assert '<h2 id="part-5" tabindex="-1" lang="sw">Nani anashinda</h2>' in told["sw"]
    assert '<h2 id="part-5" tabindex="-1" lang="en">Who wins</h2>' in told["en"]


def test_the_standing_is_told_in_the_order_in_which_it_goes(client: Client) -> None:
    page = client.get(reverse("how-to-play", args=["dalmuti"]))

    order = page.text.partition('class="compared"')[2].partition("</ol>")[0]
    assert re.findall(r"<li>(\w+(?: \w+)?)", order) == ["Dalmuti", "Peon", "Last game"]
    assert order.count("the fewer, the better") == 2


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_is_cited_leads_to_it(client: Client, game: str) -> None:
    page = client.get(reverse("how-to-play", args=[game]))
    book = client.get(reverse("referee", args=[game]))

    led = re.findall(rf'href="{reverse("referee", args=[game])}#([^"]+)"', page.text)

    assert len(led) > 4
    assert [rule for rule in led if f'id="{rule}"' not in book.text] == []


@pytest.mark.parametrize("game", GAMES)
def test_it_adds_little_to_what_every_page_weighs_and_asks_no_database(
    client: Client, game: str
) -> None:
    for name in ("how-to-play", "referee"):
        page = client.get(reverse(name, args=[game]))

        fetched = static_files(Page(page.text).fetched)
        files = [file.read_bytes() for file in fetched if file.name in OWN]
        assert wire(page.content) + sum(map(wire, files)) < 20_000


def test_of_a_game_that_tells_nothing_there_are_its_rules_and_its_scores(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_toy = {**catalogue.GAMES, toy.GAME.slug: toy.GAME}
    monkeypatch.setattr(catalogue, "GAMES", MappingProxyType(with_toy))

    told = client.get(reverse("how-to-play", args=["dash"]))
    book = client.get(reverse("referee", args=["dash"]))

    assert "Run to the palm with a card on your head." in words(told)
    assert "Practise" not in words(told)
    assert reverse("how-to-play", args=["dash"]) in client.get(reverse("rules")).text
    assert "Nobody has written down the rules of this game yet." in words(book)


# Rule books ------------------------------------------------------------------------------------


def test_the_whole_book_has_an_anchor_for_every_rule(client: Client) -> None:
    page = client.get(reverse("referee", args=["albastini"]))

    for number in ("R1", "R18", "A-13", "E5", "S11"):
        assert f'id="{number}"' in page.text
    assert "Any tie for the most, and nobody scores." in words(page)


def test_a_house_rule_that_asks_for_a_number_says_which_it_may_be(client: Client) -> None:
    said = words(client.get(reverse("how-to-play", args=["dalmuti"])))

    assert re.search(r"\b10 or: any from 10 to 20\b", said)


def test_a_referee_finds_a_rule_by_a_word(client: Client) -> None:
    page = client.get(reverse("referee", args=["albastini"]), {"q": "tie"})

    assert "<mark>tie</mark>" in page.text
    assert "A-9 Counting Any tie for the most" in words(page)
    assert reverse("referee", args=["albastini"]) + "#A-9" in page.text
    assert "3 rules A-3" in words(page)
    assert "4 rules for programs S10" in words(page)
    assert 'value="tie"' in page.text


def test_a_referee_finds_a_rule_by_its_number(client: Client) -> None:
    page = client.get(reverse("referee", args=["briscola"]), {"q": "b10"})

    assert "1 rule R11 Play Partners may look at each other’s cards. B-10 Once" in words(page)


def test_what_no_rule_says_is_said(client: Client) -> None:
    page = client.get(reverse("referee", args=["albastini"]), {"q": "<b>xyz</b>"})

    assert "No rule says anything about “&lt;b&gt;xyz&lt;/b&gt;”." in page.text
    assert "<b>xyz" not in page.text


def test_all_books_are_searched_at_once(client: Client) -> None:
    page = client.get(reverse("rules"), {"q": "knock"})

    found = page.text.partition('aria-label="Found"')[2].partition("</section>")[0]
    assert re.findall(r"<h2>(.+?)</h2>", found) == ["Mambassa"]


@pytest.mark.parametrize("name", ["how-to-play", "referee"])
def test_a_game_that_is_not_there_has_no_rules(client: Client, name: str) -> None:
    assert client.get(reverse(name, args=["poker"])).status_code == 404


# What leads there ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_table_its_card_practice_and_every_foot_lead_to_it(client: Client) -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))
    path = reverse("how-to-play", args=["albastini"])

    assert path in client.get(sitting.get_absolute_url()).text
    assert path in client.get(reverse("practice-game", args=["albastini"])).text

    assert f'href="{reverse("rules")}"' in client.get(reverse("sign-in")).text

    tournament = sitting.round.tournament
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    card = client.get(reverse("print-cards", args=[tournament.pk]))
    assert f"How to play: testserver{path}" in words(card)
