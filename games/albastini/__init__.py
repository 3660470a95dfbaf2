"""Albastini, the trick-taking game of Tanzania: the side that eats most of 120 points wins.

After RULES.md read, in this order:

- what it is played with: ``cards``, ``options``, and ``cut`` for partners;
- what a hand earns: ``sheet``, ``scoring``; totals are checked by ``games.counting``;
- words: ``text`` for the score sheet;
- what a newcomer is told: ``how_to_play.md``;
- how it is played, card by card: ``play``.
"""

from games.albastini import cards, cut, options, scoring, text
from games.errors import gettext_noop
from games.game import Game, Typical, Unit

GAME = Game.of(
    cards,
    cut,
    options,
    scoring,
    text,
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
    session=scoring.Session,
)
