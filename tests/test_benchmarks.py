"""That the benchmarks measure what they say: the same path for both sides, and every kind of page."""

import pytest
from django.test import Client

from tests import make
from tests.benchmarks import live, load, memory
from tracker.management.server.lanes import lane_of
from tracker.models import Role

TABLES = 20


def test_the_yardstick_takes_the_path_of_a_report() -> None:
    def lane(request: bytes) -> object:
        method, path, _ = request.decode().split(" ", 2)
        return lane_of(method, path, "")

    assert lane(next(load.inserts("token"))) == lane(next(load.hands("token")))


@pytest.mark.django_db
def test_every_kind_of_screen_is_seen_to_show_a_hand_that_was_reported(client: Client) -> None:
    tournament = make.tournament("albastini", "4t2", hands=20)
    sittings = [make.sitting(at=tournament) for _ in range(TABLES)]
    client.force_login(make.user("organiser", role=Role.ORGANISER, club=tournament.club))
    screens = live.screens_of([sitting.token for sitting in sittings], "none")
    paths = {screen.kind: screen.path for screen in screens}
    make.report(sittings[1], {"eaten": [70, 50]})  # the display shows who plays from then on

    def shown() -> dict[str, dict[int, int]]:
        return {
            kind: live.hands_shown(kind, client.get(path).content.decode())
            for kind, path in paths.items()
        }

    number = next(n for n, each in enumerate(sittings, 1) if f"/t/{each.token}/" == paths["table"])
    hands = dict.fromkeys(range(1, TABLES + 1), 0) | {2: 1}
    for sitting in (sittings[0], sittings[2], sittings[2]):
        make.report(sitting, {"eaten": [60, 60]})
        hands[sittings.index(sitting) + 1] += 1

        assert shown() == dict.fromkeys(live.SHOWN, hands) | {"table": {number: hands[number]}}


def test_a_run_that_measured_nothing_of_a_kind_of_page_fails() -> None:
    screens = [live.Screen(kind, "/", seen=[((1, 1), 7.5)]) for kind in live.SHOWN]
    live.show(screens, {(1, 1): 7.0}, 60.0)
    next(screen for screen in screens if screen.kind == "standings").seen.clear()

    with pytest.raises(SystemExit, match="Nothing was measured of: standings"):
        live.show(screens, {(1, 1): 7.0}, 60.0)


def test_a_hand_that_a_screen_never_showed_is_late(capsys: pytest.CaptureFixture[str]) -> None:
    seen = [((1, 1), 7.5)]
    screens = [live.Screen(kind, "/", seen=list(seen)) for kind in (*live.SHOWN, "table")]
    live.show(screens, {(1, 1): 7.0, (2, 1): 9.0}, 60.0)

    # Of 13 that are due six never came: a table has two screens, and no display has to show it.
    assert "53.8% within 2 s" in capsys.readouterr().out


def test_a_run_that_measured_nothing_of_the_memory_fails() -> None:
    found = {name: [1.0] for name in memory.AIMS} | {"first report": []}

    with pytest.raises(SystemExit, match="Nothing was measured of: first report"):
        memory.show(found)
