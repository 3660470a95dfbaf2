"""Mambassa: four cards, four tokens, and the last one in takes the pool.

After RULES.md read, in this order:

- which hand is better: ``cards``, ``hand_ranking``;
- how a deal goes: ``options``, ``state`` with the moves, ``rules``;
- what it costs: ``stakes``, ``showdown`` for the hands shown, ``sheet`` for a table's answers,
  ``scoring`` with its rankings;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``narration`` and ``layout`` for a game;
- what a newcomer is told: ``how_to_play``, with the hand in ``example.txt``;
- who plays: ``bots``, the strong one by ``games.bots.monte_carlo``;
- how they are quick: ``hand_values`` is the ranking in numbers, ``kernel`` the rules, and
  ``playout_policy`` plays them. Tests hold ``hand_values`` to ``hand_ranking``, ``kernel`` to
  ``rules``.
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.
"""

from games.errors import gettext_noop
from games.game import DEAL, FirstDealer, Game, Typical
from games.mambassa import (
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
from games.play.playing import Critic, Play

GAME = Game.of(
    options,
    scoring,
    text,
    slug="mambassa",
    name=gettext_noop("Mambassa"),
    summary=gettext_noop(
        "3 to 8 players with four tokens each. The lowest hand pays; the last one in takes the "
        "pool."
    ),
    deals_next=gettext_noop("The next player still in the game deals next."),
    unit=DEAL,
    first_dealer=FirstDealer.LOT,
    options=options.OPTIONS,
    marks=scoring.MARKS,
    session=scoring.Session,
    round_in_games=True,
    usual_length=1,
    typical=Typical(minutes=25, placed=True),
    play=Play.of(
        rules,
        state,
        view,
        narration,
        layout=layout.layout,
        critic=Critic.of(hindsight, least=0.08),
        face=lambda code: layout.face(cards.parse_card(code)),
        bots={"beginner": bots.beginner, "steady": bots.steady, "strong": bots.strong},
    ),
    how_to_play=how_to_play.HOW_TO_PLAY,
)
