"""The Great Dalmuti, in its simple form: get rid of your cards, or deal the next game.

After RULES.md read, in this order:

- how a game goes: ``cards``, ``moves``, ``state``, ``draw`` for the opening and the deal,
  ``rules``;
- what it earns: ``house`` with its options and rankings, ``orders``, ``scoring``;
- what a seat sees: ``view``;
- words and pictures: ``text`` for the score sheet, ``telling`` and ``layout`` for a game;
- who plays: ``bots`` names ``beginner``, ``steady``, ``seed_bots`` and ``strong``, which
  tries moves by ``games.search`` in the worlds of ``guess``; ``rivals`` measure it;
- how they are quick: ``kernel`` is the rules in numbers, played out by ``playout`` with the
  numbers of ``habits``, or by ``lot``; ``by_lot`` is whole games. Tests hold ``kernel`` and
  ``by_lot`` to ``rules``.
"""

from games.dalmuti import bots, house, layout, moves, rivals, rules, scoring, telling, text, view
from games.errors import gettext_noop
from games.game import FirstDealer, Game, Unit
from games.playing import Play

GAME = Game(
    slug="dalmuti",
    name=gettext_noop("The Great Dalmuti"),
    summary=gettext_noop(
        "3 to 10 players. Rid yourself of your cards: who is first out leads the next game, "
        "who is last deals it."
    ),
    unit=Unit(
        one=gettext_noop("game"),
        many=gettext_noop("games"),
        numbered=gettext_noop("Game %(number)d"),
        numbered_of=gettext_noop("Game %(number)d of %(all)d"),
    ),
    first_dealer=FirstDealer.DRAWN,
    modes=house.modes,
    options=house.OPTIONS,
    marks=house.MARKS,
    ranking=house.ranking,
    columns=house.columns,
    across=house.across,
    session=scoring.Session,
    open_session=scoring.open_session,
    questions=scoring.questions,
    bare_question=scoring.bare_question,
    add_sheet=scoring.add_sheet,
    headline=text.headline,
    explain=text.explain,
    forecast=text.forecast,
    notes=text.notes,
    usual_length=10,
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
        bots={
            "beginner": bots.beginner,
            "steady": bots.steady,
            "strong": bots.strong,
            "readme": bots.readme,
            "original_code": bots.original_code,
        },
        rivals={"plain": rivals.plain},
        cheats={"cheat": rivals.cheat},
    ),
)
