"""A server played through a recorded session: what it said otherwise, step by step."""

from collections.abc import Iterable, Iterator
from typing import final

from sunglare_client.conformance.comparing import differences, kind_of, put_in
from sunglare_client.conformance.lines import NothingCameError, RawLine, is_answer
from sunglare_client.conformance.recording import packed
from sunglare_client.conformance.sessions import DROP, OPEN, SessionStep, hex_of
from sunglare_client.errors import LostError
from sunglare_protocol.codec import Form

QUOTED = 400
"""So much is quoted of a message that was not due, in characters."""


@final
class _LostStepError(LostError):
    """The session can't go on after this step; the text says what came in place of what."""


@final
class SessionPlayer:
    """Says what a session has its clients say; `found` are the differences so far, in words."""

    def __init__(self, url: str, *, with_bytes: bool, patience_s: float) -> None:
        """Play the server at `url`; compare the bytes as well, or not."""
        self.found: list[str] = []
        self._url = url
        self._with_bytes = with_bytes
        self._patience_s = patience_s
        self._lines: dict[str, RawLine] = {}
        self._known: dict[str, str] = {}

    async def play(self, steps: Iterable[SessionStep]) -> None:
        """Play a session until its end, or until a message does not come or is of another kind.

        Raise `LostError` if the server can't be reached.
        """
        try:
            for number, step in enumerate(steps, 1):
                await self._step(number, step)
        except _LostStepError as lost:
            self.found.append(f"{lost.reason}; the rest of the session was not played")
        finally:
            for line in self._lines.values():
                await line.close()
        if not self.found:
            self.found += self._left()

    async def _step(self, number: int, step: SessionStep) -> None:
        if step.does == OPEN:
            form = Form(step.form)
            self._lines[step.line] = await RawLine.opened(self._url, form, self._patience_s)
            return
        line = self._lines[step.line]
        if step.says:
            await line.say(packed(put_in(step.says, self._known), line.form))
        elif step.hears:
            await self._hear(number, step, line)
        else:
            await (line.drop() if step.does == DROP else line.close())

    async def _hear(self, number: int, step: SessionStep, line: RawLine) -> None:
        due, where = step.hears, f"step {number}, {step.line} hears {kind_of(step.hears)}"
        try:
            came = await line.take(is_answer=is_answer(due))
        except NothingCameError as nothing:
            raise _LostStepError(f"{where}: {nothing.reason}") from None
        if kind_of(came.message) != kind_of(due):
            text = str(came.message)[:QUOTED]
            raise _LostStepError(f"{where}: {kind_of(came.message)} came: {text}")
        told = list(differences(due, came.message, self._known))
        self.found += (f"{where}: {one}" for one in told)
        if self._with_bytes and (at := _first_other(step.hex, hex_of(came.data))) is not None:
            self.found.append(f"{where}: the bytes differ from byte {at} on")

    def _left(self) -> Iterator[str]:
        for name, line in self._lines.items():
            for came in line.left:
                yield f"at the end, {name} has heard {kind_of(came.message)} that was not due"


def _first_other(due: str, came: str) -> int | None:
    """Return the place of the first byte that differs; None if none does."""
    if due == came:
        return None
    pairs = zip(bytes.fromhex(due), bytes.fromhex(came), strict=False)
    shorter = min(len(due), len(came)) // 2
    return next((place for place, (one, other) in enumerate(pairs) if one != other), shorter)
