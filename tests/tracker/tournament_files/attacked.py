"""Hostile files handed in by page in a process that may take little memory; run as a program.

What is said of each, how much processor it took, and the most memory so far: a line of JSON each.
"""

import json
import resource

import django

django.setup()

from time import process_time  # noqa: E402

from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from tests import make  # noqa: E402
from tests.tracker.tournament_files import hostile  # noqa: E402
from tracker.models import Role, Tournament, Upload  # noqa: E402

MOST = 1_500_000_000  # bytes: beyond that nothing is given out


def main() -> None:
    setup_test_environment()
    call_command("migrate", verbosity=0)
    club = make.club("Ilala")
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    client.force_login(make.user("organiser", role=Role.ORGANISER, club=club))
    address = reverse("tournament-import", args=[club.pk])
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    for what, content in (hostile.lying() | hostile.of_millions()).items():
        begun = process_time()
        answer = client.post(address, {"file": SimpleUploadedFile("cup.kula.zip", content)})
        form = answer.context["form"] if answer.status_code == 200 else None
        line = {
            "what": what,
            "status": answer.status_code,
            "sentence": "".join(form.errors.get("file", [])) if form else "",
            "stored": Tournament.objects.exists() or Upload.objects.exists(),
            "seconds": round(process_time() - begun, 2),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000,
        }
        print(json.dumps(line))


main()
