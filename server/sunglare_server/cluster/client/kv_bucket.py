"""One bucket of keys and values in the engine: reads from its leader, and changes by revision.

Theory of operation. A bucket is a stream that keeps the newest message of each subject, and a key
is a subject. A revision is the number of a message in that stream. Every change names the revision
that it was made from, 0 for a key that never was, and the engine takes it if that is still the
newest: of two that change a key at once one learns that the other was first. Nothing is changed
without having been looked at, but where a whole value replaces whatever was there.

A write has an id of its own, kept with it. Where no answer comes it is sent again with the same
id, and then one of three things is known: it is stored now; the engine says that it has it already
and at which revision; or the engine says that the key has moved on, and a look at the key shows
whose message stands there. (An engine without replicas looks at the revision before the id, so the
third answer may be about one's own write.) What can't be known within a bounded time is a
StoreError, and then the change may be there or not; all callers may ask again.

A value is dropped by a mark in its place, as the engine keeps nothing older of a key: what stood
there is gone from the stream, and watchers learn of it. On the disks of the engine its bytes are
gone when the engine next compacts them. Marks are swept an hour later (`sweep.py`).
"""

import contextlib
import functools
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, final

from nats.js.api import Header, PubAck, RawStreamMsg

from sunglare_server.cluster.client.connection import (
    EngineError,
    EngineRefusedError,
    told_in_our_words,
)
from sunglare_server.cluster.client.engine import NOT_NEXT, Engine
from sunglare_server.ports.store import StoreError

OPERATION: Final = "KV-Operation"
"""The header of a mark, which stands where a value was."""

_MARK: Final = {OPERATION: "PURGE", "Nats-Rollup": "sub"}

_NOT_THERE: Final = 10037
"""The engine's number for a key that never had a value, or whose mark was taken away."""

_KNOWN_S: Final = 120.0
"""For so long the engine knows the id of a write: longer than anybody repeats one."""

_ID_BYTES = 16


@final
class KeyState(NamedTuple):
    """What a key has: its value, None if it has none, and the revision that a change must name."""

    key: str
    value: bytes | None
    revision: int
    headers: Mapping[str, str]


@final
class KeyValues:
    """A bucket of keys, which begin with a kind, a dot after it.

    Each call raises StoreError if the engine refuses or can't be asked.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        """Use the bucket of that name; `open` makes it."""
        self.engine = engine
        self.name = name
        self.stream = f"KV_{name}"
        self.prefix = f"$KV.{name}."
        self._newest: dict[str, int] = {}

    @classmethod
    async def open(cls, engine: Engine, name: str) -> "KeyValues":
        """Return a bucket, which is made if it is missing; raise `EngineError` if it can't be."""
        bucket = cls(engine, name)
        await engine.ensure(
            bucket.stream,
            (f"{bucket.prefix}>",),
            max_msgs_per_subject=1,
            duplicate_window=_KNOWN_S,
            allow_rollup_hdrs=True,
            deny_delete=True,
        )
        return bucket

    def written(self, kind: str) -> int:
        """Return the newest revision of a key of this kind that was written from here."""
        return self._newest.get(kind, 0)

    async def look(self, key: str) -> KeyState:
        """Return what a key has now, as its leader knows it."""
        with told_as_store_error():
            found = await self.engine.patiently(functools.partial(self._got, key))
        return self._state(key, found) if found is not None else KeyState(key, None, 0, {})

    async def change(
        self, key: str, value: bytes, revision: int, headers: Mapping[str, str] | None = None
    ) -> int | None:
        """Store a value in place of what was there at a revision; return the new revision.

        None if the key is not at that revision any more: another writer was first.
        """
        return await self._changed(key, value, {**(headers or {}), **_expected(revision)})

    async def create(self, key: str, value: bytes) -> int | None:
        """Store the value of a key that has none; return its revision, None if it has one."""
        revision = 0
        while (made := await self.change(key, value, revision)) is None:
            found = await self.look(key)
            if found.value is not None:
                return None
            revision = found.revision
        return made

    async def put(self, key: str, value: bytes, headers: Mapping[str, str] | None = None) -> int:
        """Store a value, whatever was there; return its revision."""
        with told_as_store_error():
            return await self._written(key, value, self._with_id(headers or {}))

    async def drop(self, key: str, revision: int) -> int | None:
        """Put a mark in place of what was there at a revision; return the mark's, as `change`."""
        return await self._changed(key, b"", {**_MARK, **_expected(revision)})

    async def clear(self, key: str) -> None:
        """Put a mark in place of whatever value a key has."""
        while (found := await self.look(key)).value is not None:
            if await self.drop(key, found.revision) is not None:
                return

    async def unmark(self, key: str, revision: int) -> None:
        """Take away the mark that a key has at a revision; what was written since stays."""
        await self.remove(key, revision)

    async def remove(self, key: str, revision: int) -> None:
        """Take away what a key has at a revision, and leave no mark: no mirror learns of it."""
        with told_as_store_error():
            await self.engine.purge(self.stream, self.prefix + key, revision + 1)

    async def _changed(self, key: str, value: bytes, headers: Mapping[str, str]) -> int | None:
        known = self._with_id(headers)
        with told_as_store_error():
            try:
                return await self._written(key, value, known)
            except EngineRefusedError as error:
                if error.code not in NOT_NEXT:
                    raise
        found = await self.look(key)
        is_mine = found.headers.get(Header.MSG_ID.value) == known[Header.MSG_ID.value]
        return self._noted(key, found.revision) if is_mine else None

    async def _written(self, key: str, value: bytes, headers: dict[str, str]) -> int:
        ack = await self.engine.patiently(functools.partial(self._put, key, value, headers))
        return self._noted(key, ack.seq)

    async def _put(self, key: str, value: bytes, headers: dict[str, str]) -> PubAck:
        subject = self.prefix + key
        with self.engine.writing(subject), told_in_our_words():
            return await self.engine.streams.publish(subject, value, headers=dict(headers))

    async def _got(self, key: str) -> RawStreamMsg | None:
        try:
            with told_in_our_words():
                # From the leader alone: another copy may not have the last ones yet.
                return await self.engine.streams.get_msg(
                    self.stream, subject=self.prefix + key, direct=False
                )
        except EngineRefusedError as error:
            if error.code != _NOT_THERE:
                raise
            return None

    def _with_id(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {**headers, Header.MSG_ID.value: self.engine.entropy.token(_ID_BYTES).hex()}

    def _noted(self, key: str, revision: int) -> int:
        kind = kind_of(key)
        self._newest[kind] = max(self._newest.get(kind, 0), revision)
        return revision

    def _state(self, key: str, told: RawStreamMsg) -> KeyState:
        headers = told.headers or {}
        value = None if is_mark(headers) else told.data or b""
        return KeyState(key, value, told.seq or 0, headers)


@contextlib.contextmanager
def told_as_store_error() -> Iterator[None]:
    """Raise what the engine did not do as `StoreError`."""
    try:
        yield
    except EngineError as error:
        raise StoreError(error.why) from error


def kind_of(key: str) -> str:
    """Return the kind that a key is of."""
    return key.partition(".")[0]


def is_mark(headers: Mapping[str, str]) -> bool:
    """Return whether a message says that its key has no value."""
    return OPERATION in headers or "Nats-Marker-Reason" in headers


def _expected(revision: int) -> dict[str, str]:
    return {Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value: str(revision)}
