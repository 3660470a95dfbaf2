"""Briscola, the Italian game of tricks and trumps: most of 120 card points win the deal.

After RULES.md read, in this order:

- what it is played with: ``cards``, ``options``;
- what a deal earns: ``sheet``, ``scoring``; totals are checked by ``games.counting``;
- words: ``text`` for the score sheet;
- what a newcomer is told: ``how_to_play.md``;
- how it is played, card by card: ``play``.
"""

from games.briscola import cards, options, scoring, text
from games.errors import gettext_noop
from games.game import DEAL, Game, Typical

GAME = Game.of(
    cards,
    options,
    scoring,
    text,
    name=gettext_noop("Briscola"),
    summary=gettext_noop("Tricks and trumps for two, three, four or six: first to three deals."),
    deals_next=gettext_noop("The player after the dealer deals next, whoever wins."),
    unit=DEAL,
    round_in_games=True,  # a match is a game: the first to win its deals
    usual_length=1,
    typical=Typical(minutes=15, wins=3),
    session=scoring.Session,
)
