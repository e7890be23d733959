"""Ranges of addresses that the operator names, as they are kept and found again."""

import ipaddress
from typing import Final, final

from sunglare_protocol.errors import SunglareError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
"""A range of addresses."""

NARROWEST_6: Final = 64
"""OWN: of an IPv6 address this much counts, as its holder has all with these bits."""

WIDEST: Final = {4: 8, 6: 16}
"""OWN: the bits that a range has at least, by version: fewer are a slip of the pen."""

_MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")


@final
class NetworkError(SunglareError):
    """A text that names no range of addresses which may be shut out; `why` says what is wrong."""

    def __init__(self, text: str, why: str) -> None:
        """Keep the text as it came, and what is wrong with it."""
        super().__init__(text, why)
        self.text = text
        self.why = why

    def __str__(self) -> str:
        """Say what would be right."""
        return f"{self.text!r} {self.why}; right are 192.0.2.7, 192.0.2.0/24 or 2001:db8:1::/48"


def network_of(text: str) -> Network:
    """Return the range named by `text`; an address is a range of one, of IPv6 its first 64 bits.

    Raise `NetworkError` if it names none, or one that is too wide.
    """
    try:
        found = ipaddress.ip_network(text.strip())
    except ValueError as error:
        raise NetworkError(text, f"is no address or network ({error})") from None
    found = _usual(found)
    if found.prefixlen < WIDEST[found.version]:
        least = WIDEST[found.version]
        why = f"is too wide: a network of IPv{found.version} is /{least} at least"
        raise NetworkError(text, why)
    return found


def _usual(found: Network) -> Network:
    """Return a network as addresses are counted: mapped ones as IPv4, no part of a /64."""
    if isinstance(found, ipaddress.IPv4Network):
        return found
    if found.subnet_of(_MAPPED):
        first = found.network_address.ipv4_mapped
        return ipaddress.IPv4Network((int(first or 0), found.prefixlen - _MAPPED.prefixlen))
    if found.prefixlen > NARROWEST_6:
        return found.supernet(new_prefix=NARROWEST_6)
    return found


def lies_in(address: str) -> tuple[str, ...]:
    """Return all ranges, the narrowest first, in which an address lies; none of what is none."""
    try:
        found = _usual(ipaddress.ip_network(address))
    except ValueError:
        return ()
    bits = range(found.prefixlen, WIDEST[found.version] - 1, -1)
    return tuple([str(found.supernet(new_prefix=length)) for length in bits])
