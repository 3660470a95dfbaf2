"""What nobody's browser sends: values, queries, forms, files, headers and bodies, drawn by a seed."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import quote_from_bytes, urlencode

VALUES = (
    "", " ", "0", "-0", "-1", "1", "2", "3", "+1", "01", "1.5", "1e9", "1e400", "NaN", "inf",
    "32767", "32768", "65536", "2147483647", "2147483648", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "9" * 40, "9" * 5000, "0x10", "1_000", "²",
    "٣", "Ⅷ", "１２", "None", "null", "true", "on", "undefined", "[]", "{}", "[object Object]",
    "\x00", "a\x00b", "\x01", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffd", "\U0010ffff",
    "\u202egnp.exe", "שלום", "العربية", "e\u0301" * 40, "Z\u0351\u0342" * 90, "👩‍👩‍👧‍👦" * 30, "🃏",
    "İ", "ß", "ﬁ", "\u200b", "\u00ad", "x" * 61, "x" * 301, "x" * 5000, "x" * 200_000, "\n" * 999,
    "' OR 1=1 --", "%s", "%(x)s", "{0}", "{{ 1 }}", "<script>", "=1+1", "../../etc/passwd", "%00",
    "//elsewhere.example", "javascript:x", "http://[", "/sign-in/", "?", "#", "&=&", ";", "\\",
    "2026-02-30", "0001-01-01T00:00", "9999-12-31T23:59", "2026-11-27T19:30", "24:00", "23:59:60",
    "00000000-0000-4000-8000-000000000000", "not-a-uuid", "owner", "king", "albastini", "4t2",
    "normal", "mambassa", "void", "none", "save", "bare", "park", "strike", "restore", "keep",
)  # fmt: skip
# Where most of what breaks breaks: numbers at their ends, nothing, a sign that no database keeps.
SHARP = ("", "-1", "0", "1", "2", "5000", "9" * 20, "\x00", "x", "²", "1e9", "-2147483649")
DATES = (
    "0001-01-01T00:00", "9999-12-31T23:59", "9999-12-31T20:00", "2026-11-27T19:30", "1000-01-01",
)  # fmt: skip
KEYS = (
    "page", "per_page", "sort", "_export", "of", "q", "round", "table", "player", "kind", "only",
    "game", "hand", "saved", "as", "next", "after", "step", "state", "rows", "number", "form",
    "opponents-per_page", "partners-page", "tournaments-sort", "opponents-sort",
    "partners-per_page", "players", "minutes", "starts", "mode", "as_of", "change", "also",
    "seen", "outcome", "reason", "is_next", "how", "entry", "dealer", "shown", "side", "sure",
    "keep", "look", "import", "text", "file", "written", "record", "bare", "eaten_0",
    "h1-eaten_0", "name", "names", "people", "code", "movement", "seed", "plan", "draw", "swap",
    "first", "second", "csrfmiddlewaretoken", "\x00", "",
)  # fmt: skip
METHODS = (
    "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "get", "PROPFIND", "X" * 300,
)  # fmt: skip
TYPES = (
    "", "text/plain", "application/json", "application/xml", "multipart/form-data", "x", "/",
    "multipart/form-data; boundary=", "multipart/form-data; boundary=x", "multipart/mixed",
    "multipart/form-data; boundary=" + "x" * 400, "multipart/form-data; boundary=\xe9",
    "application/x-www-form-urlencoded; charset=utf-8",
)  # fmt: skip
BODIES = (
    *(b"", b"--x", b"--x--", b"{}", b"\xff\xfe\x00", b"a=%ff&b=%C3", b"=&=&=", b"&" * 2000, b"%"),
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    b'--x\r\nContent-Disposition: form-data; name=""\r\n\r\n\r\n--x--',
    b"--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--",
    (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n%%%\r\n--x--"
    ),
    b"--x\r\n" + b"X: y\r\n" * 2000 + b"\r\n--x--",
    b"\x00" * 500,
    b"&".join(b"k%d=1" % number for number in range(1100)),
)
HEADERS: Mapping[str, Sequence[str]] = {
    "HTTP_ACCEPT_LANGUAGE": ("xx", "sw,en;q=0.5", "en;q=9", "*", ",;=" * 400, "a" * 5000, "\xe9"),
    "HTTP_ACCEPT_ENCODING": ("gzip", "gzip;q=x", "identity;q=0", "*"),
    "HTTP_HX_REQUEST": ("true", "false", "1", "\xff"),
    "HTTP_HX_CURRENT_URL": ("http://[", "\x00", "x" * 5000),
    "HTTP_HX_CURRENT_URL_URI_AUTOENCODED": ("true",),
    "HTTP_HX_TARGET": ("\xff", "%E0%A4%A", "sheet"),
    "HTTP_REFERER": ("http://[", "x", "https://elsewhere.example/", "\xff"),
    "HTTP_ORIGIN": ("null", "http://[", "http://elsewhere.example"),
    "HTTP_RANGE": ("bytes=0-1", "bytes=-1", "x"),
    "HTTP_IF_NONE_MATCH": ("*", '"', 'W/"x"'),
    "HTTP_IF_MODIFIED_SINCE": ("yesterday", "Thu, 01 Jan 9999 00:00:00 GMT", "-1"),
    "HTTP_X_FORWARDED_FOR": ("1.2.3.4", "::ffff:1.2.3.4%eth0", "x" * 5000, "\x00"),
    "HTTP_X_FORWARDED_PROTO": ("https", "gopher", ""),
    "HTTP_USER_AGENT": ("", "\xff" * 300, "x" * 5000),
    "HTTP_HOST": ("elsewhere.example", "testserver:99999", "[", "", "a b"),
}
COOKIES = (
    "kula_device", "kula_side", "csrftoken", "sessionid", "messages", "kula_i_am",
    "django_language",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class FoundForm:
    """A form of a page of the site, with what its fields hold."""

    path: str
    fields: Mapping[str, Sequence[str]]
    buttons: Sequence[tuple[str, str]] = ()


@dataclass(kw_only=True)
class Request:
    """One request, as it is sent."""

    method: str
    path: str
    content_type: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = f"{self.method} {self.path[:300]} {self.headers} {self.cookies}"
        return f"{shown[:1200]} {self.content_type[:100]} {self.body[:600]!r}"


def written(rng: Random, key: str = "") -> str:
    """Return a value for a field or a query, of which only its name may be known."""
    if key.endswith("_at") or key == "starts":
        return rng.choice(DATES)
    if rng.random() < 0.4:
        return rng.choice(SHARP)
    if rng.random() < 0.2:
        return "".join(rng.choice(VALUES)[:30] for _ in range(rng.randrange(4)))
    return rng.choice(VALUES)


def query(rng: Random) -> str:
    """Return what may stand behind a question mark: odd keys, repeated ones, signs of no encoding."""
    if rng.random() < 0.1:
        return quote_from_bytes(rng.randbytes(rng.randrange(40)), safe="&=;%")
    many = rng.choice((1, 2, 4, 8, 16))
    pairs = [(key, written(rng)[:2000]) for key in rng.choices(KEYS, k=many)]
    return urlencode(pairs * rng.choice((1, 1, 1, 2, 50)), errors="replace")


def filled(rng: Random, form: FoundForm) -> list[tuple[str, str]]:
    """Return the fields of a form, some odd, some left out, some twice, some that it does not have."""
    rate = rng.choice((0.03, 0.1, 0.4, 0.9))
    pairs = [
        (key, written(rng, key) if rng.random() < rate else value)
        for key, values in form.fields.items()
        for value in (values or [rng.choice(("", "0", "1", "on"))])
        if rng.random() > rate / 4
    ]
    if form.buttons and rng.random() < 0.9:
        pairs.append(rng.choice(form.buttons))
    pairs += [(rng.choice(KEYS), written(rng)) for _ in range(rng.choice((0, 0, 1, 3)))]
    if rng.random() < 0.1:
        pairs += pairs
    return pairs


def as_form(rng: Random, pairs: Sequence[tuple[str, str]], *, file: bool) -> tuple[str, bytes]:
    """Return a form's type and body, packed as browsers do, or in parts and perhaps with a *file*."""
    if not file and rng.random() < 0.85:
        return "application/x-www-form-urlencoded", urlencode(pairs, errors="replace").encode()
    parts = [
        f'--x\r\nContent-Disposition: form-data; name="{_quoted(key)}"\r\n\r\n{value}\r\n'.encode(
            errors="replace"
        )
        for key, value in pairs
        if key != "file"
    ]
    if file:
        name = _quoted(rng.choice(("list.csv", "list.xlsx", written(rng)[:200])))
        head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        odd = rng.choice(("", "", "Content-Type: x/y; charset=none\r\n", "Content-Type: \xff\r\n"))
        parts.append(f"{head}{odd}\r\n".encode() + handed_in(rng) + b"\r\n")
    body = b"".join(parts) + b"--x--\r\n"
    cut = rng.randrange(len(body)) if rng.random() < 0.1 else len(body)
    return "multipart/form-data; boundary=x", body[:cut]


