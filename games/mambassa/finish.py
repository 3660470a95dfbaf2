"""Reading the finishing order of a game from a table that kept no more (S30, S32)."""

from itertools import islice

from games import answers
from games.errors import SheetError, gettext_noop
from games.mambassa.stakes import Groups, Stakes


def finishing_order(written: object, stakes: Stakes) -> Groups:
    """Return the groups that share a place, best first; ties are lists within the list.

    Those whom the sheets before put out may be left unnamed, and so may the last of the
    others.

    >>> finishing_order([3, [0, 2]], Stakes((1, 0, 2, 3), 10, ((1,),)))
    ((3,), (0, 2), (1,))

    :raises SheetError: ``order-short`` if somebody is missing, ``order-out`` if those
        already out do not come last, in the places they went out in.
    """
    places = _groups(written, len(stakes.tokens))
    named = {seat for group in places for seat in group}
    unnamed = [seat for seat in stakes.playing if seat not in named]
    if len(unnamed) > 1:
        raise SheetError(
            "order-short",
            gettext_noop("%(missing)d players are not named yet; only the last may be left out."),
            question="bare",
            missing=len(unnamed),
        )
    gone = tuple(reversed(stakes.out))
    if not any(seat in named for group in gone for seat in group):
        places += gone
    ahead = len(places) - len(gone)
    if places[ahead:] != gone:
        raise SheetError(
            "order-out",
            gettext_noop("Those already out come last, the first to leave at the very end."),
            question="bare",
        )
    return (*places[:ahead], *((seat,) for seat in unnamed), *gone)


def _groups(written: object, seats: int) -> Groups:
    entries = [
        entry if isinstance(entry, list | tuple) else (entry,)
        for entry in answers.listed(written, question="bare")
    ]
    flat = [seat for entry in entries for seat in entry]
    named = iter(answers.seats(flat, range(seats), question="bare"))
    return tuple(tuple(sorted(islice(named, len(entry)))) for entry in entries if entry)
