"""Parcels on a compact line: a change where the line was sent what it changes, else the whole."""

from itertools import pairwise

import msgspec
import pytest

from builders.desks import frames_of
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.compact import Stream, Unfolding
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame, News, NewsKind
from sunglare_server.runtime.encoded_message import EncodedMessage


@pytest.fixture
def told() -> tuple[Frame, ...]:
    """Return the frames of a seat in a match of two sides."""
    return frames_of("shadow-of-ceres", 2, 50)[Side("A")]


def parcels(told: tuple[Frame, ...]) -> list[EncodedMessage]:
    """Return the parcels of frames, each of which knows the one before it."""
    first = EncodedMessage(told[0])
    return [first, *(EncodedMessage(after, before=before) for before, after in pairwise(told))]


def kind(data: bytes) -> str:
    """Return what kind of message bytes are."""
    found: dict[str, str] = msgspec.msgpack.decode(data)
    return found["t"]


def test_a_line_that_skips_frames_gets_the_next_one_whole(told: tuple[Frame, ...]) -> None:
    sent = parcels(told)
    shown: dict[Stream, int] = {}
    line = Unfolding()
    for place in (0, 1, 2, 5, 6, 7, 20, 21):
        data = sent[place].following(shown)
        assert kind(data) == ("frame" if place in (0, 5, 20) else "change")
        whole = line.whole(data)
        assert isinstance(whole, bytes)
        frame = encode_server(told[place], Form.PACKED)
        assert msgspec.msgpack.decode(whole) == msgspec.msgpack.decode(frame)


def test_a_frame_that_came_twice_is_followed_as_if_it_had_come_once(
    told: tuple[Frame, ...],
) -> None:
    sent = parcels(told)
    shown: dict[Stream, int] = {}
    kinds = [kind(sent[place].following(shown)) for place in (0, 1, 1, 2)]
    assert kinds == ["frame", "change", "frame", "change"]


def test_what_stands_between_frames_is_the_same_on_every_line(told: tuple[Frame, ...]) -> None:
    news = EncodedMessage(News(match=told[0].match, seq=9, kind=NewsKind.CHAT, text="so"))
    sent = parcels(told)
    shown: dict[Stream, int] = {}
    assert kind(sent[0].following(shown)) == "frame"
    assert news.following(shown) == news.encoded(Form.PACKED)
    assert kind(sent[1].following(shown)) == "change"


def test_whoever_takes_no_changes_gets_every_frame_whole(told: tuple[Frame, ...]) -> None:
    for parcel, frame in zip(parcels(told), told, strict=True):
        assert parcel.encoded(Form.PACKED) == encode_server(frame, Form.PACKED)
        assert parcel.encoded(Form.JSON) == encode_server(frame, Form.JSON)
