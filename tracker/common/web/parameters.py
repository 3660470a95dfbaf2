"""Reading what an address or a form says, which may be anything."""

_LONGEST = 4
_LONGEST_KEY = 18  # digits; what a database holds has more


def number_in(said: str) -> int | None:
    """Return a small whole number from 0, or ``None`` for anything else.

    >>> number_in("12"), number_in("-1"), number_in("9" * 5000), number_in("")
    (12, None, None, None)
    """
    fits = said.isascii() and said.isdigit() and len(said) <= _LONGEST
    return int(said) if fits else None


def key_in(said: str) -> int:
    """Return the key of a row, or 0, which no row has, for anything else.

    >>> key_in("12"), key_in("x"), key_in("9" * 30)
    (12, 0, 0)
    """
    fits = said.isascii() and said.isdigit() and len(said) <= _LONGEST_KEY
    return int(said) if fits else 0
