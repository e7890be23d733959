"""A server that knows no game: it says what recorded sessions have, and may be made to err."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from sunglare_client.conformance.sessions import OPEN, Message, SessionStep
from sunglare_protocol.codec import Form

Say = Callable[[Message], list[Message]]
"""What is said in place of a recorded message."""


def lives_of(steps: list[SessionStep]) -> list[list[SessionStep]]:
    """Return the steps of each line from one opening to the next, in the order of the openings."""
    lives: list[list[SessionStep]] = []
    of: dict[str, list[SessionStep]] = {}
    for step in steps:
        if step.does == OPEN:
            of[step.line] = []
            lives.append(of[step.line])
        of[step.line].append(step)
    return lives


@asynccontextmanager
async def parroting(steps: list[SessionStep], say: Say) -> AsyncIterator[str]:
    """Serve each line of a session to one caller after the other; give the address.

    Whatever a caller says, he hears what follows in the session until its caller says the next.
    """
    lives = iter(lives_of(steps))

    async def handle(socket: ServerConnection) -> None:
        try:
            await _talk(socket, next(lives), say)
        except ConnectionClosed:
            return
        await socket.wait_closed()

    forms = [Subprotocol(form.value) for form in Form]
    async with serve(handle, "127.0.0.1", 0, subprotocols=forms, compression=None) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def _talk(socket: ServerConnection, life: list[SessionStep], say: Say) -> None:
    is_json = socket.subprotocol == Form.JSON.value
    for heard in _between(life):
        for step in heard:
            for message in say(step.hears):
                await socket.send(_bytes(message, step, is_json=is_json), text=is_json)
        await socket.recv()


def _bytes(message: Message, step: SessionStep, *, is_json: bool) -> bytes:
    if message is step.hears:
        # One message may be packed in several ways.
        return bytes.fromhex(step.hex)
    return msgspec.json.encode(message) if is_json else msgspec.msgpack.encode(message)


def _between(life: list[SessionStep]) -> Iterator[list[SessionStep]]:
    """Yield what is heard before each message of the caller, and after the last."""
    heard: list[SessionStep] = []
    for step in life:
        if step.says:
            yield heard
            heard = []
        elif step.hears:
            heard.append(step)
    yield heard
