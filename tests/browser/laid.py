"""What was laid in a served site for browsers to look at."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.serving import printed

ORGANISER = ("organiser", "cards")
RUNS_THE_NIGHT = ("runs-the-night", "cards")


@dataclass(frozen=True, slots=True)
class Club:
    """Paths of the laid club's pages, by a name that says which."""

    pages: dict[str, str]

    @property
    def at_tables(self) -> dict[str, str]:
        """Return what a phone at a table is shown."""
        return {name: path for name, path in self.pages.items() if path[:3] in {"/t/", "/c/"}}

    @property
    def open_to_all(self) -> dict[str, str]:
        """Return what a stranger may read."""
        first = ("home", "sign-in", "card", "club", "players", "teams", "tournaments")
        each = ("tournament, ", "dealers, ", "hands, ")
        return {
            name: path
            for name, path in self.pages.items()
            if name in first or name.startswith(each)
        }


def lay(data: Path, database: str) -> Club:
    """Lay the club in the site whose data are there."""
    return Club(run("whole_club", data, database))


def run(scene: str, data: Path, database: str = "") -> Any:
    """Lay a scene in the site whose data are there, and return where everything is."""
    made = printed(data, "-m", "tests.browser.scenes", scene, DATABASE_URL=database)
    return json.loads(made)
