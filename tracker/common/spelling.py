"""Names as people write them, and as they are kept."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
_SHORT_ENOUGH = 12  # letters
_ALIKE = 0.85
_JOINERS = "\u200c\u200d"  # part of the spelling in Persian, in Indian scripts, in emoji


def tidy(name: str) -> str:
    r"""Return *name* composed, with single spaces and nothing invisible in it.

    >>> tidy("  Juma\u202e   K. ")
    'Juma K.'
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    seen = "".join(sign for sign in spaced if sign in _JOINERS or sign.isprintable())
    return " ".join(seen.split())


def is_name(name: str) -> bool:
    """Tell whether there is anything in *name* that can be seen and said.

    >>> is_name("Asha"), is_name("🦊"), is_name(" . "), is_name("")
    (True, True, False, False)
    """
    return any(unicodedata.category(sign)[0] in "LNS" for sign in name)


def split_names(text: str) -> list[str]:
    r"""Return the names in *text*, one a line or with commas between.

    >>> split_names("Asha, Juma\n\n Neema ;")
    ['Asha', 'Juma', 'Neema']
    """
    names = (tidy(part) for part in re.split(r"[,;\n\r]", text))
    return [name for name in names if name]


def another(name: str) -> str:
    """Suggest what to call a second person of this *name*.

    >>> another("Juma"), another("Juma K.")
    ('Juma K.', 'Juma K. 2')
    """
    return f"{name} 2" if " " in name else f"{name} K."


def short_names(names: Mapping[K, str]) -> dict[K, str]:
    """Return for a narrow screen the first words of long names, told apart by an initial.

    >>> short_names({0: "Juma Kapera Hassan", 1: "Juma Rashidi Mwinyi", 2: "Neema Josephat"})
    {0: 'Juma H.', 1: 'Juma M.', 2: 'Neema'}
    >>> short_names({0: "Juma", 1: "Juma Kapera Hassan", 2: "Mzee Ali"})
    {0: 'Juma', 1: 'Juma H.', 2: 'Mzee Ali'}
    """
    told = {key: [name, *_shorter(name)] for key, name in names.items()}
    for length in (-1, -2, 0):  # the shortest of each, and one step longer for all who clash
        shown = {key: ways[length] if len(ways) > 1 else ways[0] for key, ways in told.items()}
        clashing = {one for one, times in Counter(shown.values()).items() if times > 1}
        told = {key: ways if shown[key] in clashing else [shown[key]] for key, ways in told.items()}
    return {key: ways[0] for key, ways in told.items()}


def _shorter(name: str) -> list[str]:
    words = name.split()
    if len(name) <= _SHORT_ENOUGH or len(words) == 1:
        return []
    return [f"{words[0]} {words[-1][0]}.", words[0]]


def alike(names: Mapping[K, str]) -> list[tuple[K, K]]:
    """Return the pairs of names that may be one person's, the likeliest first.

    >>> alike({1: "Juma K.", 2: "Juma Kapera", 3: "Neema", 4: "Nema", 5: "Baraka"})
    [(1, 2), (3, 4)]
    """
    keys, words = [*names], [_plain(name).split() for name in names.values()]
    by_letter: dict[str, list[int]] = defaultdict(list)
    for at, parts in enumerate(words):
        for letter in {part[0] for part in parts}:
            by_letter[letter].append(at)
    # Only names with a word of the same letter: a big club would take too long otherwise.
    near = {pair for group in by_letter.values() for pair in combinations(group, 2)}
    found = sorted((-_likeness(words[one], words[other]), one, other) for one, other in near)
    return [(keys[one], keys[other]) for less, one, other in found if -less >= _ALIKE]


def blacken(text: str, names: Iterable[str], *, others: Iterable[str], mark: str) -> str:
    """Return *text* with a mark for each of these names, but not within a name of *others*.

    >>> blacken("JUMA and Juma K. took turns", ["Juma"], others=["Juma K."], mark="[…]")
    '[…] and Juma K. took turns'
    """
    gone = {_key(name) for name in names if name.strip()}
    kept = {_key(name) for name in others} - gone
    within = {name for name in kept if any(one in name for one in gone)}
    longest_first = sorted({*gone, *within}, key=len, reverse=True)
    if not gone:
        return text
    either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
    return re.sub(
        rf"(?<!\w)(?:{either})(?!\w)",
        lambda found: mark if _key(found[0]) in gone else found[0],
        unicodedata.normalize("NFC", text),
        flags=re.IGNORECASE,
    )


def _key(name: str) -> str:
    return tidy(name).casefold()


def _plain(name: str) -> str:
    """Return the letters of a name without accents, stops and capitals."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[^\w\s]|_", " ", "".join(s for s in apart if not unicodedata.combining(s)))


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Say from 0 to 1 how alike two names are; an initial is as good as its word.

    A number in a name was put there to tell people apart.
    """
    if _numbers(one) != _numbers(other):
        return 0.0
    fewer, more = sorted([one, other], key=len)
    left = [*more]
    for word in fewer:
        found = next((each for each in left if _same(word, each)), None)
        if found is None:
            break
        left.remove(found)
    else:
        return 1.0 if not left else 0.9
    matcher = SequenceMatcher(None, " ".join(one), " ".join(other), autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()


def _numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if word.isdigit()]


def _same(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])
