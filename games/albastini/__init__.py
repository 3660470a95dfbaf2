"""Albastini, the trick-taking game of Tanzania: the side that eats most of 120 points wins.

After RULES.md read, in this order:

- how a hand goes: ``cards``, ``options``, ``cut`` for partners, ``state`` with the moves,
  ``rules``; much of it is in ``games.play.tricks``;
- what it earns: ``sheet``, ``scoring``; totals are checked by ``games.counting`` and
  ``games.reachable_totals``;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``narration`` and ``layout`` for a game;
- what a newcomer is told: ``how_to_play``, with the hand in ``example.txt``;
- who plays: ``bots``, by ``games.bots.heuristics`` and ``games.bots.monte_carlo``;
- how they are quick: ``kernel`` is the rules in numbers, on ``games.bots.fast_tricks``, and
  ``policy_weights`` plays it. Tests hold ``kernel`` to ``rules``.
- what was worth knowing afterwards: ``hindsight``, by ``games.bots.monte_carlo``.
"""

from games.albastini import (
    bots,
    cards,
    cut,
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
from games.game import Game, Typical, Unit
from games.play.playing import Play
from games.play.tricks import seat_to_move

GAME = Game(
    slug="albastini",
    name=gettext_noop("Albastini"),
    summary=gettext_noop("Tricks for two to six, mostly in pairs: eat more than the others."),
    deals_next=gettext_noop(
        "The winners’ partner who has waited longer deals next. After a tie the same dealer deals again."
    ),
    unit=Unit(
        one=gettext_noop("hand"),
        many=gettext_noop("hands"),
        numbered=gettext_noop("Hand %(number)d"),
        numbered_of=gettext_noop("Hand %(number)d of %(all)d"),
    ),
    typical=Typical(minutes=5, double=0.1),
    modes=options.modes,
    options=options.OPTIONS,
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
    draw_seats=cut.cut_for_partners,
    play=Play(
        pack=rules.pack,
        deal=rules.deal,
        seat_to_move=seat_to_move,
        legal_moves=rules.legal_moves,
        play=rules.play,
        view=view.view,
        fill_sheet=rules.fill_sheet,
        move_code=state.move_code,
        parse_move=state.parse_move,
        describe=narration.describe,
        describe_move=narration.describe_move,
        bots={"beginner": bots.beginner, "steady": bots.steady, "strong": bots.strong},
        layout=layout.layout,
        critic=hindsight.CRITIC,
        face=lambda code: layout.face(cards.parse_card(code)),
        prompt=narration.prompt,
        last_trick=narration.last_trick,
        learns=narration.learns,
    ),
    countable=layout.countable,
    how_to_play=how_to_play.HOW_TO_PLAY,
)
