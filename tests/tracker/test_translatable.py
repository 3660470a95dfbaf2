"""Every word on every page can be translated: all pages are read in a language made for that.

In it each sentence is itself between ⟦ and ⟧, so what stands outside of them is
either somebody's name, a number, or a sentence that translators never see.
"""

import gettext
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4

import django
import django_tables2
import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import to_locale

from tests import machine, make, tour
from tests.reading import Forms
from tests.tour import Tour
from tracker.models import Role, User

ROOT = Path(__file__).parents[2]
CODE = "xx"  # no language of Django's own
HEADER = (
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)
# What other people's catalogues translate, known by the ids of one that is complete.
OTHERS = [
    Path(django.__file__).parent / "conf/locale",
    Path(django.__file__).parent / "contrib/auth/locale",
    Path(django_tables2.__file__).parent / "locale",
]
LETTER = re.compile(r"[^\W\d_]")
READ_ALOUD = {"aria-label", "title", "alt", "placeholder", "aria-description", "label"}
# What scripts look for, and nobody sees.
OF_SCRIPTS = {
    "data-values",
    "data-seldom",
    "data-depends",
    "data-fills",
    "data-question",
    "data-check",
    "data-draft",
    "data-act",
    "data-state",
    "data-forget",
    "data-key",
    "data-told",
    "data-live",
    "data-next",
    "data-playing",
    "data-tag",
    "data-card",
    "data-taker",
    "data-who",  # the initials of a name
}
SILENT = {"script", "style", "svg"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES = {
    *tour.PEOPLE,
    *("Upanga", "Kula", "Elsewhere", "A third", "owner of it", "phone", "another"),
    *("Autumn", "Opening night", "Kito"),
}


# The language ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Extract every sentence as a translator would, and return a folder of translations."""
    folder = tmp_path_factory.mktemp("translated")
    machine.msgfmt()  # all of gettext's tools come with it
    sources = folder / "sources"
    for name in ("games", "tracker", "templates"):
        shutil.copytree(
            ROOT / name,
            sources / name,
            ignore=shutil.ignore_patterns("locale", "__pycache__", "static", "migrations"),
        )
    (sources / "locale").mkdir()
    environment = {key: value for key, value in os.environ.items() if key[:6] != "DJANGO"}
    make_messages = [sys.executable, "-m", "django", "makemessages", "-l", CODE, "--no-obsolete"]
    subprocess.run(make_messages, cwd=sources, env=environment, check=True, capture_output=True)
    written = sources / "locale" / CODE / "LC_MESSAGES" / "django.po"
    own = subprocess.run(
        ["msgen", "--no-wrap", str(written)], check=True, capture_output=True, encoding="utf-8"
    ).stdout

    target = folder / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    marked = marked_up(own)
    known = set(re.findall(r'^msgid "(.*)"$', own, re.MULTILINE))
    (target / "django.po").write_text(HEADER + marked + borrowed(known), encoding="utf-8")
    compile_it = [machine.msgfmt(), "-o", str(target / "django.mo"), str(target / "django.po")]
    subprocess.run(compile_it, check=True, capture_output=True)
    return folder


def marked_up(messages: str) -> str:
    """Return the messages, each translated as itself between the marks; the header left out."""

    def mark(match: re.Match[str]) -> str:
        text = "".join(re.findall(r'"(.*)"', match[2]))
        return f'{match[1]} "⟦{text}⟧"\n'

    _header, _blank, entries = messages.partition("\n\n")
    entries = re.sub(r"^#.*\n", "", entries, flags=re.MULTILINE)
    return re.sub(r'^(msgstr(?:\[\d\])?) ((?:".*"\n?)+)', mark, entries, flags=re.MULTILINE)


def borrowed(known: Iterable[str]) -> str:
    """Return what Django and django-tables2 say by themselves, translated likewise."""
    entries: dict[tuple[str, str], list[str]] = {}
    for folder in OTHERS:
        translations = gettext.translation("django", folder, ["de"])
        for key in translations._catalog:  # type: ignore[attr-defined]
            text = key[0] if isinstance(key, tuple) else key
            context, _mark, message = text.rpartition("\x04")
            shown = message.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            if not message or shown in known:
                continue
            lines = [f'msgctxt "{context}"'] if context else []
            lines.append(f'msgid "{shown}"')
            if isinstance(key, tuple):
                lines += [f'msgid_plural "{shown}"', f'msgstr[0] "⟦{shown}⟧"']
                lines.append(f'msgstr[1] "⟦{shown}⟧"')
            else:
                lines.append(f'msgstr "⟦{shown}⟧"')
            entries[context, shown] = lines
    return "\n" + "\n\n".join("\n".join(lines) for lines in entries.values()) + "\n"


@pytest.fixture
def translated(catalogue: Path) -> Iterator[None]:
    with override_settings(
        LANGUAGES=[("en", "English"), (CODE, "Marked")], LOCALE_PATHS=[catalogue]
    ):
        yield


# Reading --------------------------------------------------------------------------------------


class Words(HTMLParser):
    """What a page shows and says, but for words in a language they name themselves."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.by_attributes: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        for name, value in attributes.items():
            aloud = name in READ_ALOUD or (name.startswith("data-") and name not in OF_SCRIPTS)
            aloud |= name == "value" and attributes.get("type") in {"submit", "button", "reset"}
            aloud |= name == "content" and attributes.get("name") == "description"
            if aloud and value:
                self.by_attributes.append(value)
        if tag not in VOID:
            # A saying in its own language, or what a file must hold to be read.
            own_language = tag != "html" and "lang" in attributes
            other_language = own_language or attributes.get("translate") == "no"
            self._open.append((tag, tag in SILENT or other_language))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(silent for _tag, silent in self._open):
            self.shown.append(data)


def untranslated(page: str, data: Iterable[str]) -> set[str]:
    """Return what a page says that is neither translated nor somebody's name."""
    words = Words(page)
    sentences = set()
    # A sentence may go on through several nodes, where a name in it is emphasised.
    for said in ("\n".join(words.shown), *words.by_attributes):
        left = said
        while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "\n", left)) != left:
            left = shorter
        for name in sorted(data, key=len, reverse=True):
            left = left.replace(name, "")
        # A card's corner and the letter of a side are the same in every language.
        left = re.sub(r"\b(?:[AKQJ][♠♥♦♣]?|[A-F])(?!\w)", "", left)
        sentences |= {" ".join(part.split()) for part in left.splitlines() if LETTER.search(part)}
    return sentences


