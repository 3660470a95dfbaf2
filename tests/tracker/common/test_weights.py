"""Pages stay light, for old phones on bad Wi-Fi, and ask nobody else for anything."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from tests import tour
from tests.weighing import FIRST_LOAD, PAGE, Page, wire, with_all
from tracker.models import Role

ROOT = Path(__file__).parents[3]
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


@pytest.fixture
def pages(client: Client) -> Iterator[tuple[str, Any]]:
    """Walk through the whole site, as its owner sees it and as a stranger does."""
    laid = tour.lay()
    owner = Client()
    owner.force_login(laid.member(Role.OWNER))

    def walk() -> Iterator[tuple[str, Any]]:
        for who, visitor in {"owner": owner, "stranger": client}.items():
            for name, path in laid.pages().items():
                yield f"{name}, {who}", visitor.get(path)

    return walk()


@pytest.mark.django_db
def test_pages_stay_light(pages: Iterator[tuple[str, Any]]) -> None:
    weights = {}
    for name, answer in pages:
        page = wire(answer.content)
        weights[name] = page, with_all(Page(answer.text), page)

    heavy = {
        name: weight
        for name, weight in weights.items()
        if weight[0] > PAGE or weight[1] > FIRST_LOAD
    }

    assert heavy == {}
    assert max(whole for _page, whole in weights.values()) > 10_000  # the files were found


@pytest.mark.django_db
def test_pages_ask_no_other_host(pages: Iterator[tuple[str, Any]]) -> None:
    elsewhere = {
        name: sorted(foreign)
        for name, answer in pages
        if (foreign := {a for a in Page(answer.text).addresses if urlsplit(a).netloc})
    }

    assert elsewhere == {}


@pytest.mark.parametrize(
    "file",
    [
        file
        for folder in ("templates", "tracker/static")
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in {".html", ".css", ".js", ".svg", ".txt", ".webmanifest"}
    ],
    ids=lambda file: file.name,
)
def test_files_name_no_other_host(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    named = set(re.findall(r"""(?:https?:)?//[\w-]+\.[\w.-]+[^\s"'<>)]*""", text))

    assert named - NAMESPACES == set()
