"""Albastini, the trick-taking game of Tanzania: whoever eats most of 120 points wins."""

from games.albastini import modes, scoring, text
from games.errors import gettext_noop
from games.game import FirstDealer, Game, Unit

GAME = Game(
    slug="albastini",
    name=gettext_noop("Albastini"),
    summary=gettext_noop("Tricks for two to six, mostly in pairs: eat more than the others."),
    unit=Unit(
        one=gettext_noop("hand"),
        many=gettext_noop("hands"),
        numbered=gettext_noop("Hand %(number)d"),
        numbered_of=gettext_noop("Hand %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.CHOSEN,
    modes=modes.modes,
    options=modes.OPTIONS,
    marks=scoring.MARKS,
    ranking=scoring.ranking,
    columns=scoring.columns,
    session=scoring.Session,
    open_session=scoring.open_session,
    questions=text.questions,
    bare_question=text.bare_question,
    add_sheet=scoring.add_sheet,
    headline=text.headline,
    explain=text.explain,
    forecast=text.forecast,
    notes=text.notes,
)
