"""How to play: a game explained to newcomers, read from ``how_to_play.md`` in its folder.

``how_to_play.sw.md`` beside it is the same in Swahili. What stands below the title is the game in
short. A heading may end with the numbers of its rules in RULES.md, ``(R7, R8)``, and with a name,
``{#example}``, which four sections must have. A paragraph or an item may begin with a token, which
is the same in every language::

    [[AS 7S KS]]                               cards
    [[3x11]]                                   several that lie on each other
    [[trick: Asha 5H, Juma AH takes, Neema passes]]
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from games import markdown
from games.cards import Face
from games.game import AnyGame
from games.markdown import Block, Item, ItemList, Paragraph, Section

_GAMES = Path(__file__).parent
_ENGLISH = "en"
_NAMED = {"example", "scored", "figures", "words"}
_HEADING = re.compile(
    r"(?P<title>.+?)(?: \((?P<rules>[A-Z]-?\d+(?:, [A-Z]-?\d+)*)\))?(?: {#(?P<name>\w+)})?"
)
_TOKEN = re.compile(r"\[\[(.+?)\]\] ?")
_TRICK = "trick: "
_PLAYED = re.compile(r"(?P<who>.+?) (?:passes|(?P<card>\w+)(?P<takes> takes)?)")


class HowToPlayError(ValueError):
    """A mistake in a file; the message begins with the file and the line."""


# In a template ``kind`` tells the parts of a chapter apart; plain text has none.
@dataclass(frozen=True, slots=True)
class CardRow:
    cards: tuple[Face, ...]
    text: str
    kind: str = "cards"


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick: each player's name, the card, ``None`` for a pass, and whether it takes the trick."""

    played: tuple[tuple[str, Face | None, bool], ...]
    text: str
    kind: str = "trick"


@dataclass(frozen=True, slots=True)
class Entry:
    """A list item, with the term that it explains and the cards that show it, if it has any."""

    term: str
    text: str
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    entries: tuple[Entry, ...]
    kind: str  # "ladder" with cards, "terms" with terms alone; else "ordered" or "list"


Part: TypeAlias = str | CardRow | ShownTrick | Entries


@dataclass(frozen=True, slots=True)
class Chapter:
    """The text under one heading; ``rules`` are its rule numbers in RULES.md."""

    title: str
    rules: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToPlay:
    """A game explained in five minutes, in one language; ``example`` is a hand from deal to points.

    ``scored`` is for people who write results down, ``figures`` explains the columns of a
    standing, ``words`` the words at the table.
    """

    language: str
    nutshell: Chapter
    chapters: tuple[Chapter, ...]
    example: Chapter
    scored: Chapter
    figures: Chapter
    words: Chapter


def read_how_to_play(game: AnyGame, language: str = _ENGLISH) -> HowToPlay | None:
    """Return how to play a game, in this language if there is a file of it, else in English.

    :raises HowToPlayError: if the file has a mistake.
    """
    translation = _GAMES / game.slug / f"how_to_play.{language}.md"
    if translation.is_file():
        return _read(translation, language, game.face)
    original = translation.with_name("how_to_play.md")
    return _read(original, _ENGLISH, game.face) if original.is_file() else None


@cache
def _read(file: Path, language: str, face: Callable[[str], Face]) -> HowToPlay:
    first, *sections = markdown.parse(file.read_text(encoding="utf-8"))
    reader = _Reader(file, face)
    chapters: list[Chapter] = []
    named: dict[str, Chapter] = {}
    for section in sections:
        name, chapter = reader.chapter(section)
        if name:
            named[name] = chapter
        else:
            chapters.append(chapter)
    if named.keys() != _NAMED:
        raise reader.error(1, f"the sections with names must be {', '.join(sorted(_NAMED))}")
    _name, nutshell = reader.chapter(first)
    return HowToPlay(language=language, nutshell=nutshell, chapters=tuple(chapters), **named)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the sections of one file."""

    file: Path
    face: Callable[[str], Face]

    def error(self, line: int, mistake: str) -> HowToPlayError:
        return HowToPlayError(f"{self.file}, line {line}: {mistake}")

    def chapter(self, section: Section[str]) -> tuple[str, Chapter]:
        """Return a section's name, which may be empty, and the section."""
        heading = _HEADING.fullmatch(section.title)
        if heading is None:
            raise self.error(section.line, "words stand before the title")
        title, rules, name = heading.groups("")
        parts = tuple(self._part(block, section.line) for block in section.blocks)
        return name, Chapter(title, tuple(rules.split(", ")) if rules else (), parts)

    def _part(self, block: Block[str], line: int) -> Part:
        match block:
            case Paragraph():
                token, text = self._token(block)
                if token.startswith(_TRICK):
                    played = token.removeprefix(_TRICK).split(", ")
                    return ShownTrick(
                        tuple(self._played(each, block.line) for each in played), text
                    )
                return CardRow(self._cards(token, block.line), text) if token else text
            case ItemList():
                entries = tuple(self._entry(item, line) for item in block.items)
                kind = "ordered" if block.ordered else "list"
                if any(entry.term for entry in entries):
                    kind = "ladder" if any(entry.cards for entry in entries) else "terms"
                return Entries(entries, kind)
            case _:
                raise self.error(line, "no table can be shown here")

    def _entry(self, item: Item[str], line: int) -> Entry:
        match item.blocks:
            case (Paragraph() as only,):
                token, text = self._token(only)
                return Entry(item.term, text, self._cards(token, only.line))
            case _:
                raise self.error(line, "an item of a list must be one paragraph")

    def _token(self, paragraph: Paragraph[str]) -> tuple[str, str]:
        """Return the token that a paragraph begins with, empty for none, and its other words."""
        token = _TOKEN.match(paragraph.text)
        text = paragraph.text[token.end() :] if token else paragraph.text
        if "[[" in text or "]]" in text:
            raise self.error(paragraph.line, "a token stands before the words, and ends with ]]")
        return token[1] if token else "", markdown.unmarked(text)

    def _played(self, words: str, line: int) -> tuple[str, Face | None, bool]:
        played = _PLAYED.fullmatch(words)
        if played is None:
            raise self.error(
                line, f"“{words}” is not like “Asha 5H”, “Asha 5H takes”, “Asha passes”"
            )
        (card,) = self._cards(played["card"] or "", line) or (None,)
        return played["who"], card, bool(played["takes"])

    def _cards(self, codes: str, line: int) -> tuple[Face, ...]:
        try:
            return tuple(map(self.face, codes.split()))
        except ValueError as error:
            raise self.error(line, f"{error} in [[{codes}]]") from error
