"""A sink that keeps the numbers of what a feed gives it, and a feed's spectators in a test."""

from collections.abc import Callable
from typing import final

import pytest

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.compact import changed
from sunglare_protocol.messages import Bye, Frame, News, Over, ServerMessage
from sunglare_server.runtime import encoded_message as encoded_messages
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster


@final
class Kept:
    """A sink that keeps what it is sent."""

    def __init__(self, form: Form = Form.PACKED) -> None:
        self.form = form
        self.forms = (form,)
        self.came: list[int] = []

    def put(self, encoded_message: EncodedMessage) -> None:
        """Keep the number."""
        self.came.append(seq_of(encoded_message))

    def let_go(self) -> None:
        """Hear that no more of a feed comes."""

    def supersede(self) -> None:
        """Do nothing: nobody takes the seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: nobody is turned out."""


def at_once() -> SpectatorBroadcaster:
    """Return a gallery that gives nobody else a turn between its slices."""
    return SpectatorBroadcaster(lambda serve: serve())


Encoded = Callable[[ServerMessage, Form], None]
"""Told of every message whose bytes are made."""


def noted_encodings(patch: pytest.MonkeyPatch, note: Encoded) -> None:
    """Have noted of which messages the bytes are made, and in which form."""

    def encode(message: ServerMessage, form: Form) -> bytes:
        note(message, form)
        return encode_server(message, form)

    def change(before: Frame, after: Frame, *, is_padded: bool) -> bytes:
        note(after, Form.COMPACT)
        return changed(before, after, is_padded=is_padded)

    patch.setattr(encoded_messages, "encode_server", encode)
    patch.setattr(encoded_messages, "changed", change)


def seq_of(encoded_message: EncodedMessage) -> int:
    """Return the number of a post."""
    assert isinstance(encoded_message.message, Frame | News | Over)
    return encoded_message.message.seq
