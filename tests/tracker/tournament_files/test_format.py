"""The models of a file: what they refuse, how, and what else has to agree with them."""

import json
import re
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest

from tests import make
from tests.one_file import from_elsewhere
from tests.serving import ROOT
from tests.tracker.tournament_files.test_damage import leaves, place_of, put
from tracker.models import Award, Hand, Issue, Report, Round, Sitting, Tournament
from tracker.tournament_files.logic import json_schema
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.reading import read_document

STAGE = ("stages", 0)
ROUND = (*STAGE, "rounds", 0)
TABLE = (*ROUND, "tables", 0)
HAND = (*TABLE, "hands", 0)
LONG_AGO, SOON = "2020-01-01T12:00:00.000000Z", (make.NOON + timedelta(days=2)).isoformat()
ACT = {"verb": "hand-confirmed", "at": LONG_AGO, "numbers": {}, "reason": ""}
CHANGE = {"at": LONG_AGO, "round": 1, "before": [], "after": ["lots"]}
NAMED = "here should be named values in braces."
SEAT = {"place": 0, "side": 0, "player": 0, "entrant": 0, "from_hand": 1, "to_hand": None}
PLACE = "there is no such place at this table."
DATA = "here should be a whole number of eight bytes, a text of up to 1000 letters, a list or named"
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("people", 0), {"name": "Asha"}, "people[0]: “erased_at” is missing."),
    (("people", 0, "age"), 7, "people[0].age: nobody knows what this is."),
    (("people", 0), 7, f"people[0]: {NAMED}"),
    ((*HAND, "sheet"), [], f"{{hand}}.sheet: {NAMED}"),
    (("people", 0, "name"), 7, "people[0].name: here should be text."),
    (("people", 0, "name"), "", "people[0].name: here should be a text."),
    (("people", 0, "name"), "a\0", "people[0].name: a text cannot have the character NUL."),
    (
        ("people", 0, "name"),
        "x" * 61,
        "people[0].name: here should be a text of at most 60 letters.",
    ),
    (("people", 0, "name"), " Asha", "people[0].name: “Asha” is no name."),
    (("people", 1, "name"), "ASHA", "people[1].name: two are called “ASHA”."),
    (("stages",), [], "stages: this list is too short: 1 are the fewest."),
    (("stages",), [7] * 51, "stages[0]: here should be named values in braces."),
    (
        (*STAGE, "tie_breaks"),
        ["won"] * 5001,
        "stages[0].tie_breaks: this list is too long: 5000 are",
    ),
    ((*STAGE, "uid"), "x", "stages[0].uid: here should be a uid of 32 digits in five groups."),
    ((*STAGE, "confirm"), "x", "stages[0].confirm: here should be one of “one” or “both”."),
    ((*STAGE, "third_place"), 1, "stages[0].third_place: here should be true or false."),
    ((*STAGE, "places"), 40_000, "stages[0].places: 40000 is more than 32767."),
    ((*STAGE, "places"), True, "stages[0].places: here should be a whole number."),
    ((*STAGE, "rounds"), {}, "stages[0].rounds: here should be a list."),
    ((*STAGE, "created_at"), "noon", "stages[0].created_at: here should be a moment such as 2026-"),
    ((*STAGE, "created_at"), 1.5, "stages[0].created_at: here should be a moment such as"),
    ((*STAGE, "game"), "bridge", "stages[0].game: nobody plays “bridge” here."),
    ((*STAGE, "mode"), "9t9", "stages[0].mode: "),
    (
        (*STAGE, "tie_breaks"),
        ["moon"],
        "stages[0].tie_breaks[0]: “moon” breaks no tie of this game.",
    ),
    (
        (*STAGE, "lots_seed"),
        10**40,
        "stages[0].lots_seed: 10000000000000000000 is more than 9223372",
    ),
    ((*STAGE, "lots_seed"), -1, "stages[0].lots_seed: -1 is less than 0."),
    ((*STAGE, "lots_seed"), "7", "stages[0].lots_seed: here should be a whole number."),
    (
        (*STAGE, "ranking_changes"),
        [CHANGE] * 5001,
        "stages[0].ranking_changes: this list is too long: 5000 are the most.",
    ),
    (
        (*STAGE, "ranking_changes"),
        [{**CHANGE, "after": "lots"}],
        "stages[0].ranking_changes[0].after: here should be a list.",
    ),
    (
        (*STAGE, "entrants", 0, "expelled"),
        1,
        "stages[0].entrants[0].expelled: here should be true or false.",
    ),
    ((*STAGE, "follows"), 0, "stages[0].follows: a stage follows one that stands before it."),
    (("teams", 0, "roster"), [0, 0], "teams[0].roster: somebody is in this team twice."),
    ((*TABLE, "next_dealer"), 7, f"{{table}}.next_dealer: {PLACE}"),
    ((*TABLE, "dealt_before"), [None], f"{{table}}.dealt_before: {PLACE}"),
    ((*TABLE, "seats", 0, "side"), 1, f"{{table}}.seats[0]: {PLACE}"),
    ((*TABLE, "seats", 0, "place"), 9, f"{{table}}.seats[0]: {PLACE}"),
    ((*TABLE, "seats"), [SEAT], "{table}.seats: somebody has to sit at every place."),
    ((*HAND, "number"), 5, "{hand}.number: the hands of a table are numbered from 1."),
    ((*HAND, "dealer"), None, "{hand}.dealer: of this game it is always known who dealt."),
    ((*HAND, "marks"), [{}] * 3, f"{{hand}}: {PLACE}"),
    ((*ROUND, "clock"), {"minutes": 5}, "stages[0].rounds[0].clock: “started_at” is missing."),
    ((*TABLE, "seats", 0, "player"), 4, "{table}.seats[0].player: this is none of the 4 people in"),
    ((*TABLE, "acts"), [{**ACT, "on": {}}], "{table}.acts[0].on: “hand” is missing."),
    (
        (*TABLE, "acts"),
        [{**ACT, "verb": "x"}],
        "{table}.acts[0]: here should be one of “hand-amended”,",
    ),
    ((*TABLE, "acts"), [{}], "{table}.acts[0]: “verb” is missing."),
    ((*HAND, "sheet", "eaten"), 1.5, f"{{hand}}.sheet.eaten: {DATA}"),
    ((*HAND, "sheet", "a"), [[[[[[[[0]]]]]]]], f"{{hand}}.sheet.a[0][0][0][0][0][0][0]: {DATA}"),
    (
        (*HAND, "warnings"),
        [{"code": "odd", "template": "%(least)d", "params": {}}],
        "{hand}.warnings[0]: nothing fills the holes of this sentence.",
    ),
]


