"""Which copies stay, and for how long: any evenings, any clock."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tracker.backups.copies import (
    ALL_FOR,
    LONGEST,
    ONE_AN_HOUR_FOR,
    CopyFile,
    CopyKind,
    parse_name,
    to_delete,
)

NOW = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
AGES = st.timedeltas(min_value=timedelta(minutes=-5), max_value=timedelta(days=70))
COPIES = st.lists(
    st.builds(
        lambda age, kind, size: CopyFile(NOW - age, kind, size),
        AGES,
        st.sampled_from(CopyKind),
        st.integers(0, 1000),
    ),
    unique_by=lambda copy: copy.at,
    max_size=60,
)
ENOUGH = 10**9


def staying(copies: list[CopyFile], *, now: datetime = NOW, room: int = ENOUGH) -> list[CopyFile]:
    gone = to_delete(copies, now=now, space=room)
    assert set(gone) <= set(copies)
    return [copy for copy in copies if copy not in gone]


def evening(days_ago: int) -> list[CopyFile]:
    """Four hours of an evening, a copy every five minutes."""
    begun = NOW - timedelta(days=days_ago, hours=4)
    return [CopyFile(begun + n * timedelta(minutes=5), CopyKind.NIGHT, 1) for n in range(48)]


@given(COPIES, st.integers(0, 20_000))
def test_the_newest_always_stays(copies: list[CopyFile], room: int) -> None:
    if copies:
        assert max(copies, key=lambda copy: copy.at) in staying(copies, room=room)


@given(COPIES)
def test_what_somebody_asked_for_or_an_act_made_stays_a_month(copies: list[CopyFile]) -> None:
    newest = max((copy.at for copy in copies), default=NOW)
    left = staying(copies)

    for copy in copies:
        if copy.kind is not CopyKind.NIGHT and copy.at != newest:
            assert (copy in left) == (NOW - copy.at <= LONGEST)


@given(COPIES)
def test_made_by_themselves_they_thin_out(copies: list[CopyFile]) -> None:
    left = [copy for copy in staying(copies) if copy.kind is CopyKind.NIGHT]
    newest = max((copy.at for copy in copies), default=NOW)

    for copy in copies:
        if copy.kind is not CopyKind.NIGHT:
            continue
        age = NOW - copy.at
        if age <= ALL_FOR:
            assert copy in left
        elif age <= ONE_AN_HOUR_FOR:
            assert any(other.at >= copy.at and same_hour(other, copy) for other in left)
        elif age <= LONGEST:
            assert any(other.at >= copy.at and other.at.date() == copy.at.date() for other in left)
    old = [copy for copy in left if NOW - copy.at > ONE_AN_HOUR_FOR and copy.at != newest]
    assert len({copy.at.date() for copy in old}) == len(old)
    assert all(NOW - copy.at <= LONGEST for copy in old)


def same_hour(copy: CopyFile, other: CopyFile) -> bool:
    return (copy.at.date(), copy.at.hour) == (other.at.date(), other.at.hour)


@given(COPIES, st.integers(0, 20_000))
def test_they_take_no_more_than_their_room(copies: list[CopyFile], room: int) -> None:
    left = sorted(staying(copies, room=room), key=lambda copy: copy.at)
    taken = sum(copy.size for copy in left)

    if taken > room:  # then only what nobody may take away is left
        assert all(copy.kind is CopyKind.ASKED for copy in left[:-1])
    usual = staying(copies)
    if any(copy.kind is CopyKind.NIGHT for copy in left[:-1]):
        # None of the others went before the oldest of these.
        others = [copy for copy in usual if copy.kind is not CopyKind.NIGHT]
        assert all(copy in left for copy in others)


@given(COPIES, st.integers(0, 20_000))
def test_twice_is_once(copies: list[CopyFile], room: int) -> None:
    left = staying(copies, room=room)

    assert to_delete(left, now=NOW, space=room) == []


@given(st.lists(st.integers(0, 40), unique=True, max_size=8))
def test_thinned_out_again_and_again_every_evening_is_still_there(days: list[int]) -> None:
    """Whenever one looks, of each evening within a month there is its last copy."""
    there: list[CopyFile] = []
    for day in sorted(days, reverse=True):
        for copy in evening(day):
            there = staying([*there, copy], now=copy.at)

    for day in days:
        last = evening(day)[-1]
        if NOW - last.at <= LONGEST:
            assert last in there


@given(COPIES)
def test_a_name_says_what_it_says(copies: list[CopyFile]) -> None:
    for copy in copies:
        read = parse_name(copy.name, copy.size)

        assert read is not None
        assert (read.kind, read.size, read.name) == (copy.kind, copy.size, copy.name)
        assert timedelta() <= copy.at - read.at < timedelta(milliseconds=1)


@given(st.text(max_size=40))
def test_any_other_name_is_none(text: str) -> None:
    assert parse_name(text) is None


def test_a_day_that_is_none_is_no_copy() -> None:
    assert parse_name("kula-20261399-201507-042-night.zip") is None
    assert parse_name("kula-20261120-201507-042-other.zip") is None
