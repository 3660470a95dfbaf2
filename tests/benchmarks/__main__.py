"""Name the benchmarks and what each of them compares."""

import importlib
import pkgutil

import tests.benchmarks

NAMES = ("reports", "standings", "servers")


def main() -> None:
    for found in pkgutil.iter_modules(tests.benchmarks.__path__):
        if found.name in NAMES:
            module = importlib.import_module(f"tests.benchmarks.{found.name}")
            said = (module.__doc__ or "").splitlines()[0]
            print(f"python -m tests.benchmarks.{found.name:<10} {said}")


if __name__ == "__main__":
    main()
