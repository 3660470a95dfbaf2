"""Where a rule comes from, said behind it: for whoever doubts it, not for a table."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tracker.rules.logic.book import Book, Line, Piece, mapped

_SOURCE = re.compile(r"(?:Literal|Reading|Custom|Convention)\b")


def without_sources(book: Book) -> Book:
    r"""Return the book without them; its preface still tells what they mean.

    >>> from tracker.rules.logic.book import plain, read_book
    >>> book = read_book("## Play\n- **R1** Any card. *Reading: it says \"a card\".*")
    >>> plain(without_sources(book).sections[0].rules[0].own)
    'Any card.'
    """
    sections = tuple(
        replace(section, blocks=tuple(mapped(block, _without) for block in section.blocks))
        for section in book.sections
    )
    return replace(book, sections=sections)


def _without(line: Line) -> Line:
    return tuple(_kept(line))


def _kept(line: Line) -> Iterator[Piece]:
    for piece, following in zip(line, (*line[1:], None), strict=True):
        if _is_source(piece):
            continue
        ends = following is not None and _is_source(following)
        yield Piece(piece.kind, piece.text.rstrip()) if ends else piece


def _is_source(piece: Piece) -> bool:
    return piece.kind == "em" and _SOURCE.match(piece.text) is not None
