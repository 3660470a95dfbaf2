"""What no construction gives: starters, and patterns of copies, as ``tests.lab.whist`` found them.

A *starter* is one round of players 0 to v - 1, four by four, partners beside each other; adding 1
to everybody gives the next, modulo v where v = 4n + 1, and modulo v - 1 where v = 4n: there the
last player never moves.

A *pattern* of h copies is h rounds of tables that name the copies their players come from. A copy
named twice at a table sends an element of the field and its negative. Every round needs every
copy once; two copies are partners, and opponents, as ``constructions.in_copies`` counts them.
"""

STARTERS: dict[int, tuple[int, ...]] = {
    4: (0, 1, 2, 3),
    8: (6, 1, 2, 7, 4, 5, 0, 3),
    12: (6, 5, 4, 1, 0, 11, 2, 8, 3, 10, 9, 7),
    24: (23, 15, 18, 11, 6, 7, 5, 0, 12, 14, 10, 1, 2, 8, 16, 19, 13, 21, 22, 3, 4, 17, 9, 20),
}

PATTERNS: dict[int, tuple[tuple[tuple[tuple[int, int], tuple[int, int]], ...], ...]] = {
    4: (
        (((0, 1), (2, 3)),),
        (((0, 0), (1, 1)), ((2, 2), (3, 3))),
        (((0, 2), (0, 2)), ((1, 3), (1, 3))),
        (((0, 3), (0, 3)), ((1, 2), (1, 2))),
    ),
    8: (
        (((2, 3), (6, 5)), ((1, 7), (4, 0))),
        (((7, 4), (0, 1)), ((6, 3), (2, 5))),
        (((0, 7), (6, 2)), ((3, 1), (3, 1)), ((4, 5), (4, 5))),
        (((5, 3), (1, 4)), ((0, 6), (0, 6)), ((2, 7), (2, 7))),
        (((2, 0), (1, 5)), ((6, 4), (6, 4)), ((7, 3), (7, 3))),
        (((7, 6), (3, 4)), ((1, 2), (1, 2)), ((0, 5), (0, 5))),
        (((2, 4), (3, 0)), ((7, 7), (5, 5)), ((6, 6), (1, 1))),
        (((1, 6), (7, 5)), ((4, 4), (2, 2)), ((0, 0), (3, 3))),
    ),
}
