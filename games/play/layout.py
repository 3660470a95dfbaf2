"""Layout: what one seat sees, as cards to draw and to tap, the same for every game.

A ``Layout`` is made of a ``View`` and of nothing else, so it can hold no card that the
seat does not know. Every legal move is in it once: as a tap on a card of the hand, as
an offer, or as something gathered from several cards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.cards import Face, Pip
from games.wording import Text


@dataclass(frozen=True, slots=True)
class Offer:
    """A move made with one tap; one that is not ``legal`` is answered with the reason."""

    code: str
    says: Text
    legal: bool = True


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of one's own hand, and the moves that it may be tapped for.

    Of one move a tap makes it; of several the table asks which. None means that there
    is nothing to tap it for now.
    """

    face: Face
    moves: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Gather:
    """A move of cards that are picked first: up to ``most`` of the hand.

    Its code is ``prefix``, the codes from the hand with commas between them, and, where
    as many of the table are taken for them, a stroke and those. ``wanted`` says what to
    pick.
    """

    prefix: str
    says: Text
    wanted: Text
    most: int
    taking: bool = False

    def fits(self, hand: Sequence[str], table: Sequence[str]) -> bool:
        """Say whether so many cards make a move of this kind."""
        return 0 < len(hand) <= self.most and (not self.taking or len(hand) == len(table))

    def code(self, hand: Iterable[str], table: Iterable[str]) -> str:
        """Return the code of this move with these cards.

        >>> swap = Gather("swap:", Text("Swap"), Text("Pick"), 3, taking=True)
        >>> swap.code(["5K", "2S"], ["1D", "7B"])
        'swap:5K,2S/1D,7B'
        """
        given, taken = ",".join(hand), ",".join(table)
        return f"{self.prefix}{given}/{taken}" if self.taking else f"{self.prefix}{given}"

    def cards(self, code: str) -> tuple[str, ...]:
        """Return the cards in a code of this move; none if it is another's.

        >>> Gather("swap:", Text(""), Text(""), 3, taking=True).cards("swap:5K,2S/1D,7B")
        ('5K', '2S', '1D', '7B')
        """
        if not code.startswith(self.prefix):
            return ()
        return tuple(code.removeprefix(self.prefix).replace("/", ",").split(","))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One place at the table: the number of cards held there, and the cards that lie before it.

    ``known`` are cards that this hand is known to hold, ``says`` what else is to be
    known of it.
    """

    held: int
    played: tuple[Face, ...] = ()
    known: tuple[Face, ...] = ()
    says: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """Cards in the middle: some face up, ``hidden`` ones face down. ``taking`` is for a Gather."""

    says: Text
    faces: tuple[Face, ...] = ()
    hidden: int = 0
    taking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A table from one seat. ``spots`` go by seat; ``says`` is what all should bear in mind.

    ``cleared`` says that what was played lies there only to be looked at once more, and
    ``taker`` who took it; ``trump`` is the suit that beats the others;
    ``order`` is how the seats follow each other where that is not their own order; where
    nothing is ``laid`` before the seats, no place is kept for it; ``called`` says that somebody
    has called for the end; the turn passes to the left,
    or ``to_right``.
    """

    dealer: int
    spots: tuple[Spot, ...]
    piles: tuple[Pile, ...]
    hand: tuple[HeldCard, ...]
    says: tuple[Text, ...] = ()
    asks: Text | None = None
    offers: tuple[Offer, ...] = ()
    gathers: tuple[Gather, ...] = ()
    cleared: bool = False
    taker: int | None = None
    trump: Pip | None = None
    order: tuple[int, ...] = ()
    laid: bool = True
    to_right: bool = False
    called: bool = False
