"""The search that found the starters and patterns of perfect whist schedules.

``python -m tests.lab.whist SIZE [--seed N]`` prints a starter of 4, 8, 12, 24 or 33 players;
``python -m tests.lab.whist COPIES --pattern`` prints a pattern of 4, 8 or 12 copies. What they
are is said where they are kept, in ``tracker/seating/logic/movements/whist/starters.py``.

``puzzles`` says what must come out how often, ``annealing`` swaps until it does. One seed gives
one answer.
"""
