"""Parcels: messages on their way out, encoded once for everybody who gets them."""

from typing import Protocol, final

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.replies import ServerMessage


@final
class Parcel:
    """A server message and its bytes in each form, made when first asked for."""

    __slots__ = ("_bytes", "message")

    def __init__(self, message: ServerMessage) -> None:
        """Wrap `message`."""
        self.message = message
        self._bytes: dict[Form, bytes] = {}

    def encoded(self, form: Form) -> bytes:
        """Return the bytes of the message in `form`."""
        found = self._bytes.get(form)
        if found is None:
            found = self._bytes[form] = encode_server(self.message, form)
        return found


class Sink(Protocol):
    """Something that takes parcels in order and never blocks: an outbox of a connection."""

    def put(self, parcel: Parcel) -> None:
        """Take a parcel for sending."""

    def supersede(self) -> None:
        """End: another connection has taken this seat."""
