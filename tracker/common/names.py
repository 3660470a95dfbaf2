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
# How similar two names must be, from 0 to 1, to be taken for names of one person.
ALIKE = 0.85
_WORD = re.compile(r"[^\W_]+")
_BETWEEN_PARTNERS = " & "  # in the name of a team that consists of its members' names
# Invisible characters that are part of the spelling in Persian, in Indian scripts and in emoji.
_JOINERS = "\u200c\u200d"


def tidy(name: str) -> str:
    r"""Return *name* in NFC, with single spaces and no invisible characters.

    >>> tidy("  Juma\u202e   K. ")
    'Juma K.'
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    visible = "".join(sign for sign in spaced if sign in _JOINERS or sign.isprintable())
    return " ".join(visible.split())


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
    letter_number_symbol = ("L", "N", "S")  # Unicode's general categories begin so
    return any(unicodedata.category(sign).startswith(letter_number_symbol) for sign in name)


def split_names(text: str) -> list[str]:
    r"""Return the names in *text*, one a line or separated by commas or semicolons.

    >>> split_names("Asha, Juma\n\n Neema ;")
    ['Asha', 'Juma', 'Neema']
    """
    return [name for part in re.split(r"[,;\n\r]", text) if (name := tidy(part))]


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
    """Return short names for one page: first names, longer where two names would be equal.

    A name of several words has three forms: whole, first name with an initial, first name. At first
    all have the shortest. Twice, names whose form another name has too take the next longer form.

    >>> short_names({0: "Juma Kapera Hassan", 1: "Juma Rashidi Mwinyi", 2: "Neema Josephat"})
    {0: 'Juma H.', 1: 'Juma M.', 2: 'Neema'}
    >>> short_names({0: "Juma", 1: "Juma Kapera Hassan", 2: "Ali Bakari", 3: "Ali Baraka"})
    {0: 'Juma', 1: 'Juma H.', 2: 'Ali Bakari', 3: 'Ali Baraka'}
    """
    # The forms of each name that are still possible, the longest first.
    forms: dict[K, list[str]] = {}
    for key, name in names.items():
        words = name.split()
        forms[key] = [name]
        if len(words) > 1:
            first, last = words[0], words[-1]
            if len(last.rstrip(".")) > 1 and not last.isdigit():  # neither a number nor an initial
                last = f"{last[0]}."
            forms[key] += [f"{first} {last}", first]
    for index in (-1, -2):  # the shortest form, then the middle one; what is left is shown whole
        shown = {key: left[index] if len(left) > 1 else left[0] for key, left in forms.items()}
        times = Counter(shown.values())
        # A form that nobody else has is settled.
        forms = {
            key: left if times[shown[key]] > 1 else [shown[key]] for key, left in forms.items()
        }
    return {key: left[0] for key, left in forms.items()}


class PageNames(NamedTuple):
    """The short names on one page, keyed by the key and by the full name of each player."""

    of_player: Mapping[int, str]
    of_name: Mapping[str, str]

    def player(self, key: int | None, name: str) -> str:
        """Return the short name of a player, or *name* itself if the page has no such player."""
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
    # For each letter, the indexes of names with a word that begins with it.
    by_letter: dict[str, list[int]] = defaultdict(list)
    for index, words_of_name in enumerate(words):
        for letter in {word[0] for word in words_of_name}:
            by_letter[letter].append(index)
    # Only names with such a letter in common: to compare all pairs takes too long in a big club.
    candidates = {pair for group in by_letter.values() for pair in combinations(group, 2)}
    likely = sorted(
        (-likeness, first, second)
        for first, second in candidates
        if (likeness := _likeness(words[first], words[second])) >= ALIKE
    )
    return [(keys[first], keys[second]) for _, first, second in likely]


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Return from 0 to 1 how similar the words of two names are.

    If every word of the shorter name matches a word of the longer one, in any order, the names are
    equal (1.0), or nearly so if the longer one has more words (0.9). An initial matches a word that
    it begins. All other names are compared by their letters.
    """
    # A number in a name is there to tell people of one name apart.
    if [word for word in first if word.isdigit()] != [word for word in second if word.isdigit()]:
        return 0.0
    shorter, longer = sorted([first, second], key=len)
    unmatched, has_whole_match = [*longer], False
    for word in shorter:
        by_initial = (w for w in unmatched if word[0] == w[0] and 1 in {len(word), len(w)})
        match = word if word in unmatched else next(by_initial, None)
        if match is None:
            break
        unmatched.remove(match)
        has_whole_match |= word == match
    else:
        if not unmatched:
            return 1.0
        if has_whole_match:  # where words are left, an initial alone is too little: Asha, Juma A.
            return 0.9
    matcher = SequenceMatcher(None, " ".join(first), " ".join(second), autojunk=False)
    # Both are upper bounds of the ratio, and faster to compute.
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()
