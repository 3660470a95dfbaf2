"""A game's questions as a form: every kind, of everybody it can be asked of, there and back."""

from typing import Any, get_args
from uuid import uuid4

import pytest
from django.http import QueryDict

from games.errors import SheetError
from games.mode import teams
from games.sheet import Card, Choice, Number, Order, Per, Question, Seat, Seats
from tracker.common.wording import names_of
from tracker.results.forms.question_kinds import KINDS as HANDLERS, kind_of
from tracker.results.forms.sheet import HandForm, TableQuestions
from tracker.results.forms.sheet_view import SheetView

PAIRS = teams(4, 2, "four in two pairs")
NAMES = names_of(PAIRS, ["Asha", "Neema", "Juma", "Baraka"])
CARDS = (("7S", "7♠"), ("KH", "K♥"), ("AD", "A♦"))
RANKS = (("7", "7"), ("K", "K"))
BARE = Choice(name="bare", label="Who won?", choices=((0, "A"), (1, "B"), (None, "Nobody")))
EVERYBODY = (0, 1, 2, 3)

KINDS: list[tuple[Question, Any]] = [
    (Number(name="q", label="How many?", high=120), 70),
    (Number(name="q", label="How many?", high=120, per=Per.SIDE), [70, 0]),
    (Number(name="q", label="How many?", high=120, per=Per.SEAT), [1, None, 3, 0]),
    (Number(name="q", label="How many?", high=9, count=(1, 3)), [1, 2, 3]),
    (Number(name="q", label="How many?", high=9, count=(1, 2), per=Per.SIDE), [[1, 2], [3, 4]]),
    (Order(name="q", label="In what order?", seats=EVERYBODY), [2, 0, 3, 1]),
    (Order(name="q", label="In what order?", seats=(3, 1, 0), count=(2, 3)), [0, 3]),
    (Order(name="q", label="In what order?", seats=EVERYBODY, per=Per.SIDE), [[1, 0, 2, 3]] * 2),
    (Order(name="q", label="In what order?", seats=EVERYBODY), [2, [0, 3], 1]),
    (Choice(name="q", label="What?", choices=(("a", "A"), (7, "Seven"), (None, "None"))), 7),
    (Choice(name="q", label="What?", choices=(("a", "A"), (None, "None"))), None),
    (Choice(name="q", label="What?", choices=(("a", "A"), ("b", "B")), per=Per.SEAT), list("abba")),
    (Card(name="q", label="Which card?", cards=CARDS), "KH"),
    (Card(name="q", label="Which card?", cards=CARDS, ranks=RANKS), "7"),
    (Card(name="q", label="Which card?", cards=CARDS, ranks=RANKS), "AD"),
    (Card(name="q", label="Which card?", cards=CARDS, ranks=RANKS, aside=True), "7"),
    (Card(name="q", label="Which card?", cards=CARDS, per=Per.SEAT), ["7S", None, "KH", None]),
    (Card(name="q", label="Which?", cards=CARDS, count=(2, 2), per=Per.SIDE), [["7S", "AD"]] * 2),
    (Seat(name="q", label="Who?", seats=EVERYBODY), 0),
    (Seat(name="q", label="Who?", seats=EVERYBODY, per=Per.SIDE), [0, 3]),
    (Seats(name="q", label="Who?", seats=EVERYBODY, count=(1, 4)), [0, 3]),
    (Seats(name="q", label="Who?", seats=EVERYBODY, count=(1, 4), per=Per.SIDE), [[0], [1, 2]]),
]


def asked(*questions: Question, dealer: int | None = 1) -> TableQuestions:
    return TableQuestions(
        number=5, mode=PAIRS, questions=questions, bare_question=BARE, dealer=dealer, names=NAMES
    )


def sent(**answers: Any) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, value in {"entry": uuid4(), "number": 5, **answers}.items():
        data.setlist(name, list(map(str, value)) if isinstance(value, list) else [str(value)])
    return data


def as_sent(form: HandForm) -> QueryDict:
    """Return what a browser sends of a form that nobody has touched."""
    values = {name: form[name].value() for name in form.fields}
    return sent(**{name: value for name, value in values.items() if value or type(value) is int})


def test_every_kind_of_question_is_known() -> None:
    assert set(HANDLERS) == set(get_args(Question)) == {type(question) for question, _ in KINDS}


@pytest.mark.parametrize(("question", "answer"), KINDS)
def test_what_stands_is_sent_back_as_it_stood(question: Question, answer: Any) -> None:
    begun = HandForm(asked(question), standing={"q": answer, "dealer": 2})
    form = HandForm(asked(question), as_sent(begun))
    assert form.is_valid(), form.errors
    assert form.sheet() == {"q": answer, "dealer": 2}


@pytest.mark.parametrize(("question", "answer"), KINDS)
def test_every_kind_is_drawn_with_a_name_for_every_field(question: Question, answer: Any) -> None:
    sheet = SheetView(HandForm(asked(question)))
    groups = [*sheet.main_questions(), *sheet.more_questions()]
    drawn = [bound.name for group in groups for slot in group.slots for bound in slot.fields]
    assert set(drawn) == set(kind_of(question, PAIRS).fields)
    assert all(bound.label for group in groups for slot in group.slots for bound in slot.fields)


