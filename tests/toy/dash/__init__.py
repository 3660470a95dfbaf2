"""Pwani Dash: everybody runs along the beach to the palm, with a card on the head.

It is scored only, and as small as a game can be. Its sheet has a question of every kind, and
its house rules are of every kind as well. After RULES.md read, in this order:

- who runs, and under which house rules: ``options``;
- what a dash earns: ``scoring``; single answers are read by ``games.sheet_validation``;
- words: ``text``.
"""

from games.dash import options, scoring, text
from games.errors import gettext_noop
from games.game import Game, Unit

GAME = Game.of(
    options,
    scoring,
    text,
    name=gettext_noop("Pwani Dash"),
    summary=gettext_noop("Run to the palm with a card on your head."),
    unit=Unit(
        one=gettext_noop("dash"),
        many=gettext_noop("dashes"),
        numbered=gettext_noop("Dash %(number)d"),
        numbered_of=gettext_noop("Dash %(number)d of %(all)d"),
    ),
    usual_length=4,
    session=scoring.Session,
)
