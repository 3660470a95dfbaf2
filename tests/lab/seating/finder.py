"""Find short nights at tables of four in two pairs by a longer search than a page can wait for.

    python -m tests.lab.seating.finder 8-40 3-15 --seconds 10

prints each as a line of ``plans.json`` beside the movements: players, rounds, and by round
everybody's letter, four by four as they sit round the table. Where players are no multiple
of four, those left over rest, and nobody does so twice. Nights that are known already are
begun with, so that a further search can only be for the better; ``--write`` keeps them.
"""

import argparse
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tracker.movements import stored_plans
from tracker.movements.annealing import least_repeat_cost
from tracker.movements.fewest_repeats import WEIGHTS
from tracker.movements.stored_plans import LETTERS

SOURCE = Path(__file__).with_name("search.c")
_WARM, _COLD, _MOVES = 3.0, 0.4, 5_000_000
Rounds = list[list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", help="such as 8 or 8-40")
    parser.add_argument("rounds", help="such as 6 or 3-15")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each night, at most")
    parser.add_argument("--step", type=int, default=4, help="from one number to the next")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="into plans.json")
    given = parser.parse_args()
    with TemporaryDirectory(prefix="seating-") as folder:
        program = Path(folder) / "search"
        subprocess.run(["cc", "-O3", "-o", program, SOURCE, "-lm"], check=True)
        for players in _span(given.players, given.step):
            for rounds in _span(given.rounds, 1):
                if players % 4 * rounds > players:
                    continue
                night = find(program, players, rounds, given.seconds, given.seed)
                line = {f"{players}x{rounds}": written(night)}
                print(json.dumps(line), flush=True)
                if given.write:
                    keep(line)


def find(program: Path, players: int, rounds: int, seconds: float, seed: int) -> Rounds:
    """Return by round who sits at the tables, four by four."""
    resting = players % 4
    begun = stored_plans.stored_plan(players, rounds) or [
        [unit for unit in range(players) if not row * resting <= unit < (row + 1) * resting]
        for row in range(rounds)
    ]
    weights = f"{WEIGHTS.partners} {WEIGHTS.meetings} {WEIGHTS.opponents}"
    runs = f"{_MOVES} 1000000 {seconds} {seed} {least(players, rounds)}"
    lines = [f"{players} {rounds} {weights} {_WARM} {_COLD} {runs}"]
    table = 0
    for row in begun:
        lines.append(str(len(row)))
        lines.extend(f"{table + place // 4} {place % 2} {unit}" for place, unit in enumerate(row))
        table += len(row) // 4
    answer = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [[int(unit) for unit in row.split()] for row in answer.stdout.splitlines()[1:]]


def least(players: int, rounds: int) -> int:
    """Return what such a night costs at least, were all pairs met as evenly as can be."""
    pairs, meetings = players * (players - 1) // 2, players // 4 * rounds

    return (
        WEIGHTS.partners * least_repeat_cost(2 * meetings, pairs)
        + WEIGHTS.opponents * least_repeat_cost(4 * meetings, pairs)
        + WEIGHTS.meetings * least_repeat_cost(6 * meetings, pairs)
    )


def written(night: Sequence[Sequence[int]]) -> str:
    """Return everybody's letters, the rounds apart by a space."""
    return " ".join("".join(LETTERS[unit] for unit in row) for row in night)


def keep(line: dict[str, str]) -> None:
    plans = json.loads(stored_plans.PLANS.read_text()) if stored_plans.PLANS.exists() else {}
    plans |= line
    ordered = sorted(plans, key=lambda name: [int(number) for number in name.split("x")])
    stored_plans.PLANS.write_text(
        json.dumps({name: plans[name] for name in ordered}, indent=0) + "\n"
    )


def _span(text: str, step: int) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1, step)


if __name__ == "__main__":
    main()
