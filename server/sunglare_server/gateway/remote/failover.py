"""The matches that lines of a gateway hold: who answers for each, how lines are brought back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.refusals import Code
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing
from sunglare_server.base.status_texts import AGAIN_TEXT
from sunglare_server.base.tasks import spawn
from sunglare_server.gateway.remote.rpc_client import FaultError, RpcClient
from sunglare_server.gateway.remote.session import FAULT, FAULT_BYE, RemoteSession
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.transport.messages import Response, WorkerHeartbeat, mark_of
from sunglare_server.transport.transport import TransportError

SILENT_MS = 1_500
"""OWN: a worker that was not heard of for so long answers for nothing until it is again."""

SHOWN_MS = 600_000
"""OWN: for so long the operator is shown that a worker has fallen silent."""

STALL_MS = 1_000
"""OWN: after so long without an owner's answer a match warns its seats."""

AGAIN_MS = (20, 50, 100, 200, 400)
"""OWN: how long after a failure lines are brought back again, the last one for good."""

AT_ONCE = 32
"""OWN: how many lines of a match are brought back at the same time."""


@final
class MatchAttachment:
    """A match that lines of this gateway hold."""

    def __init__(self, match: MatchId) -> None:
        """Begin empty; of each line there is the worker that answered for it last."""
        self.match = match
        self.mark = mark_of(match)
        self.sessions: dict[RemoteSession, str] = {}
        self.is_up = asyncio.Event()
        self.is_up.set()
        self.is_told = False
        self.stalls = 0
        self.work: asyncio.Task[None] | None = None
        self._waits: dict[asyncio.Timeout, None] = {}

    async def answered(self, asked: Awaitable[Response]) -> Response:
        """Return an answer; TransportError as soon as the worker asked answers for it no more."""
        wait = asyncio.timeout(None)
        try:
            async with wait:
                self._waits[wait] = None
                return await asked
        except TimeoutError:
            raise TransportError(f"{self.match} has another owner, or none") from None
        finally:
            self._waits.pop(wait, None)

    def cut(self) -> None:
        """Wait no more for the answers of the last worker, which may be halted."""
        for wait in tuple(self._waits):
            if wait.when() is None:
                wait.reschedule(0)

    def tell_seats(self, text: str) -> None:
        """Send the seats a text outside their sequence."""
        news = News(match=self.match, seq=0, kind=NewsKind.SERVER, text=text)
        encoded_message = EncodedMessage(news)
        for session in tuple(self.sessions):
            if any(of == self.match and one.is_seat for (of, _), one in session.holds.items()):
                session.line.put(encoded_message)


