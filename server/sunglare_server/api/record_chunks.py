"""A record file as messages, each of a part of it."""

from typing import Final

from sunglare_protocol.messages import FetchRecord, Piece
from sunglare_server.api.port import PeerConnection

PIECE_BYTES: Final = 64 * 1024
"""How much of a record file one message carries."""


async def send_pieces(line: PeerConnection, message: FetchRecord, data: bytes) -> None:
    """Send a file from the byte that is asked for on, as fast as the line takes it."""
    starts = range(message.from_byte, len(data), PIECE_BYTES) or (message.from_byte,)
    for start in starts:
        end = start + PIECE_BYTES
        line.say(
            Piece(
                id=message.id,
                match=message.match,
                from_byte=start,
                data=data[start:end],
                last=end >= len(data),
            )
        )
        if not await line.drained():
            return
