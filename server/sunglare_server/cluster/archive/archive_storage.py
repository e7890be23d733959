"""An archivist's part of an engine: journal and store over one line, and its folder."""

from pathlib import Path
from typing import NamedTuple, final

from sunglare_server.archive.recordfolder import RecordFolder
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.archive.archivist import Archivist
from sunglare_server.cluster.client.connect import Reach
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.client.credentials import system_beside
from sunglare_server.cluster.client.durability_check import REPLICAS, require_safety
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.store.store import NatsStore


@final
class ArchiveSite(NamedTuple):
    """The parts of an archivist."""

    archivist: Archivist
    store: NatsStore
    connection: Connection

    async def close(self) -> None:
        """Release everything."""
        await self.store.close()
        await self.connection.close()


async def open_archive(
    reach: Reach, folder: Path, keep_ms: int | None, clock: Clock
) -> ArchiveSite:
    """Return an archivist that can begin; raise `UnsafeEngineError` if the engine is not safe.

    Raise `EngineError` if that can't be reached or used, `BeingWrittenError` or `OSError` if
    nothing can be kept in the folder.
    """
    records = RecordFolder(folder)
    records.prepare()
    system = None if reach.credentials is None else system_beside(reach.credentials)
    await require_safety(reach.urls, system, reach.trust, is_development=reach.is_development)
    connection = await Connection.open(reach.urls, "archivist", reach.login, reach.trust)
    replicas = 1 if reach.is_development else REPLICAS
    engine = Engine(connection, clock, SystemEntropy(), replicas)
    journal = await NatsJournal.open(engine)
    store = await NatsStore.open(engine)
    return ArchiveSite(Archivist(journal, store, records, clock, keep_ms), store, connection)
