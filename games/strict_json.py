"""JSON from outside, read strictly: a key written twice is refused, not overwritten."""

import json
import textwrap
from typing import Any


class KeyTwiceError(ValueError):
    """A JSON object has this ``key`` more than once, so that its value is ambiguous."""

    def __init__(self, key: str) -> None:
        # Half a letter, as \ud800 is one, could be shown to nobody.
        self.key = textwrap.shorten(key, 40).encode(errors="replace").decode()
        super().__init__(f"“{self.key}” is written twice")


def parse_json(text: str) -> Any:
    """Return what this text says.

    >>> parse_json('{"eaten": [70, 50]}')
    {'eaten': [70, 50]}

    :raises ValueError: if it is no JSON, or nobody could hold it: a number of thousands of
        digits, lists a thousand deep.
    :raises KeyTwiceError: if an object names a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for key, value in pairs:
        if key in parsed:
            raise KeyTwiceError(key)
        parsed[key] = value
    return parsed
