"""Which addresses a webhook may have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.messages.commands import WEBHOOK_MOST
from sunglare_server.accounts.webhookurl import Target, target_of

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
