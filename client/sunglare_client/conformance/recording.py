"""Recording: sessions that are played by hand against a server, with all that is heard."""

from typing import Any, final

import msgspec

from sunglare_client.conformance.lines import RawLine
from sunglare_client.conformance.sessions import (
    CLOSE,
    DROP,
    OPEN,
    Message,
    SessionError,
    SessionStep,
    hex_of,
)
from sunglare_protocol.codec import Form


def packed(message: Message, form: Form) -> bytes:
    """Return the bytes of a client's message, be it one of the protocol or not."""
    if form is Form.JSON:
        return msgspec.json.encode(message)
    return msgspec.msgpack.encode(message)


@final
class Recorder:
    """Writes down a session while it is played: `steps` are all so far."""

    def __init__(self, url: str) -> None:
        """Play against the server at `url`."""
        self.steps: list[SessionStep] = []
        self._url = url
        self._callers: list[Caller] = []

    async def open(self, name: str, form: Form = Form.PACKED) -> "Caller":
        """Open a line that goes by `name`, for the first time or again."""
        line = await RawLine.opened(self._url, form)
        self.steps.append(SessionStep(line=name, does=OPEN, form=form.value))
        caller = Caller(name, line, self.steps)
        self._callers.append(caller)
        return caller

    async def end(self) -> None:
        """Close every line; raise `SessionError` if a message that came was never taken."""
        for caller in self._callers:
            await caller.close()


@final
class Caller:
    """A client on a line."""

    def __init__(self, name: str, line: RawLine, steps: list[SessionStep]) -> None:
        self._name = name
        self._line = line
        self._steps = steps
        self._is_open = True

    async def say(self, kind: str, number: int, /, **fields: Any) -> None:
        """Say something with this number."""
        message = {"t": kind, "id": number, **fields}
        data = packed(message, self._line.form)
        self._steps.append(SessionStep(line=self._name, says=message, hex=hex_of(data)))
        await self._line.say(data)

    async def ask(self, kind: str, number: int, /, **fields: Any) -> Message:
        """Say something and return the answer."""
        await self.say(kind, number, **fields)
        return await self._hear(is_answer=True)

    async def hear(self, *kinds: str) -> Message:
        """Hear posts of these kinds, one after the other, and return the last."""
        message: Message = {}
        for kind in kinds:
            message = await self._hear(is_answer=False)
            if message["t"] != kind:
                raise SessionError(f"{self._name} was to hear {kind} and heard {message}")
        return message

    async def drop(self) -> None:
        """Lose the line."""
        self._steps.append(SessionStep(line=self._name, does=DROP))
        self._is_open = False
        await self._line.drop()

    async def close(self) -> None:
        """Close the line, if it is still open."""
        if not self._is_open:
            return
        self._steps.append(SessionStep(line=self._name, does=CLOSE))
        self._is_open = False
        await self._line.close()
        if left := self._line.left:
            raise SessionError(f"{self._name} heard more than was taken: {left}")

    async def _hear(self, *, is_answer: bool) -> Message:
        came = await self._line.take(is_answer=is_answer)
        step = SessionStep(line=self._name, hears=came.message, hex=hex_of(came.data))
        self._steps.append(step)
        return came.message
