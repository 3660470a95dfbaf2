"""Checks of a document that fits its schemas, and its adaptation for import."""

from collections.abc import Iterator
from datetime import datetime

from games import catalogue
from games.errors import ModeError, RuleError, gettext_noop
from games.game import AnyGame, FirstDealer
from games.mode import Mode
from games.records.parser import read
from games.records.replayer import replay
from tracker.common.names import is_name, tidy
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import InvalidFileError, Moment

MOST_ROWS = 25_000  # of a tournament of 7,500 hands
_ROWS = ("seats", "reports", "hands", "issues", "acts")


def check(document: Document) -> None:
    """Check people, games, modes, tables and hands; the trial import checks the counts.

    :raises InvalidFileError: at the first that is impossible.
    """
    _check_people(document)
    # Storing more would keep tables from reporting for too long.
    tables = [table for stage in document["stages"] for _, table in _tables(stage, "")]
    rows = sum(len(table[name]) for table in tables for name in _ROWS)
    if rows > MOST_ROWS:
        template = gettext_noop("%(rows)d seats, reports, hands and acts: %(most)d are the most.")
        raise InvalidFileError("rows", template, where="stages", rows=rows, most=MOST_ROWS)
    for at, stage in enumerate(document["stages"]):
        where = f"stages[{at}]"
        game = _game(stage, where)
        if stage["follows"] is not None and stage["follows"] >= at:
            template = gettext_noop("a stage follows one that stands before it.")
            raise InvalidFileError("follows", template, where=f"{where}.follows")
        for nth, (table, place) in enumerate(_seatings(stage, where)):
            if len(table["units"]) != sum(map(len, table["shape"]["sides"])):
                template = gettext_noop("so many do not sit at such a table.")
                raise InvalidFileError("units", template, where=f"{place}.tables[{nth}].units")
        for place, table in _tables(stage, where):
            _check_table(game, table, place)


def _check_people(document: Document) -> None:
    for kind in ("people", "teams"):
        names: set[str] = set()
        for at, named in enumerate(document[kind]):
            name, where = named["name"], f"{kind}[{at}].name"
            if name.casefold() in names:
                template = gettext_noop("two are called “%(name)s”.")
                raise InvalidFileError("name-twice", template, where=where, name=name)
            names.add(name.casefold())
            if not is_name(name) or tidy(name) != name:
                template = gettext_noop("“%(name)s” is no name.")
                raise InvalidFileError("name", template, where=where, name=tidy(name))
    for at, team in enumerate(document["teams"]):
        if len(set(team["roster"])) < len(team["roster"]):
            template = gettext_noop("somebody is in this team twice.")
            raise InvalidFileError("roster", template, where=f"teams[{at}].roster")


def _game(stage: Document, where: str) -> AnyGame:
    game = catalogue.GAMES.get(stage["game"])
    if game is None:
        template = gettext_noop("nobody plays “%(game)s” here.")
        raise InvalidFileError("game", template, where=f"{where}.game", game=stage["game"])
    options = game.resume_options(stage["options"])
    _mode(game, stage["mode"], options, where)
    known = {criterion.key for criterion in game.tie_breaks(options)}
    for at, key in enumerate(stage["tie_breaks"]):
        if key not in known:
            template = gettext_noop("“%(key)s” breaks no tie of this game.")
            raise InvalidFileError(
                "tie-break", template, where=f"{where}.tie_breaks[{at}]", key=key
            )
    return game


def _mode(game: AnyGame, code: str, options: Document, where: str) -> Mode:
    try:
        return game.mode(code, options)
    except ModeError as refusal:
        raise InvalidFileError.of(refusal, f"{where}.mode") from refusal


def _tables(stage: Document, where: str) -> Iterator[tuple[str, Document]]:
    for at, round_ in enumerate(stage["rounds"]):
        for nth, table in enumerate(round_["tables"]):
            yield f"{where}.rounds[{at}].tables[{nth}]", table


def _seatings(stage: Document, where: str) -> Iterator[tuple[Document, str]]:
    """Yield every table of every draw."""
    for at, round_ in enumerate(stage["rounds"]):
        if plan := round_["seating_plan"]:
            for seating in (plan["seating"], *plan["question"]["played"]):
                for table in seating["tables"]:
                    yield table, f"{where}.rounds[{at}].seating_plan"
    for at, draw in enumerate(stage["draws"]):
        for seating in (draw["plan"], *draw["question"]["question"]["played"]):
            for table in seating["tables"]:
                yield table, f"{where}.draws[{at}]"


