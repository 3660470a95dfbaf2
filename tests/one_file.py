"""Tournaments as files that came from elsewhere, whole or changed by hand."""

import io
import zipfile
from copy import deepcopy
from typing import Any
from uuid import uuid4

from tests.zips import zipped
from tracker.models import Tournament
from tracker.tournament_files.logic.packing import pack, unpack
from tracker.tournament_files.queries.export import document_of_tournament


def from_elsewhere(tournament: Tournament, **called: str) -> dict[str, Any]:
    """Return a tournament as another site would have written it: nothing of it is here yet.

    *called* are people by name who are called otherwise there.
    """
    document: dict[str, Any] = deepcopy(dict(document_of_tournament(tournament)))
    for person in document["people"]:
        person["name"] = called.get(person["name"], person["name"])
    return renewed(document)


def renewed(document: dict[str, Any]) -> dict[str, Any]:
    """Give everything in a document another uid, so that nothing of it is on any site."""
    for stage in document["stages"]:
        _renew(stage)
        for kind in ("entrants", "rounds", "awards"):
            for row in stage[kind]:
                _renew(row)
        for table in (table for round_ in stage["rounds"] for table in round_["tables"]):
            _renew(table)
            for report in table["reports"]:
                report["entry"] = str(uuid4())
    return document


def renewed_file(content: bytes) -> bytes:
    """Return the same tournament as another file, of which nothing is on any site."""
    return pack(renewed(deepcopy(dict(unpack(content).document))))


def _renew(row: dict[str, Any]) -> None:
    row["uid"] = str(uuid4())


def file_from_elsewhere(tournament: Tournament, **called: str) -> bytes:
    return pack(from_elsewhere(tournament, **called))


def edited(content: bytes, before: str, after: str, *, times: int = 1) -> bytes:
    """Return a file in which somebody has written something else by hand, and packed it again."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert before in texts["tournament.json"], before
    texts["tournament.json"] = texts["tournament.json"].replace(before, after, times)
    return zipped(texts)
