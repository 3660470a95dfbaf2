"""Checks of a document that fits its schemas, and its adaptation for import.

A *document* is the JSON of a tournament file. *where* is always the path to a value in it, such as
``stages[0].rounds[2]``. The words of a refusal follow such a path, so they begin in lower case.
"""

from collections.abc import Iterator
from datetime import datetime

from games import catalogue
from games.errors import ModeError, RuleError, gettext_noop
from games.game import AnyGame, FirstDealer
from games.mode import Mode
from tracker.common.names import is_name, tidy
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import InvalidFileError, Moment

# Enough for 7,500 hands. While more rows are stored, tables would wait too long to report.
MOST_ROWS = 25_000
_ROWS = ("seats", "reports", "hands", "issues", "acts")


def check(document: Document) -> None:
    """Check people, games, modes, tables and hands; the trial import counts the hands again.

    :raises InvalidFileError: at the first impossible value.
    """
    _check_people(document)
    tables = [table for stage in document["stages"] for table, _where in _tables(stage, "")]
    rows = sum(len(table[name]) for table in tables for name in _ROWS)
    if rows > MOST_ROWS:
        template = gettext_noop("%(rows)d seats, reports, hands and acts: %(most)d are the most.")
        raise InvalidFileError("rows", template, where="stages", rows=rows, most=MOST_ROWS)
    for index, stage in enumerate(document["stages"]):
        where = f"stages[{index}]"
        game = _checked_game(stage, where)
        if stage["follows"] is not None and stage["follows"] >= index:
            template = gettext_noop("a stage follows one that stands before it.")
            raise InvalidFileError("follows", template, where=f"{where}.follows")
        for number, (drawn, drawn_where) in enumerate(_drawn_tables(stage, where)):
            # The units (the entrants who sit there) have to fill all places of all sides.
            if len(drawn["units"]) != sum(map(len, drawn["shape"]["sides"])):
                template = gettext_noop("so many do not sit at such a table.")
                units = f"{drawn_where}.tables[{number}].units"
                raise InvalidFileError("units", template, where=units)
        for table, table_where in _tables(stage, where):
            _check_table(game, table, table_where)


def _check_people(document: Document) -> None:
    for kind in ("people", "teams"):
        names: set[str] = set()
        for index, item in enumerate(document[kind]):
            name, where = item["name"], f"{kind}[{index}].name"
            if name.casefold() in names:
                template = gettext_noop("two are called “%(name)s”.")
                raise InvalidFileError("name-twice", template, where=where, name=name)
            names.add(name.casefold())
            if not is_name(name) or tidy(name) != name:
                template = gettext_noop("“%(name)s” is no name.")
                raise InvalidFileError("name", template, where=where, name=tidy(name))
    for index, team in enumerate(document["teams"]):
        if len(set(team["roster"])) < len(team["roster"]):
            template = gettext_noop("somebody is in this team twice.")
            raise InvalidFileError("roster", template, where=f"teams[{index}].roster")


def _checked_game(stage: Document, where: str) -> AnyGame:
    """Check the mode and the tie-breaks of a stage, and return its game."""
    game = catalogue.GAMES.get(stage["game"])
    if game is None:
        template = gettext_noop("nobody plays “%(game)s” here.")
        raise InvalidFileError("game", template, where=f"{where}.game", game=stage["game"])
    options = game.resume_options(stage["options"])
    _checked_mode(game, stage["mode"], options, where)
    tie_breaks = {criterion.key for criterion in game.tie_breaks(options)}
    for index, key in enumerate(stage["tie_breaks"]):
        if key not in tie_breaks:
            template = gettext_noop("“%(key)s” breaks no tie of this game.")
            tie_break = f"{where}.tie_breaks[{index}]"
            raise InvalidFileError("tie-break", template, where=tie_break, key=key)
    return game


def _checked_mode(game: AnyGame, code: str, options: Document, where: str) -> Mode:
    """Return the mode (how many sit down, in which sides) with this code, such as "4t2"."""
    try:
        return game.mode(code, options)
    except ModeError as refusal:
        raise InvalidFileError.of(refusal, f"{where}.mode") from refusal


def _tables(stage: Document, where: str) -> Iterator[tuple[Document, str]]:
    """Yield every table that was played, with its path."""
    for round_index, round_ in enumerate(stage["rounds"]):
        for index, table in enumerate(round_["tables"]):
            yield table, f"{where}.rounds[{round_index}].tables[{index}]"


def _drawn_tables(stage: Document, where: str) -> Iterator[tuple[Document, str]]:
    """Yield every table in a plan of who sits where, with the path to the plan.

    A plan has the tables that were drawn, and those of the earlier rounds that the draw considered.
    """
    for index, round_ in enumerate(stage["rounds"]):
        if plan := round_["seating_plan"]:
            for seating in (plan["seating"], *plan["question"]["played"]):
                for table in seating["tables"]:
                    yield table, f"{where}.rounds[{index}].seating_plan"
    for index, draw in enumerate(stage["draws"]):
        # ``draw["question"]`` has the settings; its ``question`` is the one to the movement.
        for seating in (draw["plan"], *draw["question"]["question"]["played"]):
            for table in seating["tables"]:
                yield table, f"{where}.draws[{index}]"


