"""The search that found the starters and patterns of perfect whist schedules.

``python -m tests.lab.whist SIZE [--seed N]`` prints a starter of 4, 8, 12, 24 or 33 players;
``python -m tests.lab.whist COPIES --pattern`` prints a pattern of 4, 8 or 12 copies. What they
are is said where they are kept, in ``tracker/movements/whist.py``.

``puzzles`` says what must come out how often, ``annealing`` swaps until it does, ``answers`` writes
it down as it is kept. One seed gives one answer. Those kept have seed 1, but the starter of 24 has
2 (13 s on a busy machine), that of 33 has 206 (16 s) and the pattern of 12 copies has 10 (6 s):
lucky ones. For 33, eleven of the first 274 seeds need less than ten million swaps, or two minutes.
"""
