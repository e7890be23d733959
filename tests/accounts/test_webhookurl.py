"""Which addresses a webhook may have, and which machines may be meant by one."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.messages.commands import WEBHOOK_MOST
from sunglare_server.accounts.webhookurl import Target, is_public, target_of

LONGEST = "https://a.example.org/".ljust(WEBHOOK_MOST, "x")


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://ntfy.example.org/anna", Target("ntfy.example.org", 443, "/anna")),
        ("https://example.org", Target("example.org", 443, "/")),
        ("https://example.org?k=v&w=%20", Target("example.org", 443, "/?k=v&w=%20")),
        ("https://EXAMPLE.org:8443/A/b?c", Target("example.org", 8443, "/A/b?c")),
        ("https://example.org:443/", Target("example.org", 443, "/")),
        ("https://xn--bcher-kva.example/", Target("xn--bcher-kva.example", 443, "/")),
        (LONGEST, Target("a.example.org", 443, LONGEST[21:])),
    ],
)
def test_a_webhook_is_https_and_of_a_name(url: str, target: Target) -> None:
    assert target_of(url) == target


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://",
        "http://example.org/",
        "ftp://example.org/",
        "example.org/hook",
        "https:///hook",
        "https://localhost/",
        "https://intranet/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://0x7f.0.0.1/",
        "https://93.184.216.34/",
        "https://2130706433/",
        "https://[::1]/",
        "https://[2606:2800:220:1::1]/",
        "https://[::1/",
        "https://example.org:80/",
        "https://example.org:6379/",
        "https://example.org:22/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:x/",
        "https://user@example.org/",
        "https://user:word@example.org/",
        "https://@example.org/",
        "https://example.org/#part",
        "https://example.org/a b",
        "https://example.org/a\r\nHost: other",
        "https://example.org/\x00",
        "https://example.org/\u00fc",
        "https://b\u00fccher.example/",
        "https://-a.example.org/",
        "https://a..example.org/",
        "https://example.org./",
        f"https://{'a' * 64}.example.org/",
        f"{LONGEST}x",
    ],
)
def test_whatever_else_is_no_webhook(url: str) -> None:
    assert target_of(url) is None


@given(st.text(max_size=80), st.sampled_from(["", "https://", "https://example.org/"]))
def test_whatever_is_taken_can_be_sent_in_one_line(text: str, begin: str) -> None:
    target = target_of(begin + text)
    if target is not None:
        assert target.port in (443, 8443)
        assert target.path.startswith("/")
        assert all("!" <= letter <= "~" for letter in target.host + target.path)


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
