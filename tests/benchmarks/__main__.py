"""Name the benchmarks and what each of them compares; or run the one that is named."""

import importlib
import sys

NAMES = (
    "reports",
    "carrying",
    "standings",
    "criteria",
    "servers",
    "engines",
    "seating",
    "swiss",
    "live",
    "memory",
)


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in NAMES:
        name = sys.argv.pop(1)
        importlib.import_module(f"tests.benchmarks.{name}").main()
        return
    for name in NAMES:
        module = importlib.import_module(f"tests.benchmarks.{name}")
        said = (module.__doc__ or "").splitlines()[0]
        print(f"python -m tests.benchmarks {name:<10} {said}")


if __name__ == "__main__":
    main()
