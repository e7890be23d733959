"""A command of a seat that waits for its answer, through lost connections."""

import asyncio
from typing import final

from sunglare_client.errors import LostError
from sunglare_client.link.connection import Connection
from sunglare_protocol.messages import ClientMessage, ServerMessage


@final
class Unanswered:
    """A command without an answer as yet; it is repeated on every new connection."""

    def __init__(self, message: ClientMessage) -> None:
        self.message = message
        self.answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()

    async def send(self, connection: Connection) -> None:
        """Send it on a connection; where that is lost, it is repeated on the next one."""
        try:
            sent = await connection.submit(self.message)
        except LostError:
            return
        sent.add_done_callback(self._settle)

    def _settle(self, sent: asyncio.Future[ServerMessage]) -> None:
        """Take the answer from what was sent on one connection, if that brought any."""
        if not sent.cancelled() and sent.exception() is None and not self.answer.done():
            self.answer.set_result(sent.result())
