"""What ours is measured beside and must never mix with it: each in a virtual environment of its own."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python_with(name: str, *, called: str) -> str | None:
    """Return a Python that has what ``requirements-NAME.txt`` pins, if that can be installed.

    It lives in ``.venv-NAME`` and takes a minute the first time. *called* is what people call it.
    """
    folder = ROOT / f".venv-{name}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    wanted = Path(__file__).with_name(f"requirements-{name}.txt")
    install = [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)]
    completed = subprocess.run(install, capture_output=True, text=True, check=False)
    if completed.returncode == 0:
        return str(python)
    why = next(iter(completed.stderr.strip().splitlines()[-1:]), "pip did not say why")
    print(f"{called} cannot be installed here, so ours stands alone. ({why})")
    return None
