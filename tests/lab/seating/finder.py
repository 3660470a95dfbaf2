"""Find nights at tables of four by a longer search than a page can wait for.

    python -m tests.lab.seating.finder plans 14 5-7 --seconds 10
    python -m tests.lab.seating.finder plans 24-29 8 --weights 4 1 1
    python -m tests.lab.seating.finder starters 38-103 15

The first two look for rounds with few repeats (``plans.c``); the weights are those of partners,
meetings and opponents. The last looks for a first round of as many further rounds as possible, at
most these (``starters.c``). Each line printed is one of ``repeat_free.json`` or, if there are
repeats, of ``plans.json``, both beside the movements: the letters of the players, four by four as
they sit round the table. Players who are left over rest, nobody twice. ``--write`` keeps the lines.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tracker.movements.stored_plans import LETTERS, PLANS, REPEAT_FREE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["plans", "starters"])
    parser.add_argument("players", type=_numbers, help="such as 8 or 8-40")
    parser.add_argument("rounds", type=_numbers, help="such as 6 or 3-15")
    parser.add_argument("--weights", type=int, nargs=3, default=(40, 1, 3))
    parser.add_argument("--good", type=int, default=0, help="the cost at which to stop")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each search, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    source = Path(__file__).with_name(f"{given.kind}.c")
    with TemporaryDirectory(prefix="seating-") as folder:
        program = Path(folder) / "search"
        subprocess.run(["cc", "-O3", "-o", program, source, "-lm"], check=True)
        for key, letters in (plans if given.kind == "plans" else starters)(program, given):
            print(json.dumps({key: letters}, ensure_ascii=False), flush=True)
            if given.write:
                keep(PLANS if "x" in key else REPEAT_FREE, key, letters)


def plans(program: Path, given: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield a key and the letters of each round, for every number of players and of rounds."""
    for players in given.players:
        for rounds in given.rounds:
            if players % 4 * rounds <= players:  # otherwise somebody rests twice
                search = (players, rounds, *given.weights, given.good, given.seconds, given.seed)
                repeats, *rows = _answer(program, *search)
                print(f"{players}x{rounds}: partners, meetings, opponents {repeats}")
                key = f"{players}x{rounds}"
                if repeats == "0 0 0":
                    key, rows = str(players), [str(rounds), *rows]
                yield key, " ".join(map(_letters, rows))


def starters(program: Path, given: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield each number of players, and the letters of the first round of the most rounds."""
    for players in given.players:
        most = min(max(given.rounds), players // 5) if players % 4 else 0
        for rounds in range(most, 3, -1):
            if row := _answer(program, players, rounds, given.seconds, given.seed):
                print(f"{players}: {rounds} rounds")
                yield str(players), f"{_letters(str(rounds))} {_letters(row[0])}"
                break


def keep(file: Path, key: str, letters: str) -> None:
    stored = (json.loads(file.read_text()) if file.exists() else {}) | {key: letters}
    ordered = sorted(stored.items(), key=lambda item: [*map(int, item[0].split("x"))])
    file.write_text(json.dumps(dict(ordered), indent=0, ensure_ascii=False) + "\n")


def _answer(program: Path, *arguments: float) -> list[str]:
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def _letters(row: str) -> str:
    return "".join(LETTERS[int(player)] for player in row.split())


def _numbers(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    main()
