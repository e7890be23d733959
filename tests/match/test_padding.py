"""Frames filled up to a multiple of 256 bytes."""

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.messages import FORMS, length
from sunglare_protocol.codec import (
    PAD_STEP,
    Form,
    decode_client,
    encode_client,
    encode_server,
    padded,
    probe,
)
from sunglare_protocol.geometry import Board, Planet, PlanetSize, Square
from sunglare_protocol.ids import PUBLIC, MatchId, WindowId
from sunglare_protocol.messages import Chat, Frame, Hello
from sunglare_protocol.views import Stage, View
from sunglare_protocol.words.ladder import Phase


def frame(letters: int, pad: str = "") -> Frame:
    """Return a frame whose length grows by one with each letter of a planet's name."""
    planet = Planet(name="x" * letters, at=Square(1, 1), size=PlanetSize.SMALL)
    stage = Stage(turn=1, turns=20, phase=Phase.PLOT, window=WindowId("1.plot"))
    return Frame(
        match=MatchId("m"),
        seq=1,
        turn=1,
        window=WindowId("1.plot"),
        closes_ms=1,
        bank_ms=0,
        view=View(audience=PUBLIC, stage=stage, board=Board(planets=(planet,))),
        pad=pad,
    )


def test_a_padded_frame_is_a_multiple_of_256_bytes_at_every_length() -> None:
    assert PAD_STEP == 256
    for letters in range(700):
        assert length(padded(frame(letters))) % 256 == 0


@given(st.integers(0, 70_000))
@example(543)  # a multiple of 256 without any pad
@example(65_535)
@example(65_536)
def test_a_padded_frame_is_the_frame_with_a_pad_of_two_steps_at_most(letters: int) -> None:
    bare = frame(letters)
    full = padded(bare)
    assert length(full) % 256 == 0
    assert replace(full, pad="") == bare
    assert bool(full.pad) == (length(bare) % 256 != 0)
    assert length(bare) <= length(full) <= length(bare) + 2 * 256 + 8


def test_frames_of_nearly_the_same_length_look_alike_on_the_line() -> None:
    sizes = {length(padded(frame(letters))) for letters in range(256)}
    assert len(sizes) <= 3


def test_padding_a_padded_frame_changes_nothing() -> None:
    for letters in (0, 50, 300):
        once = padded(frame(letters))
        assert padded(once) == once


def test_the_pad_is_the_last_key_of_a_frame() -> None:
    assert Frame.__struct_fields__[-1] == "pad"
    assert list(msgspec.msgpack.decode(encode_server(padded(frame(3)), Form.PACKED)))[-1] == "pad"


def test_a_hello_says_its_version() -> None:
    assert probe(encode_client(Hello(id=1, v=1), Form.PACKED), Form.PACKED).v == 1


@FORMS
def test_text_of_any_language_crosses_the_wire(form: Form) -> None:
    said = Chat(id=1, match=MatchId("m"), text="\u6731\u96c0 \u0418\u0432\u0430\u043d \U0001f680")
    sent = encode_client(said, form)
    assert decode_client(sent if form is not Form.JSON else sent.decode(), form) == said
