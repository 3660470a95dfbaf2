"""Two bots over many deals: what is counted, how sure it is, and how it is told."""

import io
import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from games.__main__ import main
from games.arena import Contest, Dealt, Merit, Tally, choosers, play_deals
from games.asked import Asked
from games.catalogue import GAMES
from games.commands.arena import Bar
from games.intervals import share_of
from games.playing import Budget, shuffled
from tests.games.hands import PLAYED, play_of


def contest(game: str, mode: str, one: str, other: str, seed: int = 1) -> Contest:
    return Contest(
        game=game,
        mode=mode,
        options=GAMES[game].default_options(),
        one=one,
        other=other,
        seed=seed,
        budget=Budget(iterations=1),
    )


def tally(contest: Contest, deals: int) -> Tally:
    return Tally(list(play_deals(contest, deals)))


# How sure it is --------------------------------------------------------------------------------


def test_nothing_counted_says_nothing() -> None:
    assert (share_of([]).counted, share_of([(0, 0)]).low, share_of([]).high) == (0.5, 0, 1)


def test_trials_of_their_own_have_wilsons_interval() -> None:
    share = share_of([(1, 1)] * 50 + [(0, 1)] * 50)

    assert share.counted == 0.5
    assert (share.low, share.high) == pytest.approx((0.4038, 0.5962), abs=0.001)


def test_hands_that_always_come_out_alike_count_once_and_opposites_cancel_out() -> None:
    apart = share_of([(1, 1)] * 60 + [(0, 1)] * 40)
    alike = share_of([(2, 2)] * 30 + [(0, 2)] * 20)
    opposite = share_of([(1, 2)] * 40 + [(2, 2)] * 10)

    assert apart.counted == alike.counted == opposite.counted == 0.6
    assert alike.high - alike.low > apart.high - apart.low > opposite.high - opposite.low


def test_an_interval_never_leaves_what_can_be() -> None:
    for won in (0, 2):
        share = share_of([(won, 2)] * 5)
        assert 0 <= share.low <= share.counted <= share.high <= 1


def test_the_true_share_is_in_nineteen_of_twenty_intervals() -> None:
    rng = Random(1)
    held = 0
    for _ in range(400):
        # Two hands a deal, and more often than not the deal decides both.
        groups = []
        for _ in range(60):
            first = rng.random() < 0.6
            second = first if rng.random() < 0.5 else rng.random() < 0.6
            groups.append((first + second, 2))
        share = share_of(groups)
        held += share.low <= 0.6 <= share.high

    assert 0.92 < held / 400 < 0.98


# What is counted -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode"),
    [("albastini", "4t2"), ("briscola", "2i"), ("dalmuti", "4i"), ("mambassa", "3i")],
)
def test_a_bot_is_exactly_as_good_as_itself(game: str, mode: str) -> None:
    """From every side the luck of a deal cancels out, to the last hand."""
    found = tally(contest(game, mode, "beginner", "beginner"), 3)

    assert found.share.counted == 0.5
    assert sum(found.hands.values()) == 3 * len(contest(game, mode, "", "").asked().mode.sides)


def test_which_of_the_two_is_named_first_makes_no_difference() -> None:
    there = tally(contest("briscola", "2i", "steady", "beginner"), 10)
    back = tally(contest("briscola", "2i", "beginner", "steady"), 10)

    assert there.share.counted == pytest.approx(1 - back.share.counted)
    assert (there.hands["won"], there.hands["lost"]) == (back.hands["lost"], back.hands["won"])


def test_better_bots_are_found_to_be_better() -> None:
    assert tally(contest("albastini", "4t2", "steady", "beginner"), 40).share.low > 0.5
    assert tally(contest("dalmuti", "4i", "steady", "beginner"), 10).share.low > 0.5


