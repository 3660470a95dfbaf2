"""Sheets of any game, made from what it asks: likely ones, bare ones, and rubbish."""

from typing import Any, assert_never

from hypothesis import strategies as st

from games.game import AnyGame
from games.mode import Mode
from games.option import Option, OptionKind, OptionValue
from games.sheet import VOID, Card, Choice, Number, Order, Per, Question, Seat, Seats, Sheet

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 130)
    | st.sampled_from([10**400, -(10**400)])
    | st.floats()
    | st.sampled_from(["", "J", "JC", "1K", "7D", "S", "normal", "mambassa", VOID])
    | st.text(max_size=3)
)
RUBBISH = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def likely_sheets(game: AnyGame, session: Any) -> st.SearchStrategy[Sheet]:
    """Return sheets that answer what is asked; most of them some hand could have left."""
    mode = session.mode
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for question in game.questions(session):
        among = required if question.required and not question.depends_on else optional
        among[question.name] = answers(question, mode)
    optional["dealer"] = st.integers(0, mode.seats - 1)
    return st.fixed_dictionaries(required, optional=optional)


def bare_sheets(game: AnyGame, session: Any) -> st.SearchStrategy[Sheet]:
    """Return short sheets, of tables that did not count, and of hands that are void."""
    question = game.bare_question(session)
    bare = answers(question, session.mode) | st.just(VOID)
    return st.fixed_dictionaries(
        {"bare": bare}, optional={"dealer": st.integers(0, session.mode.seats - 1)}
    )


def rubbish_sheets(game: AnyGame, session: Any) -> st.SearchStrategy[Any]:
    """Return what no form would send: wrong shapes, wrong values, answers nobody asked for."""
    names = [question.name for question in game.questions(session)]
    known = st.sampled_from([*names, "bare", "dealer", "derived", "draw"])
    spoilt = st.dictionaries(known | st.text(max_size=3), RUBBISH, max_size=6)
    almost = st.builds(
        lambda good, bad: {**good, **bad},
        likely_sheets(game, session) | bare_sheets(game, session),
        st.dictionaries(known, RUBBISH, max_size=2),
    )
    return RUBBISH | spoilt | almost


def house_rule(option: Option) -> st.SearchStrategy[OptionValue]:
    """Return what a house may answer."""
    if option.kind is OptionKind.NUMBER:
        return st.integers(*map(int, option.values))
    return st.sampled_from(option.values)


def answers(question: Question, mode: Mode) -> st.SearchStrategy[Any]:
    """Return answers in the shape this question asks for."""
    match question.per:
        case Per.HAND:
            return _several(question, _values(question))
        case Per.SIDE:
            places = len(mode.sides)
        case Per.SEAT:
            places = mode.seats
        case _:
            assert_never(question.per)
    if isinstance(question, Number):
        return _shares(question.high, places)
    answer = _several(question, _values(question))
    return st.lists(
        answer if question.required else st.none() | answer, min_size=places, max_size=places
    )


def _several(question: Question, answer: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    if isinstance(question, Order | Seats) or question.count == (1, 1):
        return answer
    least, most = question.count
    return st.lists(answer, min_size=least, max_size=most, unique=True)


def _values(question: Question) -> st.SearchStrategy[Any]:
    match question:
        case Number():
            return st.integers(question.low, question.high)
        case Order():
            least, _ = question.count
            return st.permutations(question.seats) | st.permutations(question.seats).map(
                lambda order: order[:least]
            )
        case Choice():
            return st.sampled_from([value for value, _ in question.choices])
        case Card():
            return st.sampled_from([code for code, _ in (*question.cards, *question.ranks)])
        case Seat():
            return st.sampled_from(question.seats)
        case Seats():
            least, most = question.count
            return st.lists(
                st.sampled_from(question.seats), min_size=least, max_size=most, unique=True
            )
        case _:
            assert_never(question)


def _shares(whole: int, places: int) -> st.SearchStrategy[list[int]]:
    """Return numbers that make *whole* together, as counts of one pack do."""
    cuts = st.lists(st.integers(0, whole), min_size=places - 1, max_size=places - 1).map(sorted)
    return cuts.map(
        lambda cut: [high - low for low, high in zip([0, *cut], [*cut, whole], strict=True)]
    )
