"""Public addresses: the table of special networks against the rows of IANA's registries."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.gateway.special_networks import is_public

REGISTRY = {
    "0.0.0.0/8": "This network",
    "0.0.0.0/32": "This host on this network",
    "10.0.0.0/8": "Private-Use",
    "100.64.0.0/10": "Shared Address Space",
    "127.0.0.0/8": "Loopback",
    "169.254.0.0/16": "Link Local",
    "172.16.0.0/12": "Private-Use",
    "192.0.0.0/24": "IETF Protocol Assignments",
    "192.0.0.0/29": "IPv4 Service Continuity Prefix",
    "192.0.0.8/32": "IPv4 dummy address",
    "192.0.0.9/32": "Port Control Protocol Anycast",
    "192.0.0.10/32": "Traversal Using Relays around NAT Anycast",
    "192.0.0.170/32": "NAT64/DNS64 Discovery",
    "192.0.0.171/32": "NAT64/DNS64 Discovery",
    "192.0.2.0/24": "Documentation (TEST-NET-1)",
    "192.31.196.0/24": "AS112-v4",
    "192.52.193.0/24": "AMT",
    "192.88.99.0/24": "Deprecated (6to4 Relay Anycast)",
    "192.88.99.2/32": "6a44-relay anycast address",
    "192.168.0.0/16": "Private-Use",
    "192.175.48.0/24": "Direct Delegation AS112 Service",
    "198.18.0.0/15": "Benchmarking",
    "198.51.100.0/24": "Documentation (TEST-NET-2)",
    "203.0.113.0/24": "Documentation (TEST-NET-3)",
    "240.0.0.0/4": "Reserved",
    "255.255.255.255/32": "Limited Broadcast",
    "::1/128": "Loopback Address",
    "::/128": "Unspecified Address",
    "::ffff:0:0/96": "IPv4-mapped Address",
    "64:ff9b::/96": "IPv4-IPv6 Translat.",
    "64:ff9b:1::/48": "IPv4-IPv6 Translat.",
    "100::/64": "Discard-Only Address Block",
    "100:0:0:1::/64": "Dummy IPv6 Prefix",
    "2001::/23": "IETF Protocol Assignments",
    "2001::/32": "TEREDO",
    "2001:1::1/128": "Port Control Protocol Anycast",
    "2001:1::2/128": "Traversal Using Relays around NAT Anycast",
    "2001:1::3/128": "DNS-SD Service Registration Protocol Anycast",
    "2001:2::/48": "Benchmarking",
    "2001:3::/32": "AMT",
    "2001:4:112::/48": "AS112-v6",
    "2001:10::/28": "Deprecated (previously ORCHID)",
    "2001:20::/28": "ORCHIDv2",
    "2001:30::/28": "Drone Remote ID Protocol Entity Tags (DETs) Prefix",
    "2001:db8::/32": "Documentation",
    "2002::/16": "6to4",
    "2620:4f:8000::/48": "Direct Delegation AS112 Service",
    "3fff::/20": "Documentation",
    "5f00::/16": "Segment Routing (SRv6) SIDs",
    "fc00::/7": "Unique-Local",
    "fe80::/10": "Link-Local Unicast",
}
"""Every row of the registries of special-purpose addresses, as of October 2025."""

ADDRESS_SPACE = {
    "224.0.0.0/4": "Multicast",
    "::/3": "Reserved by IETF",
    "4000::/2": "Reserved by IETF",
    "8000::/1": "Reserved by IETF, unique-local, link-local, site-local, multicast",
    "fec0::/10": "Site-local, deprecated",
    "ff00::/8": "Multicast",
}
"""What IANA's registries of the two address spaces keep from unicast of the whole internet."""

NETWORKS = tuple(map(ipaddress.ip_network, (*REGISTRY, *ADDRESS_SPACE)))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_listed(address: Address) -> bool:
    return any(address in network for network in NETWORKS)


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_no_address_of_a_listed_network_is_public_and_its_neighbours_are_unless_listed(
    network: ipaddress.IPv4Network | ipaddress.IPv6Network,
) -> None:
    kind = type(network[0])
    first, last = int(network[0]), int(network[-1])
    middle = (first + last) // 2
    assert not any(is_public(str(kind(number))) for number in (first, middle, last))
    most = 2**network.max_prefixlen
    for number in (first - 1, last + 1):
        if 0 <= number < most:
            assert is_public(str(kind(number))) == (not is_listed(kind(number)))


@given(st.ip_addresses())
def test_an_address_is_public_unless_a_registry_lists_it(address: Address) -> None:
    assert is_public(str(address)) == (not is_listed(address))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946", "2a00::1"]
)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",  # noqa: S104 - nobody listens there
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "2001:db8::1",
        "::ffff:127.0.0.1",
        "::ffff:93.184.216.34",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
    ],
)
def test_any_other_address_is_not(address: str) -> None:
    assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_within_another_is_never_public(inner: ipaddress.IPv4Address) -> None:
    for carrier in (0xFFFF << 32, 0, 0x64_FF9B << 96):
        assert not is_public(str(ipaddress.IPv6Address(carrier | int(inner))))
    assert not is_public(str(ipaddress.IPv6Address((0x2002 << 112) | (int(inner) << 80))))
