"""Addresses: what a peer is counted under, and whom a header is believed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.gateway.addresses import (
    AddressError,
    client_of,
    is_within,
    key_of,
    network,
    place_of,
)

PROXIES = (network("10.0.0.0/8"), network("192.0.2.1"))


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("", "unknown"),
        ("not an address", "unknown"),
    ],
)
def test_an_address_is_counted_under_itself_and_of_ipv6_under_64_bits(
    address: str, key: str
) -> None:
    assert key_of(address) == key


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2ff:3:4:5:6", "2001:db8:1:200::/56"),
        ("2001:db8:1:2::7", "2001:db8:1::/56"),
        ("127.0.0.1", None),
        ("127.3.2.1", None),
        ("::1", None),
        ("", None),
    ],
)
def test_a_network_is_an_ipv4_address_or_56_bits_of_ipv6_and_never_this_machine(
    address: str, place: str | None
) -> None:
    assert place_of(key_of(address)) == place
    assert place_of(None) is None


def test_what_a_proxy_of_this_machine_forwards_is_one_network() -> None:
    forwarded = [place_of(key_of(one), is_forwarded=True) for one in ("127.0.0.1", "::1")]
    assert forwarded[0] == forwarded[1] is not None
    assert place_of("198.51.100.7", is_forwarded=True) == "198.51.100.7"
    assert place_of(None, is_forwarded=True) is None


@pytest.mark.parametrize(
    ("peer", "told", "client"),
    [
        pytest.param("198.51.100.7", ["203.0.113.9"], "198.51.100.7", id="nobody asked that peer"),
        pytest.param("10.0.0.1", [], "10.0.0.1", id="a proxy that says nothing"),
        pytest.param("10.0.0.1", ["203.0.113.9"], "203.0.113.9", id="one proxy"),
        pytest.param("10.0.0.1", ["6.6.6.6, 203.0.113.9"], "203.0.113.9", id="a client that lies"),
        pytest.param("10.0.0.1", ["6.6.6.6", "203.0.113.9"], "203.0.113.9", id="in two headers"),
        pytest.param("10.0.0.1", ["203.0.113.9, 192.0.2.1"], "203.0.113.9", id="two proxies"),
        pytest.param("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3", id="proxies alone"),
        pytest.param("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9", id="with a port"),
        pytest.param("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7", id="in brackets"),
        pytest.param("10.0.0.1", ["2001:db8::7"], "2001:db8::7", id="IPv6"),
        pytest.param("10.0.0.1", ["unknown"], "10.0.0.1", id="no address"),
        pytest.param("10.0.0.1", ["203.0.113.9, junk"], "10.0.0.1", id="junk on the right"),
        pytest.param("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9", id="a mapped proxy"),
    ],
)
def test_a_header_counts_as_far_as_trusted_proxies_wrote_it(
    peer: str, told: list[str], client: str
) -> None:
    assert client_of(peer, told, PROXIES) == client


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_without_a_trusted_proxy_a_header_changes_nothing(peer: str, told: list[str]) -> None:
    assert client_of(peer, told, ()) == peer


@given(st.lists(st.text("0123456789abcdef:.,[] x", max_size=60), max_size=3))
def test_whatever_a_proxy_passes_on_comes_to_an_address_or_to_the_proxy(told: list[str]) -> None:
    found = client_of("10.0.0.1", told, PROXIES)
    assert found == "10.0.0.1" or key_of(found) != "unknown"


@pytest.mark.parametrize("text", ["", "proxy.example", "10.0.0.1/8", "10.0.0.0/33"])
def test_what_names_no_network_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(AddressError, match=r"10\.0\.0\.0/8") as caught:
        network(text)
    assert repr(text) in str(caught.value)


def test_a_lone_address_is_a_network_of_one() -> None:
    assert is_within("192.0.2.1", PROXIES)
    assert not is_within("192.0.2.2", PROXIES)
    assert not is_within("nowhere", PROXIES)
