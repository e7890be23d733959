"""Where a peer comes from: its address, or the one that a trusted proxy names for it."""

import ipaddress
from functools import lru_cache
from typing import final

from sunglare_protocol.errors import SunglareError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
"""A range of addresses."""

PREFIX_BITS = 64
"""OWN: of an IPv6 address this much counts, since its holder has all with these bits."""

_PARSED_KEPT = 4096
"""How many addresses are kept read: each is asked for five times while its peer comes in."""

NETWORK_BITS = 56
"""OWN: of an IPv6 address this much is one network: what a provider gives a home, as a rule."""

_BEHIND_A_PROXY = "a proxy on this machine"

_LOOPBACK_6 = "::/64"
"""What the address of one's own machine is counted under."""


@final
class AddressError(SunglareError, ValueError):
    """A text that names no address or network; `text` is it."""

    def __init__(self, text: str) -> None:
        """Keep the text as it came."""
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        """Say what would be right."""
        return f"{self.text!r} is no address or network of a proxy, as in 10.0.0.7 or 10.0.0.0/8"


def network(text: str) -> Network:
    """Return the network named by `text`; a lone address is a network of one."""
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise AddressError(text) from None


def key_of(address: str) -> str:
    """Return what an address is counted under: itself, of IPv6 the first 64 bits."""
    found = _parsed(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, PREFIX_BITS), strict=False))
    return "unknown" if found is None else str(found)


def place_of(key: str | None, *, is_forwarded: bool = False) -> str | None:
    """Return the network of an address, by which accounts are distinguished, or None.

    That is an IPv4 address, or the first `NETWORK_BITS` of an IPv6 address. The address of this
    machine distinguishes none, unless a proxy has forwarded the request: then the proxy is not
    named in `--trusted-proxy`, and all clients behind it are one network. A `key` of None is one
    of our own bots.
    """
    if key is None:
        return None
    found = _parsed(key.partition("/")[0])
    if key == _LOOPBACK_6 or (found is not None and found.is_loopback):
        return _BEHIND_A_PROXY if is_forwarded else None
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))
    return None if found is None else key


def is_address(text: str) -> bool:
    """Return whether a text is an address, with neither brackets nor a port."""
    return _parsed(text) is not None


def unmapped(address: str) -> str | None:
    """Return an address, of an IPv4-mapped one its IPv4 address; None if it is no address."""
    found = _parsed(address)
    return None if found is None else str(found)


def is_within(address: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address lies in one of the networks."""
    found = _parsed(address)
    return found is not None and any(found in known for known in networks)


def client_of(peer: str, told: list[str], proxies: tuple[Network, ...]) -> str:
    """Return the address of the client behind `peer`, the other end of the connection.

    `told` has the values of the proxies' header. Only what trusted proxies have written counts:
    from the right, the first address that is none of theirs.
    """
    address = peer
    for said in reversed(",".join(told).split(",")):
        if not is_within(address, proxies):
            return address
        named = bare(said.strip())
        if _parsed(named) is None:
            return address
        address = named
    return address


def bare(said: str) -> str:
    """Return an address without brackets and port."""
    if said.startswith("["):
        return said[1:].partition("]")[0]
    return said.partition(":")[0] if said.count(":") == 1 else said


@lru_cache(maxsize=_PARSED_KEPT)
def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found