def data_of(laid: Tour) -> set[str]:
    """Return every name and code that the club's people gave, or the site made for them."""
    return {
        *NAMES,
        *(table.round.tournament.name for table in laid.tables.values()),
        *(f"{name} {number}" for name in tour.PEOPLE for number in range(1, 20)),
        laid.card.code,
        laid.team.name,
        "Zuwenna",
        *User.objects.values_list("username", flat=True),
    }


# All pages ------------------------------------------------------------------------------------


@pytest.fixture
def laid(db: None) -> Tour:
    return tour.lay()


def visitor(user: Any = None) -> Client:
    client = Client(headers={"accept-language": CODE}, raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


@pytest.mark.every_game
@pytest.mark.usefixtures("translated")
def test_every_page_is_in_the_readers_language(laid: Tour) -> None:
    readers = {"owner": visitor(laid.member(Role.OWNER)), "stranger": visitor()}
    left = {}

    for who, reader in readers.items():
        for name, path in {
            **laid.pages(),
            "not found": "/nowhere/",
            "revoked": laid.revoked.get_absolute_url(),
            "no table": reverse("table", args=["forged"]),
            "first owner": reverse("first-owner", args=["forged"]),
            "no game": reverse("tournament-new", args=[laid.club.pk]) + "?game=forged",
        }.items():
            page = reader.get(path)
            if page.status_code in {301, 302}:
                continue
            assert f'lang="{CODE}"' in page.text, name
            if sentences := untranslated(page.text, data_of(laid)):
                left[name, who] = sentences

    assert left == {}


@pytest.mark.usefixtures("translated")
def test_the_keepers_page_is_in_the_readers_language(
    laid: Tour, tmp_path: Path, settings: Any
) -> None:
    settings.LOG_FILE = tmp_path / "kula.log"  # not what other tests made the site log
    keeper = make.user(role=Role.OWNER, club=laid.club)
    keeper.is_superuser = True
    keeper.save()

    page = visitor(keeper).get(reverse("keeping"))

    seen = page.context["page"]
    data = {
        *data_of(laid),
        seen["version"],
        getattr(seen["copy"], "name", ""),
        seen["runs_on"],
        str(seen["folder"]),
        seen["database"],
    }
    assert untranslated(page.text, data) == set()


@pytest.mark.usefixtures("translated")
def test_every_refusal_is_in_the_readers_language(laid: Tour) -> None:
    """Empty forms, and forms with nonsense in every field that is not a choice."""
    readers = {"owner": visitor(laid.member(Role.OWNER)), "stranger": visitor()}
    left = {}
    tried = set()  # the same form stands on several pages

    for (who, reader), (name, path) in product(readers.items(), laid.pages().items()):
        for form in Forms(reader.get(path).text, path).forms:
            known = (who, form.path, *sorted(form.fields))
            if form.method != "post" or "sign-out" in form.path or known in tried:
                continue
            tried.add(known)
            for sent in ({"a": "b"}, {key: ["²"] for key in form.fields}):
                page = reader.post(form.path, sent, follow=True)
                if sentences := untranslated(page.text, {*data_of(laid), "²"}):
                    left[name, who, len(sent)] = sentences

    assert left == {}


REFUSED: Mapping[str, list[Mapping[str, object]]] = {
    "albastini": [
        {"eaten_0": "71", "eaten_1": "50"},
        {"eaten_0": "118", "eaten_1": ""},
        {"eaten_0": "-1", "eaten_1": "121"},
        {"eaten_0": "119", "eaten_1": "1"},
        {"eaten_0": "70", "eaten_1": "50"},
    ],
    "briscola": [{"points_0": "71", "points_1": "50"}, {"points_0": "70", "points_1": "50"}],
    "dalmuti": [{"order_0": "1"}, {"order_0": "1", "order_1": "2", "order_2": "3"}],
    "mambassa": [{"event": "normal"}, {"event": "mambassa", "declarer": "1"}],
}


@pytest.mark.usefixtures("translated")
@pytest.mark.parametrize("game", REFUSED)
@pytest.mark.parametrize("how", ["save", "bare", "park"])
def test_what_is_said_of_a_sheet_is_in_the_readers_language(
    laid: Tour, game: str, how: str
) -> None:
    table, phone = laid.tables[game], visitor()
    path = table.get_absolute_url()
    left = {}

    for answers in REFUSED[game]:
        for number in (3, 1):
            sent = {"entry": uuid4(), "number": number, "how": how, "bare": "0", **answers}
            for to in (reverse("table-check", args=[table.token]), path):
                page = phone.post(to, sent, follow=True)
                if sentences := untranslated(page.text, data_of(laid)):
                    left[to == path, number, str(answers)] = sentences

    assert left == {}


@pytest.mark.usefixtures("translated")
def test_a_form_from_elsewhere_is_answered_in_the_readers_language(db: None) -> None:
    careful = Client(enforce_csrf_checks=True, headers={"accept-language": CODE})

    page = careful.post("/sign-in/")

    assert (page.status_code, untranslated(page.text, NAMES)) == (403, set())


def test_a_sentence_that_nobody_marked_is_found() -> None:
    page = '<html><title>⟦Club⟧ · Kula</title><p title="Here">⟦Hello ⟦x⟧⟧ Asha</p><p>Some words'

    assert untranslated(page, NAMES) == {"Here", "Some words"}


# Beside the pages -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script", sorted((ROOT / "tracker/static").rglob("*.js")), ids=lambda script: script.name
)
def test_scripts_say_nothing_of_their_own(script: Path) -> None:
    """What a script shows it finds on the page, where it can be translated."""
    source = re.sub(r"//.*|/\*[\s\S]*?\*/", "", script.read_text(encoding="utf-8"))

    spoken = re.findall(
        r"""(?:(?:textContent|innerText|innerHTML|title|placeholder|ariaLabel|alt)\s*\+?=(?!=)\s*"""
        r"""|(?:append|prepend|alert|confirm|createTextNode)\(\s*"""
        r"""|setAttribute\(\s*["'](?:aria-label|title|placeholder|alt)["'],\s*)"""
        r"""["'`][^"'`$]*[A-Za-z][^"'`]*["'`]""",
        source,
    )

    assert spoken == []


