"""The engine as journal, store and lease use it: streams on disk, numbers of messages, and asking.

Whatever changes something is asked once here; whether it is asked again is for who knows what a
second time would do. A reader asks until there is an answer, for a bounded time.
"""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple, TypeVar, final

from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, Header, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.storage_health import Health, WriteOutcome
from sunglare_server.cluster.client.backoff import Backoff
from sunglare_server.cluster.client.connection import (
    FULL,
    Connection,
    EngineError,
    EngineRefusedError,
    EngineSilentError,
    told_in_our_words,
    told_of,
)

WAIT_S = 2.0
"""OWN: how long one request may take; a repeated request comes after this."""

SILENT_MS = 3_000
"""OWN: a server of which nothing has been heard for so long is left for another one."""

NOT_NEXT = frozenset({10071})
"""A message that should follow the last one of its subject does not."""

NAME_IN_USE = 10058

PASSING = frozenset({10005, 10049})
"""No server can have a stream now: they have only begun, or still delete one of that name."""

MISSING_STREAM = 10059

_OF_TWO_WORDS = ("$KV", "mlog")

T = TypeVar("T")


class Ack(NamedTuple):
    """A message is stored under number `seq` of its stream; a duplicate was so before."""

    seq: int
    is_duplicate: bool


class Stored(NamedTuple):
    """A stored message: its number, its subject, its bytes, and whether it marks a deletion."""

    seq: int
    subject: str
    data: bytes
    is_deletion: bool


