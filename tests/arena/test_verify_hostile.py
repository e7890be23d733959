"""Files that no server makes: whatever they say of themselves, they are told in one sentence."""

import tracemalloc
from collections.abc import Iterator
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.replays import nested, packed
from builders.verified import short
from sunglare_arena.matchfile import DifferenceError, UnfitError, read_file
from sunglare_protocol.errors import SunglareError

MEMORY_MOST = 8 * 1024 * 1024
"""Bytes that a file of some kilobytes may take, whatever it says of its size."""

WORDS_MOST = 1000
"""The longest sentence, in characters."""

HEADER = {"format": "sunglare-record", "version": 4, "records": 1, "trailer": True}

CLAIMS = b"\xdd\x00\x0f\xff\xff"
"""A list that says it has a million entries."""


@pytest.fixture
def counted() -> Iterator[None]:
    """Count the memory that Python takes."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def told(data: bytes) -> str:
    """Return what is said of a file that can't be read."""
    with pytest.raises((UnfitError, DifferenceError)) as caught:
        read_file(data)
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < WORDS_MOST
    return said


def fault_of(data: bytes) -> str:
    """Return what is said of a file, or nothing; whatever else is raised is a fault of ours."""
    try:
        read_file(data)
    except SunglareError as fault:
        return str(fault)
    return ""


LISTS = CLAIMS * 500
"""Lists within each other, each of which says that it is long."""


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    "data",
    [
        LISTS,
        packed(HEADER) + LISTS,
        packed(HEADER, b"record") + LISTS,
        packed(HEADER, LISTS),
        packed(HEADER, b"\x81\xa1n" + LISTS),
        packed({**HEADER, "version": 3, "frames": {"A": 1}}, b"record", {}, b"") + LISTS,
    ],
    ids=["header", "record", "trailer", "inside a record", "field of a record", "layers"],
)
def test_a_value_that_says_it_is_long_takes_no_memory_before_it_is_there(data: bytes) -> None:
    told(data)
    assert tracemalloc.get_traced_memory()[1] < MEMORY_MOST


DEEP = nested(400)


@pytest.mark.parametrize(
    "data",
    [
        packed({**HEADER, "records": DEEP}, b"record"),
        packed({**HEADER, "format": DEEP}),
        packed({**HEADER, "version": DEEP}),
        packed(HEADER, packed({"n": DEEP})),
        packed(HEADER, packed({"n": 1, "p": DEEP}), {"last": DEEP}, b""),
        packed({**HEADER, "version": 3, "frames": {"A": DEEP}}, b"record", {}, b""),
    ],
    ids=["records", "format", "version", "number", "trailer", "frames"],
)
def test_a_value_that_is_too_deep_is_told(data: bytes) -> None:
    told(data)


@pytest.mark.parametrize("key", ["format", "version", "records"])
def test_a_header_that_says_much_is_not_repeated_at_length(key: str) -> None:
    told(packed({**HEADER, key: "x" * 100_000}, packed({"n": 1})))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)

HEADERS = st.fixed_dictionaries(
    {"format": st.sampled_from(("sunglare-record", "sunglare-frames", "")) | VALUES},
    optional={
        "version": st.integers(0, 5) | VALUES,
        "records": st.integers(0, 5) | VALUES,
        "trailer": st.booleans() | VALUES,
        "frames": st.dictionaries(st.text(max_size=2), st.integers(0, 3)) | VALUES,
        "rules": VALUES,
    },
)


@given(HEADERS | VALUES, st.lists(VALUES | st.binary(), max_size=5), st.binary(max_size=20))
def test_no_values_in_any_order_get_past_the_reader_but_as_one_sentence(
    header: Any, rest: list[Any], tail: bytes
) -> None:
    assert len(fault_of(packed(header, *rest) + tail)) < WORDS_MOST


@given(st.data())
def test_a_file_with_other_values_in_its_head_is_told_in_one_sentence(data: st.DataObject) -> None:
    whole = short().data
    unpacker = msgpack.Unpacker(max_buffer_size=len(whole))
    unpacker.feed(whole)
    header = unpacker.unpack()
    change = data.draw(st.dictionaries(st.sampled_from([*header]), VALUES, min_size=1))
    changed = packed({**header, **change}) + whole[unpacker.tell() :]
    assert len(fault_of(changed)) < WORDS_MOST
