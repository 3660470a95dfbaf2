"""What a restore would lose is counted by what names each row, never by a difference of counts."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

from hypothesis import given, strategies as st

from tests.make import NOON
from tracker.backups.losses import ROWS, loss_lines

# A database: the reports by their entries, with table, number and minute; uids; and acts.
DATABASES = st.fixed_dictionaries(
    {
        "reports": st.dictionaries(
            st.sampled_from("abcdefgh"),
            st.tuples(st.sampled_from("123"), st.integers(1, 3), st.integers(0, 59)),
        ),
        "tracker_player": st.sets(st.sampled_from("uvwxyz")),
        "tracker_tournament": st.sets(st.sampled_from("uvwxyz")),
        "acts": st.sets(st.sampled_from(["seats-exchanged", "left", "came"])),
    }
)


def write(database: sqlite3.Connection, name: str, content: dict[str, Any]) -> None:
    for table, columns in (
        ("tracker_report", "entry, sitting_id, number, received_at"),
        ("tracker_logentry", "at, verb"),
        *((table, "uid") for table in ROWS),
    ):
        database.execute(f"CREATE TABLE {name}.{table} ({columns})")
    for entry, (sitting, number, minute) in content["reports"].items():
        row = (entry, sitting, number, f"{NOON + timedelta(minutes=minute):%Y-%m-%d %H:%M:%S}")
        database.execute(f"INSERT INTO {name}.tracker_report VALUES (?, ?, ?, ?)", row)
    for table in ("tracker_player", "tracker_tournament"):
        uids = [(uid,) for uid in content[table]]
        database.executemany(f"INSERT INTO {name}.{table} VALUES (?)", uids)
    acts = [(f"{NOON:%Y-%m-%d %H:%M:%S}", verb) for verb in content["acts"]]
    database.executemany(f"INSERT INTO {name}.tracker_logentry VALUES (?, ?)", acts)


def several(count: int, name: str) -> str:
    return f"{count} {name}{'s' * (count != 1)}"


@given(DATABASES, DATABASES)
def test_each_row_that_the_copy_lacks_is_counted(now: dict[str, Any], then: dict[str, Any]) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("ATTACH ':memory:' AS copy")
        write(database, "main", now)
        write(database, "copy", then)
        lines = loss_lines(database)

    expected = []
    lost = [now["reports"][entry] for entry in now["reports"].keys() - then["reports"].keys()]
    if lost:
        hands = several(len({(sitting, number) for sitting, number, _ in lost}), "hand")
        since = NOON + timedelta(minutes=min(minute for _, _, minute in lost))
        tables = several(len({sitting for sitting, _, _ in lost}), "table")
        expected.append(f"{hands} reported since {since:%d %b %Y, %H:%M} at {tables}")
    for name in ("player", "tournament"):
        rows = now[f"tracker_{name}"] - then[f"tracker_{name}"]
        expected += [several(len(rows), name)] if rows else []
    if acts := len(now["acts"] - then["acts"]):
        changes = several(acts, "other change")
        expected.append(f"{changes} that {'somebody' if acts == 1 else 'people'} made")
    assert lines == expected


def test_an_empty_database_loses_nothing() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        assert loss_lines(database) == []
