"""A command of a seat that waits for its answer, through lost connections."""

import asyncio
from typing import final

from sunglare_protocol.messages import ClientMessage, ServerMessage


@final
class Unanswered:
    """A command without an answer as yet; it is repeated on every new connection."""

    def __init__(self, message: ClientMessage) -> None:
        self.message = message
        self.answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()

    def settle(self, sent: asyncio.Future[ServerMessage]) -> None:
        """Take the answer from what was sent on one connection, if that brought any."""
        if not sent.cancelled() and sent.exception() is None and not self.answer.done():
            self.answer.set_result(sent.result())
