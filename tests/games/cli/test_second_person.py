"""The person at the keyboard is “you”, in every sentence that the games have."""

import ast
import re
from pathlib import Path

import pytest

import games
from games.cli.screen import VERBS, to_you
from games.wording import AtSeat, OnSide, Text, then

_ACTS = re.compile(r"%\((?:who|side|dealer|due)\)s(?:'s)? ([a-z]+)")
_NO_VERB = {"in", "the", "and", "turn", "win", "have", "are"}  # of several people, or of nobody
# What is the same of you and of others.
_SAME = {"ate", "cannot", "dealt", "drew", "took"}


def you(param: object) -> bool:
    return param in (AtSeat(0), OnSide(0))


def test_every_verb_of_the_games_is_known() -> None:
    """A new sentence with another verb says here that it needs a second person."""
    verbs: set[str] = set()
    for path in Path(games.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("gettext_noop" | "_"), [ast.Constant(str(sentence))]):
                    verbs.update(_ACTS.findall(sentence))
    assert len(verbs) > 20
    assert verbs - VERBS.keys() - _SAME - _NO_VERB == set()


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("%(who)s plays %(card)s.", "you play X."),
        ("%(who)s takes it and leaves %(card)s in its place.", "you take it and leave X in its place."),
        ("%(who)s goes out last, is Peon and deals next.", "you go out last, are Peon and deal next."),
        ("It is %(who)s’s turn.", "It is your turn."),
        ("%(who)s does not hold %(card)s.", "you do not hold X."),
        ("All are out at once: %(who)s dealt, and so wins.", "All are out at once: you dealt, and so win."),
        ("%(who)s is left with %(card)s, and the game is over.", "you are left with X, and the game is over."),
        ("%(who)s keeps the cards. It leads.", "you keep the cards. It leads."),
        ("%(other)s plays %(card)s.", "seat 1 plays X."),
    ],
)  # fmt: skip
def test_you_do_what_others_do(template: str, said: str) -> None:
    sentence = Text(template, {"who": AtSeat(0), "other": AtSeat(1), "card": "X"})
    told = to_you(then(sentence, Text("%(side)s wins.", {"side": OnSide(1)})), you)
    named = {"who": "you", "other": "seat 1", "card": "X"}
    first = told.params["first"]
    assert isinstance(first, Text)
    assert first.template % named == said
    assert str(told).endswith("side 1 wins.")
