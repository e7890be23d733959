"""The replay file as a whole: header, what is passed over, and what any audience was sent."""

import os
from random import Random
from typing import Any

import pytest

from builders.replays import bare, is_sentence, message_ends, packed, placed, values_of
from builders.truths import MATCH
from builders.verified import finished
from sunglare_protocol.ids import OMNI
from sunglare_protocol.replay import file as replay_file
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.file import read_replay
from sunglare_protocol.replay.layers import Message
from sunglare_protocol.replay.values import ReplayError
from sunglare_server.archive.recordfile import frames_file

FLIPS = 150 if "SUNGLARE_LONG" in os.environ else 50

CUT = "This file was cut: its end is missing."

FRAMES = tuple(packed({"t": "frame", "seq": seq, "pad": "-" * seq}) for seq in (3, 4, 5))


def told(data: bytes) -> str:
    """Return what is said of a file that is refused or not shown whole, which is a sentence."""
    try:
        fault = read_replay(data).fault
    except ReplayError as refused:
        fault = str(refused)
    assert not fault or is_sentence(fault)
    return fault


def layers_start(data: bytes) -> int:
    """Return where the layers of a file begin: after header, records, trailer and its hash."""
    values = placed(data)
    count: int = values[0].value["records"]
    return values[count + 2].end


@pytest.mark.parametrize("name", ["duel", "siege"])
def test_a_file_shows_every_message_that_an_audience_was_sent(name: str) -> None:
    match = finished(name)
    found = read_replay(match.data)
    assert (found.fault, found.header["match"]) == ("", MATCH)
    assert set(found.layers.by_name) == {*match.sent, ANALYSIS}
    for audience, sent in match.sent.items():
        layer = found.layers.by_name[audience]
        assert [packed(message) for message in layer[:-1]] == [
            bare(message) for message in sent[:-1]
        ]
        # The rig knows no hashes of records, of which the last message tells one.
        assert layer[-1] | {"head": ""} == values_of(sent[-1])[0] | {"head": ""}


def test_messages_stand_in_the_order_of_their_numbers_so_that_a_cut_file_has_all_of_a_turn() -> (
    None
):
    messages = read_replay(finished("siege").data).layers.messages
    numbers = [message.sent["seq"] for message in messages if message.layer != ANALYSIS]
    assert numbers == sorted(numbers)


def test_the_analysis_stands_behind_all_that_was_sent() -> None:
    names = [message.layer for message in read_replay(finished("siege").data).layers.messages]
    assert set(names[names.index(ANALYSIS) :]) == {ANALYSIS}


@pytest.mark.parametrize("cuts", [8, pytest.param(20, marks=pytest.mark.proof)])
def test_a_file_cut_anywhere_shows_what_is_whole_and_says_that_it_was_cut(cuts: int) -> None:
    data, rng = finished("duel").data, Random(5)
    start, whole = layers_start(data), read_replay(data).layers.messages
    ends = [start + end for end in message_ends(data[start:])]
    places = [rng.randrange(start, len(data)) for _ in range(2 * cuts)]
    places += rng.sample(ends, cuts)
    for place in [start - 1, start, *places, len(data) - 1]:
        found = read_replay(data[:place])
        assert found.fault == CUT
        assert found.layers.messages == whole[: sum(end <= place for end in ends)]


def test_a_file_cut_before_its_layers_shows_its_header_alone() -> None:
    data, rng = finished("duel").data, Random(6)
    header = placed(data)[0]
    for place in [header.end, *(rng.randrange(header.end, layers_start(data)) for _ in range(30))]:
        found = read_replay(data[:place])
        assert (found.header, found.layers.messages, found.fault) == (header.value, (), CUT)
    for place in range(header.end):
        with pytest.raises(ReplayError, match="no record of a match"):
            read_replay(data[:place])


