"""The header `Forwarded` (RFC 7239): the address that each proxy on the way names for its client.

Clients may send the header too, and proxies append to it. So each line is read strictly: a quote
that a client leaves open must not change what a proxy says behind it.
"""

import re
from typing import Final

from sunglare_server.gateway.addresses import bare, is_address

FORWARDED: Final = "Forwarded"

UNKNOWN: Final = "unknown"
"""The word of the RFC for a client that a proxy doesn't name."""

_PAIR: Final = re.compile(
    r"""[ \t]*(?:
    (?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+)=
    # Some proxies leave the quotes out around brackets and ports.
    (?:(?P<token>[][:!#$%&'*+.^_`|~0-9A-Za-z-]+)|"(?P<quoted>(?:[^"\\]|\\.)*)")
    )?[ \t]*(?P<end>[,;]|\Z)""",
    re.VERBOSE,
)


def forwarded_for(lines: list[str]) -> list[str]:
    """Return what the proxies of some lines of the header name, from the client on.

    Each is an address, perhaps with a port and in brackets, or `UNKNOWN`: also for a line that is
    malformed, and where a proxy names no address.
    """
    return [node for line in lines for node in _nodes(line)]


def _nodes(line: str) -> list[str]:
    nodes: list[str] = []
    named: list[str] = []
    position = 0
    while (pair := _PAIR.match(line, position)) is not None:
        if (pair["name"] or "").lower() == "for":
            named.append(pair["token"] or re.sub(r"\\(.)", r"\1", pair["quoted"] or ""))
        if pair["end"] != ";":
            nodes.append(_node(named))
            named = []
        if not pair["end"]:
            return nodes
        position = pair.end()
    return [UNKNOWN]


def _node(named: list[str]) -> str:
    """Return the address in the `for` of one proxy."""
    return named[0] if len(named) == 1 and is_address(bare(named[0])) else UNKNOWN
