"""What is told when a hand is over: what all show, what was counted, what was worth knowing."""

import re
from itertools import count
from pathlib import Path

import pytest

from games.__main__ import parser
from games.cli.play import run_play
from games.records.parser import read, read_all
from tests.games.cli.keyboard import BRISCOLA, Keys, Type


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_r8_all_hands_of_mambassa_are_shown_at_the_end(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    table = "mambassa --mode 3i --seed 2 --bots steady"
    watched = typing(f"watch {table} --log {log}")[1]
    replayed = typing(f"replay {log}")[1]
    played = typing(f"play {table} --hands 1", ["stand"])[1]
    for shown in (watched, replayed):
        assert len(re.findall(r"^Seat \d \(steady\) shows: .+ \(.+\)$", shown, re.MULTILINE)) == 3
        assert len(re.findall(r"pays?\.", shown)) == 1
    assert re.search(r"^You show: .+ \(.+\)$", played, re.MULTILINE)


def test_m3_the_card_drawn_in_a_last_turn_is_told_with_the_hand_it_makes(typing: Type) -> None:
    table = "play mambassa --mode 4i --seed 5 --dealer 3 --bots steady --hands 1"
    _, shown = typing(table, ["moves", "quit"])
    draw = re.findall(r"draw \w+ of \w+ \((\d+[DSKB])\)", shown)[0]
    _, shown = typing(table, [f"draw:{draw}", "quit"])
    assert re.search(r"You draw the \w+ of \w+: .+\.\n", shown)


def test_a_dealer_who_leaves_the_four_cards_is_told_the_hand_dealt(typing: Type) -> None:
    _, shown = typing("play mambassa --mode 3i --seed 5 --dealer 0", ["leave", "quit"])
    assert re.search(r"Your hand is: .+ \(.+\)\.", shown)


@pytest.mark.parametrize(
    ("table", "all_points"),
    [("albastini --mode 4t2 --seed 9", 120), ("briscola --mode 2i --seed 9", 120)],
)
def test_the_totals_of_a_hand_are_told(typing: Type, table: str, all_points: int) -> None:
    _, shown = typing(f"watch {table} --bots steady --hands 2")
    told = re.findall(r"^Seats? .+ (\d+), seats? .+ (\d+)\.$", shown, re.MULTILINE)
    assert [sum(map(int, totals)) for totals in told] == [all_points] * 2


def test_one_thing_is_worth_knowing_after_a_hand(typing: Type) -> None:
    _, shown = typing(f"{BRISCOLA} --hands 1", ["1"] * 20)
    assert shown.count("Worth knowing: ") == 1
    assert "seat 0" not in shown.lower()


def test_what_was_told_as_it_happened_is_not_told_again_at_once(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["1", "1", "1", "quit"])
    _, looked = typing(BRISCOLA, ["1", "1", "1", "view", "quit"])
    assert "has played" not in shown
    assert looked.count("has played") <= 1


def test_the_last_trick_is_looked_at_again(typing: Type) -> None:
    _, shown = typing(BRISCOLA, ["last", "1", "1", "last", "quit"])
    _, none = typing("play mambassa --mode 3i --seed 2 --dealer 0 --bots steady", ["last", "quit"])
    assert "There has been no trick yet." in shown
    assert re.search(r"^> Trick \d: .+ the .+, .+ the .+\.$", shown, re.MULTILINE)
    assert "There are no tricks in this game." in none


def test_tokens_are_named_and_nothing_is_shown_that_nobody_has(typing: Type) -> None:
    _, shown = typing("watch mambassa --mode 3i --seed 2 --bots steady")
    assert re.search(r"^seat 0 \(steady\)  [23] tokens$", shown, re.MULTILINE)
    assert "Outlasted" not in shown


def test_who_is_ahead_at_the_end_of_an_evening_has_won_it(typing: Type) -> None:
    several = typing("watch albastini --mode 4t2 --bots steady,beginner --hands 4 --seed 3")[1]
    one = typing("watch albastini --mode 4t2 --bots steady,beginner --seed 3")[1]
    games = typing("watch dalmuti --mode 3i --bots steady --hands 3 --seed 3")[1]
    assert re.search(r"^Seats 0 and 2 \(.+\) win \d+ to \d+\.$", several, re.MULTILINE)
    assert not re.search(r" win \d", one)
    assert re.search(
        r"^(Tied for the lead, .+|Seat \d .+ wins \d+ to \d+ to \d+\.)", games, re.MULTILINE
    )


def test_the_first_dealer_of_mambassa_is_drawn_by_lot(typing: Type, tmp_path: Path) -> None:
    dealers = set()
    for seed in range(1, 9):
        log = tmp_path / f"hands{seed}"
        _, shown = typing(f"watch mambassa --mode 5i --seed {seed} --bots beginner --log {log}")
        dealer = read(log.read_text(encoding="utf-8")).dealer
        assert f"Seat {dealer} (beginner) deals first, by lot." in shown
        dealers.add(dealer)
    chosen = typing("watch mambassa --mode 5i --seed 1 --bots beginner --dealer 2")[1]
    assert len(dealers) > 2
    assert "by lot" not in chosen


def test_a_side_that_won_says_which_of_them_deals(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    table = f"play albastini --mode 4t2 --seed 4 --bots beginner --log {log}"
    one_hand = ["hint", "1", "1", *["1"] * 9]
    _, shown = typing(f"{table} --iterations 1 --hands 6", [*one_hand, "5", "you", *one_hand] * 6)
    asked = re.findall(
        r"Who deals next, you or (seat \d) \(beginner\)\? Enter lets .+ deal\.", shown
    )
    assert asked
    assert "Type “you”, or a seat: 2." in shown
    assert set(asked) == {"seat 2"}
    assert {hand.dealer for hand in read_all(log.read_text(encoding="utf-8"))[1:]} & {0}


def test_a_person_is_called_by_name_in_the_log(typing: Type, tmp_path: Path) -> None:
    log = tmp_path / "hands"
    _, shown = typing(f"{BRISCOLA} --name Asha --hands 1 --log {log}", ["1"] * 20)
    replayed = typing(f"replay {log}")[1]
    assert read(log.read_text(encoding="utf-8")).players == ("Asha", "beginner")
    assert "You play the " in shown
    assert "Asha plays the " in replayed
    assert "Seat 1 (beginner) plays the " in replayed


def test_those_who_look_on_see_the_hands_and_what_the_table_comes_to(
    typing: Type, tmp_path: Path
) -> None:
    log = tmp_path / "hands"
    table = "albastini --mode 4t2 --bots steady --seed 1"
    watched = typing(f"watch {table} --log {log}")[1]
    replayed = typing(f"replay {log}")[1]
    for shown in (watched, replayed):
        assert (
            len(re.findall(r"^Seat \d \(steady\) sees: (?:\S+, ){4}\S+$", shown, re.MULTILINE)) == 4
        )
        assert re.search(
            r"^  Trumps: \w+ · Seats 0 and 2 .+: \d+ · Seats .+: \d+$", shown, re.MULTILINE
        )


def test_no_hand_is_dealt_once_the_minutes_are_over(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = parser().parse_args([*BRISCOLA.split(), "--minutes", "10", "--iterations", "2"])
    times = count(step=400)  # seconds between two looks at the clock
    code = run_play(arguments, clock=lambda: next(times), read=Keys(["1"] * 20))
    assert code == 0
    assert "Time is up: that was the last." in capsys.readouterr().out
