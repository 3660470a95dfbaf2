"""Search for a starter or a pattern: ``python -m tests.lab.whist 24``, ``... 12 --pattern``."""

import argparse
import sys
from time import perf_counter

from tests.lab.whist.answers import found_pattern, found_starter


def main(argv: list[str]) -> int:
    """Print what was found, and how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.whist", description=__doc__)
    parser.add_argument("size", type=int)
    parser.add_argument("--pattern", action="store_true", help="of copies, not a starter")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    start = perf_counter()
    search = found_pattern if arguments.pattern else found_starter
    sys.stdout.write(f"{search(arguments.size, arguments.seed)}\n")
    sys.stdout.write(f"seed {arguments.seed}: {perf_counter() - start:.1f} s\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
