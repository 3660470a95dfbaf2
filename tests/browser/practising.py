"""Deal a hand of practice in every game for every number of players.

Run in a process of its own beside a served site, as ``laid`` is, whose signature they bear: it
prints the address of each.
"""

import json
from urllib.parse import urlencode

import django

MOST = 10  # who sit at one table


def main() -> None:
    django.setup()
    # Addresses can be made only now.
    from django.urls import reverse

    from tracker.practice.moves import deal_hand
    from tracker.practice.state import practisable

    dealt = {}
    for game in practisable():
        for mode in game.modes(game.default_options()):
            if mode.seats > MOST:
                continue
            hand = deal_hand(
                game=game.slug,
                mode=mode.code,
                options={},
                strength="beginner",
                name="Asha",
                seed=7,
                clock=lambda: 0.0,
            )
            query = urlencode({"hand": hand.signed()})
            dealt[f"{game.slug} {mode.code}"] = (
                f"{reverse('practice-game', args=[game.slug])}?{query}"
            )
    print(json.dumps(dealt))


if __name__ == "__main__":
    main()
