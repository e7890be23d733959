"""Layers that no writer makes: they are shown up to the first fault, with little memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.hostile import mutated
from builders.replays import (
    FIRST,
    MESSAGES,
    Sent,
    indexed,
    is_sentence,
    layers,
    message_ends,
    nested,
    packed,
    reference,
)
from sunglare_protocol.codec import Form
from sunglare_protocol.replay import parts
from sunglare_protocol.replay.layers import read_layers
from sunglare_protocol.replay.values import DEPTH_MOST

HELLO: tuple[str, Sent] = ("A", {"t": "news", "seq": 1, "text": "a word that comes before it"})

MEMORY_MOST = 4 * 1024 * 1024
"""Bytes that a file of some kilobytes may take, whatever it says of its size."""

LARGE = "unfolded it is larger than any"
DEEP = "deeper than any message"
FORWARD = "refers to something that does not stand before it"
CUT = "was cut"


@pytest.fixture
def counted() -> Iterator[None]:
    """Count the memory that Python takes."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def faulty(*values: object, raw: bytes = b"") -> str:
    """Return what is said of layers with these values after one message, which is shown."""
    data = packed(FIRST, list(HELLO), *values) + raw
    found = read_layers(data)
    assert [found.messages[0]] == [HELLO]
    assert is_sentence(found.fault)
    return found.fault.lower()


def laughs(levels: int, width: int) -> list[list[Any]]:
    """Return parts of which each holds the one before so many times."""
    first = ["ha" * 500]
    return [first, *([[reference(level)] * width] for level in range(levels))]


@pytest.mark.parametrize(
    "values",
    [
        [["A", {"view": reference(0)}]],
        [["a part before it"], ["A", {"view": reference(1)}]],
        [[[reference(0), "a part that holds itself"]]],
        [["a part before it"], ["A", {"view": reference(2**32 - 1)}]],
        [reference(0)],
    ],
    ids=["to no part", "to a later part", "to itself", "to the last number", "and nothing else"],
)
def test_a_reference_leads_to_a_part_before_it(values: list[object]) -> None:
    assert FORWARD in faulty(*values)


@pytest.mark.parametrize(
    "extension",
    [msgpack.ExtType(1, bytes(3)), msgpack.ExtType(1, bytes(8)), msgpack.ExtType(2, bytes(4))],
    ids=["of three bytes", "of eight bytes", "of another type"],
)
def test_no_other_extension_stands_for_a_part(extension: msgpack.ExtType) -> None:
    assert FORWARD in faulty(["a part before it"], ["A", {"view": extension}])


@pytest.mark.parametrize("where", [lambda time: {"t": time}, lambda time: {"t": [[time]]}])
def test_a_time_of_messagepack_is_no_value_of_a_message(where: Callable[[object], Sent]) -> None:
    assert "a time of messagepack" in faulty(["A", where(msgpack.Timestamp(5))])


@pytest.mark.parametrize("key", [5, None, b"key", 1.5])
def test_the_keys_of_a_map_are_texts(key: object) -> None:
    assert "whose keys are no texts" in faulty(["A", {"t": "news", "more": [{key: 1}]}])


@pytest.mark.parametrize(
    "value", [1, "text", None, [], ["A", 5], ["A", []], [5, {}], ["A", {}, {}]], ids=repr
)
def test_anything_else_in_the_stream_is_no_message(value: object) -> None:
    assert "no message" in faulty(value)


def test_a_message_as_deep_as_one_may_be_is_read() -> None:
    deep = nested(DEPTH_MOST - 2)
    assert read_layers(packed(FIRST, ["A", {"deep": deep}])).messages[0].sent == {"deep": deep}


@pytest.mark.parametrize("depth", [DEPTH_MOST - 1, 500, 900])
def test_a_message_that_is_deeper_is_refused(depth: int) -> None:
    assert DEEP in faulty(["A", {"deep": nested(depth)}])


def test_lists_within_lists_beyond_the_decoder_are_refused() -> None:
    assert "can't be read" in faulty(raw=b"\x92\xa1A\x81\xa1a" + b"\x91" * 100_000 + b"\xc0")


def test_parts_within_parts_count_for_the_depth_of_a_message() -> None:
    each = DEPTH_MOST // 4
    steps = [[nested(each)], *([nested(each, reference(part))] for part in range(3))]
    assert DEEP in faulty(*steps, ["A", {"deep": reference(3)}])
    whole = read_layers(packed(FIRST, *steps[:3], ["A", {"deep": reference(2)}]))
    assert whole.messages[0].sent == {"deep": nested(3 * each)}


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("levels", "width"), [(3, 50), (20, 2), (20, 30), (2, 2_000)])
def test_parts_of_parts_that_unfold_to_much_are_refused_with_little_memory(
    levels: int, width: int
) -> None:
    bomb = [*laughs(levels, width), ["A", {"all": reference(levels)}]]
    assert 1_000 * width**levels > parts.UNFOLDED_BYTES_MOST
    assert LARGE in faulty(*bomb)
    assert tracemalloc.get_traced_memory()[1] < MEMORY_MOST


@pytest.mark.usefixtures("counted")
def test_a_message_that_refers_to_much_is_refused_with_little_memory() -> None:
    assert LARGE in faulty(["ha" * 500], ["A", {"all": [reference(0)] * 2_000}])
    assert tracemalloc.get_traced_memory()[1] < MEMORY_MOST


