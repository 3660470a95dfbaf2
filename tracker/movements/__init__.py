"""Movements: ways to find who sits where in each round. One module a movement, or several alike.

A movement gets a ``Question`` and returns a ``SeatingPlan``; ``types`` has what they share, and
``catalogue`` lists the movements. A *unit* is what is seated: a player, or a fixed team. It *meets*
the others at its table, as partner or opponent, *rests* if it sits at none, and *opens* a table
where it deals first. *Locked* tables of the coming round are seated already, and stay as they are.
An *odd* table has another shape than usual. Units are *level* if they share a rank in the standing.

``turns`` says who is owed a rest, a seat at an odd table or a first deal, with ``even_shares``. In
``frames`` are the tables of a round, by ``table_sizes``, and who plays. ``table_filling``,
``annealing`` and ``matching`` find who sits at which, ``seat_balance`` at which place, and
``table_numbers`` which table of the hall it is. ``meetings`` counts who met, ``plan_account`` says
what a plan repeats and why. ``brackets`` is for knock-outs; ``stored_plans``, ``whist`` and
``finite_fields`` for schedules.
"""
