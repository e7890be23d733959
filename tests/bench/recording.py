"""What the recorded matches hold: each connection's messages in both directions, in order."""

from pathlib import Path
from typing import final

import msgspec


@final
class Message(msgspec.Struct, frozen=True):
    """One message of a connection: who sent it, its kind and its very bytes."""

    is_ours: bool
    kind: str
    data: bytes


@final
class SeatRecording(msgspec.Struct, frozen=True):
    """The messages of one connection from `ready` on; `is_ours` marks those of the client."""

    messages: tuple[Message, ...]

    @property
    def frames(self) -> tuple[bytes, ...]:
        """Return the frames that were received."""
        return tuple(message.data for message in self.messages if message.kind == "frame")

    @property
    def received(self) -> int:
        """Return how many messages were received."""
        return sum(not message.is_ours for message in self.messages)

    def sends(self) -> dict[int, bytes]:
        """Return what was sent, by the number of frames received before it."""
        frames, found = 0, dict[int, bytes]()
        for message in self.messages:
            frames += message.kind == "frame"
            if message.is_ours:
                found[frames] = message.data
        return found

    def answers(self, *, frames_alone: bool) -> tuple[tuple[bytes, ...], ...]:
        """Return what was received after each message sent, up to the next one."""
        bursts: list[list[bytes]] = []
        for message in self.messages:
            if message.is_ours:
                bursts.append([])
            elif message.kind == "frame" or not frames_alone:
                bursts[-1].append(message.data)
        return tuple(map(tuple, bursts))


def save(path: Path, seats: tuple[SeatRecording, ...]) -> None:
    """Write the recording of all connections, in the order in which they sat down."""
    path.write_bytes(msgspec.msgpack.encode(seats))


def load(path: Path) -> tuple[SeatRecording, ...]:
    """Return a recording that `save` wrote."""
    return msgspec.msgpack.decode(path.read_bytes(), type=tuple[SeatRecording, ...])
