"""What the environment may say, and the sentence where it cannot be meant."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.serving import run_python
from tests.tracker.config.test_headers import environment, in_profile


def started(data: Path, variable: str, value: str) -> CompletedProcess[str]:
    return run_python("manage.py", "serve", "--help", env=environment(data, {variable: value}))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("KULA_PROXIES", "10.0.0.300"),
        ("KULA_PROXIES", "127.0.0.1;10.0.0.1"),
        ("KULA_TIME_ZONE", "Africa/Dar_es_Salam"),
        ("KULA_TIME_ZONE", "Africa"),
        ("KULA_TIME_ZONE", "../UTC"),
        ("KULA_URL", "kula.example"),
        ("KULA_URL", "https://kula.example/cards"),
        ("KULA_URL", "https://kula.example:80000"),
    ],
)
def test_what_is_misspelt_is_said_in_a_sentence(tmp_path: Path, variable: str, value: str) -> None:
    done = started(tmp_path, variable, value)

    assert done.returncode == 1
    assert done.stderr.startswith(f"{variable} ")
    assert value.partition(";")[0] in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_hsts_is_misspelt_only_where_there_is_https(tmp_path: Path) -> None:
    assert started(tmp_path, "KULA_HSTS", "everything").returncode == 0


@pytest.mark.parametrize(
    ("given", "zone"), [("", "UTC"), (" ", "UTC"), ("Africa/Dar_es_Salaam", "Africa/Dar_es_Salaam")]
)
def test_an_empty_zone_is_none(tmp_path: Path, given: str, zone: str) -> None:
    code = (
        "import django; django.setup(); from django.utils import timezone;"
        "print(timezone.get_default_timezone_name())"
    )

    assert in_profile(tmp_path, code, {"KULA_TIME_ZONE": given}) == zone


@pytest.mark.parametrize(
    ("given", "trusted"),
    [
        ({}, []),
        ({"KULA_URL": "https://kula.example"}, ["127.0.0.1/32", "::1/128"]),
        ({"KULA_URL": "https://kula.example", "KULA_PROXIES": "10.1.2.3"}, ["10.1.2.3/32"]),
        ({"KULA_PROXIES": "10.1.2.3/8, 2001:db8::/32,"}, ["10.0.0.0/8", "2001:db8::/32"]),
    ],
)
def test_proxies_are_named_or_with_https_the_machine_itself(
    tmp_path: Path, given: dict[str, str], trusted: list[str]
) -> None:
    code = "from django.conf import settings; print(*map(str, settings.TRUSTED_PROXIES))"

    assert in_profile(tmp_path, code, given).split() == trusted
