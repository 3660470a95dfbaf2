"""The Great Dalmuti played card by card.

- how a game goes: ``state`` with the moves, ``rules`` from the draw on;
- what a seat sees: ``view``;
- words and pictures: ``narration`` and ``layout``, with ``number_words``;
- who plays: ``bots``, the strong one by ``games.bots.monte_carlo``;
- how they are quick: ``kernel`` is the rules in numbers, and ``playout_policy`` plays it.
  Tests hold ``kernel`` to ``rules``;
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.

``example.txt`` is the game that newcomers are shown.
"""

from games.errors import gettext_noop
from games.play.playing import Play

PLAY = Play.in_folder(
    __name__,
    styles={
        "original_code": gettext_noop(
            "The first program: leads what adds up to most, follows only with all of a value"
        ),
        "readme": gettext_noop("Its description: leads what it has most of, follows if it can"),
    },
)
