"""Card names: cards as a terminal prints them, and as a person may type them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.cards import SYMBOLS, Face, Pip
from games.cli.table_setup import play_of
from games.game import AnyGame

_TWO_ON = "two three four five six seven eight nine ten eleven twelve"
_WORDS = {str(number): word for number, word in enumerate(_TWO_ON.split(), start=2)}
_NUMBERS = {word: number for number, word in _WORDS.items()} | {"one": "1", None: "1"}
# So many cards of one number, where cards have no names: “2 × 3”, “two 3s”, “a 3”.
_SET = re.compile(
    rf"(?:(\d+|one|{'|'.join(_WORDS.values())})(?: ?[x×] ?| )|(?:an?|the) )(\d+)s?", re.ASCII
)
_SAID = {"skip": "pass"}  # what people call a move that its code calls otherwise
_ITALIAN = {Pip.COIN: "denari", Pip.CUP: "coppe", Pip.SWORD: "spade", Pip.BATON: "bastoni"}


class CardNames:
    """The cards of one game: their codes, what is printed for them, and their whole names."""

    def __init__(self, game: AnyGame, session: Any) -> None:
        faces = map(game.face, play_of(game).pack(session))
        # Where cards are numbers and nothing else, they have no names.
        self._faces = {face.code: face for face in faces if face.pip is not None}
        spelt = {
            spelling: code
            for code, face in self._faces.items()
            for spelling in _spellings(code, face)
        }
        # The longest first: “ace of cups” is no “e of cups”.
        names = "|".join(map(re.escape, sorted(spelt, key=len, reverse=True)))
        self._spelt: Mapping[str, str] = spelt
        self._names = re.compile(rf"(?<!\w)(?:the )?({names})(?!\w)") if names else None

    def shown(self, move: str) -> str:
        """Return a move as it is listed: cards as they are printed, with codes where they differ.

        A suit that a card shows as a sign needs no code; one that is told by name does.
        """
        word, _, cards = move.rpartition(":")
        if not set(re.split("[,/]", cards)) <= self._faces.keys():
            return typed_form(move)
        groups = [[self._faces[code] for code in group.split(",")] for group in cards.split("/")]
        named = " for ".join(", ".join(map(printed, group)) for group in groups)
        signs = all(face.pip in SYMBOLS for group in groups for face in group)
        return f"{word} {named}".lstrip() + ("" if signs else f" ({cards})")

    def as_codes(self, typed: str) -> str:
        """Return what was typed, in small letters, with the code of every card that is named.

        “4 of cups”, “j♠”, “q clubs” and “queen of hearts” are names of cards. Where cards have
        none, “2 3s” and “two 3s” are so many of a number.
        """
        typed = typed.lower()
        if self._names is not None:
            return self._names.sub(lambda found: self._spelt[found[1]].lower(), typed)
        found = _SET.fullmatch(typed.strip())
        return f"{_NUMBERS.get(found[1], found[1])}x{found[2]}" if found else typed

    def key(self) -> list[str]:
        """Say how a card is typed, and what the letters and numbers of the codes mean."""
        suits: dict[str, str] = {}
        ranks: dict[str, str] = {}
        for code, face in self._faces.items():
            figure, _, suit = str(face.name).partition(" of ")
            also = f" ({_ITALIAN[face.pip]})" if face.pip in _ITALIAN else ""
            suits[code[-1]] = f"{code[-1]} {suit}{also}"
            if not figure.isdecimal():
                ranks[code[:-1]] = f"{code[:-1]} {figure}"
        if not suits:
            return ["Cards have numbers and no suits: two 7s are typed as 2x7, 2 7s or two 7s."]
        code, face = next(iter(self._faces.items()))
        return [
            f"A card is typed by its code or by its name: {code} or {face.name}.",
            f"Suits: {', '.join(suits.values())}.",
            f"Pictures: {', '.join(ranks.values())}.",
        ]

    @property
    def need_a_key(self) -> bool:
        """Say whether the codes are not what the cards show."""
        return any(face.pip not in SYMBOLS for face in self._faces.values())


def typed_form(move: str) -> str:
    """Return a move's code as the terminal teaches it.

    >>> typed_form("draw:2S"), typed_form("take_monte"), typed_form("skip")
    ('draw 2S', 'take monte', 'pass')
    """
    return _SAID.get(move, move).replace(":", " ").replace("_", " ")


def printed(face: Face) -> str:
    """Return a card as it is printed.

    >>> from games.wording import Text
    >>> printed(Face(code="QH", rank="Q", name=Text("Queen of hearts"), pip=Pip.HEART))
    'Q♥'
    """
    return f"{face.rank}{SYMBOLS[face.pip]}" if face.pip in SYMBOLS else str(face.name)


def _spellings(code: str, face: Face) -> Iterator[str]:
    """Yield what a card is called, in small letters: “three of cups”, “q spades”, “q ♠”."""
    yield str(face.name).lower()
    figure, of, suit = str(face.name).lower().partition(" of ")
    if not of:
        return
    for rank in {figure, face.rank.lower(), code[:-1].lower(), _WORDS.get(figure, figure)}:
        yield f"{rank} of {suit}"
        yield f"{rank} {suit}"
        if face.pip in SYMBOLS:
            yield f"{rank}{SYMBOLS[face.pip]}"
            yield f"{rank} {SYMBOLS[face.pip]}"
