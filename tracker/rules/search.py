"""Looking something up in a rule book: a rule by its number, or all that have some words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tracker.rules.book import Block, Book, BookSection, Item, Line, Piece, mapped, plain

_NUMBER = re.compile(r"([a-z])[\s-]?(\d+)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:-\w+)*")
_MOST_WORDS = 8
_ENDING = re.compile(r"(?<=...)(?:ing|es|ed|s)$")
# Words of a question that tell no rule from another; rule books are in English.
_EVERYWHERE = frozenset(
    _WORD.findall(
        "the an who what when where which how is are be do does did may can must to of in if and or "
        "my me you your we they it at on for with by from there that this"
    )
)


@dataclass(frozen=True, slots=True)
class Found:
    """A rule that a search found, with the matches marked, and the section it is in."""

    number: str
    section: str
    blocks: tuple[Block, ...]
    of_programs: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search comes to. ``all_words`` says that every rule found has all of them."""

    found: tuple[Found, ...]
    all_words: bool = True

    @property
    def at_table(self) -> tuple[Found, ...]:
        """Return what is about the table."""
        return tuple(rule for rule in self.found if not rule.of_programs)

    @property
    def for_programs(self) -> tuple[Found, ...]:
        """Return what is about engines and written hands."""
        return tuple(rule for rule in self.found if rule.of_programs)


def search(book: Book, wanted: str) -> SearchResult:
    """Return the rule of this number; or the rules with all of the words, else with most."""
    rules = [(section, rule) for section in book.sections for rule in section.rules]
    if sought := _NUMBER.fullmatch(wanted.strip()):
        number = f"{sought[1]}{sought[2]}".upper()
        numbered = [
            _found(section, rule, ())
            for section, rule in rules
            if number in {each.replace("-", "") for each in rule.numbers}
        ]
        if numbered:
            return SearchResult(tuple(numbered))
    words = stems(wanted)
    scored = []
    for section, rule in rules:
        text = plain(rule.own)
        many = sum(1 for word in words if _pattern((word,)).search(text))
        scored.append((many, section, rule))
    most = max((many for many, _section, _rule in scored), default=0)
    if not words or not most:
        return SearchResult(())
    found = [_found(section, rule, words) for many, section, rule in scored if many == most]
    return SearchResult(tuple(found), all_words=most == len(words))


def stems(wanted: str) -> tuple[str, ...]:
    """Return the words that are looked for, without the endings that a rule may lack.

    >>> stems("Who is bidding trumps?")
    ('bidd', 'trump')
    """
    words = [word.lower() for word in _WORD.findall(wanted)]
    telling = [word for word in words if word not in _EVERYWHERE and (word[1:] or word.isdigit())]
    return tuple(dict.fromkeys(_ENDING.sub("", word) for word in telling[:_MOST_WORDS]))


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Match words that begin like one of these."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\w*", re.IGNORECASE)


def _found(section: BookSection, rule: Item, words: Sequence[str]) -> Found:
    def line(of: Line) -> Line:
        return tuple(piece for whole in of for piece in _split(whole, words))

    blocks = tuple(mapped(block, line) for block in rule.own) if words else rule.own
    return Found(rule.number, section.title, blocks, section.of_programs)


def _split(piece: Piece, words: Sequence[str]) -> Iterator[Piece]:
    if piece.kind not in {"text", "em", "strong"}:
        yield piece
        return
    place = 0
    for hit in _pattern(words).finditer(piece.text):
        if before := piece.text[place : hit.start()]:
            yield Piece(piece.kind, before)
        yield Piece("hit", hit[0])
        place = hit.end()
    if rest := piece.text[place:]:
        yield Piece(piece.kind, rest)
