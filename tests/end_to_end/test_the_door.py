"""The door of the server: how many connections are let in, from where, and from which pages."""

import asyncio
import contextlib
import socket as sockets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import InvalidStatus

from builders.handshakes import asked_by_name, handshake, refused
from builders.servers import ServerProcess, running_app, server_process
from builders.venues import Venue
from builders.wires import WAIT_S, asked_plainly, met, plain_line
from sunglare_client import LostError, connect
from sunglare_client.link.handshakes import said_by
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.gateway.addresses import AddressError
from sunglare_server.gateway.admission import (
    KNOCKS_MS,
    KNOCKS_SPARE,
    MISDIRECTED,
    RETRY_S,
    WAITING_FACTOR,
)

POLICY = 1008

SLOW_LETTERS = 1_200
"""So many letters of a header come one by one: for a minute, where the server waits 2 seconds."""

BETWEEN_S = 0.05
"""Seconds between two of these letters."""


async def emptied(app: App, inside: int = 0) -> None:
    """Wait until only so many connections are inside."""
    async with asyncio.timeout(WAIT_S):
        while app.admission.inside > inside:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)


async def test_a_full_server_says_when_to_try_again_and_lets_in_whoever_finds_room(
    venue: Venue,
) -> None:
    app = await venue.open(connections=2)
    first = await venue.one()
    async with met(app.url):
        assert await refused(app.url) == (503, str(RETRY_S))
        assert (await asked_plainly(app.url, "/healthz")).startswith(b"HTTP/1.1 200")
        await first.ping()
    await emptied(app, 1)
    third = await venue.one()
    await third.ping()


async def test_one_address_has_only_so_many_connections(venue: Venue) -> None:
    app = await venue.open(connections_per_address=1)
    async with met(app.url):
        assert await refused(app.url) == (429, str(RETRY_S))
        with pytest.raises(LostError, match="Your address has as many connections as it may"):
            await connect(app.url)
    await emptied(app)
    async with met(app.url):
        pass


async def test_an_address_that_opens_connections_too_quickly_is_told_to_wait(venue: Venue) -> None:
    clock = await venue.still(connections_per_address=1)
    foreign = {"Origin": "https://elsewhere.example"}
    for _ in range(KNOCKS_SPARE + 2):
        assert (await handshake(venue.app.url, foreign)).startswith(b"HTTP/1.1 403")
    assert (await handshake(venue.app.url, foreign)).startswith(b"HTTP/1.1 429")
    assert await refused(venue.app.url) == (429, str(RETRY_S))
    clock.advance(KNOCKS_MS)
    async with met(venue.app.url):
        assert (await handshake(venue.app.url, foreign)).startswith(b"HTTP/1.1 429")


