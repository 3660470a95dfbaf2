"""What a copy says of itself: read as it was written, and refused when it is somebody else's."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tracker.backups.copies import CopyFailed, CopyKind, CopyNote, parse_note

NOTE = CopyNote(
    made_at=datetime(2026, 11, 20, 20, 15, tzinfo=UTC),
    kind=CopyKind.NIGHT,
    why="",
    kula="2026-11",
    migration="0006_tournament_files",
    database="sqlite",
    secret=True,
    clubs=1,
    tournaments=2,
    hands=42,
    size=4096,
    sha256="ab",
)


def test_a_note_is_read_as_it_was_written() -> None:
    assert parse_note(NOTE.to_json()) == NOTE


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 99},
        {"made_at": "yesterday"},
        {"made_at": "2026-11-20T20:15:00"},
        {"kind": "odd"},
        {"why": 7},
        {"hands": "many"},
        {"more": 1},
    ],
    ids=str,
)
def test_what_copies_do_not_say_is_no_copy(change: dict[str, Any]) -> None:
    said = {**json.loads(NOTE.to_json()), **change}

    with pytest.raises(CopyFailed):
        parse_note(json.dumps(said))


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", b"\xff"])
def test_what_is_no_note_is_no_copy(text: str | bytes) -> None:
    with pytest.raises(CopyFailed):
        parse_note(text)
