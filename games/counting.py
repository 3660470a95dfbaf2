"""Counting: what the sides counted of a 120-point pack, refused where no hand leaves it.

Both games that count such a pack read it like this: Albastini S1, S11, Briscola S1, S41. They
also ask alike who won, and say alike who deals next.

What the pack can be shared out to is decided exactly and for all sides at once. It has four cards
each of 11, 10, 4, 3 and 2. A number of cards of each value is written as one *heap*: a whole
number with four bits a value, so that heaps add up like numbers and compare in one step.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from games.errors import SheetError, gettext_noop
from games.game import Forecast, Session, SessionT
from games.mode import Mode
from games.option import flag
from games.sheet import VOID, Choice, Number, Per, Scored, Sheet
from games.sheet_validation import listed, of_every_side, whole_number
from games.wording import OnSide, Text, _

VALUES = (11, 10, 4, 3, 2)
OF_EACH = 4
ALL_POINTS = OF_EACH * sum(VALUES)

_ONE = {value: 1 << 4 * place for place, value in enumerate(VALUES)}
_WHOLE = OF_EACH * sum(_ONE.values())
_BORROWS = 8 * sum(_ONE.values())  # the top bit of each value's four: cards never need it


def are_reachable(totals: Sequence[int], left_out: int = 0) -> bool:
    """Say whether the counting cards can be shared out among the sides with these totals.

    The whole split is decided, from the cards and not from tricks (Albastini R14, R18,
    Briscola R7). A side on 1 is the only hindrance (Albastini R16), but with five sides
    there are others (Albastini R17). *left_out* is the value of a card that nobody
    takes. Totals that do not add up are never reachable.

    >>> are_reachable([61, 59]), are_reachable([60, 59, 1]), are_reachable([8, 9, 9, 9, 85])
    (True, False, False)
    """
    if sum(totals) != ALL_POINTS - left_out or min(totals) < 0:
        return False
    # The smallest first: few cards make them, so a dead end shows itself at once.
    return _shared_out(_WHOLE - (_ONE[left_out] if left_out else 0), tuple(sorted(totals)))


@lru_cache(maxsize=1 << 16)
def _shared_out(left: int, totals: tuple[int, ...]) -> bool:
    """Say whether the heap *left* can be parted into these totals, their sum being its worth."""
    if len(totals) == 1:
        return True
    smallest, *others = totals
    rest = tuple(others)
    return any(
        ((left | _BORROWS) - heap) & _BORROWS == _BORROWS and _shared_out(left - heap, rest)
        for heap in _heaps().get(smallest, ())
    )


@cache
def _heaps() -> dict[int, tuple[int, ...]]:
    """List the heaps worth each total, those of few and high cards first."""
    heaps: dict[int, list[tuple[int, int]]] = {}
    for counts in product(range(OF_EACH + 1), repeat=len(VALUES)):
        worth = sum(count * value for count, value in zip(counts, VALUES, strict=True))
        heap = sum(count * _ONE[value] for count, value in zip(counts, VALUES, strict=True))
        heaps.setdefault(worth, []).append((sum(counts), heap))
    return {worth: tuple(heap for _, heap in sorted(made)) for worth, made in heaps.items()}


FILL_LAST_SIDE = flag(
    "fill_last_side", gettext_noop("May the last side’s total be worked out instead of counted?")
)
_IF_ONE_WINS = gettext_noop("If %(side)s wins")
_IF_SIDE_WINS = gettext_noop("If %(side)s win")
_IF_TIED = _("If it is a tie")


def read_count(
    answers: Mapping[str, object],
    mode: Mode,
    *,
    question: str,
    fill_last: bool,
    astray: Mapping[int, str],
    left_out: int = 0,
) -> dict[str, object]:
    """Return what every side counted, all of it there and possible, as a completed sheet says it.

    ``derived`` in it are the sides whose total was filled in and not counted.
    *left_out* is the value of a card nobody took; *astray* says in a sentence what
    it suggests when the totals are that much over, or under where it is negative.

    :raises SheetError: ``sides``, ``not-whole``, ``negative``, ``too-high``, ``not-counted``,
        ``fill-one``, ``fill-too-much``, ``total``, ``side-on-one`` or ``unattainable``.
    """
    entries = of_every_side(answers.get(question), mode, question=question)
    given = [
        None if entry is None else whole_number(entry, question=question, place=side, most=120)
        for side, entry in enumerate(entries)
    ]
    derived = _derived(answers, given, mode, question, fill_last=fill_last)
    counted = sum(total for total in given if total is not None)
    rest = ALL_POINTS - left_out - counted
    if None in given and rest < 0:
        raise SheetError(
            "fill-too-much",
            gettext_noop("The others make %(total)d already, of only %(all)d: count them again."),
            question=question,
            total=counted,
            all=ALL_POINTS - left_out,
        )
    totals = tuple(rest if total is None else total for total in given)
    _check_total(totals, question, astray, left_out)
    _check_split(totals, question, left_out)
    return {question: list(totals), **({"derived": list(derived)} if derived else {})}


def totals_question(session: Session, name: str, *, alone: str, in_sides: str) -> Number:
    """Ask what each player, or each side, counted."""
    filled = session.options[FILL_LAST_SIDE.name]
    return Number(
        name=name,
        label=alone if session.mode.individual else in_sides,
        per=Per.SIDE,
        high=ALL_POINTS,
        help=gettext_noop("The last side may be left empty.") if filled else "",
    )


def who_won(mode: Mode, *, void: str) -> Choice:
    """Ask only who won, at a table that did not count; *void* labels the answer for no result."""
    sides = range(len(mode.sides))
    return Choice(
        name="bare",
        label=gettext_noop("Who won?"),
        choices=(
            *((side, Text("%(side)s", {"side": OnSide(side)})) for side in sides),
            (None, gettext_noop("Nobody: it was a tie")),
            (VOID, void),
        ),
    )


def forecast_by_winner(
    session: SessionT, add_sheet: Callable[[SessionT, Sheet], Scored[SessionT]]
) -> tuple[Forecast, ...]:
    """Say who deals next if each side wins, and after a tie."""
    template = _IF_ONE_WINS if session.mode.individual else _IF_SIDE_WINS
    sides = range(len(session.mode.sides))
    outcomes = [(side, Text(template, {"side": OnSide(side)})) for side in sides]
    return tuple(
        Forecast(text, side, add_sheet(session, {"bare": side}).session.dealer)
        for side, text in [*outcomes, (None, _IF_TIED)]
    )


def _derived(
    answers: Mapping[str, object],
    given: list[int | None],
    mode: Mode,
    question: str,
    *,
    fill_last: bool,
) -> tuple[int, ...]:
    """Return the side that is left empty, or what an already completed sheet says of itself."""
    derived = tuple(side for side, total in enumerate(given) if total is None)
    if derived and not fill_last:
        raise SheetError(
            "not-counted",
            gettext_noop("Write down what every side counted."),
            question=question,
            place=derived[0],
        )
    if not derived and answers.get("derived") is not None:
        question = "derived"
        derived = tuple(
            whole_number(side, question=question, most=len(mode.sides) - 1)
            for side in listed(answers["derived"], question=question)
        )
    if len(derived) > 1:
        raise SheetError(
            "fill-one",
            gettext_noop("Leave only one side empty: the others must be counted."),
            question=question,
            place=derived[1],
        )
    return derived


def _check_total(
    totals: tuple[int, ...], question: str, astray: Mapping[int, str], left_out: int
) -> None:
    total, there = sum(totals), ALL_POINTS - left_out
    if total == there:
        return
    if total == ALL_POINTS:
        template = gettext_noop(
            "The totals make %(total)d, not %(all)d: the card left over was counted, "
            "and it is nobody’s."
        )
    else:
        many = gettext_noop("The totals make %(total)d, not %(all)d: %(by)d too many.")
        few = gettext_noop("The totals make %(total)d, not %(all)d: %(by)d too few.")
        template = astray.get(total - there, many if total > there else few)
    raise SheetError(
        "total", template, question=question, total=total, all=there, by=abs(total - there)
    )


def _check_split(totals: tuple[int, ...], question: str, left_out: int) -> None:
    if 1 in totals:
        raise SheetError(
            "side-on-one",
            gettext_noop("No cards are worth exactly 1 point: it is 0, or 2 or more."),
            question=question,
            place=totals.index(1),
        )
    if not are_reachable(totals, left_out):
        raise SheetError(
            "unattainable",
            gettext_noop("No cards make exactly these totals. Please count again."),
            question=question,
        )
