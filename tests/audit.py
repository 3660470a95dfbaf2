"""An audit of what is installed, by its pins: ``python -m tests.audit PIP_AUDIT`` runs that program.

It fails on a known vulnerability. Where the advisory service cannot be reached nothing is known,
which is said in one line and stops nobody: pip-audit itself would then find nothing and be content.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.serving import ROOT

# What the site needs is among what its tests need.
PINS = ("tests/requirements.txt", ".ci/requirements.txt")
_PATIENCE = 300  # seconds
_UNREACHED = "The advisory service cannot be reached from here: nothing was audited."


def main() -> int:
    """Audit all pins and return what to exit with."""
    vulnerable, said = judge(_ask(sys.argv[1:]))
    print(said)
    return int(vulnerable)


def judge(packages: Sequence[dict[str, Any]]) -> tuple[bool, str]:
    """Return whether anything is known against these packages, and what to say."""
    looked_at = [package for package in packages if "skip_reason" not in package]
    if not looked_at:
        return False, _UNREACHED
    known = [
        f"{package['name']} {package['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for package in looked_at
        for flaw in package["vulns"]
    ]
    skipped = len(packages) - len(looked_at)
    unknown = f", not known to the service: {skipped}" if skipped else ""
    said = f"Packages audited: {len(looked_at)}{unknown}."
    return bool(known), "\n".join([*known, said])


def _ask(pip_audit: Sequence[str]) -> list[dict[str, Any]]:
    """Return what pip-audit says of every package, or nothing if it came to no end."""
    files = [part for file in PINS for part in ("-r", file)]
    how = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
    try:
        done = subprocess.run(
            [*pip_audit, *how, *files],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return []
    return packages


if __name__ == "__main__":
    sys.exit(main())
