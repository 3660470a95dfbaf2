"""Hindsight: a strong bot's review of a player's bids and cards after the hand, for ``Critic``."""

from collections.abc import Sequence
from random import Random

from games.albastini.play.bots import Auction, AuctionWorld
from games.albastini.play.kernel import KERNEL
from games.albastini.play.state import Bid, Move, Pass, State
from games.albastini.play.view import View
from games.bots import monte_carlo
from games.bots.trick_kernel import usual_worlds
from games.errors import gettext_noop
from games.play.lapses import Lapse, card_played, well_done, worth_more
from games.play.playing import Decision, Prospect
from games.play.tricks import PlayCard
from games.wording import Text, _

LEAST = 3  # card points

_PLAYED = {
    Lapse.LED: gettext_noop("You led %(card)s to trick %(number)d."),
    Lapse.GAVE: gettext_noop("In trick %(number)d %(who)s ate your %(card)s."),
    Lapse.MISSED: gettext_noop("You played %(card)s to trick %(number)d; %(who)s ate %(points)d."),
    Lapse.SPENT: gettext_noop("In trick %(number)d you spent %(card)s, a trump."),
    Lapse.PLAYED: gettext_noop("You played %(card)s to trick %(number)d."),
}

cost = well_done


def worlds(view: View) -> int:
    return usual_worlds(view, len(view.legal))


def weigh(view: View, moves: Sequence[Move], rng: Random, worlds: int) -> list[Prospect]:
    if view.trump is not None:
        cards = [move.card for move in moves if isinstance(move, PlayCard)]
        return KERNEL.weigh(view, cards, rng, worlds, KERNEL.play_out(view))
    auction, side = Auction(view), view.mode.side_of(view.seat)

    def prospect(world: AuctionWorld, move: Move) -> Prospect:
        points = auction.points(world, move)
        return Prospect(monte_carlo.equity(points, side), points[side])

    return monte_carlo.weigh(moves, world=auction.world, prospect=prospect, rng=rng, worlds=worlds)


def better(decision: Decision[State, Move]) -> Text:
    match decision.other:
        case Pass():
            return worth_more(decision, _("A strong player would have passed."))
        case Bid(card):
            other = gettext_noop("A strong player would have bid %(card)s.")
        case PlayCard(card):
            other = gettext_noop("A strong player would have played %(card)s there.")
    return worth_more(decision, Text(other, {"card": card.label}))


def made(decision: Decision[State, Move]) -> Text:
    match decision.move, decision.other:
        case PlayCard(card), PlayCard(other):
            return card_played(decision, card, other, _PLAYED, card.label)
        case Bid(card), _:
            return _("You bid %(card)s.", card=card.label)
        case _:
            return _("You did not bid.")
