"""A bucket's values as this process knows them: updated by the engine's news, never asked for.

Theory of operation. Lists of rooms and of names are shown all the time, so they are made of a
mirror in memory: the engine sends what every key has, and from then on each change in the order in
which it was stored. Another worker's change is seen here a moment later. One's own are waited for:
`reach` returns when the mirror has reached the newest revision that this process wrote, so a
process finds its own changes in the lists.

Messages are counted; signs of life come when nothing is new, and say the count as well. A gap in
the count, or silence, as when the node dies that sends, has the mirror ask again from where it is.
If it was out of touch for longer than marks are sure to be kept, it asks for everything, and what
does not come then is gone.
"""

import asyncio
import functools
from collections.abc import Callable
from typing import final

import nats.errors
import structlog
from nats.aio.msg import Msg

from sunglare_server.base.tasks import kept_up
from sunglare_server.cluster.client.consumer import HEARTBEAT_S, Beat, Delivery, begin, read
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues
from sunglare_server.cluster.client.task_cancel import ended
from sunglare_server.ports.store import StoreError

SILENCE_S = 3 * HEARTBEAT_S
"""OWN: after so long without a sign of life the engine is asked again."""

OUT_OF_TOUCH_S = 600.0
"""OWN: after so long it is asked for everything; marks are kept for longer (`sweep.py`)."""

REACH_S = 10.0
"""OWN: so long a list waits for what this process has written; then the store says it can't."""

_AGAIN_S = 0.5


@final
class Mirror:
    """Calls `take` with what the keys of one kind in a bucket have, each time that it changes."""

    def __init__(
        self,
        bucket: KeyValues,
        take: Callable[[KeyState], None],
        kind: str,
        *,
        headers_only: bool = False,
    ) -> None:
        """Follow the keys of a kind; with `headers_only` without their values."""
        self._bucket = bucket
        self._client = bucket.engine.connection.client
        self._take = take
        self._kind = kind
        self._headers_only = headers_only
        self._revisions: dict[str, int] = {}
        self._seen = 0
        self._is_whole = False
        self._number = 0
        self._heard_s = 0.0
        # While everything is asked for: what has come so far.
        self._told: dict[str, None] | None = {}
        self._lost: asyncio.Future[None] | None = None
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Follow the bucket from now on."""
        self._task = kept_up(
            self._run, f"mirror of {self._bucket.name}", self._bucket.engine.clock
        )

    async def reach(self) -> None:
        """Return once all is known that this process has written; StoreError if that lasts."""
        revision = self._bucket.written(self._kind)
        if self._is_whole and self._seen >= revision:
            return
        reached = asyncio.get_running_loop().create_future()
        self._waiting.append((revision, reached))
        try:
            await asyncio.wait_for(reached, REACH_S)
        except TimeoutError as error:
            raise StoreError(f"{self._bucket.name} can't be followed") from error

    async def close(self) -> None:
        """Follow no longer."""
        if self._task is not None:
            await ended([self._task])

    async def _run(self) -> None:
        log = structlog.get_logger().bind(bucket=self._bucket.name)
        while not self._client.is_closed:
            try:
                await self._follow()
            except (StoreError, nats.errors.Error) as error:
                log.warning("bucket_watch_failed", why=str(error))
                await asyncio.sleep(_AGAIN_S)

    async def _follow(self) -> None:
        """Take what the engine sends until it is lost."""
        loop = asyncio.get_running_loop()
        if self._is_whole and loop.time() - self._heard_s > OUT_OF_TOUCH_S:
            self._told = {}
        self._number, self._lost = 0, loop.create_future()
        inbox = self._client.new_inbox()
        heed = functools.partial(self._heed, self._lost)
        subscription = await self._client.subscribe(inbox, cb=heed)
        try:
            await self._begin(inbox)
            await self._until(self._lost)
        finally:
            self._lost = None
            if not self._client.is_closed:
                await subscription.unsubscribe()

    async def _begin(self, inbox: str) -> None:
        # A report that was begun and not finished is made again.
        if self._told is not None:
            self._told = {}
        is_empty = await begin(
            self._bucket,
            inbox,
            (f"{self._kind}.>",),
            after=self._seen if self._told is None else None,
            headers_only=self._headers_only,
        )
        self._heard_s = asyncio.get_running_loop().time()
        if is_empty:
            self._note_whole()

    async def _until(self, lost: asyncio.Future[None]) -> None:
        loop = asyncio.get_running_loop()
        while not lost.done() and (left_s := self._heard_s + SILENCE_S - loop.time()) > 0:
            await asyncio.wait([lost], timeout=left_s)

    async def _heed(self, lost: asyncio.Future[None], message: Msg) -> None:
        if lost is not self._lost or lost.done():
            return
        self._heard_s = asyncio.get_running_loop().time()
        told = read(self._bucket, message)
        match told:
            case Delivery(number=number) if number == self._number + 1:
                self._number = number
                self._note(told)
            case Beat(sent=sent, answer=answer) if sent in (None, self._number):
                if answer:
                    await self._client.publish(answer)
                elif sent is not None:
                    # Nothing more is to be sent, be it that something was still counted on.
                    self._note_whole()
            case _:
                self._bucket.engine.gaps += 1
                lost.set_result(None)

    def _note(self, told: Delivery) -> None:
        stored = told.stored
        known = self._revisions.get(stored.key, 0)
        if stored.revision > known and (known or stored.value is not None):
            self._hand_on(stored)
        if self._told is not None:
            self._told[stored.key] = None
        self._seen = max(self._seen, stored.revision)
        if not told.pending:
            self._note_whole()
        if self._is_whole:
            self._wake()

    def _hand_on(self, stored: KeyState) -> None:
        if stored.value is None:
            self._revisions.pop(stored.key, None)
        else:
            self._revisions[stored.key] = stored.revision
        try:
            self._take(stored)
        except Exception:
            # What one value is like must not keep the others from being reported.
            log = structlog.get_logger().bind(bucket=self._bucket.name)
            log.exception("key_value_rejected", key=stored.key)

    def _note_whole(self) -> None:
        """Note that everything is known; what did not come is there no more."""
        if (told := self._told) is not None:
            self._told = None
            for key in [key for key in self._revisions if key not in told]:
                self._hand_on(KeyState(key, None, 0, {}))
        self._is_whole = True
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for revision, reached in waiting:
            if reached.done():
                continue
            if self._seen >= revision:
                reached.set_result(None)
            else:
                self._waiting.append((revision, reached))
