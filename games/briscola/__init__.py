"""Briscola, the Italian game of tricks and trumps: most of 120 card points win the deal.

After RULES.md read, in this order:

- how a deal goes: ``cards``, ``options``, ``state`` with the moves, ``rules``; much of it
  is in ``games.play.tricks``;
- what it earns: ``sheet``, ``scoring``; totals are checked by ``games.counting``;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``narration`` and ``layout`` for a game, both by
  ``games.play.trick_table``;
- what a newcomer is told: ``how_to_play``, with the hand in ``example.txt``;
- who plays: ``bots``, by ``games.bots.heuristics`` and ``games.bots.monte_carlo``;
- how they are quick: ``kernel`` is the rules in numbers, on ``games.bots.fast_tricks``, and
  ``policy_weights`` plays it. Tests hold ``kernel`` to ``rules``.
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.
"""

from games.briscola import (
    bots,
    cards,
    hindsight,
    how_to_play,
    layout,
    narration,
    options,
    rules,
    scoring,
    state,
    text,
    view,
)
from games.errors import gettext_noop
from games.game import DEAL, Game, Typical
from games.play.playing import Critic, Play

GAME = Game.of(
    options,
    scoring,
    text,
    slug="briscola",
    name=gettext_noop("Briscola"),
    summary=gettext_noop("Tricks and trumps for two, three, four or six: first to three deals."),
    deals_next=gettext_noop("The player after the dealer deals next, whoever wins."),
    unit=DEAL,
    round_in_games=True,  # a match is a game: the first to win its deals
    usual_length=1,
    typical=Typical(minutes=15, wins=3),
    options=options.OPTIONS,
    marks=scoring.MARKS,
    session=scoring.Session,
    play=Play.of(
        rules,
        state,
        view,
        narration,
        bots={"beginner": bots.beginner, "steady": bots.steady, "strong": bots.strong},
        layout=layout.layout,
        critic=Critic.of(hindsight, least=3),
        face=lambda code: layout.face(cards.parse_card(code)),
    ),
    countable=layout.countable,
    how_to_play=how_to_play.HOW_TO_PLAY,
)