@pytest.fixture
def document() -> dict[str, Any]:
    """Return one of a hand of two teams."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(teams=True))
    make.report(sitting, {"eaten": [70, 50]})
    document = from_elsewhere(sitting.round.tournament)
    document["origin"]["nights"] = [LONG_AGO]
    document["stages"][0]["rounds"][0]["tables"][0]["acts"] = [{**ACT, "on": {"hand": 1}}]
    return document


@pytest.mark.django_db
def test_a_refusal_names_the_place_and_says_what_should_be_there(document: dict[str, Any]) -> None:
    for path, value, sentence in WRONG:
        with pytest.raises(InvalidFileError) as refused:
            read_document(put(document, path, value), make.NOON)

        table = "stages[0].rounds[0].tables[0]"
        expected = sentence.format(table=table, hand=f"{table}.hands[0]")
        assert f"{refused.value.where}: {refused.value}".startswith(expected), path


@pytest.mark.django_db
def test_no_moment_lies_in_the_future_or_before_the_club(document: dict[str, Any]) -> None:
    names = re.compile(r"(.*_)?(at|until)$")
    paths = [way for way in leaves(document) if names.match(str(way[-1])) or "nights" in way]
    assert len(paths) > 15
    for path in paths:
        for moment in ("9999-12-31T23:59:59.999999Z", SOON, "1899-12-31T00:00:00.000000Z"):
            with pytest.raises(InvalidFileError, match="before 1900 or in the future") as refused:
                read_document(put(document, path, moment), make.NOON)

            assert refused.value.where == place_of(path)


def test_the_published_schema_is_that_of_the_models_with_the_choices_of_the_site() -> None:
    published = json_schema.FILE.read_text(encoding="utf-8")
    assert published == json_schema.json_schema(), f"Write it: python -m {json_schema.__name__}"

    models = {"Stage": Tournament, "Table": Sitting}
    for model in (Round, Award, Report, Hand, Issue, *models.values()):
        part = next((name for name, of in models.items() if of is model), model.__name__)
        fields = json.loads(published)["$defs"][part]["properties"]
        for column in model._meta.concrete_fields:
            if column.choices and column.name in fields.keys() - {"game"}:
                field = fields[column.name]
                choices = field.get("enum") or field["anyOf"][0]["enum"]
                assert {*choices} - {""} == {*dict(column.flatchoices)}, (part, column.name)


def test_a_process_that_reads_no_file_does_without_pydantic() -> None:
    program = "import sys, tracker.config.wsgi, tracker.tournament_files.pages as _"
    program += "; sys.exit('pydantic' in sys.modules)"
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings"}

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
