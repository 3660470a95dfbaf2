"""Movements: who sits where in each round. One module a movement; ``types`` has what they share.

``catalogue`` lists them. ``turn_order`` decides who rests, ``table_sizes`` which tables there are,
``seat_balance`` the places at them, ``first_dealers`` who deals first, ``plan_account`` the notes.
"""
