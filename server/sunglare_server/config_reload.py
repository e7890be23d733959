"""Settings read again while a process runs: which take effect at once, and which with a start.

Theory of operation. On SIGHUP, and by the operator's `reload`, a process reads its flags, its
environment and its settings file again, as at a start. Flags and environment are what they were,
so what differs stands in the file. A server reads its data files again as well, while it works. If
anything is wrong, in any of these files or with the certificate, all stays as it was and the log
says why: whatever may fail is done before anything is taken over. Limits count from then on for
newcomers; a lower one disconnects no one, and what has been opened keeps the scenario that it was
opened on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, final

import msgspec
import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.config import Settings
from sunglare_server.limits import LINE_COUNTS, ROOM_COUNTS

AT_ONCE: Final = (
    *LINE_COUNTS,
    *ROOM_COUNTS,
    "origins",
    "tls_cert",
    "tls_key",
    "data",
    "bots",
)
"""The settings that take effect when they are read again; the files of the certificate, and those
of the folder of data, are read again even where their names are the same."""

ReadSettings = Callable[[], Settings]
"""Reads the settings again; raises `SettingsError` if one is wrong."""

Apply = Callable[[Settings], Awaitable[tuple[str, ...]]]
"""Takes settings over and returns what else has changed; raises `SunglareError` or `OSError`
before it has taken anything.
"""


@final
class Reloading:
    """Reads the settings of one process again for every asker, one after the other."""

    def __init__(self, settings: Settings, apply: Apply) -> None:
        """Begin with these; until `read` is given they are what is read again."""
        self.settings = settings
        self.read: ReadSettings = lambda: self.settings
        self._apply = apply
        self._turnstile = asyncio.Lock()
        self._log = structlog.get_logger()

    async def on_hangup(self) -> None:
        """Read them again; the log says what came of it."""
        try:
            await self.again()
        except (SunglareError, OSError) as error:
            self._log.error("settings_reload_failed", why=str(error))

    async def again(self) -> str:
        """Read them again and say what came of it; raise `SunglareError` or `OSError`."""
        async with self._turnstile:
            now, read_again = self.settings, self.read()
            kept = _with(now, read_again)
            changed = [*_differing(now, kept), *await self._apply(kept)]
            self.settings = kept
        later = list(_differing(kept, read_again))
        if later:
            self._log.warning("settings_need_restart", settings=later)
        self._log.info("settings_reloaded", changed=changed)
        waits = f"; with the next start: {', '.join(later)}" if later else ""
        return f"read again; changed: {', '.join(changed) or 'nothing'}{waits}"


def _with(now: Settings, again: Settings) -> Settings:
    """Return the settings as they are now, but for those that take effect at once."""
    return msgspec.structs.replace(now, **{name: getattr(again, name) for name in AT_ONCE})


def _differing(one: Settings, other: Settings) -> Iterator[str]:
    for name in one.__struct_fields__:
        if getattr(one, name) != getattr(other, name):
            yield f"--{name.replace('_', '-')}"
