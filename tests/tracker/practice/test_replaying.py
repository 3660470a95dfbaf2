"""Looking at a written hand on the site: through its pages, and with nothing stored."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import catalogue
from games.records.format import Record, write
from games.records.replayer import replay
from tests.games.hands import TABLES, some_record
from tests.reading import Forms, costs
from tracker.practice.pages.replay import LONGEST

pytestmark = pytest.mark.django_db
HAND = some_record(catalogue.GAMES["briscola"], "2i", 3, earlier=0)
TEXT = write(HAND)


def shown(client: Client, text: str = TEXT, **more: Any) -> Any:
    return client.post("/replay/", {"text": text, **more})


@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_every_state_of_a_hand_is_shown(client: Client, game: Any, mode: str) -> None:
    record = some_record(game, mode, 5)
    last = len(record.moves)

    for step in sorted({0, last // 2, last}):
        page = shown(client, write(record), step=step).context["page"]
        state = replay(record).states[step]
        assert (page["step"], page["last"]) == (step, last)
        assert [seat.name for seat in page["seats"] if seat.to_move] == [
            f"Player {seat}"
            for seat in [replay(record).play.seat_to_move(state)]
            if seat is not None
        ]
        for seat in page["seats"]:
            assert sum(card.count for card in seat.known) == seat.held
    assert page["headline"]
    assert page["lines"]


def test_steps_go_on_and_back_without_scripts(client: Client) -> None:
    page = shown(client, step=3)

    (form,) = (form for form in Forms(page.text, "/replay/").forms if "text" in form.fields)
    steps = dict(form.buttons[:2])
    assert len(form.buttons) == 2 + len(HAND.moves)
    page = client.post(form.path, form.pressing(*form.buttons[1]))

    assert steps == {"step": "4"}
    assert page.context["page"]["step"] == 4
    assert page.context["page"]["sentence"] == page.context["page"]["moves"][3]


def test_nothing_is_asked_of_the_database(client: Client) -> None:
    with costs(0):
        assert client.get("/replay/").status_code == 200
        assert shown(client, step=2).status_code == 200


def test_a_hand_is_read_from_a_file(client: Client) -> None:
    file = SimpleUploadedFile("hand.txt", TEXT.encode())

    page = client.post("/replay/", {"file": file})

    assert page.context["page"]["last"] == len(HAND.moves)


def test_of_several_hands_one_is_chosen(client: Client) -> None:
    other = some_record(catalogue.GAMES["dalmuti"], "4i", 3, earlier=0)

    page = shown(client, TEXT + write(other), hand=1)

    assert page.context["page"]["game"] == "The Great Dalmuti"
    assert len(page.context["places"]) == 2


def test_a_whole_evening_is_looked_at(client: Client) -> None:
    evening = (TEXT + "# as long as a game of Dalmuti with its remarks\n" * 160) * 29

    page = shown(client, evening, hand=28)

    assert page.context["current_place"] == 28


def test_an_unfinished_hand_is_shown_as_far_as_it_goes(client: Client) -> None:
    begun = replace(HAND, moves=HAND.moves[:4], sheet=None, players=())

    page = shown(client, write(begun), step=99)

    assert page.context["page"]["unfinished"]
    assert "Seat 1" in page.text


def test_the_first_wrong_move_is_named(client: Client) -> None:
    moves = (*HAND.moves[:4], HAND.moves[0], *HAND.moves[5:])

    page = shown(client, write(replace(HAND, moves=moves)))

    assert page.status_code == 200
    assert f"Move 5, {HAND.moves[0].code}: " in page.text
    assert page.context["form"]["text"].value() == write(replace(HAND, moves=moves))


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "\x00", "Kula hand 1", "# nothing", "Kula hand 2", "é🃏" * LONGEST,
        TEXT.replace("first", "before    []\nfirst"),
        TEXT.replace("first", 'before    {"points": "x"}\nfirst'),
        TEXT.replace("first", "option    match_wins {}\nfirst"),
        TEXT.replace("first", 'before    {"\\ud800": 1}\nfirst'),
        TEXT.replace("result    points", 'result    other "\\udfff"\nresult    points'),
        TEXT.replace("briscola", "nonsense"),
        TEXT.replace("2i", "99i"),
        TEXT.replace("dealer    ", "dealer    7"),
    ],
)  # fmt: skip
def test_what_is_no_hand_is_refused_in_words(client: Client, text: str) -> None:
    page = shown(client, text)

    assert page.status_code == 200
    assert page.context["form"].errors


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * (LONGEST + 1)])
def test_what_is_no_text_is_refused_in_words(client: Client, data: bytes) -> None:
    page = client.post("/replay/", {"file": SimpleUploadedFile("hand.txt", data)})

    assert page.context["form"].errors["file"]


@pytest.mark.parametrize("odd", ["-1", "x", "²", "9" * 50])
def test_odd_steps_are_the_first(client: Client, odd: str) -> None:
    assert shown(client, step=odd, hand=odd).context["page"]["step"] == 0


def test_names_are_shown_and_not_run(client: Client) -> None:
    named: Record = replace(HAND, players=("<script>", "Bo"))

    page = shown(client, write(named))

    assert "&lt;script&gt;" in page.text
    assert "<script>" not in page.text.partition("<main")[2]