def handed_in(rng: Random) -> bytes:
    """Return the content of a file: a list, a workbook, either damaged, or anything."""
    lines = [",".join(written(rng)[:300] for _ in range(rng.randrange(1, 6))) for _ in range(5)]
    head = rng.choice(
        ("Name,Nickname,Home club,Season", "round,table,hand,eaten A,eaten B", "Name")
    )
    text = rng.choice(("\n", "\r\n", "\r")).join([head, "1,1,1,70,50", *lines])
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(300))
    if kind == 1:
        return text.encode(rng.choice(("utf-16", "cp1252", "utf-8-sig", "utf-7")), errors="replace")
    if kind in {2, 3}:
        content = bytearray(_workbook(text))
        for _ in range(rng.choice((0, 1, 1, 5))):
            content[rng.randrange(2, len(content))] = rng.randrange(256)
        return bytes(content)
    if kind == 4:
        return ("Name\n" + "x" * rng.choice((131_073, 300_000))).encode()
    return text.encode(errors="replace")


def _workbook(text: str) -> bytes:
    """Return a workbook with a line in each row, packed without the library that will read it."""
    rows = "".join(
        f'<row><c t="inlineStr"><is><t>{line.encode("ascii", "xmlcharrefreplace").decode()}</t></is></c></row>'
        for line in ("".join(sign for sign in line if sign.isalnum()) for line in text.split("\n"))
    )
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    documents = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{packages}/content-types"><Override PartName="/xl/workbook.xml"'
        ' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r" Type="{documents}'
        '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {space} xmlns:r="{documents}"><sheets><sheet name="A" sheetId="1" r:id="s"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="s"'
        f' Type="{documents}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            # One moment for all, so that the same seed gives the same bytes.
            packed.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 12, 0, 0)), content)
    return file.getvalue()


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "").replace("\n", "")


