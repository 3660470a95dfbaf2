"""The laboratory as a command: ``python -m tests.lab arena GAME --mode M --bots ONE,OTHER``.

As the arena of ``python -m games``, but baselines, reference bots and cheats may play too, and
what comes of it is told with how sure it is.
"""

import argparse
import sys
from collections.abc import Sequence

from games.cli.arena import ContestScore, add_arena, run_arena
from games.cli.screen import screen_on
from games.cli.table_setup import Parser
from games.errors import RuleError
from tests.lab.confidence import share_of
from tests.lab.opponents import everybody


def spread(tally: ContestScore) -> str:
    """Say between which shares the true one is, 19 times out of 20."""
    share = share_of([(result.won, result.out_of) for result in tally.results])
    return f"{share.low:.1%} to {share.high:.1%}"


def main(argv: Sequence[str]) -> int:
    """Let two bots meet, and return the exit code."""
    parser = Parser(prog="python -m tests.lab", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    add_arena(commands.add_parser("arena", help="any two bots of a game", allow_abbrev=False))
    try:
        arguments: argparse.Namespace = parser.parse_args(argv)
        return run_arena(arguments, entrants=everybody, spread=spread)
    except RuleError as error:
        screen_on(sys.stderr).say(str(error))
        return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
