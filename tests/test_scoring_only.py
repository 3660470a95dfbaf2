"""Scoring does without play: a copy of the code without what plays cards still scores every game."""

import shutil
from pathlib import Path

from tests.serving import copy_code
from tests.test_fifth_game import run

PLAY = ("play", "bots", "records", "cli", "*/play")
ASKED = ("tests/tracker/test_only_scored.py", "tests/games/test_vectors.py")


def test_a_copy_without_play_scores_every_game(tmp_path: Path) -> None:
    copy = copy_code(tmp_path / "kula")
    for folder in [path for pattern in PLAY for path in (copy / "games").glob(pattern)]:
        shutil.rmtree(folder)
        (folder / "__pycache__").mkdir(parents=True)  # which Git leaves

    run(copy, "pytest", "-q", "-n0", "-p", "no:cacheprovider", *ASKED)
