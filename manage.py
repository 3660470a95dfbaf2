#!/usr/bin/env python3
"""Run the site and its commands."""

import os
import sys
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tracker.config.settings")
    if "--demo" in sys.argv:
        # The demo's club never meets a real one: it has a folder and a database of its own.
        data = Path(os.environ.get("KULA_DATA") or Path(__file__).parent / ".kula")
        os.environ["KULA_DATA"] = str(data / "demo")
        os.environ.pop("DATABASE_URL", None)
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError:
        from tracker.backups.damage import found_damage

        if damage := found_damage():
            sys.exit(damage)
        raise
    except KeyboardInterrupt:
        # Ctrl-C while it is still opening: no error, and nothing half done is kept.
        sys.exit("\nStopped.")


if __name__ == "__main__":
    main()
