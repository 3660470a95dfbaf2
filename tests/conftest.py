"""What every test of the site may ask for."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings

from tests import machine
from tests.drilled import FULL
from tests.serving import FIRST_MADE

triggers = import_module("tracker.migrations.0004_triggers_hold")

_LONG = {"test_suites.py", "test_fifth_game.py", "test_scoring_only.py", "test_documents.py"}
_OWN_PROCESS = (Path(__file__).parent / "browser", Path(__file__).parent / "drills")


# A busy machine is no finding: what is slow is measured in ``benchmarks/``.
settings.register_profile(
    "kula",
    deadline=None,
    max_examples=60 if FULL else 40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kula")


def pytest_configure(config: pytest.Config) -> None:
    # What a shell starts in the background ignores Ctrl-C, and so would all that the tests start.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # A run makes few cycles and keeps many modules: looking for garbage seldom is a tenth quicker.
    gc.set_threshold(100_000, 50, 50)
    if not hasattr(config, "workerinput"):
        machine.install_what_is_missing()
        _compile_once(config)
        _open_first_once(config)


def _compile_once(config: pytest.Config) -> None:
    """Where nothing compiled may lie beside its source, keep it elsewhere for all processes of a run."""
    if not os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        return
    folder = tempfile.mkdtemp(prefix="kula-compiled-")
    os.environ["PYTHONPYCACHEPREFIX"] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def _open_first_once(config: pytest.Config) -> None:
    """Keep what the first start of a site makes, for every site that is served in a run."""
    if FIRST_MADE in os.environ:  # by the run that this one is a part of
        return
    folder = os.environ[FIRST_MADE] = tempfile.mkdtemp(prefix="kula-first-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use both cores for the whole, and no worker for a part that somebody is working on.

    A third worker has something to do for them while a browser or a drill of another waits.
    """
    return 3 if config.args == config.getini("testpaths") else 0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the suites in processes of their own: no core is left alone with them at the end."""
    items.sort(key=lambda item: item.path.name not in _LONG)


def pytest_collection_finish() -> None:
    """Leave out of every later look for garbage what has been imported by now."""
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave to ``test_suites.py`` what needs a process of its own, unless it is asked for by name."""
    for folder in _OWN_PROCESS:
        if collection_path == folder and not any(folder.name in arg for arg in config.args):
            return True
    return None


@pytest.fixture
def rng() -> Random:
    return Random(7)


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


@pytest.fixture(autouse=True, scope="session")
def _flush_past_the_triggers() -> Iterator[None]:
    """Let a transactional test empty its tables, which the triggers would rightly refuse."""
    teardown = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def without_triggers(self: TransactionTestCase) -> None:
        with connection.schema_editor() as schema:
            triggers.remove_all(None, schema)
        try:
            teardown(self)
        finally:
            with connection.schema_editor() as schema:
                triggers.install_all(schema)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", without_triggers)
        yield
