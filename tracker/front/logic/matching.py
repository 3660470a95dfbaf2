"""Finding by what people remember: the beginnings of words, whatever their accents and order."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
_WORD = re.compile(r"\w+")
_MOST_WORDS = 8


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared: small letters without accents.

    >>> words_of("José, Nïght, 21 NOVEMBER")
    ('jose', 'night', '21', 'november')
    """
    # Trap: a letter may fall apart into one with an accent only once it is small.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return tuple(_WORD.findall(plain))


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
