"""What the matches of a bracket are called, and its rounds."""

from collections.abc import Mapping

from django.utils.translation import gettext

from games.errors import gettext_noop

# By the code that a movement gives them; numbers of the code fill the holes in order.
_NAMES: Mapping[str, str] = {
    "final": gettext_noop("Final"),
    "third_place": gettext_noop("Third place"),
    "semi_final": gettext_noop("Semi-final %s"),
    "quarter_final": gettext_noop("Quarter-final %s"),
    "winners": gettext_noop("Round %s, match %s"),
    "losers": gettext_noop("Second chance %s, match %s"),
    "grand_final": gettext_noop("Grand final"),
    "grand_final_again": gettext_noop("Grand final, second match"),
}
_ROUNDS: Mapping[str, str] = {
    "semi_final": gettext_noop("Semi-finals"),
    "quarter_final": gettext_noop("Quarter-finals"),
    "winners": gettext_noop("Round %s"),
    "losers": gettext_noop("Second chance %s"),
}


def match_name(label: str) -> str:
    """Return what people call a match, from its label such as ``semi_final:2``; empty for none."""
    code, *numbers = label.split(":")
    if code.startswith("round_of_"):
        size, (number,) = code.removeprefix("round_of_"), numbers
        return gettext("Last %(size)s, match %(number)s") % {"size": size, "number": number}
    return gettext(_NAMES[code]) % tuple(numbers) if code in _NAMES else ""


def short_name(label: str) -> str:
    """Return what people call a match where its round is named already."""
    code, *numbers = label.split(":")
    if code in {"winners", "losers"} or code.startswith("round_of_"):
        return gettext("Match %s") % numbers[-1]
    return match_name(label)


def round_name(label: str) -> str:
    """Return what people call the round of a match with this label."""
    code, *numbers = label.split(":")
    if code.startswith("round_of_"):
        return gettext("Last %(size)s") % {"size": code.removeprefix("round_of_")}
    # The last number of a label is the match's; what stands before it is the round's.
    return gettext(_ROUNDS[code]) % tuple(numbers[:-1]) if code in _ROUNDS else match_name(label)
