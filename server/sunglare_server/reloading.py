"""Settings read again while a process runs: which take effect at once, and which with a start.

Theory of operation. On SIGHUP a process reads its flags, its environment and its settings file
again, as at a start. Flags and environment are what they were, so what differs stands in the file.
If anything in it is wrong, or a certificate can't be used, all stays as it was and the log says
why. Limits count from then on for whoever comes; nobody who is in is put out by a lower one.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec
import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.config import Settings
from sunglare_server.counts import LINE_COUNTS, ROOM_COUNTS

AT_ONCE: Final = (*LINE_COUNTS, *ROOM_COUNTS, "origins", "tls_cert", "tls_key")
"""The settings that take effect when they are read again; the certificate's files are read anew
even where their names are the same."""

ReadSettings = Callable[[], Settings]
"""Reads the settings again; raises `SettingsError` if one is wrong."""

Apply = Callable[[Settings], None]
"""Takes settings over; raises `SunglareError` before it has taken anything."""


def reload(now: Settings, read: ReadSettings, apply: Apply) -> Settings:
    """Return the settings that count after they were read again, and have taken effect."""
    log = structlog.get_logger()
    try:
        read_again = read()
        kept = _with(now, read_again)
        apply(kept)
    except SunglareError as error:
        log.error("the settings were not read again", why=str(error))
        return now
    if later := list(_differing(kept, read_again)):
        log.warning("settings that count with the next start", settings=later)
    log.info("settings read again", changed=list(_differing(now, kept)))
    return kept


def _with(now: Settings, again: Settings) -> Settings:
    """Return the settings as they are now, but for those that take effect at once."""
    return msgspec.structs.replace(now, **{name: getattr(again, name) for name in AT_ONCE})


def _differing(one: Settings, other: Settings) -> Iterator[str]:
    for name in one.__struct_fields__:
        if getattr(one, name) != getattr(other, name):
            yield f"--{name.replace('_', '-')}"
