"""Cut: how people find their partners, and with them their seats, before the first hand (A-3)."""

from random import Random

from games.albastini.cards import PACK, Card
from games.errors import gettext_noop
from games.game import SeatDraw
from games.mode import Mode
from games.option import Options
from games.wording import AtSeat, Text


def draw_seats(mode: Mode, options: Options, rng: Random) -> SeatDraw | None:
    """Return who sits where after a cut; ``None`` if this house or this table has none.

    Everybody draws a card from the shuffled pack, and level ones draw again among
    themselves. The highest cards by R2 are the first side, the next the second, and each
    side sits down from its highest on (A-3).
    """
    if options["partners"] != "cut" or mode.individual:
        return None
    pack: list[Card] = []
    drawn: list[tuple[int, ...]] = [()] * mode.seats
    story = []
    level = list(range(mode.seats))
    while level:
        if len(pack) < len(level):
            pack = rng.sample(PACK, len(PACK))
        for person in level:
            card = pack.pop()
            draws = (
                gettext_noop("%(who)s draws again, %(card)s.")
                if drawn[person]
                else gettext_noop("%(who)s draws %(card)s.")
            )
            story.append(Text(draws, {"who": AtSeat(person), "card": card.label}))
            drawn[person] = (*drawn[person], card.strength)
        level = [person for person in level if drawn.count(drawn[person]) > 1]
    from_highest = iter(sorted(range(mode.seats), key=drawn.__getitem__, reverse=True))
    taken = {seat: next(from_highest) for side in mode.sides for seat in side}
    return SeatDraw(places=tuple(taken[seat] for seat in range(mode.seats)), story=tuple(story))
