"""How long the demo takes to make, and the weights and times of its pages.

Every page of a kind is read by an organiser, and then the slowest once more, several times:
a first reading of a template or a row is nobody's usual one.
"""

import argparse

from tests.benchmarks.site import house

_IN_HOUSE = "tests.benchmarks.rooms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--nights", type=int, default=0, help="of the demo's past; 0 is all")
    parser.add_argument("--alike", type=int, default=40, help="pages of one kind")
    parser.add_argument("--times", type=int, default=15, help="to read each of the slowest again")
    given = parser.parse_args()
    for database in given.databases:
        with house(database, None) as at:
            print(f"\n{database}")
            print(at.run(_IN_HOUSE, given.nights, given.alike, given.times), flush=True)


if __name__ == "__main__":
    main()
