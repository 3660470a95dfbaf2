"""Sheet: the order a table went out in, and the one it first played in, read with suspicion."""

from collections import Counter

from games import sheet_validation
from games.dalmuti.cards import HIGHEST, is_value
from games.errors import SheetError, gettext_noop
from games.mode import Mode
from games.wording import seats_listed

PlayingOrder = tuple[int, ...]
Draw = tuple[tuple[int, ...], ...]  # the cards of each seat: the first, and redraws after it


def whole_order(value: object, mode: Mode, *, question: str) -> PlayingOrder:
    """Return every seat in this order; the last may be left out, as it follows (S20).

    :raises SheetError: if a seat is unknown or named twice (S21a), or ``order-short`` if
        more than one is not named (S21b).
    """
    named = sheet_validation.seats(value, range(mode.seats), question=question)
    unnamed = [seat for seat in range(mode.seats) if seat not in named]
    if len(unnamed) > 1:
        raise SheetError(
            "order-short",
            gettext_noop("Not named yet: %(missing)s. Only the last may be left out."),
            question=question,
            missing=seats_listed(unnamed),
        )
    return (*named, *unnamed)


def opening_order(opening: object, draw: Draw | None, mode: Mode, draw_tie: str) -> PlayingOrder:
    """Return the first playing order, as it was written or as the cards drawn give it (R2).

    :raises SheetError: ``opening-draw`` if the two do not agree, or if one of them is wrong.
    """
    if draw is None:
        return whole_order(opening, mode, question="opening")
    drawn = drawn_order(draw, draw_tie)
    if opening is not None and whole_order(opening, mode, question="opening") != drawn:
        raise SheetError(
            "opening-draw",
            gettext_noop("By the cards drawn the order is: %(order)s."),
            question="opening",
            order=seats_listed(drawn),
        )
    return drawn


def read_draw(value: object, mode: Mode) -> Draw:
    """Return the cards each seat drew.

    :raises SheetError: ``draw-card`` if one is not in the pack (S21c), ``draw-copies`` if
        one was drawn more often than the pack holds it (S21d).
    """
    drawn = tuple(
        tuple(_card(card, seat) for card in sheet_validation.listed(cards, question="draw"))
        for seat, cards in enumerate(sheet_validation.of_every_seat(value, mode, question="draw"))
    )
    # Drawn cards stay out until the order is settled, so all of them are of one pack (R2).
    for card, times in sorted(Counter(card for cards in drawn for card in cards).items()):
        if times > card:
            raise SheetError(
                "draw-copies",
                gettext_noop("The %(card)d was drawn %(times)d times: there are only %(card)d."),
                question="draw",
                card=card,
                times=times,
            )
    return drawn


def drawn_order(drawn: Draw, draw_tie: str) -> PlayingOrder:
    """Return the playing order the cards give: lowest first (D-1), ties drawn again (D-2).

    >>> drawn_order(((7, 4), (1,), (7, 9)), "again"), drawn_order(((7,), (1,), (7,)), "seat")
    ((1, 0, 2), (1, 0, 2))

    :raises SheetError: ``draw-tie`` if a tie was left, ``draw-needless`` if somebody drew
        again without one.
    """
    for seat, cards in enumerate(drawn):
        if not cards:
            raise sheet_validation.missing("draw", seat)
        for turn, card in enumerate(cards, start=1):
            level = sum(other[:turn] == cards[:turn] for other in drawn)
            tied, last = draw_tie != "seat" and level > 1, turn == len(cards)
            if tied and last:
                raise SheetError(
                    "draw-tie",
                    gettext_noop("Several drew the %(card)d: write the cards they drew next too."),
                    question="draw",
                    place=seat,
                    card=card,
                )
            if not tied and not last:
                raise SheetError(
                    "draw-needless",
                    gettext_noop(
                        "Nobody else drew this %(card)d: leave out the card drawn after it."
                    ),
                    question="draw",
                    place=seat,
                    card=card,
                )
    return tuple(sorted(range(len(drawn)), key=drawn.__getitem__))


def _card(value: object, seat: int) -> int:
    if not is_value(value):
        raise SheetError(
            "draw-card",
            gettext_noop("Cards go from 1 to %(highest)d."),
            question="draw",
            place=seat,
            highest=HIGHEST,
        )
    return value
