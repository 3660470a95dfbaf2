"""Practice at the computer, and records: the cards and moves of a hand as text.

A person plays bots at a practice table. The hand is stored in the URL: ``state`` reads and writes
it, ``moves`` deals and moves. ``services`` stores the record of a hand of a tournament.

``pages`` has the views: ``practice`` the list of games and the table, ``replay`` the pages of
records. ``table_view`` (cards and moves), ``hand_result`` and ``seats`` are the view models of
these pages. A *seat* is a number from 0 in the direction of play; the person has seat 0 (``ME``).
Seats that score together are a *side*. A *sheet* is the written result of a hand, and *marks* are
the numbers that the hand gives to each seat, such as points; the *session* is left to the next.
"""
