"""Long answers, given out slice by slice, so that players are served between two of them."""

import asyncio
from collections.abc import Iterator
from typing import Final

from websockets.http11 import Response

from sunglare_server.gateway.admission import CountedConnection

SLICE_BYTES: Final = 64 * 1024
"""OWN: how much is written at once."""

SLICE_S: Final = 20.0
"""OWN: how long a reader may take for a slice."""


async def give_out(connection: CountedConnection, head: Response, data: bytes) -> Response:
    """Send an answer with a long body and close the line; return once it is closed.

    What is returned is never sent: a handshake wants an answer, and the line is gone by then.
    """
    transport = connection.transport
    for part in (head.serialize(), *_slices(data)):
        # A subscriber that has gone, maybe before it was there, gets no more.
        if transport.is_closing():
            break
        connection.give_time(SLICE_S)
        transport.write(part)
        await connection.drain()
        await asyncio.sleep(0)
    connection.give_time(SLICE_S)
    transport.close()
    await connection.wait_closed()
    return head


def _slices(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), SLICE_BYTES):
        yield data[start : start + SLICE_BYTES]
