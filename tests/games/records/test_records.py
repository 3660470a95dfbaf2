"""A hand written down is read as the same hand, or the first thing wrong with it is named."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame
from games.records.format import Record, RecordError, write
from games.records.parser import read, read_all
from games.records.replayer import MoveError, narrate, replay, with_steps
from tests import toy
from tests.games.hands import TABLES, some_record

SEEDS = st.integers(0, 10**9)
few = settings(max_examples=4, deadline=None)


def hand(seed: int = 3, game: str = "briscola", mode: str = "2i") -> Record:
    return some_record(catalogue.GAMES[game], mode, seed, earlier=0)


HAND = hand()
TEXT = write(HAND)


def refused(record: Record) -> RuleError:
    with pytest.raises(RuleError) as refusal:
        replay(record)
    return refusal.value


def misread(text: str) -> RecordError:
    with pytest.raises(RecordError) as refusal:
        read(text)
    return refusal.value


@pytest.mark.every_game
@pytest.mark.parametrize(("game", "mode"), TABLES)
@few
@given(seed=SEEDS)
def test_a_hand_written_read_and_replayed_is_the_same_hand(
    game: AnyGame, mode: str, seed: int
) -> None:
    record = some_record(game, mode, seed)
    again = read(write(record))
    replayed = replay(again)
    assert again == record
    assert write(again) == write(record)
    assert with_steps(again, replayed.play, replayed.steps, replayed.states[-1]) == record
    assert len(replayed.states) == len(record.moves) + 1
    assert replayed.sheet == record.sheet
    assert replayed.session.dealer == record.dealer
    text = write(record, remarks=[str(text) for text in narrate(replayed)])
    assert read(text) == record
    assert text.count("  ; ") == len(record.moves)


@pytest.mark.every_game
@pytest.mark.parametrize(("game", "mode"), TABLES)
@few
@given(seed=SEEDS, data=st.data())
def test_the_first_move_that_is_not_allowed_is_named(
    game: AnyGame, mode: str, seed: int, data: st.DataObject
) -> None:
    record = some_record(game, mode, seed)
    if not record.moves:
        return  # somebody was dealt a hand that ends it
    place = data.draw(st.integers(0, len(record.moves) - 1))
    before = replay(replace(record, moves=record.moves[:place], sheet=None))
    play, state = before.play, before.states[-1]
    legal = {play.move_code(move) for move in play.legal_moves(state)}
    others = {move.code for move in record.moves} | {"nonsense", *play.pack(before.session)}
    wrong = data.draw(st.sampled_from(sorted(others - legal)))
    moves = list(record.moves)
    moves[place] = replace(moves[place], code=wrong)
    error = refused(replace(record, moves=tuple(moves)))
    assert isinstance(error, MoveError)
    assert error.number == place + 1
    assert str(error).startswith(f"Move {place + 1}, {wrong}: ")
    assert str(error).endswith(".")


def test_it_reads_as_the_book_says() -> None:
    assert TEXT.startswith(
        "Kula hand 1\n"
        "game      briscola\n"
        "mode      2i\n"
    )  # fmt: skip
    assert "\nplayer    1 Player 1\n" in TEXT
    assert f"\nmove      1 seat {HAND.moves[0].seat} {HAND.moves[0].code}\n" in TEXT
    assert "\nresult    points [" in TEXT


def test_a_hand_that_is_not_over_says_so() -> None:
    record = replace(HAND, moves=HAND.moves[:7], sheet=None)
    text = write(record)
    assert text.endswith("result    unfinished\n")
    assert read(text) == record
    assert replay(record).sheet is None


def test_a_file_holds_many_hands() -> None:
    other = hand(4, "albastini", "4t2")
    assert read_all(TEXT + "\n" + write(other)) == (HAND, other)
    assert read_all("") == ()


def test_editors_may_leave_their_marks() -> None:
    text = "\ufeff# from a night in May\n\n" + TEXT.replace("\n", "\r\n")
    assert read(text) == HAND


def test_what_a_table_remembers_is_kept() -> None:
    record = replace(
        hand(6, "albastini", "4t2"),
        dealt_before=(None, 3, -2, None),
        players=("Asha  B", "", "", ""),
    )
    again = read(write(record))
    assert again.dealt_before == (None, 3, -2, None)
    assert again.players == ("Asha B", "", "", "")
    assert replay(again).session.dealt == (None, 3, -2, None)


def test_a_dealer_out_of_turn_is_a_fact() -> None:
    record = hand(8, "albastini", "2i")
    assert replay(
        replace(record, moves=(), sheet=None, dealer=1 - record.dealer)
    ).session.dealer == (1 - record.dealer)


def edited(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "not-one", "Here one hand is needed, and there are 0."),
        (TEXT + TEXT, "not-one", "there are 2."),
        ("game briscola", "no-header", "Line 1: a hand begins with the line “Kula hand 1”."),
        (edited("hand 1", "hand 2"), "version", "Line 1: “Kula hand 2” is newer"),
        (edited("mode ", "game "), "line-twice", "Line 3: “game” is written twice: write it once."),
        (edited("mode ", "made "), "line-unknown", "Line 3: “made” means nothing here; see RECORDS.md."),
        (edited("mode      2i\n", ""), "line-missing", "needs a line “mode”, and has none."),
        ("Kula hand 1\ngame x\nmode y\nfirst 0\ndealer 0\nresult unfinished", "line-missing", "pack"),
        (edited("first     ", "first     x"), "not-a-number", "write a whole number, not"),
        (edited("first     ", "first     ٣"), "not-a-number", "write a whole number, not"),
        (edited("player    1", "player    2"), "player-order", "be named sits at 1."),
        (edited("move      2", "move      3"), "move-number", "here move 2 is due."),
        (edited("move      2 seat", "move      2"), "move-shape", "written as “12 seat 3 CODE”."),
        (edited("result    points [", "result    points"), "not-json", "write JSON, such as true or [0, 1], not"),
        (edited("result    points", "result    unfinished\nresult    points"), "line-twice", "result"),
        (TEXT + "result unfinished", "line-twice", "“result” is written twice: write it once."),
        (TEXT + "result dealer 0", "line-twice", "“dealer” is written twice: write it once."),
        (TEXT + "before " + "9" * 5000, "not-json", "write JSON, such as true or [0, 1], not"),
        (TEXT + "before " + "[" * 100_000, "not-json", "write JSON, such as true or [0, 1], not"),
        (TEXT + 'before {"\\ud800": 1}', "not-json", "write JSON, such as true or [0, 1], not"),
        (TEXT + 'before {"bare": 0, "bare": 1}', "line-twice", "“bare” is written twice: write it once."),
        (TEXT + 'before {"\\ud800": 1, "\\ud800": 1}', "line-twice", "“?” is written twice: write it once."),
        (TEXT + "dealt-before 7", "not-a-memory", "list of whole numbers and null"),
        (TEXT + 'dealt-before ["a"]', "not-a-memory", "list of whole numbers and null"),
        (TEXT + "dealt-before [true]", "not-a-memory", "list of whole numbers and null"),
        (TEXT + "option match_wins 3", "line-twice", "“match_wins” is written twice: write it once."),
    ],
)  # fmt: skip
def test_a_text_that_is_no_record_is_refused_with_its_line(
    text: str, code: str, message: str
) -> None:
    error = misread(text)
    assert error.code == code
    assert message in str(error)


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"game": "whist"}, "game-unknown", "There is no game “whist” here."),
        ({"mode": "9i"}, "mode-unknown", "Briscola has no “9i”"),
        ({"options": {"jokers": 2}}, "option-unknown", "no house rule “jokers”."),
        ({"options": {"match_wins": [3]}}, "option-value", "is not “[3]”."),
        ({"players": ("Asha",)}, "players", "2 seats at this table, but names for 1."),
        ({"first_dealer": 2}, "seat-unknown", "There is no seat 2 at this table: the seats are 0 to 1."),
        ({"dealer": 2}, "seat-unknown", "That player cannot be named here, but these can: seat 0, seat 1."),
        ({"dealt_before": (1,)}, "dealt-before", "for each of 2 seats, or not at all."),
        ({"before": ({"bare": 0}, {"points": [1, 119]})}, "before", "Hand 2 before this one: "),
        ({"before": (7,)}, "before", 'Hand 1 before this one: Write answers, such as {"bare": "void"}.'),
        ({"packs": ()}, "packs", "dealt from 1 shuffled packs, not 0."),
        ({"packs": (("1D", "1D", *HAND.packs[0][2:]),)}, "pack", "Pack 1 is not the pack of this game: missing are "),
        ({"packs": ((*HAND.packs[0], "8D"),)}, "pack", "missing are –, too many 8D."),
        ({"moves": (*HAND.moves, HAND.moves[0])}, "after-the-end", "over by then; leave it out."),
        ({"moves": HAND.moves[1:]}, "not-its-turn", f"it is seat {HAND.moves[0].seat}’s turn."),
        ({"sheet": None}, "result-missing", "The hand is over: write its result."),
        ({"moves": HAND.moves[:-1]}, "result-early", "Not over yet: write “result unfinished”."),
        ({"sheet": {**(HAND.sheet or {}), "points": [60, 60]}}, "result", "The moves come to points = ["),
        ({"sheet": {**(HAND.sheet or {}), "x": 1}}, "result", "x = nothing; the result says 1."),
    ],
)  # fmt: skip
def test_a_hand_that_cannot_have_been_is_refused(
    change: dict[str, Any], code: str, message: str
) -> None:
    error = refused(replace(HAND, **change))
    assert error.code == code
    assert message in str(error)


def test_a_game_that_is_only_scored_has_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "GAMES", {"dash": toy.GAME})
    error = refused(replace(HAND, game="dash"))
    assert (error.code, str(error)) == (
        "not-played", "Pwani Dash is not played here: only its sheets are scored.",
    )  # fmt: skip