def _check_table(game: AnyGame, table: Document, where: str) -> None:
    """Check that the places and sides of a table exist in its mode, and check its hands."""
    mode = _checked_mode(game, table["mode"], game.resume_options(table["options"]), where)
    for name in ("first_dealer", "next_dealer", "chosen_dealer"):
        if table[name] is not None and table[name] >= mode.seats:
            raise _no_place(f"{where}.{name}")
    if (table.get("decided_side") or 0) >= len(mode.sides):  # files of versions 1 and 2 lack it
        raise _no_place(f"{where}.decided_side")
    if len(table["dealt_before"]) != mode.seats:
        raise _no_place(f"{where}.dealt_before")
    for index, seat in enumerate(table["seats"]):
        if seat["place"] >= mode.seats or seat["side"] != mode.side_of(seat["place"]):
            raise _no_place(f"{where}.seats[{index}]")
    if {seat["place"] for seat in table["seats"]} != set(range(mode.seats)):
        template = gettext_noop("somebody has to sit at every place.")
        raise InvalidFileError("place-free", template, where=f"{where}.seats")
    for index, hand in enumerate(table["hands"]):
        if hand["number"] != index + 1:
            template = gettext_noop("the hands of a table are numbered from 1.")
            number = f"{where}.hands[{index}].number"
            raise InvalidFileError("hand-number", template, where=number)
        _check_hand(game, hand, mode.seats, f"{where}.hands[{index}]")


def _check_hand(game: AnyGame, hand: Document, seats: int, where: str) -> None:
    """Check the dealer, the marks (results by place) and the record (the moves) of a hand.

    Only in games where cards are drawn for the first deal it may be unknown who dealt.
    """
    if hand["dealer"] is None and game.first_dealer is not FirstDealer.DRAWN:
        template = gettext_noop("of this game it is always known who dealt.")
        raise InvalidFileError("dealer", template, where=f"{where}.dealer")
    if (hand["dealer"] or 0) >= seats or (hand["marks"] and len(hand["marks"]) != seats):
        raise _no_place(where)
    if hand["record"] is not None and game.play is not None:
        # Where games are only scored there are no records to look into.
        from games.records.parser import read
        from games.records.replayer import replay

        try:
            replay(read(hand["record"]["text"]))
        except RuleError as refusal:
            raise InvalidFileError.of(refusal, f"{where}.record") from refusal


def _no_place(where: str) -> InvalidFileError:
    """Return the error of a place, or a side, that the mode of a table does not have."""
    template = gettext_noop("there is no such place at this table.")
    return InvalidFileError("place", template, where=where)


def with_ranking(stage: Document) -> Document:
    """Return a stage with the ``ranked_by`` that files of versions 1 and 2 lack.

    It follows from the sizes of the tables and from whether a round has several tables.
    """
    if "ranked_by" in stage:
        return stage
    rounds = []
    for round_ in stage["rounds"]:
        published = round_["published_standing"]
        if published:
            published = {**published, "ranked_by": _ranked_by(stage, round_["number"])}
        rounds.append({**round_, "published_standing": published})
    return {**stage, "rounds": rounds, "ranked_by": _ranked_by(stage)}


def _ranked_by(stage: Document, last_round: float = float("inf")) -> str:
    """Return what ranked a stage after *last_round*, or at its end: a value of ``RankedBy``."""
    if catalogue.GAMES[stage["game"]].across is None:  # no way to compare several tables
        return "game"
    # For each round a list of the sizes of its tables: ``dealt_before`` has an item for each seat.
    table_sizes = [
        [len(table["dealt_before"]) for table in round_["tables"]]
        for round_ in stage["rounds"]
        if round_["state"] != "undone" and round_["number"] <= last_round
    ]
    if len({size for sizes in table_sizes for size in sizes}) > 1:
        return "share"
    several = any(len(sizes) > 1 for sizes in table_sizes) or stage["carry_over"] != "nothing"
    return "points" if several else "game"


def close_rounds(stage: Document, at: datetime) -> Document:
    """Return a stage whose open rounds are closed at this moment: they cannot be continued here."""
    now = Moment().dump(at, {})

    def closed_table(table: Document) -> Document:
        state = table["token_state"]  # whether the address of the table takes reports
        closed_state = "closed" if state == "open" else state
        return {**table, "token_state": closed_state, "finished_at": table["finished_at"] or now}

    def closed_round(round_: Document) -> Document:
        tables = [closed_table(table) for table in round_["tables"]]
        return {**round_, "state": "closed", "closed_at": now, "tables": tables}

    rounds = [
        closed_round(round_) if round_["state"] == "open" else round_ for round_ in stage["rounds"]
    ]
    until = stage["provisional_until"]  # of objections; as text, as moments sort as their texts do
    return {**stage, "rounds": rounds, "provisional_until": until and min(until, now)}
