"""Layers of messages: whatever is written is read again, and what repeats is written once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.replays import (
    MESSAGES,
    Sent,
    Sought,
    exact,
    handmade,
    is_message,
    is_part,
    layers,
    message_ends,
    packed,
    placed,
    reference,
    unpadded,
    values_of,
)
from builders.verified import finished
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.layers import LayerWriter, read_layers, written
from sunglare_protocol.replay.parts import PART_LEAST

LONG = "a text that is long enough to be a part of its own"
FRAME: Sent = {"t": "frame", "seq": 1, "view": {"board": [8, 8], "own": [LONG, {"name": LONG}]}}


@given(MESSAGES)
def test_messages_are_read_as_they_were_sent_in_their_order(
    messages: list[tuple[str, Sent]],
) -> None:
    found = read_layers(layers(messages))
    assert found.fault == ""
    assert exact(found) == [(name, packed(unpadded(sent))) for name, sent in messages]
    assert set(found.names) == {name for name, _ in messages}
    for name, layer in found.by_name.items():
        of_name = [unpadded(sent) for other, sent in messages if other == name]
        assert packed(*layer) == packed(*of_name)


@given(MESSAGES, st.integers(1, 100))
def test_layers_may_begin_anywhere_in_a_file(
    messages: list[tuple[str, Sent]], before: int
) -> None:
    data = layers(messages)
    assert read_layers(bytes(before) + data, before) == read_layers(data)


@given(MESSAGES)
def test_what_was_read_is_written_alike(messages: list[tuple[str, Sent]]) -> None:
    data = layers(messages)
    assert written(read_layers(data)) == data


@pytest.mark.parametrize("name", ["duel", "siege"])
def test_what_was_read_of_a_match_is_written_alike(name: str) -> None:
    data = finished(name).data
    found = read_replay(data)
    assert found.fault == ""
    assert data.endswith(written(found.layers))


def test_a_layer_without_a_message_is_one_all_the_same() -> None:
    writer = LayerWriter()
    writer.layer("A")
    writer.add("B", packed(FRAME))
    writer.layer("B")
    found = read_layers(writer.finished())
    assert (found.names, found.fault) == (("A", "B"), "")
    assert found.by_name == {"A": (), "B": (FRAME,)}


@given(MESSAGES)
def test_a_message_that_comes_again_takes_references_alone(
    messages: list[tuple[str, Sent]],
) -> None:
    writer = LayerWriter()
    for name, sent in messages:
        writer.add(name, packed(sent))
    parts = [value for value in values_of(writer.finished()) if is_part(value)]
    for number, (name, sent) in enumerate(messages, 1):
        before = writer.size
        writer.add(name, packed(sent))
        short = {
            key: value if len(packed(value)) < PART_LEAST else reference(0)
            for key, value in unpadded(sent).items()
        }
        assert writer.size - before == len(packed([name, short]))
        again = values_of(writer.finished())
        assert [value for value in again if is_part(value)] == parts
        assert len([value for value in again if is_message(value)]) == len(messages) + number


def test_what_repeats_is_written_once_wherever_it_stands() -> None:
    data = layers(
        [
            ("A", FRAME),
            ("B", {"t": "news", "text": LONG}),
            ("omni", {"t": "frame", "view": {"far": {"deep": [[LONG]]}}}),
            ("omni", {"t": "frame", "view": FRAME["view"]["own"]}),
        ]
    )
    assert data.count(LONG.encode()) == 1
    assert data.count(b"board") == 1
    assert read_layers(data).messages[3].sent["view"] == [LONG, {"name": LONG}]


def test_what_is_shorter_than_a_part_stands_where_it_is() -> None:
    shorter, part = "x" * (PART_LEAST - 2), "y" * (PART_LEAST - 1)
    assert (len(packed(shorter)), len(packed(part))) == (PART_LEAST - 1, PART_LEAST)
    data = layers([("A", {"text": shorter, "more": part})] * 3)
    assert (data.count(shorter.encode()), data.count(part.encode())) == (3, 1)


def test_a_value_that_is_a_part_of_itself_in_another_place_is_read_whole() -> None:
    inner = {"name": LONG, "at": [1, 2, 3]}
    message = {"inner": inner, "outer": {"inner": inner, "more": [inner, inner, LONG]}}
    assert read_layers(layers([("A", message)])).messages[0].sent == message


def test_the_padding_is_left_out() -> None:
    data = layers([("A", {**FRAME, "pad": "-" * 300})])
    assert (b"pad" in data, b"--" in data) == (False, False)
    assert read_layers(data).messages[0].sent == FRAME


def test_only_the_padding_of_the_message_itself_is_left_out() -> None:
    message = {"view": {"pad": "kept"}}
    assert read_layers(layers([("A", message)])).messages[0].sent == message


@given(MESSAGES, st.data())
def test_layers_cut_anywhere_show_what_is_whole_before_the_cut_and_say_so(
    messages: list[tuple[str, Sent]], data: st.DataObject
) -> None:
    whole = layers(messages)
    ends = message_ends(whole)
    place = data.draw(st.integers(0, len(whole) - 1) | st.sampled_from([0, *ends]))
    found = read_layers(whole[:place])
    assert found.fault == "This file was cut: its end is missing."
    count = sum(end <= place for end in ends)
    assert found.messages == read_layers(whole).messages[:count]


def test_a_reader_that_seeks_finds_every_message_by_the_index() -> None:
    data = finished("siege").data
    whole = read_replay(data).layers
    start = data.rindex(packed({"format": "sunglare-layers", "version": 1}))
    for name, messages in whole.by_name.items():
        for number in (0, len(messages) // 2, len(messages) - 1):
            sought = Sought(data[start:])
            assert sought.message(name, number) == messages[number]
            assert len(sought.needed) < len(sought.index["parts"]) / 4
            assert sought.needed or name == ANALYSIS


@given(MESSAGES)
def test_the_index_names_every_value_by_its_place(messages: list[tuple[str, Sent]]) -> None:
    data = layers(messages)
    first, *middle, (index, place, _), (end, _, last) = placed(data)
    assert first.value == {"format": "sunglare-layers", "version": 1}
    assert (end, last) == (place.to_bytes(8, "big"), len(data))
    assert index["format"] == "sunglare-index"
    parts = [begin.to_bytes(4, "big") for value, begin, _ in middle if is_part(value)]
    assert index["parts"] == b"".join(parts)
    told = sorted(entry[0] for entries in index["layers"].values() for entry in entries)
    assert told == [begin for value, begin, _ in middle if is_message(value)]


@given(MESSAGES)
def test_layers_without_any_part_are_read_as_well(messages: list[tuple[str, Sent]]) -> None:
    found = read_layers(handmade(*map(list, messages)))
    assert (found.fault, [*found.messages]) == ("", messages)
