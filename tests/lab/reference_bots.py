"""Reference bots: how the Great Dalmuti's seed plays, by its readme and by its code (Dalmuti R9)."""

from collections import Counter
from collections.abc import Mapping
from random import Random

from games.dalmuti.state import Move, PlayCards, Skip
from games.dalmuti.view import View
from games.play.playing import Bot, Budget


def readme(view: View, _rng: Random, _budget: Budget) -> Move:
    """Lead what is held most often, the higher of equals; follow with the highest that beats."""
    if view.last is None:
        held = Counter(view.hand)
        value = max(held, key=lambda each: (held[each], each))
        return PlayCards(held[value], value)
    return view.legal[0]  # the highest first; to skip is the last of them


def original_code(view: View, _rng: Random, _budget: Budget) -> Move:
    """Lead what counts for most together; follow only with a value held exactly so often."""
    held = Counter(view.hand)
    if view.last is None:
        value = max(held, key=lambda each: (held[each] * each, each))
        return PlayCards(held[value], value)
    exact = [
        move
        for move in view.legal
        if isinstance(move, PlayCards) and move.count == held[move.value]
    ]
    return exact[0] if exact else Skip()


REFERENCE_BOTS: Mapping[str, Mapping[str, Bot]] = {
    "dalmuti": {"readme": readme, "original_code": original_code},
}
