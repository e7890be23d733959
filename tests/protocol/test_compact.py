"""The compact form: a frame told by what has changed, and what is made of it at the other end."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.botmatches import fought
from builders.drawn import messages
from builders.matchstore import stored
from builders.played import Rig
from builders.truths import MATCH
from sunglare_protocol.codec import PAD_STEP, Form, decode_server, encode_server, padded
from sunglare_protocol.compact import (
    PADDED_LEAST,
    Change,
    Unfolding,
    changed,
    folded,
    stream_of,
)
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, WindowId, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.seals import canonical
from sunglare_server.match.frames import frame

FOUGHT = {
    "shadow-of-ceres": ("scout", "hunter"),
    "redondo": ("admiral", "scout", "admiral", "lurker"),
    "orlog": ("raider", "raider"),
}
"""Matches in which every rule system has something to tell."""


@stored(dict[Audience, list[Frame]])
def shown(name: str) -> dict[Audience, list[Frame]]:
    """Return the frames of a match, all turns of it that are told, by audience."""
    frames: dict[Audience, list[Frame]] = {}

    def note(_: WindowId, match: Rig) -> None:
        for audience in (*map(audience_of, match.sides), PUBLIC, OMNI):
            told = frames.setdefault(audience, [])
            told.append(frame(MATCH, match.state, audience, len(told) + 1))

    fought(name, 3, *FOUGHT[name], watch=note, turns_most=6)
    return frames


def whole(message: Frame) -> bytes:
    """Return the bytes of a frame in the packed form."""
    return encode_server(message, Form.PACKED)


def _as_frame(message: object) -> Frame:
    assert isinstance(message, Frame)
    return message


FRAMES = st.deferred(lambda: messages(Frame).map(_as_frame))
"""Frames of whatever they may hold."""


def form_of(data: bytes | str) -> bytes:
    """Return what the chain of frames is made of."""
    return canonical(data, Form.PACKED)


def plain(data: bytes | str) -> Any:
    """Return a packed message as maps, lists and values."""
    return msgspec.msgpack.decode(data.encode() if isinstance(data, str) else data)


def change_of(data: bytes) -> Change:
    """Return a change as it was sent."""
    return msgspec.msgpack.decode(data, type=Change)


@pytest.mark.parametrize("name", list(FOUGHT))
def test_every_frame_of_a_match_is_made_of_its_changes_key_by_key(name: str) -> None:
    sizes: list[tuple[int, int]] = []
    for told in shown(name).values():
        line = Unfolding()
        line.whole(whole(told[0]))
        for before, after in pairwise(told):
            change = changed(before, after, is_padded=False)
            made = line.whole(change)
            assert form_of(made) == form_of(whole(after))
            assert decode_server(made, Form.PACKED) == msgspec.structs.replace(after, pad="")
            sizes.append((len(change), len(whole(after))))
    changes, wholes = map(sum, zip(*sizes, strict=True))
    assert changes * 5 < wholes * 2


@given(before=FRAMES, after=FRAMES, is_padded=st.booleans())
def test_any_frame_is_made_of_any_other_one(before: Frame, after: Frame, is_padded: bool) -> None:
    after = msgspec.structs.replace(after, match=before.match)
    if stream_of(before) != stream_of(after):
        after = msgspec.structs.replace(after, view=before.view)
    line = Unfolding()
    line.whole(whole(before))
    data = changed(before, after, is_padded=is_padded)
    assert form_of(line.whole(data)) == form_of(whole(after))


@given(before=FRAMES, after=FRAMES)
def test_a_padded_change_has_1024_bytes_or_more_and_a_multiple_of_256(
    before: Frame, after: Frame
) -> None:
    data = changed(before, after, is_padded=True)
    assert len(data) >= PADDED_LEAST
    assert len(data) % PAD_STEP == 0
    bare = len(changed(before, after, is_padded=False))
    assert len(data) < max(PADDED_LEAST, bare) + 2 * PAD_STEP
    assert list(msgspec.msgpack.decode(data))[-1] == "pad" or len(data) == bare


@given(before=FRAMES)
def test_a_change_says_the_same_whether_or_not_the_objects_are_the_same(before: Frame) -> None:
    again = decode_server(whole(before), Form.PACKED)
    assert isinstance(again, Frame)
    assert changed(before, before, is_padded=False) == changed(before, again, is_padded=False)
    assert change_of(changed(before, again, is_padded=False)).edit == {}


def test_what_a_client_does_not_know_stays_in_the_frame_and_in_its_chain() -> None:
    first, second = shown("shadow-of-ceres")[Audience("A")][:2]
    unknown: dict[str, Any] = msgspec.msgpack.decode(whole(first))
    unknown["view"]["weather"] = {"fair": True}
    line = Unfolding()
    line.whole(msgspec.msgpack.encode(unknown))
    made = plain(line.whole(changed(first, second, is_padded=False)))
    assert made["view"].pop("weather") == {"fair": True}
    assert made == msgspec.msgpack.decode(whole(second))


def test_the_padding_of_a_frame_is_no_part_of_what_follows_it() -> None:
    first, second = shown("shadow-of-ceres")[Audience("A")][:2]
    line = Unfolding()
    line.whole(whole(padded(first)))
    made = plain(line.whole(changed(padded(first), second, is_padded=True)))
    assert "pad" not in made
    assert made == msgspec.msgpack.decode(whole(second))


def edits() -> Iterator[Any]:
    """Yield edits by the wording of the protocol: what was, the edit, what is."""
    yield {"a": 1, "b": 2}, {"a": None, "c": 3}, {"b": 2, "c": 3}
    yield {"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}
    yield {"a": 1}, {"a": {"b": 2}}, {"a": {"b": 2}}
    yield {"a": [1, 2]}, {"a": [3]}, {"a": [3]}
    yield {"a": {"b": 1, "c": 2}}, {"a": {"=": {"b": None}}}, {"a": {"b": None}}
    yield ["a", "b", "c"], {"-": [0, 2]}, ["b"]
    yield ["a", "b"], {"+": [[0, "x"], [2, "y"]]}, ["x", "a", "y", "b"]
    yield [{"n": 1}, {"n": 2, "m": 3}], {"~": [[1, {"n": 4}]]}, [{"n": 1}, {"n": 4, "m": 3}]
    yield (
        [{"n": 1}, {"n": 2}, {"n": 3}],
        {"-": [0], "+": [[2, {"n": 9}]], "~": [[1, {"n": 7}]]},
        [{"n": 2}, {"n": 7}, {"n": 9}],
    )


@pytest.mark.parametrize(("old", "edit", "new"), list(edits()))
def test_an_edit_is_told_by_what_it_is_applied_to(old: Any, edit: Any, new: Any) -> None:
    kept = msgspec.msgpack.encode(old)
    assert folded(old, edit) == new
    assert msgspec.msgpack.encode(old) == kept


def test_a_change_of_a_frame_that_did_not_come_is_refused() -> None:
    first, second, third = shown("shadow-of-ceres")[Audience("A")][:3]
    data = changed(second, third, is_padded=False)
    line = Unfolding()
    with pytest.raises(DecodeError, match=r"frame 2, which did not come before it at \$\.on"):
        line.whole(data)
    line.whole(whole(first))
    with pytest.raises(DecodeError, match="frame 2"):
        line.whole(data)
    line.whole(changed(first, second, is_padded=False))
    assert form_of(line.whole(data)) == form_of(whole(third))


@pytest.mark.parametrize(
    "edit",
    [
        {"view": {"own": {"-": 3}}},
        {"view": {"own": {"~": [[99, {"hull": 1}]]}}},
        {"view": {"own": {"+": [1]}}},
        {"view": {"own": {"-": [[]]}}},
    ],
)
def test_an_edit_that_does_not_fit_is_refused_and_the_frame_stays(edit: Any) -> None:
    first, second = shown("shadow-of-ceres")[Audience("A")][:2]
    line = Unfolding()
    line.whole(whole(first))
    bad = Change(match=MATCH, feed=Audience("A"), seq=2, on=1, edit=edit)
    with pytest.raises(DecodeError, match=r"does not fit what it changes at \$\.edit"):
        line.whole(msgspec.msgpack.encode(bad))
    made = line.whole(changed(first, second, is_padded=False))
    assert form_of(made) == form_of(whole(second))


@pytest.mark.parametrize(
    "message",
    [
        {"t": "frame"},
        {"t": "frame", "match": [], "view": {}},
        {"t": "frame", "match": "m", "view": []},
        {"t": "frame", "match": "m", "view": {"audience": {}}},
        {"t": "frame", "match": "m", "view": {}, 1: 2},
    ],
)
def test_what_is_no_frame_is_left_to_the_decoder_of_messages(message: dict[Any, Any]) -> None:
    data = msgspec.msgpack.encode(message)
    line = Unfolding()
    assert line.whole(data) == data
    with pytest.raises(DecodeError):
        decode_server(line.whole(data), Form.PACKED)


@given(cut=st.integers(0, 400), put=st.binary(max_size=6))
def test_a_change_whose_bytes_are_damaged_is_a_message_or_refused(cut: int, put: bytes) -> None:
    first, second = shown("shadow-of-ceres")[Audience("A")][4:6]
    data = changed(first, second, is_padded=False)
    line = Unfolding()
    line.whole(whole(first))
    at = cut % len(data)
    fault = refusal(line, data[:at] + put + data[at + len(put) :])
    assert fault is None or fault.at.startswith("$")


def refusal(line: Unfolding, data: bytes) -> DecodeError | None:
    """Return why bytes are no message; None if they are one."""
    try:
        decode_server(line.whole(data), Form.PACKED)
    except DecodeError as fault:
        return fault
    return None
