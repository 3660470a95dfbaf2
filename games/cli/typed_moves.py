"""Typed moves: what a person types at the table, and which move is meant by it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from games.cli.card_names import CardNames, typed_form
from games.errors import gettext_noop
from games.play.playing import AnyPlay, IllegalMoveError

FEW = 24  # moves that are still listed one by one

_HELP = (
    "Type a move’s number, its code, or its cards by name; small letters will do.",
    "",
    "  moves   list what you may do now; moves all lists every move with its number",
    "  view    look at the table again",
    "  last    look at the last trick again",
    "  cards   see how cards are typed",
    "  hint    ask the strongest bot what it would do",
    "  undo    take back your last move of this hand",
    "  score   see how everybody stands",
    "  rules   see what the rules have sections about; rules R7 shows one rule,",
    "          rules %(section)s shows a section, rules all everything",
    "  quit    leave the table (so do Ctrl-D and Ctrl-C)",
)


def helping(section: str) -> tuple[str, ...]:
    """Say what can be typed; *section* is one that the rules of this game have."""
    return tuple(line % {"section": section} for line in _HELP)


def in_hand_order(play: AnyPlay, view: Any) -> list[Any]:
    """Return the legal moves in the order in which the hand is shown."""
    moves = list(view.legal)
    layout = play.layout(view)
    taps = [offer.code for held in layout.hand for offer in held.moves]
    hand = [held.face.code for held in layout.hand]
    known = {code: place for place, code in enumerate(taps)}
    offers = {offer.code: place for place, offer in enumerate(layout.offers)}

    def place(move: Any) -> tuple[int, int, list[int]]:
        code = play.move_code(move)
        if code in known:
            return 0, known[code], []
        cards = re.split("[,/]", code.partition(":")[2])
        if held := [hand.index(card) for card in cards if card in hand]:
            return 1, len(cards), held
        return 2, offers.get(code, len(offers)), []

    return sorted(moves, key=place)


def meant(
    typed: str,
    play: AnyPlay,
    state: Any,
    legal: Sequence[Any],
    *,
    cards: CardNames,
    numbered: bool = True,
) -> Any:
    """Return the move that is meant: by its number, its code, or what is behind its colon.

    Cards may be named, and spaces stand wherever somebody likes them. ``numbered`` says that
    the moves were shown with their numbers.

    :raises IllegalMoveError: with the reason, if it is no move, or not one that is allowed.
    """
    if typed.isascii() and typed.isdecimal() and typed not in map(play.move_code, legal):
        if not numbered:
            raise IllegalMoveError(
                "not-numbered",
                gettext_noop("“moves all” lists all %(moves)d moves with their numbers."),
                moves=len(legal),
            )
        if not 0 < int(typed[:9]) <= len(legal):
            raise IllegalMoveError(
                "no-such-number",
                gettext_noop("The moves are numbered from 1 to %(moves)d."),
                moves=len(legal),
            )
        return legal[int(typed[:9]) - 1]
    codes = [play.move_code(move) for move in legal]
    spellings = list(dict.fromkeys(_spellings(cards.as_codes(typed), codes)))
    for spelling in spellings:
        for spelt in (codes, [code.partition(":")[2] for code in codes]):
            places = [place for place, code in enumerate(spelt) if code.lower() == spelling]
            if len(places) == 1:
                return legal[places[0]]
    move = _parsed(typed, spellings, play, codes)
    play.play(state, move)
    return move


def _spellings(typed: str, codes: Sequence[str]) -> Iterator[str]:
    """Yield what may have been meant by the spaces in what was typed, all in small letters."""
    words = {code.partition(":")[0].lower() for code in codes if ":" in code}
    words |= {"bid", "draw", "swap"}
    yield typed.replace(" ", "")
    yield typed.replace(" ", "_")
    tight = re.sub(r" *([,/:]) *", r"\1", re.sub(r" (?:for|against) ", "/", typed))
    tight = tight.replace(" and ", ",")
    yield tight.replace(" ", "")
    word, _, cards = re.sub("[: ]", "\0", tight, count=1).partition("\0")
    if word in words:
        yield f"{word}:{cards.replace(' ', ',')}"


def _parsed(typed: str, spellings: Sequence[str], play: AnyPlay, codes: Sequence[str]) -> Any:
    """Return the move spelt like this, whether it is allowed or not; *codes* are examples."""
    for spelling in spellings:
        word, colon, cards = spelling.partition(":")
        # Cards are written in capitals.
        for cased in (spelling.upper(), word + colon + cards.upper()):
            with suppress(IllegalMoveError):
                return play.parse_move(cased)
    *others, last = [typed_form(alike[0]) for alike in kinds(codes).values()][:4]
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop("“%(text)s” is no move. Write for example %(examples)s."),
        text=typed,
        examples=f"{', '.join(others)} or {last}" if others else last,
    )


def kinds(codes: Sequence[str]) -> dict[str, list[str]]:
    """Return the moves by their kind, such as “swap”."""
    by_kind: dict[str, list[str]] = {}
    for code in codes:
        by_kind.setdefault(typed_form(code.partition(":")[0]), []).append(code)
    return by_kind


def choices(codes: Sequence[str], cards: CardNames) -> list[str]:
    """Return a line for each kind of many moves: how many there are, and one of them."""
    return [
        cards.shown(alike[0])
        if len(alike) == 1
        else f"{kind}: {len(alike)} moves, such as {cards.shown(alike[0])}"
        for kind, alike in kinds(codes).items()
    ]


def numbered(codes: Sequence[str], cards: CardNames, wanted: Sequence[str]) -> list[str]:
    """Return those moves of *codes* that are *wanted*, with their numbers; many as codes alone."""
    shown = cards.shown if len(wanted) <= FEW else typed_form
    return [f"{codes.index(code) + 1}) {shown(code)}" for code in wanted]
