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
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from games import markdown
from games.cards import Face
from games.game import AnyGame
from games.markdown import Block, ItemList, Paragraph, Section

_GAMES = Path(__file__).parent
_ENGLISH = "en"
_NAMED = {"example", "scored", "figures", "words"}
_HEADING = re.compile(
    r"(?P<title>.+?)(?: \((?P<rules>[A-Z]-?\d+(?:, [A-Z]-?\d+)*)\))?(?: {#(?P<name>\w+)})?"
)
_TOKEN = re.compile(r"\[\[(trick: )?(.+?)\]\] ?")
_PLAYED = re.compile(r"(?P<who>.+?) (?:passes|(?P<card>\w+)(?P<takes> takes)?)")


class HowToPlayError(ValueError):
    """A mistake in a file; the message begins with the file and the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A paragraph or a list of a chapter, or an item of a list.

    ``kind`` is empty for words alone, "cards" for words about cards, "trick" for words about a
    trick; of lists it is "ladder" with cards, "terms" with terms alone, else "ordered" or "list".
    ``played`` is a trick: each player's name, the card, ``None`` for a pass, and whether it takes
    the trick. An item may have a ``term`` that it explains.
    """

    kind: str = ""
    text: str = ""
    term: str = ""
    cards: tuple[Face, ...] = ()
    played: tuple[tuple[str, Face | None, bool], ...] = ()
    entries: "tuple[Part, ...]" = ()


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
    sections = markdown.parse(file.read_text(encoding="utf-8"))
    try:
        (_name, nutshell), *others = [_chapter(section, face) for section in sections]
    except HowToPlayError as error:
        raise HowToPlayError(f"{file}, {error}") from error
    named = {name: chapter for name, chapter in others if name}
    if named.keys() != _NAMED:
        names = ", ".join(sorted(_NAMED))
        raise HowToPlayError(f"{file}, line 1: the sections with names must be {names}")
    chapters = tuple(chapter for name, chapter in others if not name)
    return HowToPlay(language=language, nutshell=nutshell, chapters=chapters, **named)


def _chapter(section: Section[str], face: Callable[[str], Face]) -> tuple[str, Chapter]:
    """Return a section's name, which may be empty, and the section."""
    heading = _HEADING.fullmatch(section.title)
    if heading is None:
        raise HowToPlayError(f"line {section.line}: words stand before the title")
    title, rules, name = heading.groups("")
    parts = tuple(_part(block, section.line, face) for block in section.blocks)
    return name, Chapter(title, tuple(rules.split(", ")) if rules else (), parts)


def _part(block: Block[str], line: int, face: Callable[[str], Face]) -> Part:
    match block:
        case Paragraph():
            return _paragraph(block, face)
        case ItemList():
            entries = tuple(
                replace(_part(item.blocks[0], line, face), term=item.term) for item in block.items
            )
            if any(len(item.blocks) > 1 for item in block.items):
                raise HowToPlayError(f"line {line}: an item of a list must be one paragraph")
            kind = "ordered" if block.ordered else "list"
            if any(entry.term for entry in entries):
                kind = "ladder" if any(entry.cards for entry in entries) else "terms"
            return Part(kind=kind, entries=entries)
        case _:
            raise HowToPlayError(f"line {line}: no table can be shown here")


def _paragraph(paragraph: Paragraph[str], face: Callable[[str], Face]) -> Part:
    """Return a paragraph, and what is shown by the token that it may begin with."""
    token = _TOKEN.match(paragraph.text)
    text = markdown.unmarked(paragraph.text[token.end() :] if token else paragraph.text)
    if "[[" in text or "]]" in text:
        mistake = "a token stands before the words, and ends with ]]"
        raise HowToPlayError(f"line {paragraph.line}: {mistake}")
    if token is None:
        return Part(text=text)
    trick, shown = token.groups()
    try:
        if trick:
            played = tuple(_played(each, face) for each in shown.split(", "))
            return Part(kind="trick", text=text, played=played)
        return Part(kind="cards", text=text, cards=tuple(map(face, shown.split())))
    except ValueError as error:
        raise HowToPlayError(f"line {paragraph.line}: {error}") from error


def _played(words: str, face: Callable[[str], Face]) -> tuple[str, Face | None, bool]:
    played = _PLAYED.fullmatch(words)
    if played is None:
        raise ValueError(f"“{words}” is not like “Asha 5H”, “Asha 5H takes”, “Asha passes”")
    return played["who"], face(played["card"]) if played["card"] else None, bool(played["takes"])
