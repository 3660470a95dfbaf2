"""Hindsight: a strong bot's review of a player's bids and cards after the hand, for ``Critic``."""

from collections.abc import Sequence
from random import Random

from games.albastini.play.bots import Auction, AuctionWorld, usual_worlds
from games.albastini.play.kernel import Determinizer
from games.albastini.play.policy_weights import playout_policy
from games.albastini.play.state import Bid, Move, Pass, State
from games.albastini.play.view import View
from games.bots import endgame, monte_carlo
from games.errors import gettext_noop
from games.play.lapses import Lapse, card_played, well_done, worth_more
from games.play.playing import Decision, Prospect
from games.play.tricks import PlayCard
from games.wording import Text

LEAST = 3  # card points

_PLAYED = {
    Lapse.LED: gettext_noop("You led %(card)s to trick %(number)d."),
    Lapse.GAVE: gettext_noop("In trick %(number)d %(who)s ate your %(card)s."),
    Lapse.MISSED: gettext_noop("You played %(card)s to trick %(number)d; %(who)s ate %(points)d."),
    Lapse.SPENT: gettext_noop("In trick %(number)d you spent %(card)s, a trump."),
    Lapse.PLAYED: gettext_noop("You played %(card)s to trick %(number)d."),
}

worlds, cost = usual_worlds, well_done


def weigh(view: View, moves: Sequence[Move], rng: Random, worlds: int) -> list[Prospect]:
    if view.trump is None:
        auction, side = Auction(view), view.mode.side_of(view.seat)

        def prospect(world: AuctionWorld, move: Move) -> Prospect:
            points = auction.points(world, move)
            return Prospect(monte_carlo.equity(points, side), points[side])

        return monte_carlo.weigh(
            moves, world=auction.world, prospect=prospect, rng=rng, worlds=worlds
        )
    hidden = Determinizer(view, view.trump)
    cards = [move.card for move in moves if isinstance(move, PlayCard)]
    if view.mode.seats == 2 and not view.stock:
        world = hidden.world(rng)  # the only one there is
        return [endgame.prospect(world, hidden.numbers.number(card)) for card in cards]
    play_out = playout_policy(view.mode).playout_for(view.mode, view.seat)
    return monte_carlo.weigh_cards(hidden, cards, play_out=play_out, rng=rng, worlds=worlds)


def better(decision: Decision[State, Move]) -> Text:
    match decision.other:
        case Pass():
            return worth_more(decision, Text(gettext_noop("A strong player would have passed.")))
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
            return Text(gettext_noop("You bid %(card)s."), {"card": card.label})
        case _:
            return Text(gettext_noop("You did not bid."))
