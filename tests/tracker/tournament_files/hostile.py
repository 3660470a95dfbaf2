"""Files that are made to harm: small ones that unpack to much, damaged ones, ones that lie."""

import io
import zipfile
from collections.abc import Iterator
from random import Random

from tests.zips import zipped

TOURNAMENT, CHECKSUMS = "tournament.json", "checksums.json"
COMPRESSIONS = {
    "stored": zipfile.ZIP_STORED,
    "deflate": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
_HEAD = '{"format":"kula-tournament","version":2,'


def _file(tournament: str, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    return zipped({TOURNAMENT: tournament, CHECKSUMS: "{}"}, how)


def of_millions() -> dict[str, bytes]:
    """Return small files in which millions of values are packed, by what they hold."""
    many = 4_500_000
    return {
        "millions of stages": _file(f'{_HEAD}"stages":[{"1," * many}1]}}'),
        "millions of numbers for people": _file(f'{_HEAD}"people":[{"1," * 2_900_000}1]}}'),
        "millions of empty lists": _file(f'{_HEAD}"stages":[{"[]," * (many * 2 // 3)}[]]}}'),
        "millions of empty braces": _file(f'{_HEAD}"people":[{"{}," * (many * 2 // 3)}{{}}]}}'),
        "hundreds of thousands of names": _file(
            _HEAD + ",".join(f'"{number}":1' for number in range(850_000)) + "}"
        ),
        "one name a million times": _file(_HEAD + '"a":1,' * 1_000_000 + '"a":1}'),
        "millions of checksums": zipped({TOURNAMENT: "{}", CHECKSUMS: f"[{'1,' * many}1]"}),
        "millions of brackets that never close": _file("[" * 9_000_000),
        "braces within each other": _file('{"a":' * 1_500_000),
        "brackets within each other that close": _file("[" * 20_000 + "]" * 20_000),
        "millions of quotes": _file('"\\"' * 3_000_000),
        "a text without its end": _file(_HEAD + '"' + "\\\\" * 4_000_000),
        "a number of millions of digits": _file(_HEAD + '"stages":' + "9" * 9_000_000 + "}"),
        "thousands of long numbers": _file(f'{_HEAD}"stages":[{("9" * 4000 + ",") * 2000}1]}}'),
        "a number with an enormous exponent": _file(f'{_HEAD}"stages":1e999999999}}'),
        "nothing but blanks": _file(" " * 9_999_999),
    }


def lying() -> dict[str, bytes]:
    """Return files that say of themselves what is not so."""
    honest = _file("{}", zipfile.ZIP_STORED)
    bomb = _file(" " * 50_000_000)
    size = (50_000_000).to_bytes(4, "little")
    members = io.BytesIO()
    with zipfile.ZipFile(members, "w") as packed:
        for number in range(60_000):
            packed.writestr(str(number), "")
    return {
        "a member of 50 megabytes": bomb,
        "a member that is said to be small": bomb.replace(size, (2).to_bytes(4, "little")),
        "a member that is said to be large": honest.replace(
            b"\2\0\0\0\2\0\0\0", b"\2\0\0\0\xff\xff\xff\x7f"
        ),
        "thousands of members": members.getvalue(),
        "one name twice": _twice(),
        "a way out of the folder": zipped({f"../{TOURNAMENT}": "{}", CHECKSUMS: "{}"}),
    }


def _twice() -> bytes:
    honest = zipped({TOURNAMENT: "{}", "checksums5.json": "{}"})
    return honest.replace(b"checksums5.json", b"tournament.json")


def damaged(content: bytes, compression: str, *, places: int) -> Iterator[bytes]:
    """Yield a file packed by this compression, one byte of it another at each of so many places."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    whole, rng = bytearray(zipped(texts, COMPRESSIONS[compression])), Random(compression)
    for _ in range(places):
        at = rng.randrange(len(whole))
        before = whole[at]
        whole[at] ^= rng.randrange(1, 256)
        yield bytes(whole)
        whole[at] = before
