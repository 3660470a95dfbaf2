"""Types of the fields in a tournament file, and ``Part``, the base of its models.

In a file a row of the database is referred to by its *number*: its index in the list of its *kind*
(such as "people"). pydantic walks the models with a *context* that maps kinds to rows:

- to read a file, it validates JSON with ``{NOW: the time}``; each list adds ``range(its length)``
- to write a file, it validates columns of rows with ``{}``; each list adds {key: number}
- to store a part, it dumps the part with the keys of the stored rows, in the order of numbers
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    SerializationInfo,
    StringConstraints,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from tracker.common.names import is_name, tidy
from tracker.tournament_files.logic.errors import FRACTION, NO_NUL, InvalidFileError

T = TypeVar("T")
Info = ValidationInfo[Any]
NOW = "now"
KINDS = frozenset({"people", "teams", "stages", "entrants", "rounds", "reports", "issues"})
MOST = 5000  # names in an object, and items in a list that has no limit of its own
# No moment is earlier: 2 January, so that every moment is in 1900 or later in every time zone.
_EARLIEST = datetime(1900, 1, 2, tzinfo=UTC)
_LARGE = 2**63  # whole numbers have eight bytes


def reading(info: Info) -> bool:
    """Return whether a file is read; otherwise it is written, from rows that were checked."""
    return NOW in info.context


class Part(BaseModel):
    """A JSON object of the file: it has these fields, and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _count(cls, value: Any, info: Info) -> Any:
        """Refuse too many names before pydantic looks at each, and count the rows in the lists."""
        if isinstance(value, dict):
            objects = [value, *(each for each in value.values() if isinstance(each, dict))]
            if max(map(len, objects)) > MOST:
                raise InvalidFileError("names", most=MOST)
            for kind in KINDS & cls.model_fields.keys():
                rows = value.get(kind)
                if isinstance(rows, list):
                    info.context[kind] = (
                        range(len(rows))
                        if reading(info)
                        else {row["pk"]: number for number, row in enumerate(rows)}
                    )
        return value


# Numbers and texts --------------------------------------------------------------------------------

# Whole numbers as the database has them: in two bytes, from 0 or 1; in four, and in eight bytes.
Small = Annotated[int, Field(strict=True, ge=0, le=2**15 - 1)]
FromOne = Annotated[int, Field(strict=True, ge=1, le=2**15 - 1)]
Medium = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1)]
Large = Annotated[int, Field(strict=True, ge=-_LARGE, le=_LARGE - 1)]
# When somebody dealt last: -1 is the latest deal of all, -2 the one before it; null is never.
DealtBefore = Annotated[int, Field(strict=True, ge=-(2**15), le=-1)] | None
Flag = Annotated[bool, Field(strict=True)]
Fraction = Annotated[str, StringConstraints(pattern=FRACTION)]
# A list that is refused at its first wrong item, or as soon as it is too long.
Many = Annotated[list[T], Field(fail_fast=True, max_length=MOST)]


def letters(most: int, least: int = 0) -> StringConstraints:
    """Return the constraints of a text of *least* to *most* letters."""
    return StringConstraints(min_length=least, max_length=most, pattern=NO_NUL)


def _check_name(name: str) -> str:
    if not is_name(name) or tidy(name) != name:
        raise InvalidFileError("name", name=tidy(name))
    return name


IsName = AfterValidator(_check_name)
ModeCode = Annotated[str, letters(8, 1)]


# Moments ------------------------------------------------------------------------------------------


def _check_moment(moment: datetime, info: Info, ahead: timedelta = timedelta()) -> datetime:
    if reading(info) and not _EARLIEST <= moment <= info.context[NOW] + ahead:
        raise InvalidFileError("moment", moment=moment.isoformat())
    return moment


