"""What a table is asked and told, and what the house rules change."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from games.errors import ModeError
from games.mambassa import GAME
from games.mambassa.scoring import Session
from games.mode import individuals
from tests.games.book import after, open_table


def table(seats: int = 3, dealer: int = 0, **house: Any) -> Session:
    session: Session = open_table(GAME, f"{seats}i", house, dealer)
    return session


def pays(*payers: int) -> dict[str, Any]:
    return {"event": "normal", "payers": list(payers)}


def sentences(session: Session, sheet: Mapping[str, Any]) -> tuple[str, str | None]:
    completed = GAME.add_sheet(session, sheet).sheet
    why = GAME.explain(session, completed)
    return str(GAME.headline(session, completed)), None if why is None else str(why)


def test_s2_first_deal_may_be_anybodys_as_the_lot_fell() -> None:
    session = table(dealer=2)
    assert (session.dealer, session.may_deal, session.leader) == (2, (0, 1, 2), 0)
    assert (session.tokens, session.pool, session.over) == ((3, 3, 3), 3, False)


def test_a_finished_game_leaves_a_fresh_one() -> None:
    session = after(table(), pays(1), {"bare": [0, 2, 1]})
    assert session == Session(
        mode=session.mode,
        options=session.options,
        dealer=2,
        tokens=(3, 3, 3),
        pool=3,
        over=True,
        places=((0,), (2,), (1,)),
    )
    assert after(session, pays(1)).places == ()
    assert session.may_deal == (2,)


def test_void_deal_leaves_the_table_as_it_was() -> None:
    session = after(table(), pays(1))
    scored = GAME.add_sheet(session, {"bare": "void"})
    assert (scored.session, scored.marks) == (session, None)


def test_two_cannot_play() -> None:
    with pytest.raises(ModeError) as refused:
        GAME.open_session(individuals(2, "two"), GAME.default_options(), 0, ())
    assert refused.value.code == "table-size"


def test_questions_name_only_those_still_in() -> None:
    session = after(table(4), pays(1), pays(1), pays(1))
    questions = {question.name: question for question in GAME.questions(session)}
    bare = GAME.bare_question(session)
    assert [question.name for question in questions.values() if not question.aside] == [
        "event", "declarer", "payers"
    ]  # fmt: skip
    assert vars_of(questions["payers"]) == ((0, 2, 3), (1, 3), ("event", ("normal", "quarantuna")))
    assert vars_of(questions["declarer"]) == (
        (0, 2, 3),
        (1, 1),
        ("event", ("mambassa", "quarantuna")),
    )
    assert vars_of(questions["knocker"]) == ((0, 2, 3), (1, 1), None)
    assert vars_of(bare) == ((0, 2, 3), (2, 3), None)
    assert all(question.required != question.aside for question in questions.values())
    assert set(questions) >= {"hands", "monte", "tokens", "pool"}


def vars_of(question: Any) -> tuple[tuple[int, ...], tuple[int, int], object]:
    return question.seats, question.count, question.depends_on


@pytest.mark.parametrize(
    ("before", "sheet", "headline", "why"),
    [
        ([], pays(1), "seat 1 pays", "The pool holds 5 now."),
        ([], pays(0, 1), "seat 0 and seat 1 pay", "The pool holds 6 now."),
        ([], pays(0, 1, 2), "seat 0, seat 1 and seat 2 pay", "The pool holds 7 now."),
        ([pays(1), pays(1)], pays(1), "seat 1 pays", "seat 1 is out."),
        ([pays(1, 2), pays(1, 2)], pays(1, 2), "seat 1 and seat 2 pay", "seat 1 and seat 2 are out."),
        ([], {"event": "mambassa", "declarer": 1}, "Mambassa! seat 1 has four Aces", "seat 0, seat 1, seat 2 and seat 3 pay."),
        ([], {"event": "quarantuna", "declarer": 1, "payers": [2]}, "Quarantuna! seat 1 takes a token", "seat 2 pays."),
        ([pays(0, 1, 2), pays(0, 1, 2)], pays(0, 1, 2), "seat 3 wins the game", "seat 3 is the last one in."),
        ([pays(0, 1, 2, 3), pays(0, 1, 2, 3)], pays(0, 1, 2, 3), "seat 2 wins the game", "All are out at once: seat 2 dealt, and so wins."),
        ([], {"bare": "void"}, "This deal counts for nothing", None),
        ([], {"bare": [2, 0, 1, 3]}, "seat 2 wins the game", None),
        ([], {"bare": [[2, 0], 1, 3]}, "seat 0 and seat 2 share the first place", None),
    ],
)  # fmt: skip
def test_what_is_said_of_a_deal(
    before: list[dict[str, Any]], sheet: dict[str, Any], headline: str, why: str | None
) -> None:
    session = after(table(4), *before)
    assert sentences(session, sheet) == (headline, why)


def test_next_seat_still_in_deals_next() -> None:
    session = after(table(), pays(1), pays(1), pays(1))
    (forecast,) = GAME.forecast(session)
    assert (session.dealer, str(forecast.outcome), forecast.dealer) == (0, "whoever wins", 2)


def test_forecast_says_so_when_the_next_dealer_may_go_out() -> None:
    session = after(table(), pays(1), pays(1), {**pays(0), "dealer": 2})
    (forecast,) = GAME.forecast(session)
    assert (session.dealer, session.tokens) == (0, (2, 1, 3))
    assert (str(forecast.outcome), forecast.dealer) == ("if still in the game", 1)


def test_notes_draw_the_tokens() -> None:
    session = after(
        table(5),
        *[pays(1, 2)] * 2,
        pays(1, 3),
        {"event": "quarantuna", "declarer": 4, "payers": [0]},
    )
    notes = GAME.notes(session)
    assert str(notes.table) == "11 tokens in the pool"
    texts = [text for text in notes.seats if text is not None]
    assert [(str(text), text.params.get("dots")) for text in texts] == [
        ("2 tokens", "●●○"),
        ("out", None),
        ("1 token", "●○○"),
        ("2 tokens", "●●○"),
        ("4 tokens", "●●●●"),
    ]


def test_outlasted_counts_in_halves_and_as_a_share() -> None:
    ranking = GAME.ranking(GAME.default_options(), False)
    columns = {column.key: column for column in GAME.columns(GAME.default_options())}
    sums = {"outlasted": 9, "share": 2 * 630, "shares": 2, "games": 1, "tokens": 16}
    assert [criterion.key for criterion in ranking] == ["outlasted", "games", "tokens"]
    assert [float(criterion.value(sums)) for criterion in ranking] == [4.5, 1, 16]
    assert float(columns["share"].value(sums)) == 0.75


def test_shares_of_tables_of_different_sizes_are_averaged_exactly() -> None:
    assert GAME.across is not None
    options = GAME.default_options()
    sums: Counter[str] = Counter()
    for mode, finished in (("3i", [1, [0, 2]]), ("8i", [0, 1, 2, 3, 4, 5, 6, 7])):
        session = GAME.open_session(GAME.mode(mode, options), options, 0, [])
        sums.update((GAME.add_sheet(session, {"bare": finished}).marks or [{}])[0])
    equal, unequal = (GAME.across(options, each)[0] for each in (False, True))
    assert (equal.key, equal.value(sums)) == ("outlasted", Fraction(15, 2))  # ½ and 7 outlasted
    assert unequal.value(sums) == (Fraction(1, 4) + 1) / 2
