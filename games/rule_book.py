"""Rule book: RULES.md of a game, parsed. A rule is a list item with its number as the term."""

import re
from pathlib import Path

from games.markdown import Section, parse

# A note on where a rule comes from, behind it: of no interest at a table.
_SOURCE = re.compile(r"\s*\*(?:Literal|Reading|Custom|Convention)\b[^*]+\*")


def read_rule_book(slug: str) -> tuple[Section[str], ...]:
    """Return the title with its preface, then the sections; nothing if there is no RULES.md."""
    file = Path(__file__).parent / slug / "RULES.md"
    return parse_rule_book(file.read_text(encoding="utf-8")) if file.is_file() else ()


def parse_rule_book(text: str) -> tuple[Section[str], ...]:
    """Return the sections, without the notes on where a rule comes from."""
    return parse(_SOURCE.sub("", text))
