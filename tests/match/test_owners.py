"""Owners of a match: epochs never fall, only `own` raises them, and its digest must fit."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from builders.matches import TWO, Course, first
from builders.truths import MATCH, A, B
from sunglare_protocol.ids import PUBLIC, audience_of
from sunglare_protocol.messages import News
from sunglare_server.match.record import (
    RECORD_VERSION,
    Closed,
    Kind,
    Owned,
    PauseAsked,
    Record,
    RecordError,
    Resigned,
    Restarted,
    body_of,
    chain,
    epoch_of,
    linked,
    packed,
    unpacked,
)
from sunglare_server.match.state import digest
from sunglare_server.ops.repair.database_check import check_match

Reader = Callable[[bytes, int, bytes], object]
READERS = pytest.mark.parametrize("reader", [unpacked, linked], ids=["ours", "of any rules"])


def followed(before: bytes, **fields: object) -> bytes:
    """Return the record after the opening `before`, with these fields."""
    body = PauseAsked(on=True)
    record = Record(
        v=RECORD_VERSION, m=MATCH, n=2, k=Kind.COMMAND, t=0, b=body, s=A, c=1, p=chain(before)
    )
    return packed(replace(record, **fields))


def own(before: bytes, epoch: int, **fields: object) -> bytes:
    """Return the record by which an owner of that epoch begins."""
    said = {"k": Kind.OWN, "b": Owned(), "s": None, "c": None, "h": bytes(16), "e": epoch}
    return followed(before, **{**said, **fields})


def why(reader: Reader, data: bytes, before: bytes) -> str:
    with pytest.raises(RecordError) as refused:
        reader(data, 2, before)
    return str(refused.value)


@READERS
def test_a_record_of_another_epoch_than_its_owners_is_refused(reader: Reader) -> None:
    before = first(e=5)
    reader(followed(before, e=5), 2, before)
    lower, higher = followed(before, e=4), followed(before, e=6)
    assert why(reader, lower, before) == "record 2: its writer is of epoch 4, the owner of 5"
    assert why(reader, higher, before) == "record 2: its writer is of epoch 6, the owner of 5"


@READERS
@pytest.mark.parametrize("epoch", [6, 700_000])
def test_another_owner_may_have_any_higher_epoch(reader: Reader, epoch: int) -> None:
    before = first(e=5)
    begun = own(before, epoch)
    reader(begun, 2, before)
    assert epoch_of(begun) == epoch


@READERS
@pytest.mark.parametrize("epoch", [1, 4, 5])
def test_no_owner_begins_with_an_epoch_that_is_not_higher(reader: Reader, epoch: int) -> None:
    before = first(e=5)
    told = f"record 2: an owner of epoch {epoch} begins after one of 5"
    assert why(reader, own(before, epoch), before) == told


@READERS
@pytest.mark.parametrize("epoch", [0, -3])
def test_there_is_no_epoch_below_1(reader: Reader, epoch: int) -> None:
    with pytest.raises(RecordError, match=f"record 1: there is no epoch {epoch}"):
        reader(first(e=epoch), 1, b"")


def test_another_owner_says_what_it_found() -> None:
    before = first()
    told = "record 2: another owner begins without the digest of what it found"
    assert why(unpacked, own(before, 2, h=b""), before) == told


def test_a_match_that_came_to_another_state_than_its_new_owner_says_is_found() -> None:
    course = Course(TWO)
    course.put(Owned(outage_ms=10), kind=Kind.OWN)
    assert (
        check_match(MATCH, [(1, course.journal[0], None), (2, course.journal[1], None)]).fault
        is None
    )
    forged = own(course.journal[0], 2)
    found = check_match(MATCH, [(1, course.journal[0], None), (2, forged, None)])
    assert found.fault == "record 2: the records before it fold to another state than it says"


def test_records_without_an_epoch_are_of_the_first() -> None:
    data = first()
    assert epoch_of(data) == 1
    assert b"\xa1e" not in data[:40]
    assert epoch_of(b"\xc1") is None


def test_an_owner_begins_as_a_restart_without_epochs_did() -> None:
    one, two = Course(TWO), Course(TWO)
    for course in (one, two):
        course.now = 5_000
    one.put(Owned(outage_ms=4_000), kind=Kind.OWN)
    two.put(Restarted(outage_ms=4_000), kind=Kind.TICK)
    assert digest(one.state) == digest(two.state)
    assert one.sent == two.sent
    (*_, told) = one.sent[audience_of(B)]
    assert isinstance(told, News)
    assert told.text == "restarted"


def test_an_owner_that_lost_nothing_changes_nothing_and_tells_nothing() -> None:
    course = Course(TWO)
    before, sent = digest(course.state), {name: list(posts) for name, posts in course.sent.items()}
    course.now = 5_000
    course.put(Owned(), kind=Kind.OWN)
    assert digest(course.state) == before
    assert course.sent == sent
    assert course.sent[PUBLIC]


def test_a_match_that_is_over_has_owners_until_it_is_closed() -> None:
    course = Course(TWO)
    course.put(Resigned(), A, 1)
    assert course.state.is_over
    before = digest(course.state)
    course.put(Owned(outage_ms=7), kind=Kind.OWN)
    assert digest(course.state) == before
    course.put(Closed(), kind=Kind.CLOSE)
    assert body_of(course.journal[-1]) == Closed()
    with pytest.raises(RecordError, match="no place"):
        course.put(Owned(), kind=Kind.OWN)
