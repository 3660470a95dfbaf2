"""Open pages of a site as its owner: ``python -m tests.drills.opened ADDRESS ADDRESS``.

It prints as JSON the status and the text of each page, and the standing of every tournament as
``manage.py standings`` writes it. The clock stands at the log's last entry, because a table's page
stops naming its players twelve hours after the round, and a recorded club grows older than that.
"""

import json
import re
import sys
from html import unescape
from io import StringIO
from unittest.mock import patch

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from tracker.models import LogEntry, Tournament, User  # noqa: E402


def read(client: Client, address: str) -> tuple[int, str]:
    answer = client.get(address, follow=True)
    text = "" if answer.streaming else answer.content.decode(errors="replace")
    return answer.status_code, " ".join(unescape(re.sub("<[^>]+>", " ", text)).split())


def standing(tournament: Tournament) -> list[dict[str, object]]:
    out = StringIO()
    call_command("standings", str(tournament.pk), format="json", stdout=out)
    rows: list[dict[str, object]] = json.loads(out.getvalue())
    return rows


def main() -> None:
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    left_at = LogEntry.objects.latest("at").at
    with patch.object(timezone, "now", return_value=left_at):
        if owner := User.objects.filter(is_superuser=True).first():
            client.force_login(owner)
        pages = {address: read(client, address) for address in sys.argv[1:]}
    standings = [standing(each) for each in Tournament.objects.order_by("pk")]
    json.dump({"pages": pages, "standings": standings}, sys.stdout)


main()
