"""What a copy says of itself."""

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime

from tracker.copies.logic.stored import Kind

FORMAT = "kula-copy"
FORMAT_VERSION = 1


class ForeignError(ValueError):
    """A file that says of itself nothing that a copy says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a copy says of itself, in its ``copy.json``."""

    made_at: datetime
    kind: Kind
    why: str
    kula: str
    migration: str  # the newest that its tables have
    database: str  # sqlite or postgresql
    secret: bool  # whether it is in the copy; else it is in KULA_SECRET
    clubs: int
    tournaments: int
    hands: int
    size: int  # of the database
    sha256: str  # of the database
    state: str = ""  # of the files it was made from, to see whether they changed since

    def to_json(self) -> str:
        said = {**asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps({"format": FORMAT, "version": FORMAT_VERSION, **said}, indent=1)


def read_note(text: str | bytes) -> Note:
    """Return what a copy says of itself.

    :raises ForeignError: if this is not what copies say, or a newer version's.
    """
    try:
        said = json.loads(text)
        if said.pop("format") != FORMAT or said.pop("version") != FORMAT_VERSION:
            raise ForeignError("another format")
        made_at = datetime.fromisoformat(said.pop("made_at"))
        note = Note(made_at=made_at, kind=Kind(said.pop("kind")), **said)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ForeignError("not a copy") from error
    if made_at.tzinfo is None or not all(
        isinstance(getattr(note, each.name), each.type)  # type: ignore[arg-type]
        for each in fields(note)
    ):
        raise ForeignError("not a copy")
    return note
