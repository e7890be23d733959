"""The header `Forwarded` (RFC 7239): which addresses are read from it, and what names none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.gateway.addresses import client_of, network
from sunglare_server.gateway.forwarded import forwarded_for

PROXIES = (network("10.0.0.0/8"),)
PROXY = "10.0.0.1"


def client(*lines: str) -> str:
    """Return the address of the client that trusted proxies name."""
    return client_of(PROXY, forwarded_for([*lines]), PROXIES)


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        pytest.param(["for=203.0.113.9"], "203.0.113.9", id="one proxy"),
        pytest.param(["For=203.0.113.9"], "203.0.113.9", id="in any case"),
        pytest.param(
            ["for=203.0.113.9;proto=https;by=10.0.0.1;host=play.example"], "203.0.113.9", id="more"
        ),
        pytest.param(["proto=https ; for=203.0.113.9"], "203.0.113.9", id="not the first"),
        pytest.param(["for=203.0.113.9;"], "203.0.113.9", id="an empty pair"),
        pytest.param(['for="203.0.113.9:4711"'], "203.0.113.9", id="with a port"),
        pytest.param(['for="[2001:db8::7]:4711"'], "2001:db8::7", id="IPv6"),
        pytest.param(["for=[2001:db8::7]"], "2001:db8::7", id="IPv6 without quotes"),
        pytest.param(["for=6.6.6.6, for=203.0.113.9"], "203.0.113.9", id="a client that lies"),
        pytest.param(["for=6.6.6.6", "for=203.0.113.9"], "203.0.113.9", id="in two headers"),
        pytest.param(["for=203.0.113.9, for=10.0.0.2"], "203.0.113.9", id="two proxies"),
        pytest.param(['for="', "for=203.0.113.9"], "203.0.113.9", id="an open quote before it"),
    ],
)
def test_the_address_that_the_last_trusted_proxy_names_is_the_clients(
    lines: list[str], address: str
) -> None:
    assert client(*lines) == address


@pytest.mark.parametrize(
    "line",
    [
        "",
        "proto=https",
        "for=unknown",
        "for=_hidden",
        'for=""',
        "203.0.113.9",
        "for=203.0.113.9, junk",
        "for=203.0.113.9 for=6.6.6.6",
        "for=203.0.113.9;for=6.6.6.6",
        "for = 203.0.113.9",
        'for="a, for=6.6.6.6"',
        pytest.param('for=6.6.6.6, for=", for="[2001:db8::7]"', id="a client's quote over it"),
        pytest.param('for=6.6.6.6, for="\\, for="203.0.113.9:1"', id="an escape in that"),
        pytest.param('for=6.6.6.6;x=", for=203.0.113.9', id="a quote that stays open"),
    ],
)
def test_a_line_that_names_no_address_for_certain_leaves_the_proxys_own(line: str) -> None:
    assert client(line) == PROXY


@given(st.text('for="\\;,[]:.6x ', max_size=40))
def test_nothing_that_a_client_puts_before_it_gives_it_another_address(told: str) -> None:
    assert client(f'{told}, for="203.0.113.9:80";proto=https') in ("203.0.113.9", PROXY)
