"""Rule books, read and searched."""

import re
from pathlib import Path

import pytest

import games
from games import catalogue
from games.markdown import ItemList, Paragraph, Table
from games.rule_book import parse_rule_book
from tracker.rules.book import make_book, own_blocks, parse_line, plain_text
from tracker.rules.pages import rule_book
from tracker.rules.search import search, stems

BOOK = make_book(
    parse_rule_book(
        """# A game

From one text, by `2i`.

## Play

- **R1** Cards: 2, 8 and
  9 stay in the box. *Reading: it says “a box”.*
- **R2** Who sits where:

  | mode | sides |
  |---|---|
  | `2i` | each alone |

  - **A-1** As R1 says, but *only* here.
    - `"a"` one thing
    - `"b"` another
- **R3** The dealer deals again after a tie.

### At an engine's table

- **E1** Moves are written `pass` after a tie, in `2i`.
"""
    ),
    {"2i": "two, each alone"},
)


@pytest.mark.every_game
@pytest.mark.parametrize("slug", catalogue.GAMES)
def test_every_rule_of_every_book_is_found_by_its_number_and_no_markup_is_left(slug: str) -> None:
    book = rule_book(slug)
    written = (Path(games.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")
    numbers = re.findall(r"\*\*([A-Z]-?\d+)\*\*", written)
    text = plain_text((*book.preface, *(block for each in book.sections for block in each.blocks)))

    assert len(numbers) == len(set(numbers)) > 0
    assert [number for number in numbers if len(search(book, number).found) != 1] == []
    assert re.findall(r"\*\*|`|^\||---", text) == []


def test_a_rule_is_read_with_its_lines_its_table_and_what_hangs_on_it() -> None:
    play = BOOK.sections[0]
    first, second, nested, _last = play.rules

    assert plain_text(own_blocks(first)) == "Cards: 2, 8 and 9 stay in the box."
    assert [type(block) for block in second.blocks] == [Paragraph, Table, ItemList]
    assert plain_text(own_blocks(second)) == "Who sits where: mode sides two, each alone each alone"
    assert [rule.term for rule in play.rules] == ["R1", "R2", "A-1", "R3"]
    assert plain_text(own_blocks(nested)) == 'As R1 says, but only here. "a" one thing "b" another'


def test_what_is_about_engines_is_told_apart_and_keeps_its_codes() -> None:
    assert [(each.title, each.for_programs) for each in BOOK.sections] == [
        ("Play", False),
        ("At an engine's table", True),
    ]
    assert plain_text(BOOK.sections[1].blocks) == "Moves are written pass after a tie, in 2i."
    assert plain_text(BOOK.preface) == "From one text, by 2i."


@pytest.mark.parametrize("wanted", ["A-1", "a1", "a 1", " A-1 "])
def test_a_number_is_found_however_it_is_typed(wanted: str) -> None:
    assert [rule.number for rule in search(BOOK, wanted).found] == ["A-1"]


def test_words_are_found_in_any_form_and_marked() -> None:
    answer = search(BOOK, "dealers ties")

    (rule,) = answer.found
    (paragraph,) = rule.blocks
    assert isinstance(paragraph, Paragraph)
    assert (rule.number, rule.section, answer.all_words) == ("R3", "Play", True)
    assert [piece.text for piece in paragraph.text if piece.kind == "hit"] == ["dealer", "tie"]


def test_where_no_rule_has_all_words_those_with_most_are_shown() -> None:
    answer = search(BOOK, "dealer tie revolution")

    assert [rule.number for rule in answer.found] == ["R3"]
    assert not answer.all_words
    assert search(BOOK, "revolution").found == ()
    assert search(BOOK, "?!").found == ()


def test_what_is_for_programs_is_found_apart() -> None:
    answer = search(BOOK, "tie")

    assert [rule.number for rule in answer.at_table] == ["R3"]
    assert [rule.number for rule in answer.for_programs] == ["E1"]


def test_a_question_is_looked_up_by_the_words_that_tell() -> None:
    assert stems("Who deals after a tie?") == ("deal", "after", "tie")
    assert stems("5 as") == ("5", "as")
    assert stems("who is it?") == ()


def test_addresses_are_shown_as_words() -> None:
    assert [piece.text for piece in parse_line("see <https://www.pagat.com>.")] == [
        "see ",
        "www.pagat.com",
        ".",
    ]
