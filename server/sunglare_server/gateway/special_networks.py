"""Networks that do not name one machine of the internet, as IANA's registries list them.

The table is ours because `ipaddress.is_global` differs between releases of Python: 3.11 takes
`3fff::1`, `5f00::1` and the site-local `fec0::1` for global.
"""

import ipaddress
from typing import Final

_SPECIAL: Final = {
    "0.0.0.0/8": "this network",
    "10.0.0.0/8": "private use",
    "100.64.0.0/10": "shared by carriers",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private use",
    "192.0.0.0/24": "IETF protocol assignments, among them anycast to the nearest NAT",
    "192.0.2.0/24": "documentation",
    "192.31.196.0/24": "AS112, anycast",
    "192.52.193.0/24": "AMT, anycast",
    "192.88.99.0/24": "6to4 and 6a44 relays, anycast",
    "192.168.0.0/16": "private use",
    "192.175.48.0/24": "AS112, anycast",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved, and broadcast",
    "2001::/23": "IETF protocol assignments, among them Teredo, which carries IPv4",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4, which carries IPv4",
    "2620:4f:8000::/48": "AS112, anycast",
    "3fff::/20": "documentation",
}
"""IANA's special-purpose registries for IPv4 and IPv6, as of October 2025, and multicast.

Blocks within a listed block are left out, and so is all of IPv6 that is not global unicast. Blocks
that the registries call globally reachable are listed too: they are anycast, so which machine
answers depends on where the server stands.
"""

_NETWORKS: Final = tuple(map(ipaddress.ip_network, _SPECIAL))

_GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""The only part of IPv6 from which the registries of regions assign addresses."""


def is_public(address: str) -> bool:
    """Return whether an address names the same machine from everywhere on the internet.

    Raise `ValueError` if it is no address of IPv4 or IPv6.
    """
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address) and found not in _GLOBAL_UNICAST:
        return False
    return not any(found in network for network in _NETWORKS)
