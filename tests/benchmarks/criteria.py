"""The standings page of 40 players ranked by five criteria and by two.

Two tournaments with the same six rounds in one database are asked for by turns through the real
server, one request at a time, each page drawn for it. Two criteria are points and hands won; five
are points, three that read who met whom, and direct encounter. What is aimed at: five over two at
most 1.2.
"""

import argparse
import json
from dataclasses import replace

from tests.benchmarks.site import house, running
from tests.benchmarks.standings import by_turns

_HANDS = 360
_TIE_BREAKS = ("won", "buchholz_cut1,buchholz,sonneborn_berger,head_to_head")
_AIM = 1.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", default=["sqlite", "postgresql"])
    parser.add_argument("--blocks", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each block")
    given = parser.parse_args()
    for database in given.databases:
        with house(database, 0) as at:
            sizes = (f"{_HANDS}={keys}" for keys in _TIE_BREAKS)
            paths = json.loads(at.run("tests.benchmarks.seasons", *sizes))
            drawing = replace(at, environment={**at.environment, "SHARED_PAGES": "0"})
            with running(drawing) as port:
                measured = by_turns(port, paths, given.blocks, given.seconds)
        print(f"\n{database:<10} {'p50 ms':>10} {'p95 ms':>8}")
        for criteria, result in zip((2, 5), measured, strict=True):
            print(f"{criteria:>10} {result.p50:>10.2f} {result.p95:>8.2f}")
        ratio = measured[1].over(measured[0])
        print(f"five over two: {ratio:.3f} (aim {_AIM})", flush=True)


if __name__ == "__main__":
    main()
