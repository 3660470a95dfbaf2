"""SoL's page of a tournament of so many players, asked for line by line as ``asking`` says.

SoL is by Lele Gaifax, under the GNU General Public License: it stays in an environment of its own,
and is measured through its public page alone. First a folder is made, which prints SoL's version
and the page's path; then its application answers.

    python -m tests.benchmarks.sol_apart make FOLDER PLAYERS ROUNDS
    python -m tests.benchmarks.sol_apart answer FOLDER
"""

import contextlib
import json
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from random import Random
from types import SimpleNamespace

from pyramid.paster import get_app
from sol.models import Championship, Club, Competitor, Player, Tourney
from sol.scripts import admin
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from tests.benchmarks.asking import answer_lines


def main(what: str, folder: Path, *sizes: int) -> None:
    if what == "make":
        with contextlib.redirect_stdout(sys.stderr):
            _make(folder)
            path = _played(folder, *sizes)
        print(json.dumps([version("SoL"), path]))
    else:
        answer_lines(get_app(str(folder / "config.ini"), "main"))


def _make(folder: Path) -> None:
    """Make SoL's configuration and its empty database, as its manual says."""
    given = {
        "config": str(folder / "config.ini"),
        "admin": "admin",
        "password": "carromcarrom",
        "data_dir": str(folder),
        "alembic_dir": None,
        "use_default_alembic_dir": True,
    }
    admin.create_config(SimpleNamespace(**given))
    admin.initialize_db(SimpleNamespace(**given))


def _played(folder: Path, players: int, rounds: int) -> str:
    """Play whole rounds of a Swiss tournament by lot, and return the path of its page."""
    lots = Random(1)
    with Session(create_engine(f"sqlite:///{folder / 'SoL.sqlite'}")) as session:
        club = Club(description="Upanga")
        championship = Championship(club=club, description="Friday", playersperteam=1)
        people = [Player(firstname="Player", lastname=f"{n:02d}", sex="M") for n in range(players)]
        tourney = Tourney(
            championship=championship,
            description="Friday Cup",
            date=date(2026, 11, 20),
            competitors=[Competitor(player1=person) for person in people],
        )
        session.add(tourney)
        session.flush()
        tourney.updateRanking()
        for _ in range(rounds):
            tourney.makeNextTurn()
            for match in tourney.matches:
                if match.turn == tourney.currentturn:
                    match.score1, match.score2 = lots.sample(range(26), 2)
            tourney.updateRanking()
        guid = tourney.guid
        session.commit()
    return f"/lit/tourney/{guid}"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))
