"""Seating: who sits where in a round, from the first draw to corrections years later.

A *movement* (package ``tracker.movements``) answers a *question* (who is present, whom they met …)
with a plan for one round or more, and an *account* of which meetings it repeats and why. It seats
*units*, which are keys of entrants: players, or fixed teams. The plan is saved as a *draw*, which the
organiser may change and publish, until the round is opened: then each table gets a *sitting* (the
people around it in this round) and a *stint* for each place (database: ``Seat``), which says that one
player sat there from one hand to another.

- ``logic``: the JSON of saved draws, and values about seatings; no database.
- ``queries``: the coming round, the question and plan of a movement, the schedule, wishes, table cards.
- ``services``: draws, opening and undoing rounds, clocks, stints and their corrections, table cards.
- ``pages``: the views of all these, and the page “my table”.
"""
