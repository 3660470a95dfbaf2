"""Static files: minified, with JavaScript modules bundled, named by a hash, and collected.

Each version of the files has a folder below ``STATIC_HOME``, which is renamed into place when it is
complete. So it is whole after a power cut, and an older site that runs goes on serving its own.
"""

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import rjsmin
from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, InMemoryStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tracker.common.files import sync_folder, sync_tree

# A string or URL, which is kept; a comment; a character that needs no spaces around it; spaces.
_PART_OF_CSS = re.compile(
    r"""("[^"]*"|'[^']*'|url\([^)]*\))|/\*.*?\*/\s*|\s*([{};,])\s*|\s+""", re.DOTALL
)
_SCRIPTS = re.compile(r"tracker/(\w+\.js)")
# As the site's modules write them: static imports (groups: names, file, file without ``.js``),
# dynamic imports (group: file), and exports (groups: declaration, name).
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./((\w+)\.js)";', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'import\("\./(\w+\.js)"\)')
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const) (\w+))", re.MULTILINE)
# A module that has functions only, so that several copies of it do no harm. Each line begins a
# comment or a function, is indented, or ends a block.
_FUNCTIONS_ONLY = re.compile(r"(?:(?://|(?:export )?(?:async )?function |[ }]).*\n|\n)*")
# In the folder of a version: the folder with its files, and the size of each.
_FILES, _SIZES = "files", "sizes.json"
# Names of folders of a version: complete, not yet complete, replaced because it was damaged.
_FOLDERS = re.compile(r"[0-9a-f]{16}|\.(new|old)-[0-9a-f]{16}")
_KEPT_FOLDERS = 2  # this version, and one that may still be served


class CollectedFiles(StaticFilesConfig):
    # htmx's extensions import it by a bare name, which no file has; none of them is used here.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


def minified_css(css: str) -> str:
    """Return a stylesheet without comments and unnecessary spaces.

    Trap: rcssmin takes a descendant ``.a :is(b)`` inside two at-rules for a declaration.

    >>> minified_css('/*y*/ @layer a { @media print { .a :is(b, c) { content: "x;  y" / ""; } } }')
    '@layer a{@media print{.a :is(b,c){content: "x;  y" / "";}}}'
    """
    return _PART_OF_CSS.sub(
        lambda part: part[1] or part[2] or ("" if part[0].startswith("/*") else " "), css
    ).strip()


def bundled_modules(modules: dict[str, str]) -> dict[str, str]:
    """Return {file name: text} of the site's scripts, each bundled with the modules it imports.

    *modules* are the texts of scripts and modules by file name. A module stays a file of its own
    if several scripts import it, so that a page has one copy of its variables, or if it is imported
    dynamically. But a module that has functions only is copied into each script that imports it.

    >>> main, lib = 'import { one } from "./b.js"; one();', "export const one = Date;"
    >>> print(bundled_modules({"a.js": main, "b.js": lib})["a.js"])
    const $b = (() => {
    const one = Date;
    return { one };
    })();
    const { one } = $b; one();
    """
    # For each module the file names of those that it imports statically, in order.
    imports = {name: [each[2] for each in _IMPORT.finditer(text)] for name, text in modules.items()}
    imported = {other for others in imports.values() for other in others}
    dynamic = {name for text in modules.values() for name in _DYNAMIC_IMPORT.findall(text)}
    copied = {name for name in imported - dynamic if _FUNCTIONS_ONLY.fullmatch(modules[name])}

    @cache
    def file_of(name: str) -> str:
        """Return the file that a module is in: that of all its importers, or else its own."""
        files = {file_of(importer) for importer in modules if name in imports[importer]}
        return files.pop() if len(files) == 1 and name not in dynamic else name

    def parts(file: str, name: str, in_file: set[str]) -> Iterator[str]:
        """Yield what *file* needs for a module: its imports that are not *in_file*, then itself."""
        for other in imports[name]:
            if other in in_file:
                continue
            in_file.add(other)
            if other in copied or file_of(other) == file:
                yield from parts(file, other, in_file)
            else:
                yield f'import * as ${other[:-3]} from "./{other}";'
        # An import becomes an assignment: from ``b.js`` the names come from the variable ``$b``.
        text = _IMPORT.sub(
            lambda match: f"const {{{match[1].replace(' as ', ': ')}}} = ${match[3]};",
            modules[name],
        )
        yield text if name == file else _as_variable(name, text)

    files = (name for name in modules if name not in copied and file_of(name) == name)
    return {file: "\n".join(parts(file, file, set())) for file in files}


