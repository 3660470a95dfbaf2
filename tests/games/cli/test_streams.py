"""The streams: a command ends well whoever closes them, or presses Ctrl-C."""

import os
import subprocess
import sys

import pytest

from games.__main__ import run
from tests.games.cli.keyboard import BRISCOLA, COMMAND, ROOT


@pytest.mark.parametrize(
    "argv", ["list", "watch albastini --mode 2i --bots beginner --hands 200 --seed 1"]
)
def test_a_reader_that_has_seen_enough_is_no_error(argv: str) -> None:
    with subprocess.Popen(
        [*COMMAND, *argv.split()], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        errors = command.stderr.read()
    assert (command.returncode, errors) == (141, b"")


def test_nobody_reading_ends_it_in_this_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        assert run(["list"]) == 141


def test_a_program_may_be_started_without_its_streams() -> None:
    closed = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *COMMAND, *BRISCOLA.split()]
    done = subprocess.run(closed, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0
    assert "Thank you for playing." in done.stdout


def test_what_nobody_has_opened_is_written_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, None)
    assert run(BRISCOLA.split()) == 0
    assert run(["play"]) == 2


def test_ctrl_c_anywhere_else_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.cli.watch.show_outcome", interrupted)
    assert run(["watch", "briscola", "--mode", "2i", "--bots", "beginner"]) == 130
    assert run(["list"]) == 0
    assert run([]) == 2
