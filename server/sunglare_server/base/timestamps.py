"""Formats a moment of the server's clock for people."""

from datetime import UTC, datetime


def moment(at_ms: int) -> str:
    """Return a time, in ms since 1970, to the minute and in UTC, as in `2026-11-30 21:00 UTC`."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