def test_every_language_offered_has_its_translations(tmp_path: Path) -> None:
    """A language is a line in the settings, and its folder of translations, freshly compiled."""
    (folder,) = map(Path, settings.LOCALE_PATHS)
    offered = {code for code, _name in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
    written = {to_locale(code): folder / to_locale(code) / "LC_MESSAGES" for code in offered}

    stale = []
    for code, messages in written.items():
        fresh = tmp_path / f"{code}.mo"
        compile_it = [machine.msgfmt(), "--check", "-o", str(fresh), str(messages / "django.po")]
        subprocess.run(compile_it, check=True, capture_output=True)
        if fresh.read_bytes() != (messages / "django.mo").read_bytes():
            stale.append(code)

    assert {file.parts[-3] for file in folder.glob("*/LC_MESSAGES/django.po")} == set(written)
    assert stale == []


@pytest.mark.usefixtures("translated")
@pytest.mark.parametrize("name", ["copies", "copy"])
def test_the_pages_of_copies_are_in_the_readers_language(laid: Tour, name: str) -> None:
    keeper = make.user(role=Role.OWNER, club=laid.club)
    keeper.is_superuser = True
    keeper.save()

    page = visitor(keeper).get(reverse(name, args=[laid.copy] if name == "copy" else []))

    assert page.status_code == 200
    assert untranslated(page.text, data_of(laid)) == set()
