#!/usr/bin/env python3
"""Entry point of Django's and the site's management commands."""

import os
import sys
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tracker.config.settings")
    if "--demo" in sys.argv:
        # The demo has its own data folder and database, apart from a real club's.
        data = Path(os.environ.get("KULA_DATA") or Path(__file__).parent / ".kula")
        os.environ["KULA_DATA"] = str(data / "demo")
        os.environ.pop("DATABASE_URL", None)
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError:
        from tracker.management.server.startup import database_damage

        if damage := database_damage():
            sys.exit(damage)
        raise
    except KeyboardInterrupt:
        # Ctrl-C during the start is no error.
        sys.exit("\nStopped.")


if __name__ == "__main__":
    main()
