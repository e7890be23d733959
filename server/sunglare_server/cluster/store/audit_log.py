"""The operators' log of a cluster: a stream of the engine, one message a deed."""

from typing import Final, final

import msgspec
import structlog

from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.kv_bucket import told_as_store_error
from sunglare_server.ports.audit_log import AUDIT_ENTRIES_MOST, AuditEntry

STREAM: Final = "DEEDS"
"""The stream's name."""

_SUBJECT: Final = "deeds"
_ID_BYTES: Final = 16

_decoder: msgspec.msgpack.Decoder[AuditEntry] = msgspec.msgpack.Decoder(AuditEntry)


@final
class NatsAuditLog:
    """Keeps the log where all workers find it; raise StoreError if the engine refuses."""

    def __init__(self, engine: Engine, most: int = AUDIT_ENTRIES_MOST) -> None:
        """Keep so many entries in a stream that is there; `open` makes it."""
        self._engine = engine
        self._most = most

    @classmethod
    async def open(cls, engine: Engine) -> "NatsAuditLog":
        """Return the log that an engine keeps; raise `EngineError` if it can't be made."""
        await engine.ensure(STREAM, (_SUBJECT,))
        return cls(engine)

    async def note(self, entry: AuditEntry) -> None:
        """Keep a deed; it is durable when this returns."""
        data, name = msgspec.msgpack.encode(entry), self._engine.entropy.token(_ID_BYTES).hex()
        with told_as_store_error():
            # Sent again under its name, it is stored once.
            ack = await self._engine.patiently(lambda: self._engine.put(_SUBJECT, data, name=name))
            if ack.seq > self._most:
                await self._engine.purge(STREAM, _SUBJECT, ack.seq - self._most + 1)

    async def newest(self, most: int) -> tuple[AuditEntry, ...]:
        """Return the newest entries, the oldest of them first."""
        found: list[AuditEntry] = []
        with told_as_store_error():
            last = await self._engine.newest(STREAM, _SUBJECT)
            number = 0 if last is None else last.seq
            while len(found) < most and number > 0:
                stored = await self._engine.at(STREAM, number)
                if stored is None:
                    break
                number -= 1
                try:
                    found.append(_decoder.decode(stored.data))
                except msgspec.DecodeError as error:
                    log = structlog.get_logger()
                    log.error("audit_entry_unreadable", number=stored.seq, why=str(error))
        return tuple(reversed(found))
