"""The carrier over an engine: requests and posts as messages that are stored nowhere.

The asker names the subject on which it wants the answer, and the engine does not look whether it
may publish there. So nothing is answered but on a subject for answers: else an asker could have a
worker say anything anywhere, with the worker's rights.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import final

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.cluster.client.connection import Connection, EngineError, told_in_our_words
from sunglare_server.cluster.client.permissions import inbox_of
from sunglare_server.cluster.client.task_cancel import ended
from sunglare_server.transport.log_limit import LogLimit
from sunglare_server.transport.subjects import asker_of
from sunglare_server.transport.transport import NoResponderError, Serve, Stop, Take, TransportError

READY_S = 5
"""OWN: how long a subscription may take to hold."""

FAREWELL_S = 2.0
"""OWN: how long the last answers may take when a carrier closes."""

WAITING_BYTES_MOST = 64 * 1024 * 1024
"""OWN: what is published while so much waits for the line is lost, as if there were none."""

LOG_LINES_MOST = 2
"""OWN: how many log lines a second may be caused by where one gateway wants its answers."""

_INBOX = "_INBOX"


@final
class NatsTransport:
    """Carries over a connection of its own."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        """Use an open connection, which closes with the carrier."""
        self._connection = connection
        self._posts: deque[tuple[str, bytes]] = deque()
        self._posts_bytes = 0
        self._stirred = asyncio.Event()
        self._is_losing = False
        self._answering: dict[asyncio.Task[None], None] = {}
        self._limit = LogLimit(clock, LOG_LINES_MOST)
        self._log = structlog.get_logger()
        self._chore = kept_up(self._post, "post to the engine", clock)

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection."""
        return self._connection.is_up

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Return the answer; NoResponderError where there is no connection or no responder."""
        if self._connection.client.is_closed:
            raise NoResponderError("the connection to the engine is closed")
        try:
            answer = await self._connection.request(subject, data, wait_s)
        except nats.errors.NoRespondersError:
            raise NoResponderError(f"nobody serves {subject}") from None
        except nats.errors.OutboundBufferLimitError:
            raise NoResponderError("there is no connection to the engine") from None
        except nats.errors.TimeoutError:
            raise TransportError(f"no answer from {subject} in {wait_s:g} s") from None
        except (nats.errors.Error, OSError) as error:
            raise TransportError(f"no answer from {subject}: {error}") from error
        return answer.data

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:
        """Answer requests, each as it comes, without waiting for those before it."""

        async def take(message: Msg) -> None:
            if not self._is_answerable(message):
                if self._limit.takes(asker_of(message.subject)):
                    self._log.warning("reply_subject_rejected", subject=message.subject)
                return
            work = spawn(self._answer(message, answer), f"answer {message.subject}")
            self._answering[work] = None
            work.add_done_callback(self._answering.pop)

        # A request before the engine knows of the end would wait for nothing.
        return await self._follow(subject, group, take, to_the_last=True)

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take what is published under `subject`; again by itself after a lost connection.

        Other servers of a cluster know of it a moment later than that of this connection, but
        before any request that is sent to them after this has returned.
        """

        async def pass_on(message: Msg) -> None:
            take(message.subject, message.data)

        return await self._follow(subject, "", pass_on)

    def publish(self, subject: str, data: bytes) -> None:
        """Send to all subscribers; none gets it while there is no connection."""
        waiting = self._posts_bytes + self._connection.client.pending_data_size
        if not self.is_up or waiting > WAITING_BYTES_MOST:
            self._lose(subject)
            return
        self._is_losing = False
        self._posts.append((subject, data))
        self._posts_bytes += len(data)
        self._stirred.set()

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Call `tell` whenever the connection is lost or there again."""
        self._connection.when_changed(tell)

    async def close(self) -> None:
        """Send what was published and close the connection."""
        await ended([self._chore])
        if self.is_up:
            await self._answer_all()
            await self._send_all()
        await self._connection.close()

    async def _follow(
        self,
        subject: str,
        group: str,
        take: Callable[[Msg], Awaitable[None]],
        *,
        to_the_last: bool = False,
    ) -> Stop:
        """Have messages taken; what still comes after the end is lost unless `to_the_last`."""
        is_on = True

        async def take_while_on(message: Msg) -> None:
            if is_on or to_the_last:
                await take(message)

        client = self._connection.client
        followed = await client.subscribe(subject, queue=group, cb=take_while_on)
        try:
            with told_in_our_words():
                # The client's first question may overtake the subscription, which waits for a task
                # of its own; the second one comes behind it.
                await client.flush(READY_S)
                await client.flush(READY_S)
        except EngineError as error:
            self._log.info("subscription_delayed", subject=subject, why=error.why)

        def stop() -> None:
            nonlocal is_on
            if is_on:
                is_on = False
                spawn(self._leave(followed), f"leave {subject}")

        return stop

    async def _leave(self, followed: Subscription) -> None:
        try:
            await followed.unsubscribe()
        except nats.errors.Error as error:
            # Without a connection there is no subscription either.
            self._log.debug("subscription_already_ended", why=str(error))

    async def _answer_all(self) -> None:
        """Answer what has been asked until now: its askers wait for nothing otherwise."""
        try:
            # Behind it nothing more comes for what is served no more.
            await self._connection.client.flush(READY_S)
        except nats.errors.Error as error:
            self._log.info("nats_close_unanswered", why=str(error))
        if self._answering:
            await asyncio.wait(tuple(self._answering), timeout=FAREWELL_S)

    def _is_answerable(self, message: Msg) -> bool:
        """Return whether the answer goes to the asker's own inbox, by the subject's last word.

        Where the engine lets in who shows nothing, all have the same inbox.
        """
        asker = asker_of(message.subject)
        is_guarded = self._connection.inbox != _INBOX
        return message.reply.startswith(f"{inbox_of(asker) if is_guarded else _INBOX}.")

    async def _answer(self, message: Msg, answer: Serve) -> None:
        data = await answer(message.subject, message.data)
        try:
            await self._connection.client.publish(message.reply, data)
        except nats.errors.Error as error:
            if self._limit.takes(asker_of(message.subject)):
                self._log.warning("answer_lost", subject=message.subject, why=str(error))

    async def _post(self) -> None:
        while True:
            await self._send_all()
            self._stirred.clear()
            await self._stirred.wait()

    async def _send_all(self) -> None:
        while self._posts:
            subject, data = self._posts.popleft()
            self._posts_bytes -= len(data)
            try:
                await self._connection.client.publish(subject, data)
            except nats.errors.Error as error:
                self._lose(subject, str(error))

    def _lose(self, subject: str, why: str = "there is no line, or it is too slow") -> None:
        # One line for all that follow it.
        if not self._is_losing:
            self._log.warning("published_message_lost", subject=subject, why=why)
        self._is_losing = True