def _to_text(moment: datetime) -> str:
    """Return a moment in UTC to the microsecond, as ``2026-11-20T18:30:00.000000Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _no_number(value: Any) -> Any:
    """Refuse the seconds since 1970, which pydantic would take."""
    if isinstance(value, int | float) or (isinstance(value, str) and value[4:5] != "-"):
        raise InvalidFileError("datetime")
    return value


_AnyMoment = Annotated[
    AwareDatetime, BeforeValidator(_no_number), PlainSerializer(_to_text, when_used="json")
]
Moment = Annotated[_AnyMoment, AfterValidator(_check_moment)]
When = Moment | None
_check_planned = partial(_check_moment, ahead=timedelta(days=1))
PlannedMoment = Annotated[_AnyMoment, AfterValidator(_check_planned)]
# Moments that the site stores as text: as in the file, and in ISO 8601 with any time zone.
MomentText = Annotated[Moment, PlainSerializer(_to_text)]
IsoMoment = Annotated[Moment, PlainSerializer(datetime.isoformat)]


# References ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ref:
    """The number of a row in the list of its *kind*; with *gone*, ``null`` for a deleted row."""

    kind: str
    gone: bool = False

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(
            self._number,
            json_schema_input_schema=handler(source),
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._key, info_arg=True
            ),
        )

    def _number(self, value: Any, info: Info) -> int | None:
        """Return the number of a row, given its number in JSON or, to write a file, its key."""
        known = info.context.get(self.kind, {})
        if type(value) is int and value in known:
            return int(known[value])
        if self.gone and (value is None or not reading(info)):
            return None
        raise InvalidFileError("ref", kind=self.kind, count=len(known))

    def _key(self, number: int | None, info: SerializationInfo[Any]) -> int | None:
        """Return the number, or to store it the key of the row; no row has the key 0."""
        if info.context is None:
            return number
        return 0 if number is None else info.context[self.kind][number]


EntrantRef = Annotated[int, Ref("entrants")]
PersonRef = Annotated[int, Ref("people")]


# Objects without fields of their own --------------------------------------------------------------


def _check_data(value: Any, inside: str = "", levels: int = 8) -> Any:
    """Check a value at the path *inside* the data, in which so many *levels* may be nested."""
    if isinstance(value, dict) and levels:
        for name, part in value.items():
            _check_data(part, f"{inside}.{name}", levels - 1)
    elif isinstance(value, list) and levels:
        for index, part in enumerate(value):
            _check_data(part, f"{inside}[{index}]", levels - 1)
    elif not (
        value is None
        or (isinstance(value, int) and -_LARGE <= value < _LARGE)
        or (isinstance(value, str) and len(value) <= 1000 and "\0" not in value)
    ):
        raise InvalidFileError("data", inside)
    return value


# An object of a game, without references to rows of the site.
GameData = Annotated[dict[str, Any], AfterValidator(_check_data)]


def _numbers(value: Any, info: Info) -> Any:
    """Return data by entrant with numbers as keys; to write a file, without deleted entrants."""
    if not isinstance(value, dict):
        return value
    # Written in one way only: no leading zeros, and too short to take long to convert.
    is_number = re.compile("0|[1-9][0-9]{0,17}").fullmatch
    data = {int(key) if is_number(key) else key: each for key, each in value.items()}
    return {
        key: each for key, each in data.items() if reading(info) or key in info.context["entrants"]
    }


ByEntrant = Annotated[dict[EntrantRef, GameData], BeforeValidator(_numbers)]


class Empty(Part):
    """``{}``; columns that are not in the file are left out."""


Nothing = Annotated[dict[str, Any], Field(max_length=0)]


def _withheld(value: Any, info: Info) -> Any:
    return value if reading(info) else []


# Private data of the club, for which the file has an empty list.
Withheld = Annotated[list[Any], BeforeValidator(_withheld), Field(max_length=0)]


class Sentence(Part):
    """A sentence for people: ``params``, perhaps sentences, fill the holes of its ``template``."""

    template: Annotated[str, letters(1000)]
    params: GameData

    @model_validator(mode="after")
    def _check(self) -> "Sentence":
        _check_filled(self.template, self.params)
        return self


def _check_filled(template: Any, params: Any, inside: str = "") -> None:
    try:  # holes are ``%(name)s`` or ``%(name)d``; pages fill ``who``
        filled = re.fullmatch(r"([^%]|%%|%\(\w+\)[sd])*", template) and template % {
            "who": "",
            **params,
        }
    except (TypeError, KeyError):
        filled = None
    if filled is None:
        raise InvalidFileError("sentence", inside)
    for name, param in params.items():
        if isinstance(param, dict) and "template" in param:
            _check_filled(param["template"], param.get("params"), f"{inside}.params.{name}")
