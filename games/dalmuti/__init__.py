"""The Great Dalmuti, in its simple form: get rid of your cards, or deal the next game.

After RULES.md read, in this order:

- how a game goes: ``cards``, ``options``, ``state`` with the moves, ``rules`` from the draw on;
- what it earns: ``sheet``, ``scoring`` with its rankings;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``narration`` and ``layout`` for a game, with
  ``number_words``;
- what a newcomer is told: ``how_to_play``, with the hand in ``example.txt``;
- who plays: ``bots``, the strong one by ``games.bots.monte_carlo``;
- how they are quick: ``kernel`` is the rules in numbers, and ``playout_policy`` plays it.
  Tests hold ``kernel`` to ``rules``.
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.
"""

from games.dalmuti import (
    bots,
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
from games.game import FirstDealer, Game, Typical, Unit
from games.play.playing import Critic, Play

GAME = Game.of(
    options,
    scoring,
    text,
    slug="dalmuti",
    name=gettext_noop("The Great Dalmuti"),
    summary=gettext_noop(
        "3 to 10 players. Get rid of your cards: first out leads the next game, last out deals it."
    ),
    deals_next=gettext_noop("Whoever goes out last deals the next game."),
    unit=Unit(
        one=gettext_noop("game"),
        many=gettext_noop("games"),
        numbered=gettext_noop("Game %(number)d"),
        numbered_of=gettext_noop("Game %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.DRAWN,
    options=options.OPTIONS,
    marks=scoring.MARKS,
    session=scoring.Session,
    usual_length=10,
    typical=Typical(minutes=6, placed=True),
    play=Play.of(
        rules,
        state,
        view,
        narration,
        layout=layout.layout,
        critic=Critic.of(hindsight, least=0.35),
        bots={
            "beginner": bots.beginner,
            "steady": bots.steady,
            "strong": bots.strong,
            "original_code": bots.original_code,
            "readme": bots.readme,
        },
        styles={
            "original_code": gettext_noop(
                "The first program: leads what adds up to most, follows only with all of a value"
            ),
            "readme": gettext_noop("Its description: leads what it has most of, follows if it can"),
        },
    ),
    how_to_play=how_to_play.HOW_TO_PLAY,
)