@final
class Engine:
    """Streams and messages over one connection, which others may share."""

    def __init__(
        self, connection: Connection, clock: Clock, entropy: Entropy, replicas: int
    ) -> None:
        """Keep `replicas` copies of each new stream; nothing is asked yet.

        `gaps` counts how often something did not come that the engine has sent, `health` says
        whether what is written here is stored.
        """
        self.gaps = 0
        self.health = Health()
        self.connection = connection
        self.clock = clock
        self.entropy = entropy
        self.replicas = replicas
        self.streams: JetStreamContext = connection.client.jetstream(timeout=WAIT_S)
        # Since when there have been questions and no answers.
        self._silent_ms: int | None = None

    async def ensure(self, name: str, subjects: tuple[str, ...], **wish: Any) -> None:
        """Have a stream of that name on disk; one that is there already stays as it is.

        Raise `EngineError` if it is kept otherwise than asked: fewer copies, or in memory.
        """
        config = StreamConfig(
            name=name,
            subjects=list(subjects),
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            # What is full refuses; nothing that was acknowledged is thrown away.
            discard=DiscardPolicy.NEW,
            **wish,
        )
        kept = await self.patiently(lambda: self._created(config))
        copies = kept.num_replicas or 1
        if kept.storage != StorageType.FILE or copies < self.replicas:
            place = "on disk" if kept.storage == StorageType.FILE else "in memory"
            raise EngineError(
                f"stream {name} has {copies} copies {place}, {self.replicas} on disk are needed: "
                "change it with the engine's own tool, or delete it if it holds nothing"
            )

    async def _created(self, config: StreamConfig) -> StreamConfig:
        async with self._asking():
            try:
                return (await self.streams.stream_info(config.name or "")).config
            except NotFoundError:
                pass
        try:
            async with self._asking():
                return (await self.streams.add_stream(config)).config
        except EngineRefusedError as error:
            if error.code in PASSING:
                raise EngineSilentError(f"no stream {config.name} now: {error.why}") from error
            if error.code != NAME_IN_USE:
                raise
        # Another worker has made it meanwhile.
        raise EngineSilentError(f"stream {config.name} is being made")

    async def put(
        self, subject: str, data: bytes, after: int | None = None, name: str | None = None
    ) -> Ack:
        """Store a message, once, and return its number.

        Only if message `after` is the last one of the subject, 0 for none, where that is given;
        of those with the same `name` within two minutes one is stored. Raise `EngineSilentError`
        if it may have been stored, `EngineRefusedError` if it is not.
        """
        headers: dict[str, Any] = {}
        if after is not None:
            headers[Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value] = str(after)
        if name is not None:
            headers[Header.MSG_ID.value] = name
        with self.writing(subject):
            async with self._asking():
                ack = await self.streams.publish(subject, data, headers=headers or None)
        return Ack(ack.seq, bool(ack.duplicate))

    def writing(self, subject: str) -> contextlib.AbstractContextManager[None]:
        """Note how a write to a subject ends; raise what it raises."""
        return self.health.writing(_place_of(subject), _judged)

    async def newest(self, stream: str, subject: str) -> Stored | None:
        """Return the last message of a subject; None if there is none."""
        return await self.patiently(lambda: self._got(stream, subject=subject))

    async def following(self, stream: str, subject: str, seq: int) -> Stored | None:
        """Return the first message of a subject whose number is `seq` or more."""
        return await self.patiently(lambda: self._got(stream, seq=seq, subject=subject, next=True))

    async def at(self, stream: str, seq: int) -> Stored | None:
        """Return message `seq` of a stream."""
        return await self.patiently(lambda: self._got(stream, seq=seq))

    async def _got(self, stream: str, **which: Any) -> Stored | None:
        async with self._asking():
            try:
                # From the leader alone: another copy may not have the last ones yet.
                found = await self.streams.get_msg(stream, direct=False, **which)
            except NotFoundError as error:
                if error.err_code == MISSING_STREAM:
                    raise
                return None
        is_deletion = "KV-Operation" in (found.headers or {})
        return Stored(found.seq or 0, found.subject or "", found.data or b"", is_deletion)

    async def subjects(self, stream: str, pattern: str) -> tuple[str, ...]:
        """Return the subjects of a stream that match, in their order."""
        found: list[str] = []
        while True:
            ask = {"subjects_filter": pattern, "offset": len(found)}
            told = await self.patiently(lambda: self.ask(f"STREAM.INFO.{stream}", ask))  # noqa: B023 - it is awaited here
            page = told["state"].get("subjects") or {}
            found += page
            if not page or len(found) >= told.get("total", 0):
                return tuple(sorted(found))

    async def purge(self, stream: str, subject: str, before: int | None = None) -> None:
        """Delete the messages of a subject, or those with a number less than `before`."""
        which = {"filter": subject} if before is None else {"filter": subject, "seq": before}
        await self.patiently(lambda: self.ask(f"STREAM.PURGE.{stream}", which))

    async def ask(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return what the engine's interface answers to one request."""
        async with self._asking():
            subject = f"$JS.API.{what}"
            answer = await self.connection.request(subject, json.dumps(body).encode(), WAIT_S)
        told: dict[str, Any] = json.loads(answer.data)
        if "error" in told:
            error = told["error"]
            why, code = str(error.get("description")), int(error.get("err_code", 0))
            raise told_of(why, code, int(error.get("code", 0)))
        return told

    async def patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return what `ask` does, asked again while there is no answer, for `PATIENCE_MS`."""
        began_ms = self.clock.now_ms()
        backoff = Backoff(self.clock, self.entropy)
        while True:
            try:
                return await ask()
            except EngineSilentError:
                if backoff.has_lasted(began_ms):
                    raise
            await backoff.wait()

    @contextlib.asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """Translate faults into our words; a server that is cut off from the others is left."""
        try:
            with told_in_our_words():
                yield
        except EngineSilentError:
            await self._note_silence()
            raise
        except EngineRefusedError:
            self._silent_ms = None
            raise
        self._silent_ms = None

    async def _note_silence(self) -> None:
        now_ms = self.clock.now_ms()
        if self._silent_ms is None:
            self._silent_ms = now_ms
        elif now_ms - self._silent_ms >= SILENT_MS:
            self._silent_ms = None
            await self.connection.change()

    async def close(self) -> None:
        """Release the connection, also for those who share it."""
        await self.connection.close()


def _place_of(subject: str) -> str:
    """Return the part of a subject that names a stream: two words of a bucket or a shard."""
    words = subject.split(".")
    return ".".join(words[: 2 if words[0] in _OF_TWO_WORDS else 1])


def _judged(error: MediumError) -> WriteOutcome:
    if isinstance(error, EngineRefusedError):
        return WriteOutcome.REFUSED if error.code in FULL else WriteOutcome.ANSWERED
    return WriteOutcome.UNANSWERED
