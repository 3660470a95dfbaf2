"""Every act that the log keeps is told in a sentence, whoever adds it."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

import tracker
from tests import make
from tests.tracker.audit.everything import everything, verbs_done
from tracker.audit.queries.lines import act_of
from tracker.audit.queries.lookup import Lookup
from tracker.audit.queries.sentences import UNKNOWN
from tracker.audit.queries.verbs import KINDS, OF_THE_SITE, VERBS
from tracker.common.audit_log import log
from tracker.models import Confirm, LogEntry, Movement, User
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import edit_tournament

SOURCE = Path(tracker.__file__).parent
OURS = ("audit", "migrations")
CODE_WORDS = ("sitting", "entrant", "token", "None", "sheet", "verb", "%(")


# The verbs in the source --------------------------------------------------------------------------


def modules() -> Iterator[ast.Module]:
    for file in sorted(SOURCE.rglob("*.py")):
        if file.relative_to(SOURCE).parts[0] not in OURS:
            yield ast.parse(file.read_text(encoding="utf-8"))


def takers(tree: ast.Module) -> dict[str, int]:
    """Return which functions take a verb, and as which of their arguments."""
    return {
        node.name: [argument.arg for argument in parameters(node)].index("verb")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and "verb" in [argument.arg for argument in parameters(node)]
    }


def parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def named_constants() -> dict[str, ast.expr]:
    """Return the values that modules give a name in capitals."""
    named: dict[str, ast.expr] = {}
    for tree in modules():
        for node in tree.body:
            if isinstance(node, ast.Assign):
                [target, value] = node.targets[0], node.value
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs = zip(target.elts, value.elts, strict=True)
                else:
                    pairs = zip([target], [value], strict=True)
                named |= {
                    to.id: given
                    for to, given in pairs
                    if isinstance(to, ast.Name) and to.id.isupper()
                }
    return named


def verbs_in(
    tree: ast.Module, shared: Mapping[str, int], named: Mapping[str, ast.expr]
) -> Iterator[str]:
    """Yield every verb that a module hands on to the log, or to whoever hands it on."""
    known = {**shared, **takers(tree)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        assigned = dict(named) | {
            target.id: node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                place = known.get(call.func.id)
                if place is not None and len(call.args) > place:
                    given = call.args[place]
                    if isinstance(given, ast.Name):
                        given = assigned.get(given.id, given)
                    yield from constants(given)


def constants(value: ast.expr) -> Iterator[str]:
    """Yield the verbs that an argument may be; a parameter that is handed on is none."""
    match value:
        case ast.Constant(value=str(verb)):
            yield verb
        case ast.IfExp(body=chosen, orelse=other):
            yield from constants(chosen)
            yield from constants(other)
        case ast.Name(id="verb"):
            return
        case _:
            pytest.fail(f"which verb is {ast.unparse(value)}?")


def verbs() -> set[str]:
    shared = {"log": 1, "record_round": 1, "record_tournament": 1}
    named = named_constants()
    return {verb for tree in modules() for verb in verbs_in(tree, shared, named)}


def test_every_verb_of_the_source_has_a_kind() -> None:
    kinds = [verb for _label, of_kind in KINDS.values() for verb in of_kind]

    assert len(kinds) == len(set(kinds))
    assert verbs() == {*kinds, *OF_THE_SITE} == {*VERBS}


# One of each kind ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_whatever_was_done_is_told_in_a_sentence(client: Client) -> None:
    done = everything()
    assert verbs_done(done.club) == verbs() - OF_THE_SITE.keys()

    entries = list(LogEntry.objects.filter(club=done.club))
    lookup = Lookup(done.club.pk, entries)
    sentences = {entry.pk: act_of(entry, lookup).sentence for entry in entries}

    for entry in entries:
        sentence = sentences[entry.pk]
        assert re.fullmatch(r"[A-ZÄÖÜ+].*[.]", sentence), sentence
        assert UNKNOWN not in sentence, (entry.verb, sentence)
        assert "-" not in entry.verb or entry.verb not in sentence
        assert not [word for word in CODE_WORDS if word in sentence], sentence
    # Who sits there is drawn.
    drawn = re.compile(r"(?<=phone at table 1 )\(\w+ & \w+\)")
    assert {drawn.sub("(a side)", sentence) for sentence in sentences.values()} >= {
        "Marta (owner) corrected hand 1 of table 1: 90–30 became 50–70.",
        "Marta (owner) deleted hand 2 of table 1: 70–50.",
        "Marta (owner) brought back hand 2 of table 1: 70–50.",
        "The phone at table 1 called the organiser: the cards.",
        "The phone at table 1 (a side) changed hand 3: 80–40 became 50–70.",
        "Marta (owner) gave 5 more minutes to table 1.",
        "Marta (owner) merged Hamisi K. into Fatma.",
        "The phone at table 1 (a side) asked to change hand 2: 60–60 to 61–59.",
        "The phone at table 1 (a side) confirmed hand 3.",
        "Marta (owner) replaced Sefu, entered by mistake, with Sabra at table 2 from hand 1 on.",
        "Marta (owner) replaced Sabra, entered by mistake, with Sauda in round 1 of Friday Cup.",
        "Marta (owner) replaced Sauda, entered by mistake, with Said in all of Friday Cup.",
        "Zuri can’t make it on 27 Nov 2026.",
        (
            "Marta (owner) changed the settings of Friday Cup: its name;"
            " another side must confirm each result."
        ),
        "Marta (owner) added a seating request: Asha plays at table 2.",
        "Marta (owner) removed a seating request: Asha at table 2.",
        "Marta (owner) changed the club night of 27 Nov 2026: where it is.",
        "Marta (owner) changed the club: only members may read its pages.",
        "Marta (owner) changed the club: everybody may read its pages.",
        "Marta (owner) recorded hands 1 to 6 of table 2 as not played.",
        "Marta (owner) deleted hands 1 to 6 of table 2.",
        "Marta (owner) gave Asha −1 victory point in Short Cup.",
        "Marta (owner) withdrew Ali from Friday Cup.",
        "Marta (owner) expelled Lulu from Friday Cup.",
        "Marta (owner) decided the level match at table 1 for Juma.",
        "Lulu moved up from the reserve list of Friday Cup.",
    }
    assert pages_say(client, done.by.signed_in(), done.club.pk) >= set(sentences.values())


def pages_say(client: Client, reader: int, club_id: int) -> set[str]:
    """Return the sentences on all pages of the log."""
    client.force_login(User.objects.get(pk=reader))
    sentences: set[str] = set()
    for number in range(1, 100):
        page = client.get(reverse("log", args=[club_id]) + f"?page={number}")
        table = page.context["table"]
        text = " ".join(strip_tags(page.text).split())
        for line in table.lines.values():
            sentences.add(line.sentence)
        assert "%(" not in text
        if not table.page.has_next():
            return sentences
    raise AssertionError("the log has no end")


@pytest.mark.django_db
def test_changed_settings_are_told_with_what_they_became() -> None:
    cup = make.tournament("albastini", name="Cup", hands=6)
    terms = Terms(planned=5, minutes=cup.minutes, movement=Movement.BY_LOT)
    for length in (8, 8):  # the second time nothing is otherwise
        edit_tournament(
            tournament_id=cup.pk,
            name="Cup",
            length=length,
            confirm=Confirm.BOTH,
            terms=terms,
            by=make.actor(),
        )

    entries = list(LogEntry.objects.order_by("pk"))

    assert [act_of(entry, Lookup(cup.club_id, entries)).sentence for entry in entries] == [
        (
            "Somebody changed the settings of Cup: another side must confirm each result;"
            " hands a round: 6 becomes 8; rounds planned: not set becomes 5;"
            " who sits where: by lot."
        ),
        "Somebody changed the settings of Cup.",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ({"short": 6, "unconfirmed": 12}, "; 6 results were missing, 12 not confirmed."),
        ({"short": 1}, "; 1 result was missing."),
        ({"unconfirmed": 1}, "; 1 result was not confirmed."),
        ({"short": 2, "not_played": 1}, "; 2 results were recorded as not played."),
        (
            {"short": 1, "not_played": 1, "unconfirmed": 3},
            "; 1 result was recorded as not played, 3 not confirmed.",
        ),
        ({}, "."),
    ],
)
def test_a_closed_round_is_told_with_what_was_not_in(numbers: dict[str, int], says: str) -> None:
    round_ = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament()).round
    club_id, cup = round_.tournament.club_id, round_.tournament_id
    closed: dict[str, Any] = {"club_id": club_id, "round": round_.pk, "tournament": cup}
    entry = log(make.actor(), "round-closed", numbers=numbers, **closed)

    sentence = act_of(entry, Lookup(club_id, [entry])).sentence

    assert sentence == f"Somebody closed round 1 of {round_.tournament.name}{says}"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("on", "numbers"),
    [
        ({}, {}),
        ({"sitting": 10**6, "hand": 1, "player": None}, {"after": 1, "before": "x"}),
        ({}, {"changed": {"confirm": ["one", ["?"]], "colour": [1, 2], "movement": []}}),
    ],
)
def test_what_an_older_version_wrote_is_told_as_far_as_it_goes(
    on: dict[str, Any], numbers: dict[str, Any]
) -> None:
    club = make.club()
    for verb in (*verbs(), "hand-turned-round"):
        log(make.actor(), verb, club_id=club.pk, numbers=numbers, **on)

    entries = list(LogEntry.objects.order_by("pk"))
    sentences = [act_of(entry, Lookup(club.pk, entries)).sentence for entry in entries]

    assert sentences[-1] == "Somebody: hand turned round."
    assert all(sentence.endswith(".") for sentence in sentences)
