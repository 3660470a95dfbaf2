"""Sorting and paging of tables, and their export as CSV or XLSX with the page's filters."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django_tables2 import RequestConfig
from django_tables2.export import TableExport

from tracker.common.columns import ClubTable
from tracker.common.web.requests import number_in

ASKED_BY = "_export"
MOST_A_PAGE = ClubTable.most_a_page
_FORMS = {"csv": "text/csv; charset=utf-8", "xlsx": TableExport.FORMATS["xlsx"]}
_LONGEST_NAME = 80


def lay_out(
    request: HttpRequest, table: ClubTable, *, a_page: int = 25, of: str = ""
) -> str | None:
    """Sort and page the table as the address says.

    Return ``csv`` or ``xlsx`` where it is asked for as a file: then it has all its rows.
    Where a page has several tables, *of* is the name by which this one is asked for.
    """
    form = asked(request, of=of)
    RequestConfig(request, paginate=False).configure(table)
    if table.order_by:
        # A column once: a thousand times in an address would be more than a database sorts by.
        table.order_by = tuple(dict.fromkeys(table.order_by))
    if form is None:
        # Trap: the library itself would take any number for the length of a page.
        said = number_in(request.GET.get(table.prefixed_per_page_field, ""))
        table.paginate(per_page=min(said or a_page, MOST_A_PAGE))
        table.page = table.paginator.get_page(request.GET.get(table.prefixed_page_field))
    return form


def asked(request: HttpRequest, *, of: str = "") -> str | None:
    """Return as what file a table is asked for, ``csv`` or ``xlsx``, or ``None`` for the page."""
    form = request.GET.get(ASKED_BY, "")
    return form if form in _FORMS and request.GET.get("of", "") == of else None


def file_of(table: ClubTable, form: str, *named: object) -> HttpResponse:
    """Return all rows of the table as a file that is called by these words."""
    title = str(getattr(table, "title", ""))
    taken = TableExport(form, table, dataset_kwargs={"title": title}).export()
    # Without this mark at its head a spreadsheet reads the names in a CSV file wrongly.
    content = taken if isinstance(taken, bytes) else taken.encode("utf-8-sig")
    words = [slugify(str(word), allow_unicode=True) for word in named]
    name = "-".join(filter(None, words))[:_LONGEST_NAME] or "kula"
    held = content_disposition_header(as_attachment=True, filename=f"{name}.{form}")
    headers = {"Content-Disposition": held or "attachment", "X-Robots-Tag": "noindex"}
    return HttpResponse(content, content_type=_FORMS[form], headers=headers)
