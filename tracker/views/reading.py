"""Reading what an address or a form says, which may be anything."""

_LONGEST = 4


def number_in(said: str) -> int | None:
    """Return a small whole number from 0, or ``None`` for anything else.

    >>> number_in("12"), number_in("-1"), number_in("9" * 5000), number_in("")
    (12, None, None, None)
    """
    fits = said.isascii() and said.isdigit() and len(said) <= _LONGEST
    return int(said) if fits else None