def test_a_table_of_several_counts_whom_one_beats_and_ties_by_half() -> None:
    dealt = Dealt()
    merits: list[Merit] = [(Fraction(value),) for value in (3, 1, 3, 4)]

    dealt.note(merits, own=0)  # beats one, is level with one, is beaten by one
    dealt.note(merits, own=3)
    dealt.note(merits, own=1)

    assert (dealt.won, dealt.out_of) == (1.5 + 3 + 0, 9)
    assert dealt.hands == {"undecided": 1, "won": 1, "lost": 1}


def test_of_two_sides_a_draw_is_nobodys() -> None:
    dealt = Dealt()

    dealt.note([(Fraction(1),), (Fraction(1),)], own=0)

    assert (dealt.won, dealt.out_of, dealt.hands) == (0, 0, {"undecided": 1})


def test_several_processes_find_the_same() -> None:
    both = contest("briscola", "2i", "steady", "beginner", seed=7)

    alone, together = (
        [(dealt.won, dealt.out_of, dealt.hands, dealt.moves) for dealt in deals]
        for deals in (play_deals(both, 4), play_deals(both, 4, jobs=2))
    )

    assert alone == together


@pytest.mark.every_game
@pytest.mark.parametrize("slug", PLAYED)
def test_rivals_and_cheats_can_be_met(slug: str) -> None:
    game, rng = GAMES[slug], Random(1)
    play, options = play_of(game), game.default_options()
    session = Asked(game, game.modes(options)[0], options, 0).open_session()
    state = play.deal(session, shuffled(play, session, rng))
    seat = play.seat_to_move(state)
    assert seat is not None

    known = choosers(play)
    chosen = {name: known[name](state, seat, rng, Budget(iterations=1)) for name in known}

    assert set(chosen) >= {"beginner", "steady", "strong", "plain", "cheat"}
    assert set(chosen.values()) <= set(play.legal_moves(state))


# How it is told --------------------------------------------------------------------------------


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs ``arena``: the exit code, and what was said."""

    def run_it(argv: str) -> tuple[int, str]:
        code = main(["arena", *argv.split()])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return run_it


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ("albastini --mode 4t2 --iterations 2", ["4t2, 2 deals, each from 2 sides, seed 1"]),
        ("briscola --mode 2i --time 0.5", ["0.5 s a move", "of decided hands (95 %: "]),
        ("dalmuti --mode 4i", ["as long as they like", "of the table beaten (95 %: "]),
        ("briscola --mode 2i --iterations 1", ["1 worlds a move", "; a move took steady "]),
    ],
)
def test_the_finding_says_what_was_played_and_how_sure_it_is(
    arena: Any, argv: str, said: list[str]
) -> None:
    code, told = arena(f"{argv} --deals 2 --bots steady,beginner")

    assert code == 0
    assert "steady against beginner: " in told
    assert all(words in told for words in said)
    assert "\r" not in told


def test_two_bots_are_compared_and_no_other_number(arena: Any) -> None:
    assert arena("briscola --mode 2i --bots steady") == (
        2,
        "Two bots can be compared, not 1: write --bots ONE,OTHER.\n",
    )
    assert arena("briscola --mode 2i --bots steady,fox")[0] == 2


def test_ctrl_c_says_what_was_found_so_far(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def two_deals(*_args: object) -> Any:
        yield Dealt(won=1, out_of=2)
        yield Dealt(won=2, out_of=2)
        raise KeyboardInterrupt

    monkeypatch.setattr("games.commands.arena.play_deals", two_deals)

    code, told = arena("briscola --mode 2i --bots steady,beginner --deals 50")

    assert code == 0
    assert told.startswith("Stopped after 2 of 50 deals.\nBriscola 2i, 2 deals")
    assert "75.0% of decided hands" in told


def test_a_bar_is_written_over_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    bar = Bar(out, 4)

    bar.show(Tally([Dealt(won=1, out_of=2)] * 2))
    shown = out.getvalue()
    bar.clear()

    assert re.fullmatch(
        r"\r\[#{12}\.{12}\] 2 of 4  50\.0% \(\d+\.\d% to \d+\.\d%\)  0:00 left", shown
    )
    assert out.getvalue().removeprefix(shown) == f"\r{' ' * (len(shown) - 1)}\r"
