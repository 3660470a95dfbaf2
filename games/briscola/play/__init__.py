"""Briscola played card by card.

- how a deal goes: ``state`` with the moves, ``rules``; much of it is in ``games.play.tricks``;
- what a seat sees: ``view``;
- words and pictures: ``narration`` and ``layout``, both by ``games.play.trick_table``;
- who plays: ``bots``, by ``games.bots.heuristics``;
- how they are quick: ``kernel`` is the rules in numbers, with the weights of its playouts, by
  ``games.bots.trick_kernel``. Tests hold it to ``rules``;
- what was worth knowing afterwards: ``hindsight``.

``example.txt`` is the deal that newcomers are shown.
"""

from games.play.playing import Play

PLAY = Play.in_folder(__name__)
