"""How a server says that it is doing, for the tests of what is shown of it."""

from sunglare_server.ops.control.answers import Status

STANDING = Status(
    version="1",
    url="ws://here/play",
    pid=7,
    state="serving",
    uptime_s=3_700,
    connections=3,
    matches={"waiting": 0, "running": 2},
    records=9,
    commits=8,
    refused_appends=1,
    queue=0,
    releases=0,
    slips=0,
    latest_ms=0,
    muted=0,
    memory_bytes=5 * 1024 * 1024,
    journal="/x.db",
    journal_bytes=2 * 1024 * 1024,
)
"""A server with some of everything."""
