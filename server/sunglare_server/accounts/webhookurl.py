"""Addresses that a webhook may have: https, of a host that the whole internet reaches.

An account that sets one has the server speak to a machine of its choice, from where the server
stands. So nothing that only the server can reach may be meant by it: neither what the url says nor
what its name resolves to.
"""

import re
from typing import NamedTuple, final
from urllib.parse import urlsplit

from sunglare_protocol.messages.commands import WEBHOOK_MOST

PORTS = (443, 8443)
"""OWN: the ports that may be named; the others are those of services that are no webhooks."""

_NAME = re.compile(
    r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
_SENDABLE = re.compile(r"[!-~]*")


@final
class Target(NamedTuple):
    """Where a webhook goes: a host by its name, a port, and path and query as they are sent."""

    host: str
    port: int
    path: str


def target_of(url: str) -> Target | None:
    """Return where a url leads; None if it is none that a webhook may have."""
    if len(url) > WEBHOOK_MOST or not _SENDABLE.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        port = 443 if parts.port is None else parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    is_plain = parts.scheme == "https" and "@" not in parts.netloc and "#" not in url
    if not is_plain or port not in PORTS or not _NAME.fullmatch(host):
        return None
    query = f"?{parts.query}" if parts.query else ""
    return Target(host, port, f"{parts.path or '/'}{query}")
