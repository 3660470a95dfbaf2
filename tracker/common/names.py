"""Names of people and teams: validation, cleaning for storage, and short forms for a page."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple, TypeVar

from games.errors import gettext_noop
from tracker.common.errors import Refused

K = TypeVar("K", bound=Hashable)
# How like two names must be, from 0 to 1, to be taken for one person's.
ALIKE = 0.85
_WORD = re.compile(r"[^\W_]+")
_BETWEEN_PARTNERS = " & "  # in a team that has no other name than its people's
_JOINERS = "\u200c\u200d"  # part of the spelling in Persian, in Indian scripts, in emoji


def tidy(name: str) -> str:
    r"""Return *name* in NFC, with single spaces and no invisible characters.

    >>> tidy("  Juma\u202e   K. ")
    'Juma K.'
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    seen = "".join(sign for sign in spaced if sign in _JOINERS or sign.isprintable())
    return " ".join(seen.split())


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text for comparison: lower case without accents.

    >>> words_of("José, Nïght, 21 NOVEMBER")
    ('jose', 'night', '21', 'november')
    """
    # Trap: some letters decompose into a letter and an accent only in lower case.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return tuple(_WORD.findall(plain))


def is_name(name: str) -> bool:
    """Return whether *name* has a visible letter, digit or symbol.

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


def clean_name(name: str, *, most: int | None, question: str = "name") -> str:
    """Return *name* cleaned for storage.

    :raises Refused: if nothing of it is visible, or it has more than *most* characters.
    """
    cleaned = tidy(name)
    if not is_name(cleaned):
        raise Refused("name-empty", gettext_noop("Please write a name."), question=question)
    if most is not None and len(cleaned) > most:
        raise Refused(
            "name-long",
            gettext_noop("“%(start)s…” is too long: %(most)d letters are the most."),
            question=question,
            start=cleaned[:20],
            most=most,
        )
    return cleaned


def suggest_other(name: str) -> str:
    """Suggest a name for a second person of this *name*.

    >>> suggest_other("Juma"), suggest_other("Juma K.")
    ('Juma K.', 'Juma K. 2')
    """
    return f"{name} 2" if " " in name else f"{name} K."


def short_names(names: Mapping[K, str]) -> dict[K, str]:
    """Return short names for one page: first names, longer where two people would be equal.

    >>> short_names({0: "Juma Kapera Hassan", 1: "Juma Rashidi Mwinyi", 2: "Neema Josephat"})
    {0: 'Juma H.', 1: 'Juma M.', 2: 'Neema'}
    >>> short_names({0: "Juma", 1: "Juma Kapera Hassan", 2: "Ali Bakari", 3: "Ali Baraka"})
    {0: 'Juma', 1: 'Juma H.', 2: 'Ali Bakari', 3: 'Ali Baraka'}
    """
    forms: dict[K, list[str]] = {}  # of each name, the longest form first
    for key, name in names.items():
        words = name.split()
        forms[key] = [name]
        if len(words) > 1:
            first, last = words[0], words[-1]
            if len(last.rstrip(".")) > 1 and not last.isdigit():  # neither a number nor an initial
                last = f"{last[0]}."
            forms[key] += [f"{first} {last}", first]
    for length in (-1, -2, 0):  # the shortest form, then one step longer for all duplicates
        shown = {key: each[length] if len(each) > 1 else each[0] for key, each in forms.items()}
        times = Counter(shown.values())
        forms = {
            key: each if times[shown[key]] > 1 else [shown[key]] for key, each in forms.items()
        }
    return {key: each[0] for key, each in forms.items()}


class PageNames(NamedTuple):
    """The short names on one page: by player, and by the full name of each player."""

    of_player: Mapping[int, str]
    of_name: Mapping[str, str]

    def player(self, key: int | None, name: str) -> str:
        """Return the short name of a player; the *name* as it is for one the page does not know."""
        return self.of_player.get(key, name) if key is not None else name

    def team(self, name: str) -> str:
        """Return the name of a team, shortened only if it consists of its members' names.

        >>> names = page_names([(1, "Asha Mrisho"), (2, "Juma Kapera Hassan")])
        >>> names.team("Asha Mrisho & Juma Kapera Hassan"), names.team("Red Lions & Co")
        ('Asha & Juma', 'Red Lions & Co')
        """
        people = name.split(_BETWEEN_PARTNERS)
        if not all(person in self.of_name for person in people):
            return name
        return _BETWEEN_PARTNERS.join(self.of_name[person] for person in people)


def page_names(people: Sequence[tuple[int, str]]) -> PageNames:
    """Return the short names of these players, given by key and full name, for one page."""
    full_names = dict(people)
    short = short_names(full_names)
    return PageNames(short, {name: short[key] for key, name in full_names.items()})


def alike(names: Mapping[K, str]) -> list[tuple[K, K]]:
    """Return the keys of pairs of names that may belong to one person, likeliest first.

    >>> alike({1: "Juma K.", 2: "Juma Kapera", 3: "Neema", 4: "Nema", 5: "Baraka"})
    [(1, 2), (3, 4)]
    """
    keys, words = [*names], [words_of(name) for name in names.values()]
    by_letter: dict[str, list[int]] = defaultdict(list)
    for at, parts in enumerate(words):
        for letter in {part[0] for part in parts}:
            by_letter[letter].append(at)
    # Only names with a word of the same letter: a big club would take too long otherwise.
    near = {pair for group in by_letter.values() for pair in combinations(group, 2)}
    likely = sorted(
        (-likeness, first, second)
        for first, second in near
        if (likeness := _likeness(words[first], words[second])) >= ALIKE
    )
    return [(keys[first], keys[second]) for _, first, second in likely]


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Return from 0 to 1 how similar two names are; an initial matches its word."""
    # A number in a name was put there to tell people apart.
    if [word for word in first if word.isdigit()] != [word for word in second if word.isdigit()]:
        return 0.0
    fewer, more = sorted([first, second], key=len)
    left, whole = [*more], False
    for word in fewer:
        initials = (each for each in left if 1 in {len(word), len(each)} and word[0] == each[0])
        twin = word if word in left else next(initials, None)
        if twin is None:
            break
        left.remove(twin)
        whole |= word == twin
    else:
        if not left:
            return 1.0
        if whole:  # an initial alone is too little where words are left over: Asha, Juma A.
            return 0.9
    matcher = SequenceMatcher(None, " ".join(first), " ".join(second), autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()
