"""A watch: every message of a stream, first the newest of each subject and then each as it comes.

The engine numbers what it delivers, so a gap is noticed; then, and whenever it is asked to, the
watch begins again. It can't notice silence: a watcher that needs to writes something and waits for
it.
"""

import asyncio
from typing import Protocol, final

import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from sunglare_server.cluster.client.backoff import Backoff
from sunglare_server.cluster.client.connection import EngineError, told_in_our_words
from sunglare_server.cluster.client.engine import Engine

BEGIN_S = 0.5
"""OWN: how long a watch may take to begin.

While a stream has no leader no server answers, and a question that was put before it had one is
lost: this is what a takeover may have to wait for after an election.
"""

_IDLE_S = 30.0


class Watcher(Protocol):
    """Hears what a watch finds; nothing of it may raise."""

    def begin(self) -> None:
        """Hear that everything that is there comes now, once more."""

    def hear(self, subject: str, revision: int, data: bytes) -> None:
        """Take in a message, the newest of its subject, and its number."""

    def all_heard(self) -> None:
        """Hear that everything that was there has come."""


@final
class Watch:
    """Watches one stream until it is cancelled."""

    def __init__(self, engine: Engine, stream: str, watcher: Watcher) -> None:
        """Feed `watcher` once it is followed."""
        self._engine = engine
        self._stream = stream
        self._watcher = watcher
        self._broken = asyncio.Event()
        self._delivered = 0
        self._are_all_heard = False
        self._log = structlog.get_logger()

    def renew(self) -> None:
        """Begin again."""
        self._broken.set()

    async def follow(self) -> None:
        """Watch, again and again, until cancelled."""
        backoff = Backoff(self._engine.clock, self._engine.entropy)
        while True:
            try:
                await self._follow_once()
                backoff = Backoff(self._engine.clock, self._engine.entropy)
            except EngineError as error:
                self._log.warning("watch_start_failed", stream=self._stream, why=error.why)
            await backoff.wait()

    async def _follow_once(self) -> None:
        client = self._engine.connection.client
        self._broken = broken = asyncio.Event()
        self._delivered, self._are_all_heard = 0, False
        self._watcher.begin()
        inbox = client.new_inbox()

        async def take(message: Msg) -> None:
            if not broken.is_set():
                self._take(message)

        with told_in_our_words():
            followed = await client.subscribe(inbox, cb=take)
        try:
            await self._deliver_to(inbox)
            await broken.wait()
        finally:
            await self._leave(followed)

    async def _deliver_to(self, inbox: str) -> None:
        config = ConsumerConfig(
            deliver_subject=inbox,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
            filter_subject=">",
            ack_policy=AckPolicy.NONE,
            max_deliver=1,
            mem_storage=True,
            num_replicas=1,
            inactive_threshold=_IDLE_S,
        )
        with told_in_our_words():
            begun = await self._engine.streams.add_consumer(self._stream, config, timeout=BEGIN_S)
        was_delivered = begun.delivered is not None and begun.delivered.consumer_seq
        if not (begun.num_pending or was_delivered or self._delivered):
            self._tell_all_heard()

    def _take(self, message: Msg) -> None:
        if not message.reply:
            return
        meta = message.metadata
        self._delivered += 1
        if meta.sequence.consumer != self._delivered:
            self._engine.gaps += 1
            self.renew()
            return
        self._watcher.hear(message.subject, meta.sequence.stream, message.data)
        if meta.num_pending == 0:
            self._tell_all_heard()

    def _tell_all_heard(self) -> None:
        if not self._are_all_heard:
            self._are_all_heard = True
            self._watcher.all_heard()

    async def _leave(self, followed: Subscription) -> None:
        try:
            with told_in_our_words():
                await followed.unsubscribe()
        except EngineError as error:
            # Without a line there is no subscription either.
            self._log.debug("watch_already_ended", why=error.why)
