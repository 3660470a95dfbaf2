"""Search in a rule book, by rule number or by words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracker.rules.book import (
    Block,
    Book,
    BookSection,
    Item,
    Line,
    Piece,
    map_lines,
    plain_text,
    split_at,
)

_NUMBER = re.compile(r"([a-z])[\s-]?(\d+)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:-\w+)*")
_MOST_WORDS = 8
_ENDING = re.compile(r"(?<=...)(?:ing|es|ed|s)$")
# Words that tell no rule from another; rule books are in English.
_STOP_WORDS = frozenset(
    _WORD.findall(
        "the an who what when where which how is are be do does did may can must to of in if and or "
        "my me you your we they it at on for with by from there that this"
    )
)


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that a search found, with its matches marked as "hit" and the title of its section."""

    number: str
    section: str
    blocks: tuple[Block, ...]
    for_programs: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The rules found; ``all_words`` is false if none of them has all the words."""

    found: tuple[FoundRule, ...]
    all_words: bool = True

    @property
    def at_table(self) -> tuple[FoundRule, ...]:
        return tuple(rule for rule in self.found if not rule.for_programs)

    @property
    def for_programs(self) -> tuple[FoundRule, ...]:
        return tuple(rule for rule in self.found if rule.for_programs)


def search(book: Book, wanted: str) -> SearchResult:
    """Return the rules with the number *wanted*; else the rules with the most of its words."""
    rules = [(section, rule) for section in book.sections for rule in section.rules]
    if sought := _NUMBER.fullmatch(wanted.strip()):
        number = f"{sought[1]}{sought[2]}".upper()
        numbered = [
            _mark(section, rule, ())
            for section, rule in rules
            if number in {each.replace("-", "") for each in rule.numbers}
        ]
        if numbered:
            return SearchResult(tuple(numbered))
    words = stems(wanted)
    scored = []
    for section, rule in rules:
        text = plain_text(rule.own_blocks)
        many = sum(1 for word in words if _pattern((word,)).search(text))
        scored.append((many, section, rule))
    most = max((many for many, _section, _rule in scored), default=0)
    if not words or not most:
        return SearchResult(())
    found = [_mark(section, rule, words) for many, section, rule in scored if many == most]
    return SearchResult(tuple(found), all_words=most == len(words))


def stems(wanted: str) -> tuple[str, ...]:
    """Return the words to search for, without stop words and English endings.

    >>> stems("Who is bidding trumps?")
    ('bidd', 'trump')
    """
    words = [word.lower() for word in _WORD.findall(wanted)]
    telling = [word for word in words if word not in _STOP_WORDS and (word[1:] or word.isdigit())]
    return tuple(dict.fromkeys(_ENDING.sub("", word) for word in telling[:_MOST_WORDS]))


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for words that begin with one of *words*."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\w*", re.IGNORECASE)


def _mark(section: BookSection, rule: Item, words: Sequence[str]) -> FoundRule:
    def mark(line: Line) -> Line:
        return tuple(part for piece in line for part in _mark_piece(piece, words))

    blocks = (
        tuple(map_lines(block, mark) for block in rule.own_blocks) if words else rule.own_blocks
    )
    return FoundRule(rule.number, section.title, blocks, section.for_programs)


def _mark_piece(piece: Piece, words: Sequence[str]) -> Iterator[Piece]:
    if piece.kind in {"text", "em", "strong"}:
        return split_at(_pattern(words), piece.text, "hit", piece.kind)
    return iter((piece,))
