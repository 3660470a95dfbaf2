"""Reading what an address or a form says, which may be anything."""

_LONGEST = 4
_LONGEST_KEY = 18  # digits; what a database holds has more


def number_in(text: str) -> int | None:
    """Return a small whole number from 0, or ``None`` for anything else.

    >>> number_in("12"), number_in("-1"), number_in("9" * 5000), number_in("")
    (12, None, None, None)
    """
    fits = text.isascii() and text.isdigit() and len(text) <= _LONGEST
    return int(text) if fits else None


def key_in(text: str) -> int:
    """Return the key of a row, or 0, which no row has, for anything else.

    >>> key_in("12"), key_in("x"), key_in("9" * 30)
    (12, 0, 0)
    """
    fits = text.isascii() and text.isdigit() and len(text) <= _LONGEST_KEY
    return int(text) if fits else 0
