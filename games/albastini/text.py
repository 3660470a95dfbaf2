"""Text: what Albastini asks a table, and what it says of a hand."""

from games.albastini.cards import PACK, RANKS, Suit
from games.albastini.options import leaves_a_card, threshold
from games.albastini.scoring import Session, add_sheet, sheet_outcome
from games.cards import Countable
from games.counting import forecast_by_winner, totals_question, who_won
from games.errors import gettext_noop
from games.game import Forecast
from games.sheet import VOID, Card, Choice, Per, Question, Sheet
from games.wording import OnSide, Text, _

_CARDS = tuple((str(card), card.label) for card in PACK)
_RANKS = tuple((rank, rank) for rank in reversed(RANKS))
_SUITS = tuple((suit.value, suit.label) for suit in Suit)


def questions(session: Session) -> tuple[Question, ...]:
    """List what a table writes down of one hand (S10)."""
    left_over = leaves_a_card(session.mode)
    return (
        totals_question(
            session,
            "eaten",
            alone=gettext_noop("How much did each player eat?"),
            in_sides=gettext_noop("How much did each side eat?"),
        ),
        Card(
            name="face_up",
            label=gettext_noop("Which card was left over?")
            if left_over
            else gettext_noop("Which card lay face up under the stock?"),
            required=left_over,
            aside=not left_over,
            cards=_CARDS,
            ranks=_RANKS,
            help=gettext_noop("Nobody counts it: the totals make 120 less its value.")
            if left_over
            else "",
        ),
        Card(
            name="indicator",
            label=gettext_noop("Which card was turned up?"),
            required=False,
            aside=True,
            cards=_CARDS,
        ),
        Choice(
            name="trump",
            label=gettext_noop("What were trumps?"),
            required=False,
            aside=True,
            choices=_SUITS,
        ),
        Card(
            name="bids",
            label=gettext_noop("Who bid, and with which card?"),
            per=Per.SEAT,
            required=False,
            aside=True,
            cards=_CARDS,
        ),
    )


def bare_question(session: Session) -> Choice:
    return who_won(session.mode, void=gettext_noop("The hand is void, and is dealt again"))


_WORTH = {
    1: Text(gettext_noop("1 victory point"), brief=gettext_noop("1 VP")),
    2: Text(gettext_noop("2 victory points"), brief=gettext_noop("2 VP")),
}


def headline(session: Session, sheet: Sheet) -> Text:
    """Say in a line what a completed sheet comes to."""
    if sheet.get("bare") == VOID:
        return _("Void: nobody scores, and the same dealer deals again")
    mode = session.mode
    result = sheet_outcome(mode, sheet)
    if result.winner is None:
        return (
            _("A tie: nobody scores")
            if len(mode.sides) == 2
            else _("A tie at the top: nobody scores")
        )
    template = gettext_noop("%(side)s win · %(worth)s")
    if mode.individual:
        template = gettext_noop("%(side)s wins · %(worth)s")
    return Text(template, {"side": OnSide(result.winner), "worth": _WORTH[result.points]})


def explain(session: Session, sheet: Sheet) -> Text | None:
    """Say why the winner got 2 points, where it did (R10)."""
    mode = session.mode
    if "bare" in sheet or sheet_outcome(mode, sheet).points < 2:
        return None
    short = [side for side, total in enumerate(sheet["eaten"]) if total < threshold(mode)]
    params: dict[str, object] = {"side": OnSide(short[0]), "threshold": threshold(mode)}
    if len(short) > 1:
        return _(
            "%(number)d sides are under %(threshold)d", number=len(short), threshold=threshold(mode)
        )
    if mode.individual:
        return _("%(side)s is under %(threshold)d", **params)
    return _("%(side)s are under %(threshold)d", **params)


def countable(_session: Session) -> Countable:
    """Return the cards a side counts (R2)."""
    return Countable("eaten", tuple(card.face for card in PACK if card.value))


def forecast(session: Session) -> tuple[Forecast, ...]:
    return forecast_by_winner(session, add_sheet)
