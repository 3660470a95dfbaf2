"""Mambassa: four cards, four tokens, and the last one in takes the pool.

After RULES.md read, in this order:

- which hand is better: ``cards``, ``hand_ranking``;
- what a deal costs: ``options``, ``stakes``, ``showdown`` for the hands shown, ``sheet`` for a
  table's answers, ``scoring`` with its rankings;
- words: ``text`` for the score sheet;
- what a newcomer is told: ``how_to_play.md``;
- how it is played, card by card: ``play``.
"""

from games.errors import gettext_noop
from games.game import DEAL, FirstDealer, Game, Typical
from games.mambassa import cards, options, scoring, text

GAME = Game.of(
    cards,
    options,
    scoring,
    text,
    name=gettext_noop("Mambassa"),
    summary=gettext_noop(
        "3 to 8 players with four tokens each. The lowest hand pays; the last one in takes the "
        "pool."
    ),
    deals_next=gettext_noop("The next player still in the game deals next."),
    unit=DEAL,
    first_dealer=FirstDealer.LOT,
    session=scoring.Session,
    round_in_games=True,
    usual_length=1,
    typical=Typical(minutes=25, placed=True),
)
