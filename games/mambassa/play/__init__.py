"""Mambassa played card by card.

- how a deal goes: ``state`` with the moves, ``rules``;
- what a seat sees: ``view``;
- words and pictures: ``narration`` and ``layout``;
- who plays: ``bots``, the strong one by ``games.bots.monte_carlo``;
- how they are quick: ``hand_values`` is the ranking in numbers, ``kernel`` the rules, and
  ``playout_policy`` plays them. Tests hold ``hand_values`` to the ranking, ``kernel`` to ``rules``;
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.

``example.txt`` is the deal that newcomers are shown.
"""

from games.play.playing import Play

PLAY = Play.in_folder(__name__)
