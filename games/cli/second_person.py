"""Second person: sentences about all seats, rephrased as “you” for the one at the keyboard.

The engines speak of all seats alike, “%(who)s plays”; the person who plays is told “You play”.
This is for English, which is all the terminal speaks.
"""

import re
from collections.abc import Callable

from games.errors import RuleError
from games.wording import Text

# What people do, and what you do.
VERBS = {
    "is": "are",
    "has": "have",
    "does": "do",
    "was": "were",
    "bids": "bid",
    "declares": "declare",
    "deals": "deal",
    "discards": "discard",
    "draws": "draw",
    "eats": "eat",
    "ends": "end",
    "goes": "go",
    "holds": "hold",
    "keeps": "keep",
    "knocks": "knock",
    "leads": "lead",
    "leaves": "leave",
    "pays": "pay",
    "plays": "play",
    "shows": "show",
    "passes": "pass",
    "stands": "stand",
    "takes": "take",
    "wins": "win",
}
_POSSESSIVE = "’s"
_SENTENCE_ENDS = re.compile(r"(?<=[.!?]) ")


def to_you(sentence: Text | RuleError, is_you: Callable[[object], bool]) -> Text:
    """Return the sentence with verbs in the second person where ``is_you`` holds of who acts.

    >>> who = Text("%(who)s takes it and leads.", {"who": "Asha"})
    >>> str(to_you(who, lambda param: param == "Asha"))
    'Asha take it and lead.'
    """
    template = sentence.template
    params: dict[str, object] = {}
    for hole, param in sentence.params.items():
        params[hole] = to_you(param, is_you) if isinstance(param, Text | RuleError) else param
        if is_you(param):
            template = " ".join(
                _second(part, f"%({hole})s") for part in _SENTENCE_ENDS.split(template)
            )
    return Text(template, params)


def _second(sentence: str, who: str) -> str:
    """Return one sentence, in the second person from the hole *who* on."""
    before, hole, after = sentence.partition(who)
    if after.startswith(_POSSESSIVE):
        return f"{before}your{after.removeprefix(_POSSESSIVE)}"
    known = "|".join(VERBS)
    after = re.sub(
        rf"(^ |, | and | so )({known})\b", lambda found: f"{found[1]}{VERBS[found[2]]}", after
    )
    return f"{before}{hole}{after}"
