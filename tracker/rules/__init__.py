"""The rules of the games on public pages, without a club or a login.

Each game has a rule book in Markdown, ``games/GAME/RULES.md``: ``book`` has its sections and
numbered rules ("R12"), ``search`` finds rules in it. ``pages`` shows how to play a game, its rule
book (the *referee*), and searches all rule books. Rules for engines and recorded hands are marked
as *for programs*.
"""
