"""The transport as its users see it: bytes between gateways and workers, by subject.

Theory of operation. A subject is a few words with dots between them, as NATS has it; a subscriber
or server may give `*` for one word. What one transport publishes arrives in the order in which it
was published, at each of those who had subscribed by then; what is published while there is no
connection is lost, and nothing is ever stored. So the follower of a sequence numbers it, notices a
gap, and asks for what is missing: no promise of a match rests on a transport.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

from sunglare_protocol.errors import SunglareError

Take = Callable[[str, bytes], None]
"""Takes what was published: its subject and its bytes; it must not raise."""

Serve = Callable[[str, bytes], Awaitable[bytes]]
"""Answers a request: its subject and its bytes; it must not raise."""

Stop = Callable[[], None]
"""Ends what was begun; once more does nothing."""


class TransportError(SunglareError):
    """What was asked has no answer: `why` is for the log. It may have been done all the same."""

    def __init__(self, why: str) -> None:
        """Keep the reason."""
        super().__init__(why)
        self.why = why


class NoResponderError(TransportError):
    """That subject has no responder now: nothing was done."""


class Transport(Protocol):
    """Carries requests and posts; one conformance suite holds for every implementation."""

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection."""
        ...

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Return the answer of who serves `subject`.

        NoResponderError at once where there is none; TransportError if none comes within `wait_s`.
        """
        ...

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:
        """Answer the requests for `subject`; of those with the same `group` one does."""
        ...

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take what is published under `subject` once this has returned."""
        ...

    def publish(self, subject: str, data: bytes) -> None:
        """Send to all subscribers; it goes on its way at once and is not waited for."""

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Register a callback that receives `is_up` whenever that changes."""

    async def close(self) -> None:
        """Close the connection; once more does nothing."""
