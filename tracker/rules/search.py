"""Search in a rule book: by a rule's number, or by words in any of their English forms."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.markdown import map_text
from tracker.rules.book import (
    Blocks,
    Book,
    BookSection,
    Line,
    Piece,
    Rule,
    numbers_of,
    own_blocks,
    plain_text,
    split_at,
)

# A rule's number as people type it: "R12", "r 12", "a-7".
_NUMBER = re.compile(r"([a-z])[\s-]?(\d+)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:-\w+)*")
_MOST_WORDS = 8
# An English ending after at least three letters.
_ENDING = re.compile(r"(?<=...)(?:ing|es|ed|s)$")
# Words that tell no rule from another; rule books are in English.
_STOP_WORDS = frozenset(
    _WORD.findall(
        "the an who what when where which how is are be do does did may can must to of in if and "
        "or my me you your we they it at on for with by from there that this"
    )
)


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that a search found; matches in its blocks are pieces of kind "hit"."""

    number: str
    section: str  # the title
    blocks: Blocks
    for_programs: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The rules found; ``all_words`` tells whether they have all words of the query."""

    found: tuple[FoundRule, ...]
    all_words: bool = True

    @property
    def at_table(self) -> tuple[FoundRule, ...]:
        return tuple(rule for rule in self.found if not rule.for_programs)

    @property
    def for_programs(self) -> tuple[FoundRule, ...]:
        return tuple(rule for rule in self.found if rule.for_programs)


def search(book: Book, query: str) -> SearchResult:
    """Return the rules with the number *query*, or else those with the most words of *query*."""
    rules = [(section, rule) for section in book.sections for rule in section.rules]
    if typed := _NUMBER.fullmatch(query.strip()):
        number = f"{typed[1]}{typed[2]}".upper()
        numbered = [
            _mark_hits(section, rule, ())
            for section, rule in rules
            if number in {rule_number.replace("-", "") for rule_number in numbers_of(rule)}
        ]
        if numbered:
            return SearchResult(tuple(numbered))
    words = stems(query)
    # Each rule with its score: how many of the words it has.
    scored = []
    for section, rule in rules:
        text = plain_text(own_blocks(rule))
        score = sum(1 for word in words if _pattern((word,)).search(text))
        scored.append((score, section, rule))
    best = max((score for score, _section, _rule in scored), default=0)
    if not best:
        return SearchResult(())
    found = [_mark_hits(section, rule, words) for score, section, rule in scored if score == best]
    return SearchResult(tuple(found), all_words=best == len(words))


def stems(query: str) -> tuple[str, ...]:
    """Return the words to search for, each once: no stop words, single letters, English endings.

    >>> stems("Who is bidding trumps?")
    ('bidd', 'trump')
    """
    words = [word.lower() for word in _WORD.findall(query)]
    words = [w for w in words if w not in _STOP_WORDS and (len(w) > 1 or w.isdigit())]
    return tuple(dict.fromkeys(_ENDING.sub("", word) for word in words[:_MOST_WORDS]))


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for words that begin with one of *words*."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\w*", re.IGNORECASE)


def _mark_hits(section: BookSection, rule: Rule, words: Sequence[str]) -> FoundRule:
    """Return a rule as found, with the matches of *words* marked; none without words."""

    def mark(line: Line) -> Line:
        pieces: list[Piece] = []
        for piece in line:
            if piece.kind in {"text", "em", "strong"}:
                pieces += split_at(_pattern(words), piece.text, "hit", piece.kind)
            else:
                pieces.append(piece)
        return tuple(pieces)

    blocks = own_blocks(rule)
    if words:
        blocks = tuple(map_text(block, mark) for block in blocks)
    return FoundRule(rule.term, section.title, blocks, section.for_programs)
