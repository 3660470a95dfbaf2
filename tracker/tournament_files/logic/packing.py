"""Packing a document as a zip of ``tournament.json`` and ``checksums.json``, which shows changes.

A *document* is the content of ``tournament.json``. ``checksums.json`` maps the path of each part of
the document (such as ``stages[0].rounds[2]``) to its SHA-256. Both are stored uncompressed: so the
bytes are the same on every system, and a small file cannot expand to a large one.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from typing import Any, TypeAlias

from games.strict_json import KeyTwiceError, parse_json
from tracker.tournament_files.logic.errors import InvalidFileError

Json: TypeAlias = Mapping[str, Any]
FORMAT, VERSION = "kula-tournament", 4
MOST_BYTES = 10_000_000  # some 7,500 hands; the limit of a form is a little higher
TOURNAMENT, CHECKSUMS = "tournament.json", "checksums.json"
# The earliest date of a zip: the date of writing would make other bytes each time.
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
_CREATED_ON_UNIX = 3
# The most brackets and commas in a JSON text, counted together, and how deep it may be nested.
_MOST_SIGNS, _DEEPEST = 3_000_000, 50
_DEPTH_CHANGES = {"[": 1, "{": 1, "]": -1, "}": -1, ",": 0}  # what each adds to the depth
# Strings, also an unclosed last one, and everything else that is neither a bracket nor a comma.
_BETWEEN_SIGNS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^][{},"]++', re.DOTALL)
# The errors that reading a damaged file, or a file of another kind, may raise.
_DAMAGED = (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, EOFError, ValueError)


def pack(document: Json) -> bytes:
    """Return the file of a document, with the same bytes for the same document."""
    return _zipped(_text(document), _text(_checksums(document)))


def _zipped(document: str, checksums: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in ((TOURNAMENT, document), (CHECKSUMS, checksums)):
            member = zipfile.ZipInfo(name, _ZIP_EPOCH)
            member.create_system = _CREATED_ON_UNIX
            member.external_attr = 0o644 << 16  # the permissions
            packed.writestr(member, text.encode())
    return file.getvalue()


@dataclass(frozen=True)
class Unpacked:
    """The document in a file, of which only kind and version were checked, and its checksums."""

    content: bytes
    document: Json
    text: str  # of the document
    checksums: Json

    @property
    def changed(self) -> bool:
        """Return whether the document was changed since Kula wrote it."""
        return self.checksums.get(TOURNAMENT) != sha256(self.text.encode()).hexdigest()

    @contextmanager
    def checking(self) -> Iterator[None]:
        """Let a block check the document, and say of its error whether the file was changed.

        :raises InvalidFileError: after the block, at the first part that is not as Kula wrote it.
        """
        try:
            yield
        except InvalidFileError as error:
            error.changed = error.changed or self.changed
            raise
        text, counted, stated = _text(self.document), _checksums(self.document), self.checksums
        # The texts differ even if another program only wrote the same values in another way.
        if stated != counted or self.text != text:
            # Name the first part whose checksum differs; the whole only if all of its parts agree.
            paths = [*sorted((counted.keys() | stated.keys()) - {TOURNAMENT}), TOURNAMENT]
            differing = (path for path in paths if counted.get(path) != stated.get(path))
            raise InvalidFileError("file-changed", next(differing, TOURNAMENT), changed=True)
        if _zipped(text, _text(counted)) != self.content:
            raise InvalidFileError("file-packing", "file")


def unpack(content: bytes) -> Unpacked:
    """Return what is in a file, after cheap checks: of sizes, of nesting and number of values.

    :raises InvalidFileError: if the file is too large, damaged, of an unknown version or kind.
    """
    _check_size(len(content), "file")  # the zip itself
    texts = _members(content)
    checksums, document = (_parsed(texts[name], name) for name in (CHECKSUMS, TOURNAMENT))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidFileError("file-kind", TOURNAMENT)
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        later = type(version) is int and version > VERSION
        code, shown = "file-version" if later else "version", str(version)[:20]
        raise InvalidFileError(code, "version", version=shown, known=VERSION)
    checksums = checksums if isinstance(checksums, dict) else {}
    return Unpacked(content, document, texts[TOURNAMENT], checksums)


def _members(content: bytes) -> dict[str, str]:
    """Return the texts of the two members of a zip, keyed by their names."""
    texts: dict[str, str] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            _check_members(packed.infolist())
            for name in (TOURNAMENT, CHECKSUMS):
                with packed.open(name) as opened:
                    content_of_member = opened.read(MOST_BYTES + 1)
                _check_size(len(content_of_member), name)
                texts[name] = content_of_member.decode()
    except InvalidFileError:
        raise
    except _DAMAGED as error:
        # If one text could be read, the other is damaged.
        if texts or zipfile.is_zipfile(io.BytesIO(content)):
            where = CHECKSUMS if texts else TOURNAMENT
            raise InvalidFileError("file-damaged", where, changed=True) from error
        raise InvalidFileError("file-broken", "file") from error
    return texts


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    if names != [TOURNAMENT, CHECKSUMS]:
        shown = ", ".join(name[:40] for name in names[:4])
        raise InvalidFileError("file-members", "file", names=shown)
    for member in members:
        _check_size(member.file_size, member.filename)
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise InvalidFileError("file-packing", "file")


def _check_size(size: int, where: str) -> None:
    if size > MOST_BYTES:
        raise InvalidFileError("file-large", where, most=MOST_BYTES // 1_000_000)


def _parsed(text: str, where: str) -> Any:
    """Return the value of a JSON text; *where* is the name of its file in the zip.

    Parsing too many or too deeply nested values would take long and much memory. So first count the
    brackets and commas, with everything else removed from the text.
    """
    signs = _BETWEEN_SIGNS.sub("", text)
    depths = accumulate(_DEPTH_CHANGES[sign] for sign in signs)
    if len(signs) > _MOST_SIGNS or max(depths, default=0) > _DEEPEST:
        raise InvalidFileError("json-extent", where)
    try:
        parsed = parse_json(text)
        _text(parsed).encode()  # raises an error at NaN and at half characters (lone surrogates)
    except KeyTwiceError as error:
        raise InvalidFileError("key-twice", where, changed=True, key=error.key) from error
    except (ValueError, RecursionError) as error:
        position = getattr(error, "pos", None)
        code = "json-values" if position is None else "json"
        raise InvalidFileError(code, where, changed=True, at=position) from error
    return parsed


def _text(value: Any) -> str:
    """Return a value as JSON, the same text for the same value."""
    plain = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    return json.dumps(value, sort_keys=True, **plain) + "\n"  # type: ignore[arg-type]


def _checksums(document: Json) -> dict[str, str]:
    """Return the checksums of the whole document and of its parts, keyed by their paths.

    A stage, round or table is a part of its own, and is left out of the part that contains it.
    """
    parts = {TOURNAMENT: document, **_without(document, "stages")}
    for stage_index, stage in enumerate(document["stages"]):
        path = f"stages[{stage_index}]"
        parts |= {f"{path}.{name}": stage[name] for name in ("entrants", "awards", "draws")}
        parts[path] = _without(stage, "rounds", "entrants", "awards", "draws")
        for round_index, round_ in enumerate(stage["rounds"]):
            round_path = f"{path}.rounds[{round_index}]"
            parts[round_path] = _without(round_, "tables")
            for table_index, table in enumerate(round_["tables"]):
                parts[f"{round_path}.tables[{table_index}]"] = table
    return {path: sha256(_text(part).encode()).hexdigest() for path, part in parts.items()}


def _without(fields: Json, *names: str) -> Json:
    return {name: value for name, value in fields.items() if name not in names}
