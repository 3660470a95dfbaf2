"""Names: likeness of two, blacking out of a text, and parsing of lists."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import TypeVar

from tracker.common.names import tidy, words_of
from tracker.common.uploads import lines_of

K = TypeVar("K", bound=Hashable)
_ALIKE = 0.85
_LONGEST_LOGIN = 40
# What stands between the people of one team; commas stand between single players too.
_JOINED = re.compile(r"\s*[&+/]\s*|\s+and\s+", re.IGNORECASE)
_APART = re.compile(r"\s*[,;]\s*")
# What a column may be called, in small letters.
COLUMNS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"name", "player", "full name"}),
    "nickname": frozenset({"nickname", "called"}),
    "home": frozenset({"home club", "home", "visits us from", "visitor from", "club"}),
    "season": frozenset({"season", "counts for the season", "in season"}),
}
YES = frozenset({"yes", "y", "1", "true", "x", "✓"})
NO = frozenset({"no", "n", "0", "false", ""})


def login_name(name: str) -> str:
    """Return the login made from a name, before it is compared with other logins.

    >>> login_name("Zuhura Ali"), login_name("D'Arcy"), login_name("🦊")
    ('zuhura', 'darcy', 'owner')
    """
    first = (tidy(name).split() or [""])[0].casefold()
    return re.sub(r"[^\w.+-]", "", first)[:_LONGEST_LOGIN] or "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player on one line of an imported list; ``number`` counts lines from 1."""

    number: int
    name: str
    nickname: str = ""
    home: str = ""
    season: str = ""

    @property
    def shown(self) -> str:
        """Return what the player is called on every page."""
        return self.nickname or self.name

    @property
    def full_name(self) -> str:
        """Return the name behind a nickname."""
        return self.name if self.nickname else ""

    @property
    def in_season(self) -> bool | None:
        """Return whether the player counts for the season; ``None`` if that cannot be read."""
        answer = self.season.casefold()
        if answer in YES:
            return True
        if answer in NO:
            # A visitor counts for the night alone, unless somebody says otherwise.
            return False if answer else not self.home
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerList:
    lines: tuple[PlayerLine, ...]
    unknown: tuple[str, ...]  # columns nobody asked for
    has_name: bool  # whether there is a column of names at all


def read_listing(text: str) -> PlayerList:
    r"""Read a list whose first line names its columns, with commas, semicolons or tabs between.

    >>> read_listing("Name;Home club\nAsha;\n\nJuma;Ilala").lines[1]
    PlayerLine(number=4, name='Juma', nickname='', home='Ilala', season='')
    """
    rows = list(lines_of(text))
    if not rows:
        return PlayerList(lines=(), unknown=(), has_name=False)
    header = [tidy(cell).casefold() for cell in rows[0][1]]
    columns = [
        next((column for column, called in COLUMNS.items() if cell in called), None)
        for cell in header
    ]
    lines = []
    for number, row in rows[1:]:
        cells = {column: tidy(cell) for column, cell in zip(columns, row, strict=False) if column}
        lines.append(PlayerLine(number=number, **{"name": "", **cells}))
    return PlayerList(
        lines=tuple(lines),
        unknown=tuple(
            cell for cell, column in zip(header, columns, strict=True) if cell and not column
        ),
        has_name="name" in columns,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantLine:
    """One line of a list of who plays; ``joined`` if it can only mean a team."""

    written: str
    team: str
    people: tuple[str, ...]
    joined: bool


def read_entrant(line: str) -> EntrantLine:
    """Read a line that names a team, or one or more single players.

    >>> read_entrant("Lions: Asha, Juma")
    EntrantLine(written='Lions: Asha, Juma', team='Lions', people=('Asha', 'Juma'), joined=True)
    >>> read_entrant("Asha and Juma").people, read_entrant("Asha, Juma").joined
    (('Asha', 'Juma'), False)
    """
    written = tidy(line)
    team, colon, people = written.rpartition(":")
    joined = bool(colon or _JOINED.search(people))
    names = _APART.split(_JOINED.sub(",", people.strip()))
    return EntrantLine(
        written=written, team=team.strip(), people=tuple(filter(None, names)), joined=joined
    )


def alike(names: Mapping[K, str]) -> list[tuple[K, K]]:
    """Return the pairs of names that may be one person's, the likeliest first.

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
        if (likeness := _likeness(words[first], words[second])) >= _ALIKE
    )
    return [(keys[first], keys[second]) for _, first, second in likely]


def blacken(text: str, names: Iterable[str], *, others: Iterable[str], mark: str) -> str:
    """Return *text* with a mark for each of these names, but not within a name of *others*.

    >>> blacken("JUMA and Juma K. took turns", ["Juma"], others=["Juma K."], mark="[…]")
    '[…] and Juma K. took turns'
    """
    gone = {_key(name) for name in names if name.strip()}
    if not gone:
        return text
    around = {key for key in map(_key, others) if any(name in key for name in gone)}
    longest_first = sorted(gone | around, key=len, reverse=True)
    either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
    # What is not struck out stays letter by letter as it was written, composed or not.
    composed, written = _composed(text)
    left, upto = "", 0
    for match in re.finditer(rf"(?<!\w)(?:{either})(?!\w)", composed, flags=re.IGNORECASE):
        if _key(match[0]) in gone:
            left += text[upto : written[match.start()][0]] + mark
            upto = written[match.end() - 1][1]
    return left + text[upto:]


def _composed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return *text* with its accents composed, and the range in *text* of each character."""
    composed, written, start = "", [], 0
    for end in range(1, len(text) + 1):
        # The next sign may belong to this one: an accent, or the rest of a syllable.
        if end < len(text) and (
            unicodedata.combining(text[end]) or "\u1160" <= text[end] <= "\u11ff"
        ):
            continue
        signs = unicodedata.normalize("NFC", text[start:end])
        composed += signs
        written += [(start, end)] * len(signs)
        start = end
    return composed, written


def _key(name: str) -> str:
    return tidy(name).casefold()


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Say from 0 to 1 how alike two names are; an initial is as good as its word."""
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
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()
