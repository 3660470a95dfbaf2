"""Albastini, the trick-taking game of Tanzania: the side that eats most of 120 points wins.

After RULES.md read, in this order:

- how a hand goes: ``cards``, ``options``, ``state`` with the moves, ``rules`` with the cut for
  partners; much of it is in ``games.play.tricks``;
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

from games.albastini import (
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
from games.game import Game, Typical, Unit
from games.play.playing import Critic, Play

GAME = Game.of(
    options,
    scoring,
    text,
    slug="albastini",
    name=gettext_noop("Albastini"),
    summary=gettext_noop("Tricks for two to six, mostly in pairs: eat more than the others."),
    deals_next=gettext_noop(
        "The winners’ partner who has waited longer deals next. After a tie the same dealer deals again."
    ),
    unit=Unit(
        one=gettext_noop("hand"),
        many=gettext_noop("hands"),
        numbered=gettext_noop("Hand %(number)d"),
        numbered_of=gettext_noop("Hand %(number)d of %(all)d"),
    ),
    typical=Typical(minutes=5, double=0.1),
    options=options.OPTIONS,
    marks=scoring.MARKS,
    session=scoring.Session,
    draw_seats=rules.cut_for_partners,
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
