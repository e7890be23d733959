"""Server messages on their way out, each encoded once for all who receive it."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, final

from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.compact import Stream, changed, stream_of
from sunglare_protocol.messages.replies import Bye, Frame, News, Over, ServerMessage


@final
class Header(NamedTuple):
    """What stands on an encoded message: its number in its audience's sequence, 0 outside of it.

    A frame's has the feed as well, and the number of the frame that its change would be of.
    """

    seq: int = 0
    stream: Stream | None = None
    before: int = 0


@final
class EncodedMessage:
    """A server message and its bytes in each form, made when first asked for."""

    __slots__ = (
        "_before",
        "_change",
        "_header",
        "_is_padded",
        "_json",
        "_message",
        "_packed",
        "_shelf",
    )

    def __init__(
        self,
        message: ServerMessage | None,
        packed: bytes = b"",
        *,
        before: Frame | None = None,
        is_padded: bool = False,
    ) -> None:
        """Wrap `message`; one given by its packed bytes alone is read when it is wanted.

        A frame may be sent as a change of the one `before` it, filled up with `is_padded`.
        """
        self._message = message
        self._packed = packed
        self._json = b""
        self._change = b""
        self._before = before
        self._is_padded = is_padded
        self._shelf: Callable[[], bytes] | None = None
        self._header: Header | None = None

    @classmethod
    def carried(cls, header: Header, packed: bytes, change: bytes) -> "EncodedMessage":
        """Return a message that has come a long way: its bytes, whole and maybe as a change."""
        encoded_message = cls(None, packed)
        encoded_message._header, encoded_message._change = header, change
        return encoded_message

    @property
    def header(self) -> Header:
        """Return what is known of the message without reading it again."""
        if self._header is None:
            self._header = _header_of(self.message, self._before)
        return self._header

    @property
    def message(self) -> ServerMessage:
        """Return the message."""
        if self._shelf is not None:
            return decode_server(self._shelf(), Form.PACKED)
        if self._message is None:
            self._message = decode_server(self._packed, Form.PACKED)
        return self._message

    @property
    def is_shelved(self) -> bool:
        """Return whether its bytes are read from where they are kept each time."""
        return self._shelf is not None

    def shelve(self, shelf: Callable[[], bytes]) -> None:
        """Hold nothing any more but `shelf`, which reads the packed bytes when they are wanted."""
        self._message = self._before = None
        self._packed = self._json = self._change = b""
        self._shelf = shelf

    def encoded(self, form: Form) -> bytes:
        """Return the bytes of the message in `form`, as a change if possible."""
        if self._shelf is not None:
            return self._shelf() if form is not Form.JSON else encode_server(self.message, form)
        if form is Form.JSON:
            self._json = self._json or encode_server(self.message, form)
            return self._json
        if form is Form.COMPACT and self._change:
            return self._change
        if form is Form.COMPACT and self._before is not None:
            return self._changed(self._before)
        self._packed = self._packed or encode_server(self.message, form)
        return self._packed

    def following(self, shown: dict[Stream, int]) -> bytes:
        """Return the bytes for a compact line: a change, if the line was sent what it changes.

        `shown` has the newest frame that the line was sent of each feed, and is given this one.
        """
        header = self.header
        if header.stream is None:
            return self.encoded(Form.PACKED)
        newest = shown.get(header.stream)
        shown[header.stream] = header.seq
        is_next = header.before != 0 and header.before == newest
        return self.encoded(Form.COMPACT if is_next else Form.PACKED)

    def _changed(self, before: Frame) -> bytes:
        if isinstance(self.message, Frame):
            self._change = changed(before, self.message, is_padded=self._is_padded)
        return self._change


class Subscriber(Protocol):
    """Something that takes messages in order and never blocks: an outbox of a connection."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return the forms in which it sends them."""
        ...

    def put(self, encoded_message: EncodedMessage) -> None:
        """Take an encoded message for sending."""

    def supersede(self) -> None:
        """End: another connection has taken this seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """End with a farewell and a close code."""

    def let_go(self) -> None:
        """Hear that no more of this feed comes."""


def _header_of(message: ServerMessage, before: Frame | None) -> Header:
    if isinstance(message, Frame):
        return Header(message.seq, stream_of(message), 0 if before is None else before.seq)
    return Header(message.seq if isinstance(message, News | Over) else 0)
