"""A hand written down: one text for any game, for people and for programs.

A line is a word and what it says; a line that begins with a space goes on with the one
above, and one that begins with ``#`` is a remark::

    Kula hand 1
    game      briscola
    mode      2i
    option    match_wins 3
    player    0 Asha
    player    1 Bo
    first     0
    before    {"points": [70, 50], "face_up": "4D", "dealer": 0}
    dealer    1
    pack      7S 1K 13B 2D 4K ...
    move      1 seat 0 7S  ; what follows a semicolon is a remark
    move      2 seat 1 1K
    result    points [66, 54]
    result    face_up "5K"
    result    dealer 1

``option`` is a house rule and its value; what is not there is as in the rule book. Seats
count from 0 in the direction of play. ``first`` is who dealt the first hand of the
sitting, ``before`` the sheet of every hand before this one, in order, and
``dealt-before`` (of every seat, when it last dealt at an earlier table) is only there
where the table has such a memory: they are what a session comes from. ``dealer`` dealt
this hand. Every ``pack`` is a whole order of the pack, the first card the top one; a
hand of several shuffles has several. A ``move`` has its number, its seat, and the
game's own code. ``result`` is the sheet the hand leaves, an answer a line, or
``unfinished``. Values behind ``option``, ``before``, ``dealt-before`` and ``result``
are JSON. A file may hold many hands, each under its first line.

Reading looks at the shape alone; whether the hand can be played is ``replay``'s to say.
"""

from games.reading import read, read_all
from games.replay import MoveError, Replay, replay, tellings, with_steps
from games.written import HEADER, Played, Record, RecordError, plain, write

__all__ = [
    "HEADER",
    "MoveError",
    "Played",
    "Record",
    "RecordError",
    "Replay",
    "plain",
    "read",
    "read_all",
    "replay",
    "tellings",
    "with_steps",
    "write",
]
