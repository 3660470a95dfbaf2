"""A table's page that is rendered once for all phones which see the same.

Phones at a table differ in their secrets and in what changes by the second. Both are replaced in
the page that was rendered for another phone. Phones from which the page shows a report, and people
who are signed in, have a page of their own.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from uuid import uuid4

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import escape

from tracker.common.web import devices
from tracker.common.web.polling import keep, shared_tag
from tracker.results.queries.table import TablePage
from tracker.tables.clocks import read_round_clock
from tracker.tables.table_now import TableNow

# The page's tag for all readers, whether the phone has a name, and its side as its cookie says it.
_Key: TypeAlias = tuple[str, bool, str | None]
_pages: dict[_Key, "_SharedPage"] = {}


class Parts(NamedTuple):
    """What differs in the pages of phones that see the same, as it stands in their HTML."""

    csrf_token: str
    entry: str  # the id of the coming submission
    tag: str  # with which the page asks for news
    clock: str  # empty if none runs


@dataclass(frozen=True, slots=True)
class _SharedPage:
    html: str
    parts: Parts  # with which it was rendered
    table: TableNow
    devices: Collection[str]  # that have sent what the page shows


def parts_for(request: HttpRequest, table: TableNow) -> Parts:
    """Return new parts for the phone of this request."""
    clock = None
    if not table.finished:
        clock = read_round_clock(table.round, now=timezone.now(), table=table.number)
    context = {"clock": clock, "one": table.one}
    return Parts(
        # Sets the cookie, too: a script may send a hand later, whatever the page shows now.
        csrf_token=get_token(request),
        entry=str(uuid4()),
        tag=escape(request.__dict__["polling"].tag),
        clock=render_to_string("results/table/clock_line.html", context) if clock else "",
    )


def shared_html(request: HttpRequest) -> str | None:
    """Return the page of a table for this phone, if it was rendered for another like it."""
    shared = _pages.get(_key(request))
    if shared is None or devices.device_of(request) in shared.devices:
        return None
    html = shared.html
    for old, new in zip(shared.parts, parts_for(request, shared.table), strict=True):
        html = html.replace(old, new) if old else html
    return html


def share(request: HttpRequest, page: TablePage, html: str, parts: Parts) -> None:
    """Keep a page that was rendered for this phone, if others may see the same."""
    key = _key(request)
    if key[0] and page.table.takes_reports and devices.device_of(request) not in page.devices:
        keep(_pages, key, _SharedPage(html, parts, page.table, page.devices))


def _key(request: HttpRequest) -> _Key:
    # With any other parameter a page is for one phone.
    tag = shared_tag(request) if request.GET.keys() <= {"hands"} else ""
    return tag, bool(devices.device_of(request)), request.COOKIES.get(devices.SIDE)
