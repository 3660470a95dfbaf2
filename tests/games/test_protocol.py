"""The words every game speaks: errors, sentences, modes, sheets and the game itself."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from games.albastini import GAME
from games.errors import ModeError, OptionError
from games.mode import Mode, individuals
from games.option import Option, OptionKind, Options
from games.sheet import Criterion, criterion

TOY = replace(
    GAME,
    options=(
        Option(name="jokers", label="Are there jokers?", kind=OptionKind.FLAG, default=False),
        Option(
            name="wins",
            label="How many wins?",
            kind=OptionKind.CHOICE,
            default=1,
            choices=((1, "one"), (3, "three")),
        ),
        Option(
            name="most",
            label="How many players?",
            kind=OptionKind.NUMBER,
            default=4,
            choices=((2, ""), (10, "")),
        ),
    ),
)


def test_a_criterion_weighs_sums_and_may_be_a_share() -> None:
    score = Criterion(key="score", label="", terms=(("won", 2), ("drawn", 1)), parts=2)
    share = Criterion(key="share", label="", terms=(("eaten", 1),), per=("there",))
    assert score.value({"won": 3, "drawn": 1}) == Fraction(7, 2)
    assert share.value({"eaten": 30, "there": 120}) == Fraction(1, 4)
    assert share.value({"eaten": 30}) == 0
    assert criterion("won", "Won", parts=2).value({"won": 3}) == Fraction(3, 2)
    assert criterion("slave", "Last", fewest=True).fewest


def test_what_is_not_said_of_the_house_rules_is_the_rule_books() -> None:
    assert TOY.default_options() == {"jokers": False, "wins": 1, "most": 4}
    assert TOY.complete_options({"wins": 3}) == {"jokers": False, "wins": 3, "most": 4}
    assert TOY.complete_options({"jokers": True, "most": 10})["most"] == 10


def test_a_house_rule_takes_only_its_own_answers() -> None:
    wrong: dict[str, list[Any]] = {
        "jokers": [1],
        "wins": [2, True, "1"],
        "most": [11, 1, True, "4"],
        "aces": [True],
    }
    for name, value in ((name, value) for name, values in wrong.items() for value in values):
        with pytest.raises(OptionError) as refusal:
            TOY.complete_options({name: value})
        assert refusal.value.code == ("option-unknown" if name == "aces" else "option-value")


def test_house_rules_that_were_kept_are_read_as_the_game_knows_them_today() -> None:
    assert TOY.resume_options({"wins": 3}) == {"jokers": False, "wins": 3, "most": 4}
    assert TOY.resume_options({"aces": True, "jokers": 1, "wins": 3, "most": 11}) == {
        "jokers": False,
        "wins": 3,
        "most": 4,
    }


def test_a_mode_is_found_under_the_house_rules_that_offer_it() -> None:
    assert GAME.mode("6i", {"allow_6i": True}).seats == 6
    with pytest.raises(ModeError) as refusal:
        GAME.mode("6i", {})
    assert refusal.value.code == "mode-unknown"


def test_every_mode_of_any_house_rule_is_listed_once_and_the_usual_ones_first() -> None:
    usual = GAME.modes(GAME.default_options())
    codes = [mode.code for mode in GAME.all_modes()]
    assert GAME.all_modes()[: len(usual)] == usual
    assert "6i" in codes[len(usual) :]
    assert len(codes) == len(set(codes))
    assert [option.values for option in TOY.options] == [(True, False), (1, 3), (2, 10)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    mode: Mode
    options: Options
    pairs: tuple[tuple[int | None, ...], ...]
    name: str


def test_a_session_is_kept_without_mode_and_options_and_lists_come_back_as_tuples() -> None:
    toy: Any = TOY
    game = replace(toy, session=Held)
    mode = individuals(2, "")
    session = Held(mode=mode, options={"wins": 1}, pairs=((1, None), ()), name="toy")
    saved = game.save_session(session)
    assert saved == {"pairs": ((1, None), ()), "name": "toy"}
    assert game.resume_session(mode, {"wins": 1}, {"pairs": [[1, None], []], "name": "toy"}) == (
        session
    )
