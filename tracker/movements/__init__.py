"""Movements: ways to find who sits where in each round. One module a movement, or several alike.

A movement gets a ``Question`` and returns a ``SeatingPlan``; ``types`` has what they share, and
``catalogue`` lists the movements. A *unit* is what is seated: a player, or a fixed team. It *meets*
the others at its table, as partner or opponent, *rests* if it sits at none, and *opens* a table
where it deals first.

``turn_order`` decides who rests, ``table_sizes`` which tables there are, ``table_filling``,
``annealing`` and ``matching`` who sits at which, ``seat_balance`` at which place, ``first_dealers``
who opens. ``meetings`` counts what was, ``plan_account`` says what a plan repeats and why.
``brackets`` is for knock-outs; ``stored_plans``, ``whist`` and ``finite_fields`` for schedules.
"""
