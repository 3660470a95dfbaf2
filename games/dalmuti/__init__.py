"""The Great Dalmuti, in its simple form: get rid of your cards, or deal the next game.

After RULES.md read, in this order:

- what it is played with: ``cards``, ``options``;
- what a game earns: ``sheet``, ``scoring`` with its rankings;
- words: ``text`` for the score sheet;
- what a newcomer is told: ``how_to_play.md``;
- how it is played, card by card: ``play``.
"""

from games.dalmuti import cards, options, scoring, text
from games.errors import gettext_noop
from games.game import FirstDealer, Game, Typical, Unit

GAME = Game.of(
    cards,
    options,
    scoring,
    text,
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
    session=scoring.Session,
    usual_length=10,
    typical=Typical(minutes=6, placed=True),
)