def test_fields_keep_their_names() -> None:
    number = Number(name="eaten", label="", high=120, per=Per.SIDE)
    hands = Card(name="hands", label="", cards=CARDS, count=(2, 2), per=Per.SEAT)
    assert kind_of(number, PAIRS).keys == ("eaten_0", "eaten_1")
    assert kind_of(hands, PAIRS).keys[:3] == ("hands_0_0", "hands_0_1", "hands_1_0")
    assert [slot.place for slot in kind_of(hands, PAIRS).slots] == [0, 1, 2, 3]


def test_rank_comes_first_only_where_it_is_asked_first() -> None:
    first = Card(name="q", label="", cards=CARDS, ranks=RANKS)
    aside = Card(name="q", label="", cards=CARDS, ranks=RANKS, aside=True)
    assert (kind_of(first, PAIRS).by_rank, kind_of(aside, PAIRS).by_rank) == (True, False)


POOL = Number(name="pool", label="", high=9, required=False)
BIDS = Card(name="bids", label="", cards=CARDS, per=Per.SEAT, required=False)
EATEN = Number(name="eaten", label="", high=120, per=Per.SIDE)
EVENT = Choice(name="event", label="", choices=(("normal", "N"), ("declared", "D")))
WHO = Seat(name="who", label="", seats=EVERYBODY, depends_on=("event", ("declared",)))
COUNT = Number(name="q", label="", high=9)


@pytest.mark.parametrize(
    ("questions", "answers", "sheet"),
    [
        # An optional question that nobody answered is not in the sheet.
        ((POOL, BIDS), {}, {}),
        # A required one is left to the rules to miss.
        ((EATEN,), {"eaten_1": 50}, {"eaten": [None, 50]}),
        # An answer that depends on another one is dropped without it.
        ((EVENT, WHO), {"event": "normal", "who": "2"}, {"event": "normal"}),
        ((EVENT, WHO), {"event": "declared", "who": "2"}, {"event": "declared", "who": 2}),
        # The dealer that an old page showed says nothing of the next hand.
        ((), {"dealer": "1", "shown": "1", "is_next": "yes"}, {}),
        ((), {"dealer": "3", "shown": "1", "is_next": "yes"}, {"dealer": 3}),
        # Who won is enough when the count will not do, also if it cannot be read.
        ((COUNT,), {"q": 7, "bare": 1, "how": "bare"}, {"bare": 1}),
        ((COUNT,), {"q": 7, "bare": 1, "how": "park"}, {"bare": 1, "q": 7}),
        ((COUNT,), {"q": "7o", "bare": 1, "how": "park"}, {"bare": 1}),
    ],
)
def test_what_is_answered_makes_the_sheet(questions: Any, answers: Any, sheet: Any) -> None:
    form = HandForm(asked(*questions), sent(**answers))
    assert form.is_valid(), form.errors
    assert form.sheet() == sheet


def test_draw_decides_who_deals_unless_somebody_says() -> None:
    for said, sheet in (("", {}), ("3", {"dealer": 3})):
        form = HandForm(asked(dealer=None), sent(dealer=said))
        assert form.is_valid()
        assert form.sheet() == sheet


def test_usual_choice_is_preset_but_never_who_won() -> None:
    form = HandForm(asked(EVENT))
    assert (form["event"].value(), form["bare"].value()) == ("normal", None)


@pytest.mark.parametrize("seat", ["4", "-1", "x"])
def test_seat_nobody_can_mean_is_refused(seat: str) -> None:
    assert not HandForm(asked(Seat(name="q", label="", seats=EVERYBODY)), sent(q=seat)).is_valid()


def test_who_dealt_is_a_choice_of_everybody_and_starts_on_who_the_page_says() -> None:
    form = HandForm(asked())
    assert form["dealer"].value() == "1"
    assert [radio.data["label"] for radio in form["dealer"].subwidgets] == list(NAMES.seats)


def test_refusal_of_one_side_stands_beside_it_and_of_all_beside_the_question() -> None:
    form = HandForm(asked(EATEN), sent(eaten_0=119, eaten_1=1))
    assert form.is_valid()
    form.refuse(SheetError("one", "Not 1.", question="eaten", place=1))
    form.refuse(SheetError("all", "Not 120.", question="eaten"))
    assert form.errors["eaten_1"] == ["Not 1."]
    assert SheetView(form).main_questions()[0].errors == ("Not 120.",)
    assert form.summary() == [("#q-eaten", "Not 120."), ("#id_eaten_1", "Not 1.")]


def test_refusal_of_nothing_in_particular_stands_above_the_sheet() -> None:
    form = HandForm(asked(), sent())
    assert form.is_valid()
    form.refuse(SheetError("odd", "“%(name)s” is not asked here.", name="x"))
    assert form.summary() == [("", "“x” is not asked here.")]


def test_several_sheets_on_one_page_do_not_mix() -> None:
    data = sent(**{"h1-entry": uuid4(), "h1-number": 1, "h1-q": 3, "h2-q": 4})
    form = HandForm(asked(COUNT), data, prefix="h1")
    assert form.is_valid()
    assert form.sheet() == {"q": 3}
