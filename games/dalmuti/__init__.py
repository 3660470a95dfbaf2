"""The Great Dalmuti, in its simple form: get rid of your cards, or deal the next game.

After RULES.md read, in this order:

- how a game goes: ``cards``, ``options``, ``state`` with the moves, ``rules`` from the draw on;
- what it earns: ``sheet``, ``scoring`` with its rankings;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``narration`` and ``layout`` for a game, with
  ``number_words``;
- what a newcomer is told: ``how_to_play``, with the hand in ``example.txt``;
- who plays: ``bots``, the strong one by ``games.bots.monte_carlo``;
- how they are quick: ``kernel`` is the rules in numbers, and ``playout_policy`` plays it.
  Tests hold ``kernel`` to ``rules``.
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.
"""

from games.dalmuti import (
    bots,
    hindsight,
    how_to_play,
    layout,
    narration,
    options,
    rules,
    scoring,
    state,
    text,
    view,
)
from games.errors import gettext_noop
from games.game import FirstDealer, Game, Typical, Unit
from games.play.playing import Play

GAME = Game(
    slug="dalmuti",
    name=gettext_noop("The Great Dalmuti"),
    summary=gettext_noop(
        "3 to 10 players. Get rid of your cards: first out leads the next game, last out deals it."
    ),
    deals_next=gettext_noop("Whoever goes out last deals the next game."),
    unit=Unit(
        one=gettext_noop("game"),
        many=gettext_noop("games"),
        numbered=gettext_noop("Game %(number)d"),
        numbered_of=gettext_noop("Game %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.DRAWN,
    modes=options.modes,
    options=options.OPTIONS,
    marks=scoring.MARKS,
    ranking=scoring.ranking,
    columns=scoring.columns,
    across=scoring.across,
    session=scoring.Session,
    open_session=scoring.open_session,
    questions=text.questions,
    bare_question=text.bare_question,
    add_sheet=scoring.add_sheet,
    headline=text.headline,
    explain=text.explain,
    forecast=text.forecast,
    notes=text.notes,
    usual_length=10,
    typical=Typical(minutes=6, placed=True),
    play=Play(
        pack=rules.pack,
        shuffles=rules.shuffles,
        deal=rules.deal,
        seat_to_move=rules.seat_to_move,
        legal_moves=rules.legal_moves,
        play=rules.play,
        view=view.view,
        fill_sheet=rules.fill_sheet,
        move_code=state.move_code,
        parse_move=state.parse_move,
        describe=narration.describe,
        describe_move=narration.describe_move,
        layout=layout.layout,
        critic=hindsight.CRITIC,
        prompt=narration.prompt,
        last_trick=narration.last_trick,
        bots={
            "beginner": bots.beginner,
            "steady": bots.steady,
            "strong": bots.strong,
            "original_code": bots.original_code,
            "readme": bots.readme,
        },
        styles={
            "original_code": gettext_noop(
                "The first program: leads what adds up to most, follows only with all of a value"
            ),
            "readme": gettext_noop("Its description: leads what it has most of, follows if it can"),
        },
    ),
    how_to_play=how_to_play.HOW_TO_PLAY,
)
