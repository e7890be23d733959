"""Probes what stores after a failure that nothing repeats, and logs when it fails and recovers."""

from typing import final

import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.base.deterministic_clock import aside
from sunglare_server.base.storage_health import Health
from sunglare_server.ports.journal import Journal, JournalError

PROBE_MS = 1_000
"""OWN: how often what fails is looked at."""


@final
class Probing:
    """Looks at the health of what stores; its probe is a sign of life in the journal.

    While matches run the journal gets one every ten seconds anyhow, so all that is written by
    itself here is what finds out that a medium works again.
    """

    def __init__(self, health: Health, journal: Journal, clock: Clock) -> None:
        """Do nothing yet."""
        self._health = health
        self._journal = journal
        self._clock = aside(clock)
        self._is_well = True
        self._log = structlog.get_logger()

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            self._note()
            if self._health.wants_probe:
                await self._probe()
                self._note()
            await self._clock.sleep_until_ms(self._clock.now_ms() + PROBE_MS)

    async def _probe(self) -> None:
        try:
            await self._journal.mark_alive(self._clock.now_ms())
        except JournalError as error:
            self._log.debug("storage_probe_failed", why=error.why)

    def _note(self) -> None:
        unstored_ms = self._health.unstored_ms
        if (unstored_ms is None) is self._is_well:
            return
        self._is_well = unstored_ms is None
        if unstored_ms is None:
            self._log.info("storage_recovered")
        else:
            self._log.error("storage_unavailable", since_ms=unstored_ms)
