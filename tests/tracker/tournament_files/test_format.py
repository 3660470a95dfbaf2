"""The models of a file: what they refuse, how, and what else has to agree with them."""

import json
import subprocess
import sys
from typing import Any, get_args

import pytest
from django.db.models import Model

from tests import make
from tests.one_file import from_elsewhere
from tests.serving import ROOT
from tests.tracker.tournament_files.test_damage import put
from tracker.models import Award, Hand, Issue, Report, Round, Sitting, Tournament
from tracker.tournament_files.logic import format as parts, json_schema, tables
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.fields import Part
from tracker.tournament_files.logic.reading import read_document

STAGE = ("stages", 0)
ROUND = (*STAGE, "rounds", 0)
TABLE = (*ROUND, "tables", 0)
HAND = (*TABLE, "hands", 0)
ACT = {"verb": "hand-confirmed", "at": "2020-01-01T12:00:00.000000Z", "numbers": {}, "reason": ""}
NAMED = "here should be named values in braces."
DATA = "here should be a whole number of eight bytes, a text of up to 1000 letters, a list or named"
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("people", 0), {"name": "Asha"}, "people[0]: “erased_at” is missing."),
    (("people", 0, "age"), 7, "people[0].age: nobody knows what this is."),
    (("people", 0), 7, f"people[0]: {NAMED}"),
    ((*HAND, "sheet"), [], f"{{hand}}.sheet: {NAMED}"),
    (("people", 0, "name"), 7, "people[0].name: here should be text."),
    (("people", 0, "name"), "", "people[0].name: here should be a text."),
    (("people", 0, "name"), "a\0", "people[0].name: “a ” cannot stand here."),
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
    ((*STAGE, "places"), 0, "stages[0].places: 0 is less than 1."),
    ((*STAGE, "places"), 40_000, "stages[0].places: 40000 is more than 32767."),
    ((*STAGE, "places"), True, "stages[0].places: here should be a whole number."),
    ((*STAGE, "rounds"), {}, "stages[0].rounds: here should be a list."),
    ((*STAGE, "created_at"), "noon", "stages[0].created_at: here should be a moment such as 2026-"),
    ((*STAGE, "created_at"), "2026-11-20", "stages[0].created_at: here should be a moment such as"),
    ((*STAGE, "game"), "bridge", "stages[0].game: nobody plays “bridge” here."),
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


@pytest.mark.django_db
def test_a_refusal_names_the_place_and_says_what_should_be_there() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    make.report(sitting, {"eaten": [70, 50]})
    document = from_elsewhere(sitting.round.tournament)
    for path, value, sentence in WRONG:
        with pytest.raises(InvalidFileError) as refused:
            read_document(put(document, path, value), make.NOON)

        table = "stages[0].rounds[0].tables[0]"
        expected = sentence.format(table=table, hand=f"{table}.hands[0]")
        assert f"{refused.value.where}: {refused.value}".startswith(expected), path


def test_the_published_schema_is_that_of_the_models() -> None:
    published = json_schema.FILE.read_text(encoding="utf-8")

    assert published == json_schema.json_schema(), f"Write it: python -m {json_schema.__name__}"
    assert {"Stage", "Table", "Hand"} <= json.loads(published)["$defs"].keys()


ROWS: list[tuple[type[Part], type[Model]]] = [
    (parts.Stage, Tournament),
    (parts.Round, Round),
    (parts.Award, Award),
    (tables.Table, Sitting),
    (tables.Report, Report),
    (tables.Hand, Hand),
    (tables.Issue, Issue),
]


def test_a_file_has_the_choices_of_the_site() -> None:
    compared = 0
    for part, model in ROWS:
        for name, field in part.model_fields.items():
            column = {each.name: each for each in model._meta.concrete_fields}.get(name)
            if column is not None and column.choices and name != "game":
                choices = {*dict(column.flatchoices), *([""] if column.blank else [])}
                optional = {each for one in get_args(field.annotation) for each in get_args(one)}
                assert choices == (optional or {*get_args(field.annotation)}), (part, name)
                compared += 1
    assert compared > 12


def test_a_process_that_reads_no_file_does_without_pydantic() -> None:
    """Neither the pages nor the rest of the site load it before a file is read or written."""
    program = (
        "import sys, tracker.config.wsgi, tracker.config.urls\n"
        "assert 'tracker.tournament_files.pages' in sys.modules\n"
        "sys.exit('pydantic' in sys.modules)"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings"}

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True)
