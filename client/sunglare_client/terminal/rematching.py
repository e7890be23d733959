"""After the end of a match: whether the player wants a rematch, and the wait for the others."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.sealing import ENTROPY_BYTES
from sunglare_client.link.seat import Seat
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.text.news import news_line

ASKED = (
    "Rematch, with the sides changed? Then say rematch or y, else quit or n. say gg still chats."
)
"""The question after the end."""

WAITING = "You ask for a rematch; waiting for the others. quit leaves."
"""What is said until all others have asked too."""

TAKE_BACK_S = 5.0
"""OWN: how long a player who leaves waits for the answer that the wish is taken back."""

_YES = ("rematch", "yes")
_NO = ("quit", "no")

_Show = Callable[[list[str]], None]
_Read = Callable[[str], bool]


async def rematch_of(
    seat: Seat, lines: AsyncIterator[str], show: _Show, read: _Read = lambda _: False
) -> Seat | None:
    """Ask whether a rematch is wanted, and wait until all others want it too.

    `read` is given every line that is no answer, and returns whether it carried the line out.
    Return the seat in the rematch; None if the player leaves, or there is none to be had.
    """
    show([ASKED])
    if not await _agrees(lines, show, read):
        return None
    show([WAITING])
    seat.following.tell(lambda news: show([news_line(news)] if news.side != seat.side else []))
    seating = asyncio.create_task(seat.take_up_rematch(entropy=_entropy()))
    leaving = asyncio.create_task(_leaves(lines, show, read))
    try:
        await asyncio.wait((seating, leaving), return_when=asyncio.FIRST_COMPLETED)
        if seating.done():
            return _found(seating, show)
        await _take_back(seat, seating)
        return None
    finally:
        seating.cancel()
        leaving.cancel()
        # An editor takes its prompt away before anything else is written.
        await asyncio.gather(seating, leaving, return_exceptions=True)


def _found(seating: "asyncio.Task[Seat]", show: _Show) -> Seat | None:
    """Return the seat, or say why there is none."""
    try:
        return seating.result()
    except RefusedError as refused:
        show([f"E-SERVER  {refused} ({refused.code.value})"])
    except (LostError, TimeoutError) as lost:
        show([str(lost) or "The server does not answer."])
    return None


async def _take_back(seat: Seat, seating: "asyncio.Task[Seat]") -> None:
    """Take back the wish of a player who leaves; without a connection it stands."""
    seating.cancel()
    await asyncio.gather(seating, return_exceptions=True)
    if seat.linked:
        with contextlib.suppress(RefusedError, LostError, TimeoutError):
            async with asyncio.timeout(TAKE_BACK_S):
                await seat.rematch(on=False)


async def _agrees(lines: AsyncIterator[str], show: _Show, read: _Read) -> bool:
    async for line in lines:
        answer = _answer(line)
        if answer is not None:
            return answer
        if not read(line):
            show([ASKED])
    return False


async def _leaves(lines: AsyncIterator[str], show: _Show, read: _Read) -> None:
    """Return once the player does not want to wait any more."""
    async for line in lines:
        if _answer(line) is False:
            return
        if not read(line):
            show([WAITING])


def _answer(line: str) -> bool | None:
    """Return whether a line agrees, or None if it is no answer; a beginning of a word will do."""
    if line == CTRL_D:
        return False
    word = line.strip().lower().partition(" ")[0]
    if not word:
        return None
    if any(known.startswith(word) for known in _YES):
        return True
    return False if any(known.startswith(word) for known in _NO) else None


def _entropy() -> bytes:
    return secrets.token_bytes(ENTROPY_BYTES)