def test_a_changed_byte_anywhere_is_survived_and_one_of_the_layers_told() -> None:
    data, rng = finished("duel").data, Random(7)
    start = layers_start(data)
    for number in range(FLIPS):
        place = rng.randrange(start, len(data)) if number % 3 else rng.randrange(start)
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.randrange(8)
        assert told(bytes(damaged)) or place < start


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# a text",
        packed({}),
        packed({"format": "other"}),
        packed({"format": ["sunglare-record"]}),
        packed([{"format": "sunglare-record"}]),
        packed({5: "sunglare-record", "format": "sunglare-record"}),
        b"\xdf\xff\xff\xff\xff",
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(ReplayError, match=r"^This is no record of a match\.$"):
        read_replay(data)


def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_file, "FILE_BYTES_MOST", 1 << 20)
    match = finished("duel").data
    room = (1 << 20) - len(match)
    assert read_replay(match + bytes(room)).layers.messages
    with pytest.raises(ReplayError, match=r"^This file is too large: 1 MiB are the most\.$"):
        read_replay(match + bytes(room + 1))


def headed(**fields: Any) -> bytes:
    """Return a file with other fields in its header."""
    data = finished("duel").data
    header = placed(data)[0]
    return packed(header.value | fields) + data[header.end :]


@pytest.mark.parametrize("fields", [{"version": 3}, {"version": "4"}, {"trailer": False}])
def test_a_file_without_layers_shows_its_header_alone(fields: dict[str, Any]) -> None:
    found = read_replay(headed(**fields))
    assert found.header.items() >= fields.items()
    assert (found.layers.messages, found.layers.names) == ((), ())
    assert found.fault == "There is nothing in this file of what was sent."


def test_a_file_of_a_later_version_is_told_as_that() -> None:
    found = read_replay(headed(version=99))
    assert (found.layers.messages, found.fault) == ((), "This file is newer than this program.")


@pytest.mark.parametrize("records", [-1, None, "5", 1.5, [], 0, 3, 2**63, float("inf")], ids=repr)
def test_a_wrong_count_of_records_leads_to_nothing(records: object) -> None:
    found = read_replay(headed(records=records))
    assert found.layers.messages == ()
    assert is_sentence(found.fault)


def test_the_file_of_a_running_match_shows_the_one_layer_it_holds() -> None:
    found = read_replay(frames_file(MATCH, "A", FRAMES))
    assert found.header["format"] == "sunglare-frames"
    assert (found.layers.names, found.fault) == (("A",), "")
    assert [*found.layers.messages] == [
        Message("A", {"t": "frame", "seq": seq}) for seq in (3, 4, 5)
    ]


def test_the_file_of_a_running_match_cut_anywhere_shows_what_is_whole() -> None:
    data = frames_file(MATCH, "A", FRAMES)
    header, *frames = placed(data)
    for place in range(header.end, len(data)):
        found = read_replay(data[:place])
        assert found.fault == CUT
        assert len(found.layers.messages) == sum(frame.end <= place for frame in frames)


@pytest.mark.parametrize(
    "frame",
    [b"", b"\x92", b"\xc1", packed([1]), packed(5), packed({5: 1}), b"\xdd\xff\xff\xff\xff"],
)
def test_a_frame_of_a_running_match_that_is_none_ends_what_is_shown(frame: bytes) -> None:
    found = read_replay(frames_file(MATCH, "A", (FRAMES[0], frame, FRAMES[1])))
    assert [message.sent["seq"] for message in found.layers.messages] == [3]
    assert is_sentence(found.fault)


@pytest.mark.parametrize("count", [-1, None, "3", [], 4])
def test_a_wrong_count_of_frames_is_told(count: object) -> None:
    _, *frames = values_of(frames_file(MATCH, "A", FRAMES))
    header = {"format": "sunglare-frames", "audience": "A", "frames": count}
    assert is_sentence(read_replay(packed(header, *frames)).fault)


def test_a_changed_byte_of_a_running_matchs_file_is_survived() -> None:
    data = frames_file(MATCH, str(OMNI), FRAMES)
    for place in range(len(data)):
        for bit in range(8):
            told(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
