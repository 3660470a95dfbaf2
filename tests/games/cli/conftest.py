"""A person at a terminal, for all tests of the command line."""

from collections.abc import Sequence

import pytest

from games.__main__ import main
from tests.games.cli.keyboard import Keys, Type


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Return a function that plays with these lines typed: the exit code, and what was shown."""

    def type_it(
        argv: str, lines: Sequence[str] = (), *, interrupt: bool = False
    ) -> tuple[int, str]:
        monkeypatch.setattr("builtins.input", Keys(lines, interrupt=interrupt))
        code = main(argv.split())
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return type_it
