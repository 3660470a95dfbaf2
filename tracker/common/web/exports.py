"""Sorting and paging of tables, and their export as CSV, XLSX or JSON with the page's filters."""

import json

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django_tables2 import RequestConfig
from django_tables2.export import TableExport

from tracker.common.columns import ClubTable, in_json
from tracker.common.web.requests import number_in

EXPORT_PARAMETER = "_export"
_CONTENT_TYPES = {name: TableExport.FORMATS[name] for name in ("csv", "xlsx", "json")}
_LONGEST_NAME = 80  # of a file, without its ending


def configure_table(
    request: HttpRequest, table: ClubTable, *, per_page: int = 25, name: str = ""
) -> str | None:
    """Sort a table by the address, and page it by *per_page* rows or as many as the address says.

    Return ``csv``, ``xlsx`` or ``json`` if its export is requested; then it is not paged. If a page
    has several tables, *name* is that of this one in the address (``of=…``).
    """
    file_format = export_format(request, name=name)
    RequestConfig(request, paginate=False).configure(table)
    if table.order_by:
        # Each column at most once up and once down, as a database can sort by only so many.
        table.order_by = tuple(dict.fromkeys(table.order_by))
    if file_format is None:
        # Trap: the library itself would accept any page length, and fail if there is no such page.
        requested = number_in(request.GET.get(table.prefixed_per_page_field, ""))
        table.paginate(per_page=min(requested or per_page, ClubTable.most_a_page))
        table.page = table.paginator.get_page(request.GET.get(table.prefixed_page_field))
    return file_format


def export_format(request: HttpRequest, *, name: str = "") -> str | None:
    """Return the requested file format, ``csv``, ``xlsx`` or ``json``; ``None`` for the page."""
    requested = request.GET.get(EXPORT_PARAMETER, "")
    return requested if requested in _CONTENT_TYPES and request.GET.get("of", "") == name else None


def file_response(table: ClubTable, file_format: str, *named: object) -> HttpResponse:
    """Return all rows of the table as a download; the words of *named* make the file name."""
    content = _json(table) if file_format == "json" else _spreadsheet(table, file_format)
    words = [slugify(str(word), allow_unicode=True) for word in named]
    name = "-".join(filter(None, words))[:_LONGEST_NAME] or "kula"
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.{file_format}")
    headers = {"Content-Disposition": disposition or "attachment", "X-Robots-Tag": "noindex"}
    return HttpResponse(content, content_type=_CONTENT_TYPES[file_format], headers=headers)


def _spreadsheet(table: ClubTable, file_format: str) -> bytes:
    title = str(getattr(table, "title", ""))
    exported = TableExport(file_format, table, dataset_kwargs={"title": title}).export()
    # Without the byte order mark spreadsheets misread names in a CSV file.
    return exported if isinstance(exported, bytes) else exported.encode("utf-8-sig")


def _json(table: ClubTable) -> bytes:
    """Return the rows of the table as a list of objects, keyed by the headings of its columns."""
    headings, *rows = table.as_values(convert=in_json)
    # Of two columns with one heading, such as a player called "Hands", the second has its number.
    keys = [
        f"{heading} ({number})" if heading in headings[: number - 1] else str(heading)
        for number, heading in enumerate(headings, start=1)
    ]
    objects = [dict(zip(keys, row, strict=True)) for row in rows]
    return json.dumps(objects, ensure_ascii=False).encode()