def test_a_message_may_unfold_to_as_much_as_the_largest() -> None:
    part = "h" * 999
    count = parts.UNFOLDED_BYTES_MOST // 1_010
    found = read_layers(packed(FIRST, [part], ["A", {"all": [reference(0)] * count}]))
    assert found.messages[0].sent == {"all": [part] * count}


def test_a_message_is_not_larger_than_that_by_itself_either() -> None:
    assert LARGE in faulty(["A", {"text": "h" * parts.UNFOLDED_BYTES_MOST}])
    assert LARGE in faulty(["h" * parts.UNFOLDED_BYTES_MOST])


def test_many_messages_do_not_unfold_to_more_than_any_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "UNFOLDED_ALL_MOST", 100_000)
    values = [["h" * 1_000], *(["A", {"text": reference(0)}] for _ in range(200))]
    found = read_layers(packed(FIRST, *values))
    assert found.fault == "Unfolded it is larger than any match."
    assert 90 <= len(found.messages) < 100


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("head", [b"\xdd", b"\xdf"], ids=["lists", "maps"])
def test_lists_that_say_they_are_as_long_as_the_file_make_no_room(head: bytes) -> None:
    length = 200_000
    claims = (head + length.to_bytes(4, "big")) * 400
    assert CUT in faulty(raw=b"\x92\xa1A\x81\xa1a" + claims + bytes(length))
    assert tracemalloc.get_traced_memory()[1] < MEMORY_MOST


@pytest.mark.parametrize("head", [b"\xdd", b"\xdf", b"\xdb", b"\xc6"])
def test_a_length_beyond_the_end_is_told_as_a_cut(head: bytes) -> None:
    assert CUT in faulty(raw=b"\x92\xa1A\x81\xa1a" + head + b"\xff" * 4)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ({**FIRST, "format": "sunglare-frames"}, "nothing in it of what was sent"),
        ({"version": 1}, "nothing in it of what was sent"),
        (["A", {}], "nothing in it of what was sent"),
        ({**FIRST, "version": 99}, "newer way than this program knows"),
        ({**FIRST, "version": "1"}, "newer way than this program knows"),
    ],
)
def test_layers_of_another_format_or_version_are_not_shown(first: object, told: str) -> None:
    found = read_layers(packed(first, list(HELLO)))
    assert found.messages == ()
    assert told in found.fault
    assert is_sentence(found.fault)


MESSAGES_OF_INDEX = [
    HELLO,
    ("B", {"t": "frame", "seq": 1, "turn": 1, "window": "1.plot", "view": {"own": ["S1"] * 20}}),
]


def _other_layers(change: Callable[[dict[str, Any]], object]) -> Callable[[Sent], object]:
    return lambda index: change(index["layers"])


@pytest.mark.parametrize(
    "change",
    [
        _other_layers(lambda layers: layers["A"].clear()),
        _other_layers(lambda layers: layers.pop("A")),
        _other_layers(lambda layers: layers.update(C=layers.pop("B"))),
        _other_layers(lambda layers: layers["B"][0].__setitem__(0, 0)),
        _other_layers(lambda layers: layers["B"][0].__setitem__(1, 2)),
        _other_layers(lambda layers: layers["B"][0].__setitem__(3, "2.plot")),
        _other_layers(lambda layers: layers.update(A=5)),
        lambda index: index.update(layers=[]),
        lambda index: index.update(format="sunglare"),
        lambda index: index.update(parts=index["parts"][4:]),
        lambda index: index.update(parts=bytes(4) + index["parts"][4:]),
        lambda index: index.update(hash=bytes(16)),
        lambda index: index.pop("hash"),
    ],
)
def test_an_index_that_is_wrong_is_told_and_all_messages_are_shown(
    change: Callable[[dict[str, Any]], object],
) -> None:
    whole = layers(MESSAGES_OF_INDEX)
    found = read_layers(indexed(whole, change))
    assert [*found.messages] == MESSAGES_OF_INDEX
    assert is_sentence(found.fault)


def test_an_end_that_leads_elsewhere_is_told() -> None:
    whole = layers(MESSAGES_OF_INDEX)
    for end in (whole[:-1] + bytes([whole[-1] ^ 1]), whole + b"\xc0", whole + whole):
        found = read_layers(end)
        assert [*found.messages] == MESSAGES_OF_INDEX
        assert set(found.by_name) == {"A", "B"}
        assert "end" in found.fault
        assert is_sentence(found.fault)


@given(MESSAGES, st.data())
def test_a_changed_byte_is_always_told_and_what_stands_before_it_is_shown(
    messages: list[tuple[str, Sent]], data: st.DataObject
) -> None:
    whole = layers(messages)
    place = data.draw(st.integers(0, len(whole) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    found = read_layers(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
    assert is_sentence(found.fault)
    before = sum(end <= place for end in message_ends(whole))
    assert found.messages[:before] == read_layers(whole).messages[:before]


@given(MESSAGES, st.integers(0, 2**32))
def test_changed_bytes_never_bring_the_reader_down(
    messages: list[tuple[str, Sent]], seed: int
) -> None:
    whole, rng = layers(messages), Random(seed)
    found = read_layers(mutated(rng, whole, [whole], Form.PACKED, 100_000))
    assert found.fault == "" or is_sentence(found.fault)


@given(st.binary(max_size=200))
def test_any_bytes_after_the_first_value_are_read_or_told(data: bytes) -> None:
    assert is_sentence(read_layers(packed(FIRST) + data).fault)
