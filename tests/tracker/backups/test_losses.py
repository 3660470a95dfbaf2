"""What a restore would lose is counted by what names each row, never by a difference of counts."""

from datetime import timedelta

from hypothesis import given, strategies as st

from tests.make import NOON
from tracker.backups.losses import DatabaseContents, ReportedHand, compare, loss_lines

REPORTS = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.builds(
        lambda sitting, number, at: ReportedHand(sitting, number, NOON + timedelta(minutes=at)),
        st.sampled_from("123"),
        st.sampled_from("123"),
        st.integers(0, 60),
    ),
)
ROWS = st.fixed_dictionaries(
    {of: st.frozensets(st.sampled_from("uvwxyz")) for of in ("players", "tournaments")}
)
ACTS = st.frozensets(st.tuples(st.just(NOON), st.sampled_from(["seats-exchanged", "left"])))
HOLDINGS = st.builds(DatabaseContents, reports=REPORTS, rows=ROWS, acts=ACTS)


@given(HOLDINGS)
def test_nothing_is_lost_against_itself(now: DatabaseContents) -> None:
    assert list(loss_lines(compare(now, now))) == []


@given(HOLDINGS, HOLDINGS)
def test_each_row_that_is_not_there_is_counted(
    now: DatabaseContents, then: DatabaseContents
) -> None:
    lost = compare(now, then)

    gone = {entry: report for entry, report in now.reports.items() if entry not in then.reports}
    assert bool(gone) == bool(lost.hands) == bool(lost.tables) == (lost.since is not None)
    assert lost.hands <= len(gone)
    assert lost.tables <= lost.hands
    if gone:
        assert lost.since == min(report.at for report in gone.values())
    for of, uids in now.rows.items():
        assert lost.rows.get(of, 0) == sum(uid not in then.rows[of] for uid in uids)
    assert lost.acts == len(now.acts - then.acts)


def test_as_many_others_make_up_for_nothing() -> None:
    now = DatabaseContents(
        reports={"a": ReportedHand("1", "1", NOON)}, rows={"players": frozenset({"asha", "juma"})}
    )
    then = DatabaseContents(
        reports={"b": ReportedHand("1", "1", NOON)}, rows={"players": frozenset({"asha", "neema"})}
    )

    lost = compare(now, then)

    assert (lost.hands, lost.tables, lost.rows) == (1, 1, {"players": 1})