@pytest.mark.parametrize(
    "request_bytes",
    [
        pytest.param(b"nonsense\r\n\r\n", id="nonsense"),
        pytest.param(b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\n\r\n", id="a long path"),
        pytest.param(b"GET /play HTTP/1.1\r\nHost: evil.example\r\n\r\n", id="another's name"),
    ],
)
async def test_malformed_and_misdirected_requests_count_as_attempts_of_their_address(
    venue: Venue, request_bytes: bytes
) -> None:
    clock = await venue.still(connections_per_address=1)
    for _ in range(KNOCKS_SPARE + 2):
        async with (
            asyncio.timeout(WAIT_S),
            plain_line(venue.app.url, request_bytes) as (reader, _),
        ):
            assert b"429" not in await reader.readline()
    assert await refused(venue.app.url) == (429, str(RETRY_S))
    assert (await asked_plainly(venue.app.url, "/healthz")).startswith(b"HTTP/1.1 200")
    clock.advance(KNOCKS_MS)
    async with met(venue.app.url):
        pass


async def test_a_line_that_says_nothing_is_no_attempt(venue: Venue) -> None:
    await venue.still(connections_per_address=1)
    for _ in range(KNOCKS_SPARE + 2):
        async with plain_line(venue.app.url):
            pass
    async with met(venue.app.url):
        pass


async def test_whoever_is_turned_away_takes_no_room(venue: Venue) -> None:
    app = await venue.open(connections=1)
    for _ in range(3):
        assert (await refused(app.url, Origin="https://elsewhere.example"))[0] == 403
        assert (await refused(app.url, Sec_WebSocket_Protocol="chess"))[0] == 400
    await emptied(app)
    async with met(app.url):
        pass


def speaks_ipv6() -> bool:
    """Return whether this machine has an IPv6 address of its own."""
    try:
        with sockets.socket(sockets.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not speaks_ipv6(), reason="this machine has no IPv6")
async def test_a_server_on_ipv6_tells_an_address_that_can_be_used(venue: Venue) -> None:
    app = await venue.open(host="::1", connections_per_address=1)
    talker = await venue.one()
    await talker.ping()
    assert await refused(app.url) == (429, str(RETRY_S))


async def test_a_proxy_that_is_no_address_ends_the_start(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    app = App(Settings(port=0, journal=journal, bots=(), trusted_proxy=("proxy.example",)))
    with pytest.raises(AddressError, match=r"'proxy\.example' is no address"):
        await app.start()
    await app.storage.journal.close()


ORIGINS = ("https://play.example", "https://other.example:8443")


@pytest.fixture(scope="module")
def choosy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server that lets pages of some origins in, behind a proxy that passes `Host` on."""
    flags = ("--origins", ",".join(ORIGINS), "--trusted-proxy", "127.0.0.1")
    with server_process(tmp_path_factory.mktemp("choosy"), *flags) as running:
        yield running


@pytest.mark.parametrize(
    ("origin", "host", "is_let_in"),
    [
        pytest.param("https://play.example", None, True, id="listed"),
        pytest.param("HTTPS://Play.Example:443", None, True, id="listed, written otherwise"),
        pytest.param("https://other.example:8443", None, True, id="listed with a port"),
        pytest.param("https://other.example", None, False, id="listed with another port"),
        pytest.param("http://play.example", None, False, id="listed with another scheme"),
        pytest.param("https://play.example.evil.example", None, False, id="a longer name"),
        pytest.param("http://game.example", "game.example", True, id="the page of this host"),
        pytest.param("https://game.example", "game.example:443", True, id="of it, by its port"),
        pytest.param("https://game.example", "game.example:8765", False, id="of another port"),
        pytest.param("https://evil.example", "game.example", False, id="another page"),
        pytest.param("null", None, False, id="a page without an origin"),
        pytest.param("", None, False, id="an empty one"),
        pytest.param("http://[", None, False, id="no address"),
        pytest.param("https://game.example", "[", False, id="no address of a host"),
        pytest.param("ftp://game.example", "game.example", False, id="another protocol"),
        pytest.param("file://", "", False, id="a file"),
    ],
)
async def test_a_browser_is_let_in_from_listed_pages_and_those_of_the_same_host(
    choosy: ServerProcess, origin: str, host: str | None, *, is_let_in: bool
) -> None:
    headers = {"Origin": origin} | ({} if host is None else {"Host": host})
    status = b"101" if is_let_in else b"403"
    assert (await handshake(choosy.url, headers)).startswith(b"HTTP/1.1 " + status)


async def test_two_origins_are_none(choosy: ServerProcess) -> None:
    headers = {"Origin": ORIGINS[0], "origin": ORIGINS[1]}
    assert (await handshake(choosy.url, headers)).startswith(b"HTTP/1.1 403")


async def test_a_page_whose_name_was_rebound_to_this_machine_is_refused(venue: Venue) -> None:
    app = await venue.open(origins=("http://play.example",))
    rebound = {"Host": "evil.example:8765", "Origin": "http://evil.example:8765"}
    assert (await handshake(app.url, rebound)).startswith(b"HTTP/1.1 421")
    for path in ("/", "/tv", "/play", "/nothing"):
        said = await asked_by_name(app.url, path, "evil.example")
        assert said.startswith(b"HTTP/1.1 421")
        assert said.endswith(b"To allow that name, set --origins http://evil.example\n")
    for path in ("/healthz", "/readyz"):
        assert (await asked_by_name(app.url, path, "evil.example")).startswith(b"HTTP/1.1 200")
    assert app.admission.turned_away == {MISDIRECTED: 5}


async def test_a_server_on_all_addresses_checks_names_at_those_that_are_not_public(
    venue: Venue,
) -> None:
    app = await venue.open(host="0.0.0.0", origins=("http://play.example",))  # noqa: S104 - as in a container
    url = app.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - where it is reached
    assert (await asked_by_name(url, "/", "evil.example")).startswith(b"HTTP/1.1 421")
    assert (await asked_by_name(url, "/", "play.example")).startswith(b"HTTP/1.1 200")


async def test_a_listed_name_and_localhost_are_served(venue: Venue) -> None:
    app = await venue.open(origins=("http://play.example",))
    for name in ("play.example", "play.example:8765", "localhost"):
        assert (await asked_by_name(app.url, "/", name)).startswith(b"HTTP/1.1 200")
        page = {"Host": name, "Origin": f"http://{name}"}
        assert (await handshake(app.url, page)).startswith(b"HTTP/1.1 101")


async def test_a_player_who_asks_for_an_unknown_name_reads_what_to_set(venue: Venue) -> None:
    app = await venue.open()
    port = urlsplit(app.url).port
    url = f"ws://game.example:{port}/play"
    with pytest.raises(InvalidStatus) as caught:
        async with open_socket(url, host="127.0.0.1", port=port, proxy=None):
            pass
    assert said_by(caught.value).endswith(f"set --origins http://game.example:{port}")


async def test_lines_that_say_nothing_are_cut_and_are_never_too_many(venue: Venue) -> None:
    app = await venue.open(connections_per_address=4, handshake_s=2)
    async with asyncio.timeout(WAIT_S), contextlib.AsyncExitStack() as stack:
        lines = [plain_line(app.url) for _ in range(4 * WAITING_FACTOR + 1)]
        *others, last = [(await stack.enter_async_context(line))[0] for line in lines]
        # The one too many is cut at once, long before the others' time is over.
        assert await _said(last) == b""
        for reader in others:
            assert b"101" not in await _said(reader)
    talker = await venue.one()
    await talker.ping()


async def test_a_handshake_that_comes_byte_by_byte_is_cut(venue: Venue) -> None:
    app = await venue.open(handshake_s=2)
    async with plain_line(app.url) as (reader, writer):
        cut = asyncio.ensure_future(_said(reader))
        for letter in b"GET /play HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"a" * SLOW_LETTERS:
            writer.write(bytes([letter]))
            await asyncio.wait((cut,), timeout=BETWEEN_S)
            if cut.done():
                break
        # However busy the machine is: it is cut before so many letters have come.
        assert cut.done()
        assert b"101" not in await cut


async def _said(reader: asyncio.StreamReader) -> bytes:
    """Return what the server says until it ends the line."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def test_who_does_not_say_hello_in_time_is_closed_whatever_else_he_says(
    venue: Venue,
) -> None:
    await venue.open(handshake_s=2)
    silent = await venue.unknown()
    chatty = await venue.unknown()
    await chatty.ping()
    assert await silent.wait_closed() == POLICY
    assert await chatty.wait_closed() == POLICY


async def test_the_log_tells_once_that_connections_are_turned_away(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with running_app(tmp_path, connections=1) as app, met(app.url):
            for _ in range(3):
                await refused(app.url)
            assert sum(app.admission.turned_away.values()) == 3
    told = [line for line in logs if line["event"] == "connections_rejected"]
    assert [line["times"] for line in told] == [1]
    assert "127.0.0.1" not in str(told)


async def test_a_connection_that_is_reset_makes_room(venue: Venue) -> None:
    app = await venue.open(connections=1)
    async with met(app.url) as talker:
        raw = talker.socket.transport.get_extra_info("socket")
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, linger)
        await talker.cut()
    await emptied(app)
    async with met(app.url):
        pass
