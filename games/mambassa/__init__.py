"""Mambassa: four cards, four tokens, and the last one in takes the pool.

After RULES.md read, in this order:

- which hand is better: ``cards``, ``ranking``;
- how a deal goes: ``moves``, ``state``, ``turns``, ``rules``;
- what it costs: ``house`` with its options and rankings, ``stakes``, ``showdown`` for the
  hands shown, ``deals``, ``counted`` and ``finish`` for a sheet's answers, ``scoring``;
- what a seat sees: ``view``;
- words and pictures: ``naming`` for hands, ``text`` for the score sheet, ``telling`` and
  ``layout`` for a game;
- who plays: ``bots`` names ``beginner``, ``steady`` and ``strong``, which tries moves by
  ``games.search`` in the worlds of ``guess`` for what ``prize`` says; ``rivals`` measure it;
- how they are quick: ``worth`` is the ranking in numbers, ``kernel`` the rules, played out
  by ``playout`` with the numbers of ``habits``; ``by_lot`` is whole deals. Tests hold
  ``worth`` to ``ranking``, ``kernel`` and ``by_lot`` to ``rules``.
"""

from games.errors import gettext_noop
from games.game import FirstDealer, Game, Unit
from games.mambassa import bots, house, layout, moves, rivals, rules, scoring, telling, text, view
from games.playing import Play

GAME = Game(
    slug="mambassa",
    name=gettext_noop("Mambassa"),
    summary=gettext_noop(
        "3 to 8 players with four tokens each. The lowest hand pays; the last one in takes the "
        "pool."
    ),
    unit=Unit(
        one=gettext_noop("deal"),
        many=gettext_noop("deals"),
        numbered=gettext_noop("Deal %(number)d"),
        numbered_of=gettext_noop("Deal %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.LOT,
    modes=house.modes,
    options=house.OPTIONS,
    marks=house.MARKS,
    ranking=house.ranking,
    columns=house.columns,
    across=house.across,
    session=scoring.Session,
    open_session=scoring.open_session,
    questions=text.questions,
    bare_question=text.bare_question,
    add_sheet=scoring.add_sheet,
    headline=text.headline,
    explain=text.explain,
    forecast=text.forecast,
    notes=text.notes,
    round_in_games=True,
    usual_length=1,
    play=Play(
        pack=rules.pack,
        shuffles=rules.shuffles,
        deal=rules.deal,
        seat_to_move=rules.seat_to_move,
        legal_moves=rules.legal_moves,
        play=rules.play,
        view=view.view,
        fill_sheet=rules.fill_sheet,
        move_code=moves.move_code,
        parse_move=moves.parse_move,
        describe=telling.describe,
        describe_move=telling.describe_move,
        layout=layout.layout,
        bots={"beginner": bots.beginner, "steady": bots.steady, "strong": bots.strong},
        rivals={"plain": rivals.plain},
        cheats={"cheat": rivals.cheat},
    ),
)
