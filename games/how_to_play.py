"""How to play: a game explained to newcomers, as values for a page or a print to lay out.

Everything said is English to be translated, in whole sentences. Cards stand by their codes,
and a game's ``face`` says how they are drawn. Tests hold what is told to the engine: who
takes the tricks shown, which hands are better, and that the example is a hand as it was played.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from games.cards import Face
from games.wording import Text

Said: TypeAlias = str | Text


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards side by side, and what is to be seen in them."""

    cards: tuple[str, ...]
    says: Said = ""
    kind: str = "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTrick:
    """What was played to a trick, in order, and the place in it of what took it.

    ``played`` is who, and the code of what was played, empty for nothing. Of a trick that
    goes on nothing is ``taken`` yet.
    """

    played: tuple[tuple[str, str], ...]
    says: Said
    taken: int | None = None
    kind: str = "trick"


@dataclass(frozen=True, slots=True)
class Items:
    """Short sentences one below the other; ``numbered`` where their order counts."""

    says: tuple[Said, ...]
    numbered: bool = False
    kind: str = "items"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """One kind of hand, with one of the kind; the better kinds stand above it."""

    name: str
    cards: tuple[str, ...]
    says: Said


@dataclass(frozen=True, slots=True)
class Ladder:
    """Kinds of hands, the best first."""

    ranks: tuple[Rank, ...]
    kind: str = "ladder"


# What has a ``kind`` is laid out in a way of its own; the others are sentences.
Part: TypeAlias = Said | CardRow | ShownTrick | Items | Ladder


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The text under one heading; ``rules`` are its rule numbers in RULES.md."""

    title: str
    parts: tuple[Part, ...]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the table, and what people mean by it."""

    word: str
    means: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToPlay:
    """A game explained in five minutes. ``record`` is the hand shown in ``example``.

    ``scored`` is what whoever writes a hand down should know, ``figures`` what the heads of
    a standing's columns mean.
    """

    face: Callable[[str], Face]
    nutshell: tuple[Said, ...]
    sections: tuple[Section, ...]
    example: Section
    record: str
    scored: tuple[Said, ...]
    figures: tuple[Said, ...]
    glossary: tuple[Term, ...]


def record_beside(module: str) -> str:
    """Return the hand in ``play/example.txt`` beside this module's file; without it nothing."""
    example = Path(module).parent / "play" / "example.txt"
    return example.read_text(encoding="utf-8") if example.exists() else ""
