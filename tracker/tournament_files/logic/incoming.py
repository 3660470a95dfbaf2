"""Adaptation of an incoming stage: older versions completed, open rounds closed."""

from datetime import datetime

from games import catalogue
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import Moment


def with_ranking(stage: Document) -> Document:
    """Return a stage with what it, and each standing published of it, was ranked by.

    Up to version 2 that followed from the tables: of one size or several, one or more at once.
    """
    if "ranked_by" in stage:
        return stage
    rounds = [
        {**round_, "published_standing": published and {**published, "ranked_by": ranked_by}}
        for round_ in stage["rounds"]
        for published in [round_["published_standing"]]
        for ranked_by in [_ranked_by(stage, round_["number"])]
    ]
    return {**stage, "rounds": rounds, "ranked_by": _ranked_by(stage)}


def ended(stage: Document, at: datetime) -> Document:
    """Return a stage whose open rounds end at that time: they are not played on here."""
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
    until = stage["provisional_until"]  # nobody objects here
    return {**stage, "rounds": rounds, "provisional_until": until and min(until, now)}


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