def garnished(rng: Random, request: Request) -> Request:
    """Lay odd headers and cookies on a request, now and then."""
    if rng.random() < 0.25:
        for name in rng.sample(sorted(HEADERS), rng.choice((1, 1, 2, 5))):
            request.headers[name] = rng.choice(HEADERS[name])
    if rng.random() < 0.15:
        for name in rng.sample(COOKIES, rng.choice((1, 2))):
            request.cookies[name] = "".join(
                sign
                for sign in written(rng)[:3000]
                if "\x20" < sign < "\x7f" and sign not in ';,"\\'
            )
    return request


def made_of(rng: Random, path: str, forms: Sequence[FoundForm]) -> Request:
    """Return a request to *path*, or one that hands in a form of another page."""
    kind = rng.random()
    if kind < 0.35:
        request = Request(method="GET", path=f"{path}?{query(rng)}")
    elif kind < 0.8:
        taking = [form for form in forms if "file" in form.fields]
        file = bool(taking) and rng.random() < 0.12
        form = rng.choice(taking if file else forms)
        content_type, body = as_form(rng, filled(rng, form), file=file or rng.random() < 0.02)
        path = form.path if rng.random() < 0.93 else path
        request = Request(method="POST", path=path, content_type=content_type, body=body)
    elif kind < 0.92:
        content_type, body = rng.choice(TYPES), rng.choice(BODIES)
        request = Request(method="POST", path=path, content_type=content_type, body=body)
    else:
        request = Request(method=rng.choice(METHODS), path=path, body=rng.choice(BODIES))
    return garnished(rng, request)
