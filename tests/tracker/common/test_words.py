"""The words on pages: what a club person says, one word for one thing, and one way to write a day."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CODE = sorted(
    file
    for part in ("games", "tracker")
    for file in (ROOT / part).rglob("*.py")
    if "migrations" not in file.parts
)
_GETTEXT = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext"}
_HOLE = re.compile(r"%\(\w+\)[ds]|{{.*?}}|{\w+}")
# What was said once, and by nobody at a card table.
NOT_SAID = (
    r"\bput(?:ting)? (?:\S+ ){1,4}right\b",
    r"\bDo you come\b", r"\bI come\b", r"\bI cannot\b", r"\bWho comes\b", r"\b\d+ come\b",
    r"\bMy calendar\b", r"\bInto my calendar\b",
    r"\bBeing played\b", r"\bgoing on\b",
    r"\bTake it with you\b", r"\bBesides the hands\b", r"\bOn the wall\b", r"\bon the wall\b",
    r"\bLevel in front\b", r"\bput the standing up\b", r"\bwaits? for %?\S+ tables?\b",
    r"\bLook at a written hand\b", r"\bFrom paper\b", r"\bPapers? to write on\b",
    r"\bThey are here\b", r"\bSee what this moves\b", r"\bKeep it so\b", r"\bLeave it as it is\b",
    r"\bNot now\b", r"\bNot yet\b", r"\bStrike it off\b", r"\bWrite it down anew\b",
    r"\bWhat is to stand\b", r"\bLet it stand\b", r"\bWho may do what\b", r"\bwho may read\b",
    r"\bHere twice\b", r"\bare parted by\b", r"\bName and rounds\b", r"\bAt the club\b",
    r"\bOnly know how many\b", r"\bTake back round\b", r"\bKeep it\b",
    r"\bWhat was done\b", r"\bPractise by yourself\b", r"\bthe engine\b",
    r"\b(?i:entrants?|stints?|tally|tallies|derived|parked)\b", r"\b(?:struck|strike)\b",
    r"\bOpen \w+ round again\b", r"\btaken back\b", r"\brested\b",
)  # fmt: skip


def sentences() -> Iterator[tuple[str, str]]:
    """Yield every sentence that can be translated, and how to play, with the file that says it."""
    for file in TEMPLATES:
        text = re.sub(
            r"{#.*?#}|{% comment %}.*?{% endcomment %}", "", file.read_text(), flags=re.DOTALL
        )
        for quoted in re.findall(r'{%-? ?translate "([^"]*)"', text):
            yield str(file.relative_to(ROOT)), quoted
        for block in re.findall(
            r"{% blocktranslate[^%]*%}(.*?){% endblocktranslate %}", text, re.DOTALL
        ):
            yield str(file.relative_to(ROOT)), " ".join(block.split())
    for file in (ROOT / "games").glob("*/how_to_play.md"):
        yield str(file.relative_to(ROOT)), " ".join(file.read_text(encoding="utf-8").split())
    for file in CODE:
        for call in ast.walk(ast.parse(file.read_text())):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in _GETTEXT:
                for said in call.args:
                    if isinstance(said, ast.Constant) and isinstance(said.value, str):
                        yield str(file.relative_to(ROOT)), said.value


@cache
def all_sentences() -> list[tuple[str, str]]:
    """Return them in order; whoever only collects tests need not read all the code for it."""
    return sorted(set(sentences()))


@pytest.mark.parametrize("phrase", NOT_SAID)
def test_nobody_says_it_any_more(phrase: str) -> None:
    said = [
        (file, text) for file, text in all_sentences() if re.search(phrase, _HOLE.sub("…", text))
    ]

    assert said == []


def test_all_that_pills_say_is_written_small() -> None:
    said = {
        words
        for file in TEMPLATES
        for words in re.findall(
            r'<span class="pill[^>]*>{% (?:translate "|blocktranslate [^%]*%})([^"{]+)',
            file.read_text(),
        )
    }

    assert {"official", "provisional", "playing", "finished"} <= said
    assert {words for words in said if words[0].isupper()} == set()


def test_days_are_written_in_one_way() -> None:
    """By Django's named formats, which ``config/formats`` fills in: ``DATE_FORMAT`` and its kin."""
    named = re.compile(
        r"(?:date|time):\"(?:(?:SHORT_)?DATE(?:TIME)?_FORMAT|MONTH_DAY_FORMAT|TIME_FORMAT)\"|date:'c'"
    )
    filters = [
        (str(file.relative_to(ROOT)), used)
        for file in TEMPLATES
        for used in re.findall(r"""\b(?:date|time):["'][^"']*["']""", file.read_text())
        if not named.fullmatch(used)
    ]
    calls = [
        (str(file.relative_to(ROOT)), call.args[1].value)
        for file in CODE
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call)
        and (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) == "date_format"
        and isinstance(call.args[1], ast.Constant)
        and not str(call.args[1].value).endswith("_FORMAT")
    ]

    assert filters + calls == []


def test_every_sentence_is_found() -> None:
    assert len(all_sentences()) > 1500