def _check_table(game: AnyGame, table: Document, where: str) -> None:
    mode = _mode(game, table["mode"], game.resume_options(table["options"]), where)
    for name in ("first_dealer", "next_dealer", "chosen_dealer"):
        if table[name] is not None and table[name] >= mode.seats:
            raise _no_place(f"{where}.{name}")
    if (table.get("decided_side") or 0) >= len(mode.sides):
        raise _no_place(f"{where}.decided_side")
    if len(table["dealt_before"]) != mode.seats:
        raise _no_place(f"{where}.dealt_before")
    for at, seat in enumerate(table["seats"]):
        if seat["place"] >= mode.seats or seat["side"] != mode.side_of(seat["place"]):
            raise _no_place(f"{where}.seats[{at}]")
    if {seat["place"] for seat in table["seats"]} != set(range(mode.seats)):
        template = gettext_noop("somebody has to sit at every place.")
        raise InvalidFileError("place-free", template, where=f"{where}.seats")
    for at, hand in enumerate(table["hands"]):
        _check_hand(game, table, hand, at, f"{where}.hands[{at}]")


def _check_hand(game: AnyGame, table: Document, hand: Document, at: int, where: str) -> None:
    if hand["number"] != at + 1:
        template = gettext_noop("the hands of a table are numbered from 1.")
        raise InvalidFileError("hand-number", template, where=f"{where}.number")
    seats = len(table["dealt_before"])
    if hand["dealer"] is None and game.first_dealer is not FirstDealer.DRAWN:
        template = gettext_noop("of this game it is always known who dealt.")
        raise InvalidFileError("dealer", template, where=f"{where}.dealer")
    if (hand["dealer"] or 0) >= seats or len(hand["marks"] or range(seats)) != seats:
        raise _no_place(where)
    if hand["record"] is not None:
        try:
            replay(read(hand["record"]["text"]))
        except RuleError as refusal:
            raise InvalidFileError.of(refusal, f"{where}.record") from refusal


def _no_place(where: str) -> InvalidFileError:
    return InvalidFileError(
        "place", gettext_noop("there is no such place at this table."), where=where
    )


def with_ranking(stage: Document) -> Document:
    """Return a stage with the ``ranked_by`` that files up to version 2 lack.

    There it followed from the tables: of one size or several, one a round or more.
    """
    if "ranked_by" in stage:
        return stage
    rounds = [
        {
            **round_,
            "published_standing": published
            and {**published, "ranked_by": _ranked_by(stage, round_["number"])},
        }
        for round_ in stage["rounds"]
        for published in [round_["published_standing"]]
    ]
    return {**stage, "rounds": rounds, "ranked_by": _ranked_by(stage)}


def _ranked_by(stage: Document, upto: float = float("inf")) -> str:
    if catalogue.GAMES[stage["game"]].across is None:
        return "game"
    rounds = [
        [len(table["dealt_before"]) for table in round_["tables"]]
        for round_ in stage["rounds"]
        if round_["state"] != "undone" and round_["number"] <= upto
    ]
    if len({seats for tables in rounds for seats in tables}) > 1:
        return "share"
    several = any(len(tables) > 1 for tables in rounds) or stage["carry_over"] != "nothing"
    return "points" if several else "game"


def close_rounds(stage: Document, at: datetime) -> Document:
    """Return a stage whose open rounds are closed at that time, as nobody plays on here."""
    now, closed = Moment().dump(at, {}), {"open": "closed"}
    rounds = []
    for round_ in stage["rounds"]:
        if round_["state"] == "open":
            tables = [
                {
                    **table,
                    "finished_at": table["finished_at"] or now,
                    "token_state": closed.get(table["token_state"], table["token_state"]),
                }
                for table in round_["tables"]
            ]
            round_ = {**round_, "state": "closed", "closed_at": now, "tables": tables}  # noqa: PLW2901
        rounds.append(round_)
    until = stage["provisional_until"]
    return {**stage, "rounds": rounds, "provisional_until": until and min(until, now)}