@final
class FailoverManager:
    """All of them."""

    def __init__(
        self, rpc_client: RpcClient, clock: Clock, returned: Callable[[MatchId], None]
    ) -> None:
        """Bring lines back by `rpc_client`; `returned` is called with each match that is back."""
        self._returned = returned
        self._rpc_client = rpc_client
        self._clock = clock
        self._failover: dict[MatchId, MatchAttachment] = {}
        self._marked: dict[bytes, MatchAttachment] = {}
        self._heard_ms: dict[str, int] = {}
        self._called: dict[str, str] = {}
        self._last_ms: dict[str, int] = {}
        self._generations: dict[str, int] = {}
        self._closings: dict[str, Closing | None] = {}
        self._unstored_ms: dict[str, int | None] = {}
        self._log = structlog.get_logger()

    def attach(self, match: MatchId, session: RemoteSession, worker: str) -> None:
        """Note that a line holds something of a match for which `worker` answers."""
        attachment = self._failover.get(match)
        if attachment is None:
            attachment = self._failover[match] = MatchAttachment(match)
            self._marked[attachment.mark] = attachment
        attachment.sessions[session] = worker

    def detach(self, match: MatchId, session: RemoteSession) -> None:
        """Note that a line holds nothing more of a match."""
        attachment = self._failover.get(match)
        if (
            attachment is None
            or any(of == match for of, _ in session.holds)
            or match in session.matches
        ):
            return
        attachment.sessions.pop(session, None)
        if not attachment.sessions:
            del self._failover[match]
            del self._marked[attachment.mark]
            attachment.is_up.set()
            if attachment.work is not None:
                attachment.work.cancel()

    def is_stalled(self, match: MatchId) -> bool:
        """Return whether a match is without an answer for so long that its seats were warned."""
        attachment = self._failover.get(match)
        return attachment is not None and attachment.is_told

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the workers that were heard of lately, by name."""
        return tuple(sorted(dict.fromkeys(self._called[name] for name in self._heard_ms)))

    @property
    def unable(self) -> tuple[str, ...]:
        """Return those of the workers that say that they can store nothing, by name."""
        unable = [name for name in self._heard_ms if self._unstored_ms[name] is not None]
        return tuple(sorted(dict.fromkeys(self._called[name] for name in unable)))

    @property
    def stores_nothing(self) -> bool:
        """Return whether there are workers, and all say that they can store nothing."""
        unstored_ms = [self._unstored_ms[name] for name in self._heard_ms]
        return bool(unstored_ms) and None not in unstored_ms

    def closing(self, before: Closing | None) -> Closing | None:
        """Return when the last worker ends, if all do; what was known `before` if none is there.

        One that goes on takes the matches of the others over.
        """
        if not self._heard_ms:
            return before
        ends = [self._closings[name] for name in self._heard_ms]
        known = [closing for closing in ends if closing is not None]
        return max(known) if len(known) == len(ends) else None

    @property
    def silences_ms(self) -> dict[str, int]:
        """Return how long ago each worker was heard of that did not take its leave, by name."""
        now_ms = self._clock.now_ms()
        return {called: now_ms - ms for called, ms in self._last_ms.items()}

    @property
    def stalled(self) -> int:
        """Return how many matches are without an answer, as far as that is known."""
        return sum(not attachment.is_up.is_set() for attachment in self._failover.values())

    async def answered(
        self, match: MatchId | None, ask: Callable[[], Awaitable[Response]]
    ) -> Response:
        """Return an answer of a match's owner; TransportError as soon as it is that no more.

        While the lines of the match are brought back nothing is asked, unless that takes long.
        """
        attachment = None if match is None else self._failover.get(match)
        if attachment is None:
            return await ask()
        while not attachment.is_up.is_set():
            if attachment.is_told:
                raise TransportError("nobody answers for that match")
            await self._clock.sleep_until_ms(self._clock.now_ms() + AGAIN_MS[0])
        return await attachment.answered(ask())

    async def back_again(self, match: MatchId | None) -> bool:
        """Return once a worker answers for a match again; False for one that no line holds."""
        attachment = None if match is None else self._failover.get(match)
        if attachment is None:
            return False
        self.stall(attachment)
        await attachment.is_up.wait()
        # The worker that answers may end this moment: it is not asked without a break.
        await self._clock.sleep_until_ms(self._clock.now_ms() + AGAIN_MS[0])
        return True

    def heard(self, here: WorkerHeartbeat) -> None:
        """Note a worker's sign of life."""
        if here.leaves:
            self._heard_ms.pop(here.name, None)
            self._last_ms.pop(self._called.get(here.name, here.name), None)
            self._tell_workers()
            self._stall_of(here.name)
        else:
            self._heard_ms[here.name] = self._clock.now_ms()
            self._tell_workers()
            called = self._called[here.name] = here.called or here.name
            self._last_ms[called] = self._clock.now_ms()
            self._closings[here.name] = here.closing
            self._unstored_ms[here.name] = here.unstored_ms
            if self._generations.setdefault(here.name, here.generation) != here.generation:
                self._generations[here.name] = here.generation
                self._stall_of(here.name)
        attachment = self._marked.get(here.took)
        if attachment is not None and any(
            worker != here.name for worker in attachment.sessions.values()
        ):
            self._leave(attachment)

    def look(self) -> None:
        """Take those workers for gone that have fallen silent."""
        now_ms = self._clock.now_ms()
        silent = [name for name, ms in self._heard_ms.items() if now_ms - ms > SILENT_MS]
        for name in silent:
            del self._heard_ms[name]
            self._tell_workers()
            self._stall_of(name)
        shown = self._last_ms.items()
        self._last_ms = {called: ms for called, ms in shown if now_ms - ms < SHOWN_MS}

    def stall_all(self) -> None:
        """Bring all lines back."""
        for attachment in tuple(self._failover.values()):
            self._leave(attachment)

    def stall_at(self, match: MatchId) -> None:
        """Bring the lines of a match back, if there are any."""
        attachment = self._failover.get(match)
        if attachment is not None:
            self.stall(attachment)

    def stall(self, attachment: MatchAttachment) -> None:
        """Refuse commands for a match, and bring its lines back to the next worker."""
        attachment.is_up.clear()
        attachment.stalls += 1
        if attachment.work is None or attachment.work.done():
            attachment.work = spawn(
                self._bring_back(attachment), f"bring lines back to {attachment.match}"
            )

    def stop(self) -> None:
        """Stop bringing lines back."""
        for attachment in self._failover.values():
            if attachment.work is not None:
                attachment.work.cancel()

    def _tell_workers(self) -> None:
        self._rpc_client.workers = tuple(sorted(self._heard_ms))

    def _stall_of(self, worker: str) -> None:
        for attachment in tuple(self._failover.values()):
            # An owner that does not know of its loss may still have answered for some.
            if worker in attachment.sessions.values():
                self._leave(attachment)

    def _leave(self, attachment: MatchAttachment) -> None:
        """Give up the worker that answered for a match."""
        attachment.cut()
        self.stall(attachment)

    async def _bring_back(self, attachment: MatchAttachment) -> None:
        telling = spawn(self._tell_late(attachment), f"tell of a stall of {attachment.match}")
        try:
            failures = 0
            while not await self._are_back_for_good(attachment):
                wait_ms = AGAIN_MS[min(failures, len(AGAIN_MS) - 1)]
                failures += 1
                await self._clock.sleep_until_ms(self._clock.now_ms() + wait_ms)
        finally:
            telling.cancel()
        attachment.is_up.set()
        self._returned(attachment.match)
        if attachment.is_told:
            attachment.is_told = False
            attachment.tell_seats(AGAIN_TEXT)

    async def _tell_late(self, attachment: MatchAttachment) -> None:
        await self._clock.sleep_until_ms(self._clock.now_ms() + STALL_MS)
        if not attachment.is_told:
            attachment.is_told = True
            attachment.tell_seats(Code.SERVER_JOURNAL.value)
            self._log.warning("match_owner_missing", match=attachment.match)

    async def _are_back_for_good(self, attachment: MatchAttachment) -> bool:
        """Bring back every line; return False as well if the worker may have left since."""
        stalls = attachment.stalls
        return await self._are_back(attachment) and attachment.stalls == stalls

    async def _are_back(self, attachment: MatchAttachment) -> bool:
        """Bring back every line; return False if one could not be: then all are again."""
        sessions = tuple(attachment.sessions)
        for start in range(0, len(sessions), AT_ONCE):
            some = sessions[start : start + AT_ONCE]
            done = await asyncio.gather(*[self._is_back(attachment, session) for session in some])
            if not all(done):
                return False
        return True

    async def _is_back(self, attachment: MatchAttachment, session: RemoteSession) -> bool:
        try:
            told = await attachment.answered(self._rpc_client.back(session.back(attachment.match)))
        except TransportError:
            return False
        except FaultError:
            session.line.dismiss(FAULT_BYE, FAULT)
            return True
        if session in attachment.sessions:
            attachment.sessions[session] = told.worker
        session.take_back(attachment.match, told)
        return True
