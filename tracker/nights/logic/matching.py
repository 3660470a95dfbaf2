"""Finding by what people remember: the beginnings of words, whatever their accents and order."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from tracker.common.names import words_of

T = TypeVar("T")
_MOST_WORDS = 8


def matches(asked: Sequence[str], words: Sequence[str]) -> bool:
    """Say whether each word that is asked for begins a word of the text.

    >>> matches(words_of("ju kap"), words_of("Juma Kapera")), matches(["uma"], ["juma"])
    (True, False)
    """
    return all(any(word.startswith(each) for word in words) for each in asked)


def find(asked: str, rows: Iterable[tuple[str, T]]) -> list[T]:
    """Return of *rows*, texts and what they are of, those that match, what begins so first.

    >>> find("ju", [("Abu Juma", 1), ("Juma", 2), ("Asha", 3)])
    [2, 1]
    """
    wanted = words_of(asked)[:_MOST_WORDS]
    if not wanted:
        return []
    found = [(words_of(text), item) for text, item in rows]
    hits = [(words, item) for words, item in found if matches(wanted, words)]
    first = [item for words, item in hits if words[0].startswith(wanted[0])]
    return first + [item for words, item in hits if not words[0].startswith(wanted[0])]
