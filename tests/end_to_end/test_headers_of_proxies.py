"""Headers of proxies over sockets: whose address counts, and what the log says of it."""

from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from builders.handshakes import handshake, knocking, refused
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met


async def test_a_trusted_proxy_names_the_address_that_counts(venue: Venue) -> None:
    wish: dict[str, Any] = {"connections_per_address": 1, "trusted_proxy": ("127.0.0.0/8",)}
    app = await venue.open(**wish)
    async with (
        knocking(app.url, X_Forwarded_For="198.51.100.1"),
        knocking(app.url, X_Forwarded_For="198.51.100.2"),
    ):
        assert (await refused(app.url, X_Forwarded_For="198.51.100.1"))[0] == 429
        assert (await refused(app.url, X_Forwarded_For="9.9.9.9, 198.51.100.2"))[0] == 429
        async with knocking(app.url, X_Forwarded_For="198.51.100.2, 198.51.100.3"):
            pass


async def test_a_proxy_may_have_a_header_of_its_own(venue: Venue) -> None:
    wish: dict[str, Any] = {"connections_per_address": 1, "trusted_proxy": ("127.0.0.1",)}
    app = await venue.open(proxy_header="X-Real-IP", **wish)
    async with knocking(app.url, X_Real_IP="198.51.100.1", X_Forwarded_For="198.51.100.9"):
        assert (await refused(app.url, X_Real_IP="198.51.100.1"))[0] == 429
        async with knocking(app.url, X_Real_IP="198.51.100.9"):
            pass


async def test_a_proxy_may_speak_the_standard_header(venue: Venue) -> None:
    wish: dict[str, Any] = {"connections_per_address": 1, "trusted_proxy": ("127.0.0.1",)}
    app = await venue.open(proxy_header="forwarded", **wish)
    async with knocking(app.url, Forwarded="for=198.51.100.1;proto=https"):
        assert (await refused(app.url, Forwarded='for="198.51.100.1:4711"'))[0] == 429
        async with knocking(app.url, Forwarded='for="[2001:db8::7]"'):
            pass


async def test_nobody_else_is_believed_where_he_comes_from(venue: Venue) -> None:
    app = await venue.open(connections_per_address=1)
    async with knocking(app.url, X_Forwarded_For="198.51.100.1"):
        assert (await refused(app.url, X_Forwarded_For="198.51.100.2"))[0] == 429


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
async def test_the_log_warns_once_of_a_proxy_that_is_not_trusted(
    tmp_path: Path, header: str
) -> None:
    with capture_logs() as logs:
        async with running_app(tmp_path, proxy_header="X-Real-IP") as app:
            for _ in range(2):
                async with knocking(app.url, **{header: "for=198.51.100.1"}):
                    pass
    (told,) = [line for line in logs if line["event"] == "proxy_header_ignored"]
    assert told["header"] == header
    assert "--trusted-proxy" in told["why"]
    assert "no match between them is rated" in told["why"]
    assert "198.51.100.1" not in str(told)


async def test_the_log_warns_of_a_proxy_whose_request_is_refused_for_its_name(
    tmp_path: Path,
) -> None:
    with capture_logs() as logs:
        async with running_app(tmp_path) as app:
            lines = {"Host": "play.example", "X-Forwarded-For": "198.51.100.1"}
            assert (await handshake(app.url, lines)).startswith(b"HTTP/1.1 421")
    assert "proxy_header_ignored" in [line["event"] for line in logs]


@pytest.mark.parametrize("proxy", ["127.0.0.1", "10.0.0.7"])
async def test_the_log_does_not_warn_where_a_proxy_is_named_or_nothing_is_forwarded(
    tmp_path: Path, proxy: str
) -> None:
    with capture_logs() as logs:
        async with (
            running_app(tmp_path, trusted_proxy=(proxy,)) as app,
            knocking(app.url, X_Forwarded_For="198.51.100.1"),
        ):
            pass
        (tmp_path / "other").mkdir()
        async with running_app(tmp_path / "other") as app, met(app.url):
            pass
    assert "proxy_header_ignored" not in [line["event"] for line in logs]
