"""The wiring of an archivist: the matches of a cluster that are over, and a folder."""

from typing import final

import structlog

from sunglare_server.base.clock import Clock, SystemClock
from sunglare_server.base.tasks import kept_up
from sunglare_server.config import Settings
from sunglare_server.process import Ending, end_signals, listened, unbounded

DAY_MS = 86_400_000


@final
class ArchivistProcess:
    """A whole archivist in one object; `start` begins, `stop` ends between two steps."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        """Take the settings, which name the engine and the folder."""
        self._settings = settings
        self._clock = clock or SystemClock()
        self._is_archiving = False
        self._log = structlog.get_logger()

    async def start(self) -> str:
        """Reach the engine and begin; return what is printed of that, with the folder."""
        # Its client is an extra that no other part needs.
        from sunglare_server.cluster.archive.archive_storage import open_archive
        from sunglare_server.cluster.client.connect import Reach

        settings, days = self._settings, self._settings.keep_days
        reach = Reach(
            urls=settings.nats,
            credentials=settings.credentials,
            is_development=settings.development,
        )
        keep_ms = None if days is None else days * DAY_MS
        self._site = await open_archive(reach, settings.folder, keep_ms, self._clock)
        self._task = kept_up(self._site.archivist.run, "archive matches", self._clock)
        self._is_archiving = True
        self._log.info("archivist_started", folder=str(settings.folder), keep_days=days)
        return f"archive:{settings.folder}"

    async def stop(self) -> None:
        """Leave off; what was begun is done by the next one."""
        self._task.cancel()
        await self._site.close()
        self._log.info("stopped")

    async def run(self, ending: Ending = unbounded) -> int:
        """Archive until a signal ends it, then call `ending` and stop; return the exit code."""
        signalled = end_signals(lambda: self._is_archiving, ending)
        await listened(await self.start(), signalled.wait)
        ending()
        await self.stop()
        return 0
