"""Text: what Briscola asks a table, and what it says of a deal."""

from games.briscola.options import cards_for
from games.briscola.scoring import Session, add_sheet, sheet_winner
from games.cards import Countable
from games.counting import forecast_by_winner, totals_question, who_won
from games.errors import gettext_noop
from games.game import Forecast, TableNotes
from games.sheet import VOID, Card, Choice, Question, Sheet
from games.wording import OnSide, Text, _


def questions(session: Session) -> tuple[Question, ...]:
    """List what a table writes down of one deal (S40)."""
    return (
        totals_question(
            session,
            "points",
            alone=gettext_noop("How many card points did each player take?"),
            in_sides=gettext_noop("How many card points did each side take?"),
        ),
        Card(
            name="face_up",
            label=gettext_noop("Which card was turned up?"),
            required=False,
            aside=True,
            cards=tuple(
                (str(card), card.label) for card in cards_for(session.mode, session.options)
            ),
        ),
    )


def bare_question(session: Session) -> Choice:
    return who_won(session.mode, void=gettext_noop("The deal is void, and is dealt again"))


def headline(session: Session, sheet: Sheet) -> Text:
    """Say in a line what a completed sheet comes to."""
    if sheet.get("bare") == VOID:
        return _("Void: the deal counts for nobody, and is dealt again")
    winner = sheet_winner(sheet)
    if winner is None:
        return _("A tie: nobody wins the deal")
    match session.mode.individual, add_sheet(session, sheet).session.over:
        case True, True:
            template = gettext_noop("%(side)s wins the deal and the match")
        case True, _:
            template = gettext_noop("%(side)s wins the deal")
        case False, True:
            template = gettext_noop("%(side)s win the deal and the match")
        case _:
            template = gettext_noop("%(side)s win the deal")
    return Text(template, {"side": OnSide(winner)})


def countable(session: Session) -> Countable:
    """Return the cards a side counts (R7)."""
    cards = cards_for(session.mode, session.options)
    return Countable("points", tuple(card.face for card in cards if card.value))


def forecast(session: Session) -> tuple[Forecast, ...]:
    return forecast_by_winner(session, add_sheet)


def notes(session: Session) -> TableNotes:
    """Return the score of the match, unless a single deal decides it (R12)."""
    if session.match_wins == 1:
        return TableNotes()
    score = "–".join(map(str, session.wins))
    if session.over:
        return TableNotes(table=_("%(score)s: match won", score=score))
    return TableNotes(
        table=_("%(score)s, first to win %(wins)d deals", score=score, wins=session.match_wins)
    )
