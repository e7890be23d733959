"""Parcels: messages on their way out, encoded once for everybody who gets them."""

from typing import Protocol, final

from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.messages.replies import Bye, ServerMessage


@final
class Parcel:
    """A server message and its bytes in each form, made when first asked for."""

    __slots__ = ("_json", "_message", "_packed")

    def __init__(self, message: ServerMessage | None, packed: bytes = b"") -> None:
        """Wrap `message`; one given by its packed bytes alone is read when it is wanted."""
        self._message = message
        self._packed = packed
        self._json = b""

    @property
    def message(self) -> ServerMessage:
        """Return the message."""
        if self._message is None:
            self._message = decode_server(self._packed, Form.PACKED)
        return self._message

    def encoded(self, form: Form) -> bytes:
        """Return the bytes of the message in `form`."""
        if form is Form.PACKED:
            self._packed = self._packed or encode_server(self.message, form)
            return self._packed
        self._json = self._json or encode_server(self.message, form)
        return self._json


class Sink(Protocol):
    """Something that takes parcels in order and never blocks: an outbox of a connection."""

    @property
    def form(self) -> Form:
        """Return the form in which it sends them."""
        ...

    def put(self, parcel: Parcel) -> None:
        """Take a parcel for sending."""

    def supersede(self) -> None:
        """End: another connection has taken this seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """End with a farewell and a close code."""
