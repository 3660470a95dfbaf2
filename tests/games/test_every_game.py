"""What holds for every game of the catalogue: a new one is held to it with no line added here."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from games import catalogue
from games.errors import SheetError
from games.game import AnyGame, FirstDealer, TableNotes
from games.mode import Mode
from games.option import OptionKind
from games.sheet import (
    VOID,
    Card,
    Choice,
    Mark,
    Number,
    Order,
    Question,
    Scope,
    Scored,
    Seat,
    Seats,
)
from games.wording import AtSeat, OnSide, Text
from tests.drilled import examples
from tests.games import strategies

pytestmark = pytest.mark.every_game
GAMES = [pytest.param(game, id=slug) for slug, game in catalogue.GAMES.items()]
SITTINGS = [
    pytest.param(game, mode, id=f"{slug}-{mode.code}")
    for slug, game in catalogue.GAMES.items()
    for mode in game.modes(game.default_options())
]


def opened(game: AnyGame, mode: Mode, dealer: int = 0) -> Any:
    return game.open_session(mode, game.default_options(), dealer, (None,) * mode.seats)


@st.composite
def scored(draw: st.DrawFn, game: AnyGame, mode: Mode) -> tuple[Any, Scored[Any]]:
    """Return a session some hands into an evening, and what one more sheet leaves of it."""
    session = opened(game, mode, draw(st.integers(0, mode.seats - 1)))
    last: tuple[Any, Scored[Any]] | None = None
    for _ in range(draw(st.integers(1, 4))):
        likely = strategies.likely_sheets(game, session)
        sheet = draw(likely | strategies.bare_sheets(game, session))
        try:
            last = session, game.add_sheet(session, sheet)
        except SheetError:
            last = session, game.add_sheet(session, {"bare": VOID})
        session = last[1].session
    assert last is not None
    return last


def shown(text: Text) -> str:
    """Return the sentence, having made sure that the site can show it."""
    for value in text.params.values():
        assert isinstance(value, int | str | AtSeat | OnSide | Text)
        if isinstance(value, Text):
            shown(value)
    return str(text)


@pytest.mark.parametrize("game", GAMES)
def test_it_presents_itself(game: AnyGame) -> None:
    assert game.slug.isidentifier()
    assert all([game.name, game.summary, game.unit.one, game.unit.many])
    assert game.unit.numbered % {"number": 3} != game.unit.numbered
    assert "8" in game.unit.numbered_of % {"number": 3, "all": 8}
    assert isinstance(game.first_dealer, FirstDealer)
    assert game.seat_scoped == {mark.key for mark in game.marks if mark.scope is Scope.SEAT}


@pytest.mark.parametrize("game", GAMES)
def test_its_modes_seat_everybody_once(game: AnyGame) -> None:
    modes = game.modes(game.default_options())
    assert len({mode.code for mode in modes}) == len(modes) > 0
    for mode in modes:
        assert sorted(seat for side in mode.sides for seat in side) == list(range(mode.seats))
        assert len({len(side) for side in mode.sides}) == 1
        assert game.mode(mode.code, game.default_options()) == mode


@pytest.mark.parametrize("game", GAMES)
def test_its_house_rules_are_questions_with_an_answer(game: AnyGame) -> None:
    assert len({option.name for option in game.options}) == len(game.options)
    assert game.complete_options(game.default_options()) == game.default_options()
    for option in game.options:
        assert option.label.endswith("?")
        if option.kind is not OptionKind.NUMBER:
            assert all(label for _, label in option.choices)


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
@given(data=st.data())
def test_whoever_draws_for_seats_gets_one_and_it_is_told(
    game: AnyGame, mode: Mode, data: st.DataObject
) -> None:
    options = {option.name: data.draw(strategies.house_rule(option)) for option in game.options}
    seed = data.draw(st.integers(0, 2**32))
    draws = game.draw_seats or (lambda *_: None)
    draw = draws(mode, options, Random(seed))
    if draw is not None:
        assert sorted(draw.places) == list(range(mode.seats))
        assert all(shown(line) for line in draw.story)
        assert draws(mode, options, Random(seed)) == draw


@pytest.mark.parametrize("game", GAMES)
def test_its_criteria_are_made_of_its_marks(game: AnyGame) -> None:
    keys = {mark.key for mark in game.marks}
    options = game.default_options()
    rankings = [game.ranking(options, changing) for changing in (False, True)]
    if game.across is not None:
        rankings += [game.across(options, unequal) for unequal in (False, True)]
    assert len(keys) == len(game.marks)
    assert all(isinstance(mark, Mark) and mark.label for mark in game.marks)
    assert {mark.anew for mark in game.marks if mark.anew} <= keys
    assert all("%(number)s" in mark.many for mark in game.marks if mark.many)
    for criteria in (game.columns(options), *rankings):
        assert len({criterion.key for criterion in criteria}) == len(criteria) > 0
        for criterion in criteria:
            assert {key for key, _ in criterion.terms} | set(criterion.per) <= keys
            assert criterion.label
            assert criterion.value({}) == 0


def check_question(question: Question, asked: Mapping[str, Question]) -> None:
    assert isinstance(question, Number | Order | Choice | Card | Seat | Seats)
    assert question.name not in asked
    assert question.label
    least, most = question.count
    assert 0 <= least <= most
    if question.depends_on:
        name, values = question.depends_on
        other = asked[name]
        assert isinstance(other, Choice)
        assert set(values) <= {value for value, _ in other.choices}
    if isinstance(question, Choice):
        for _, label in question.choices:
            assert shown(label) if isinstance(label, Text) else label
    if isinstance(question, Card):
        assert len({code for code, _ in question.cards}) == len(question.cards) > 0


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
@examples(12, full=40)
@given(data=st.data())
def test_a_sheet_of_an_evening_is_scored_kept_and_folded_on(
    game: AnyGame, mode: Mode, data: st.DataObject
) -> None:
    before, after = data.draw(scored(game, mode))
    session, sheet = after.session, json.loads(json.dumps(after.sheet))
    assert game.add_sheet(before, sheet) == after
    # Every seat gets every mark.
    assert (after.marks is None) == (sheet.get("bare") == VOID)
    for marks in after.marks or ():
        assert list(marks) == [mark.key for mark in game.marks]
        assert all(type(amount) is int for amount in marks.values())
    assert len(after.marks or range(mode.seats)) == mode.seats
    unknown = sheet["dealer"] is None and game.is_drawn(before.may_deal)
    assert unknown or sheet["dealer"] in range(mode.seats)
    assert all(warning.code and shown(warning.text) for warning in after.warnings)
    # JSON can keep the session.
    saved = json.loads(json.dumps(game.save_session(session)))
    assert game.resume_session(mode, session.options, saved) == session
    assert session.dealer in session.may_deal
    assert {session.dealer, session.leader, *session.may_deal} <= set(range(mode.seats))
    assert isinstance(session.over, bool)
    # A void hand is dealt again by the same dealer.
    again = game.add_sheet(session, {"bare": VOID})
    dealer = session.dealer if again.sheet["dealer"] is None else again.sheet["dealer"]
    assert (again.marks, again.session.dealer) == (None, dealer)
    # A short sheet folds like any other.
    short = game.add_sheet(
        opened(game, mode), data.draw(strategies.bare_sheets(game, opened(game, mode)))
    )
    assert "bare" in short.sheet


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
@examples(8, full=20)
@given(data=st.data())
def test_what_it_asks_and_says_can_be_shown(game: AnyGame, mode: Mode, data: st.DataObject) -> None:
    session, after = data.draw(scored(game, mode))
    asked: dict[str, Question] = {}
    for question in game.questions(after.session):
        check_question(question, asked)
        asked[question.name] = question
    bare = game.bare_question(after.session)
    check_question(bare, {})
    assert bare.name == "bare"
    assert not {"bare", "dealer", "derived"} & set(asked)
    assert shown(game.headline(session, after.sheet))
    why = game.explain(session, after.sheet)
    assert why is None or shown(why)
    for forecast in game.forecast(session):
        assert shown(forecast.outcome)
        assert forecast.side is None or forecast.side in range(len(mode.sides))
        assert forecast.dealer is None or forecast.dealer in range(mode.seats)
    notes = game.notes(after.session)
    assert isinstance(notes, TableNotes)
    assert len(notes.seats) in {0, mode.seats}
    for note in (notes.table, *notes.seats):
        assert note is None or shown(note)


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
@examples(40, full=100)
@given(data=st.data())
def test_rubbish_is_refused_in_words_and_never_crashes(
    game: AnyGame, mode: Mode, data: st.DataObject
) -> None:
    session = opened(game, mode)
    if data.draw(st.booleans()):
        session = data.draw(scored(game, mode))[1].session
    sheet = data.draw(strategies.rubbish_sheets(game, session))
    error = None
    try:
        after = game.add_sheet(session, sheet)
    except SheetError as refusal:  # any other exception is a bug
        error = refusal
    if error is None:
        assert game.add_sheet(session, after.sheet) == after
        return
    assert error.code.replace("-", "").isalpha()
    assert str(error) == error.template % error.params
    assert error.question is None or isinstance(error.question, str)
    assert error.place is None or error.place in range(mode.seats)


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
def test_the_cards_a_side_counts_are_worth_what_the_sheet_adds_up_to(
    game: AnyGame, mode: Mode
) -> None:
    session = opened(game, mode)
    if game.countable is not None:
        counted = game.countable(session)
        assert sum(card.points for card in counted.cards) == 120
        assert all(card.points > 0 for card in counted.cards)
        assert counted.question in {question.name for question in game.questions(session)}
