"""Programs against the real site: beside phones, and by the example of the documentation."""

import html
import json
import re
import subprocess
from collections import Counter
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.api_client import Kula, Problem, over_http
from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Phone, at_once, eaten
from tests.serving import serving

TABLES = 20
HANDS = 10 if FULL else 4


def test_twenty_programs_and_twenty_phones_at_once_make_one_hand_each(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "4") as site:
        tokens = hall.seat(site.data, TABLES)
        send, access = over_http(site.url), hall.program(site.data, tokens[0])
        tournament = hall.tournament_of(site.data, tokens[0])
        (round_,) = Kula(send, access).items(f"/tournaments/{tournament}/rounds")
        tables = Kula(send, access).get(f"/rounds/{round_['id']}")["tables"]

        def report_by_phone(token: str) -> list[str]:
            phone = Phone(site.port, token).open_page()
            answers = [phone.report(number, eaten(number)) for number in range(1, HANDS + 1)]
            return [answer.verdict for answer in answers]

        def report_by_program(table: int) -> list[str]:
            kula, verdicts = Kula(send, access), []
            for number in range(1, HANDS + 1):
                sheet = {"eaten": list(eaten(number))}
                verdicts.append(kula.report(table, number, sheet)["verdict"])
            return verdicts

        said = at_once(
            [partial(report_by_phone, token) for token in tokens]
            + [partial(report_by_program, table["id"]) for table in tables]
        )
        seen = hall.read(site.data, tokens)
        recounted = hall.recount(site.data)

    assert len(tables) == TABLES
    each = TABLES * HANDS
    assert Counter(verdict for verdicts in said for verdict in verdicts) == {
        "accepted": each,
        "agrees": each,
    }
    assert [table.hands for table in seen] == [list(range(1, HANDS + 1))] * TABLES
    assert all(
        Counter(table.verdicts.values()) == {"accepted": HANDS, "agrees": HANDS} for table in seen
    )
    assert "0 differences" in recounted


# On a database of its own: the example has the numbers that the rows of a new site have.
@pytest.mark.usefixtures("on_sqlite")
def test_the_example_of_the_documentation_runs_a_night(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        access = hall.evening(site.data, players=3)
        page = urlopen(f"{site.url}/api/docs").read().decode()
        (example,) = re.findall(r'id="example"[^>]*><code[^>]*>(.+?)</code>', page, re.DOTALL)
        commands = html.unescape(example).replace("TOKEN=kula_…", f"TOKEN={access}")
        done = subprocess.run(
            ["bash", "-e"], input=commands, capture_output=True, text=True, check=True
        )
        kula = Kula(over_http(site.url), access)
        try:
            kula.report(1, 5, {"eaten": [70, 50]})
        except Problem as refused:
            late = refused.code
        here = kula.delete("/nights/1/people/1")["here"]

    decoder, answers, rest = json.JSONDecoder(), [], done.stdout
    while rest:
        answer, end = decoder.raw_decode(rest)
        answers.append(answer)
        rest = rest[end:]
    arrived, drawn, published, opened, round_, table, report, closed, standing = answers
    assert [person["name"] for person in arrived["here"]][-1] == "Zuwena"
    assert (drawn["published_at"], drawn["tables"]) == (None, published["tables"])
    assert published["published_at"] is not None
    assert opened["tables"] == round_["tables"]
    assert table["questions"][0]["name"] == "eaten"
    assert report["verdict"] == "accepted"
    assert closed["state"] == "closed"
    assert sorted(row["points"] for row in standing["rows"]) == [0, 0, 1, 1]
    assert standing["complete"]
    assert late == "late"
    assert [person["name"] for person in here] == ["Player 2", "Player 3", "Zuwena"]