def _as_variable(name: str, text: str) -> str:
    """Return a module as a variable like ``$b``: a function called at once returns its exports."""
    exported = ", ".join(match[2] for match in _EXPORT.finditer(text))
    body = _EXPORT.sub(r"\1", text)  # without the word ``export``
    return f"const ${name[:-3]} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


_MINIFIERS = {".css": minified_css, ".js": rjsmin.jsmin}


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Otherwise ``import "./pad.js"`` would still name the file without its hash.
    support_js_module_import_aggregation = True

    def __init__(self, location: str | None = None, base_url: str | None = None) -> None:
        # The manifest is beside the folder, as every file inside it is served to everybody.
        beside = FileSystemStorage(Path(location or settings.STATIC_ROOT).parent)
        super().__init__(location, base_url, manifest_storage=beside)

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Bundle the scripts in *paths*, {path: (storage, name in it)}; name files by a hash."""
        scripts = {}
        for path in filter(_SCRIPTS.fullmatch, list(paths)):
            storage, name = paths.pop(path)
            with storage.open(name) as file:
                scripts[path.removeprefix("tracker/")] = file.read().decode()
        bundles = InMemoryStorage()
        for name, text in bundled_modules(scripts).items():
            paths[f"tracker/{name}"] = bundles, bundles.save(name, ContentFile(text.encode()))
        yield from super().post_process(paths, *args, **options)

    def _save(self, name: str, content: Any) -> str:
        """Minify and store a CSS or JS file; store any other as it is."""
        if minify := _MINIFIERS.get(name[name.rfind(".") :]):
            content.seek(0)
            content = ContentFile(minify(content.read().decode()).encode())
        return str(super()._save(name, content))


def prepare() -> OSError | None:
    """Collect the files of this version, for this process and those that it starts.

    If they cannot be written, return the error; the source files are served then. The settings of
    those processes read in the environment which files to serve.
    """
    folder = settings.STATIC_HOME / _version()
    try:
        if not is_whole(folder):
            _collect(folder)
    except OSError as error:
        os.environ["KULA_STATIC_SOURCES"] = "yes"
        settings.WHITENOISE_USE_FINDERS = True
        settings.STORAGES = {**settings.STORAGES, "staticfiles": settings.STATIC_SOURCES}
        return error
    os.environ["KULA_GATHERED"] = str(folder / _FILES)
    settings.STATIC_ROOT = folder / _FILES
    return None


def is_whole(folder: Path) -> bool:
    """Return whether all collected files are there with their recorded sizes."""
    try:
        sizes = json.loads((folder / _SIZES).read_bytes())
        return bool(sizes) and all(
            (folder / name).stat().st_size == size for name, size in sizes.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def _version() -> str:
    """Return a hash of all source files and of the programs that process them."""
    programs = f"{version('django')} {version('whitenoise')} {version('rjsmin')}"
    digest = hashlib.sha256(programs.encode())
    digest.update(Path(__file__).read_bytes())
    sources = [
        (name, Path(source.path(name)))
        for finder in get_finders()
        for name, source in finder.list(CollectedFiles.ignore_patterns)
    ]
    for name, file in sorted(sources):
        content = file.read_bytes()
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:16]


def _collect(folder: Path) -> None:
    """Collect the files in a temporary folder, sync it, and rename it to *folder*."""
    home = folder.parent
    home.mkdir(parents=True, exist_ok=True)
    new = home / f".new-{secrets.token_hex(8)}"
    try:
        command = collectstatic.Command()
        command.storage = HashedFiles(location=str(new / _FILES), base_url=settings.STATIC_URL)
        call_command(command, interactive=False, verbosity=0)
        files = [file for file in new.rglob("*") if file.is_file()]
        sizes = {file.relative_to(new).as_posix(): file.stat().st_size for file in files}
        (new / _SIZES).write_text(json.dumps(sizes))
        sync_tree(new)
        if folder.exists() and not is_whole(folder):  # damaged
            folder.rename(home / f".old-{secrets.token_hex(8)}")
        try:
            new.rename(folder)
        except OSError:
            if not is_whole(folder):  # otherwise another process was first
                raise
        sync_folder(home)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    folders = [path for path in home.iterdir() if _FOLDERS.fullmatch(path.name)]
    oldest_first = sorted(folders, key=lambda path: path.stat().st_mtime)
    for old in oldest_first[:-_KEPT_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)
