"""The configurations for proxies with the proxies themselves: TLS, WebSockets, who connects."""

import asyncio
import http.client
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.certificates import OPENSSL, Files, made
from builders.players import SCENARIO
from builders.servers import ServerProcess, server_process
from builders.webservers import NAME, Site, proxy
from builders.wires import WAIT_S
from sunglare_client import LostError, Seat, connect
from sunglare_protocol.messages import AddBot, Create, Created, Frame, Ping, Pong
from sunglare_server.gateway.http import PROBES

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl makes the certificate")

PROXIES = [
    pytest.param("nginx", marks=pytest.mark.needs_nginx),
    pytest.param("caddy", marks=pytest.mark.needs_caddy),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Make a certificate for this machine that signs itself."""
    return made(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server that believes a proxy of this machine, and lets one address in twice."""
    flags = ("--trusted-proxy", "127.0.0.1", "--connections-per-address", "2", "--metrics", "0")
    folder = tmp_path_factory.mktemp("server")
    with server_process(folder, *flags, "--bots", "lurker") as running:
        yield running


@pytest.fixture(scope="module", params=PROXIES)
def site(
    request: pytest.FixtureRequest,
    server: ServerProcess,
    files: Files,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """Run each proxy in front of the server."""
    folder = tmp_path_factory.mktemp(request.param)
    with proxy(request.param, server.url, files, folder) as running:
        yield running


@pytest.fixture(autouse=True)
def trusting(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients trust the certificate, as an operator's players would."""
    monkeypatch.setenv("SSL_CERT_FILE", str(files.certificate))


def ready_url(server: ServerProcess) -> str:
    """Return where a proxy itself asks whether a server is ready."""
    return server.url.replace("ws://", "http://").replace("/play", "/readyz")


def status_of(site: Site, path: str, **headers: str) -> int:
    """Return what is answered to a plain request over TLS."""
    context = ssl.create_default_context(cafile=site.files.certificate)
    line = http.client.HTTPSConnection("127.0.0.1", site.port, timeout=WAIT_S, context=context)
    try:
        line.request("GET", path, headers=headers)
        return line.getresponse().status
    finally:
        line.close()


def test_a_client_that_floods_health_uses_up_no_probes_of_the_proxy(
    site: Site, server: ServerProcess
) -> None:
    context = ssl.create_default_context(cafile=site.files.certificate)
    # Another address than the proxy's own, which it may not exchange for one of its choice.
    elsewhere = ("127.0.0.2", 0)
    line = http.client.HTTPSConnection(
        "127.0.0.1", site.port, timeout=WAIT_S, context=context, source_address=elsewhere
    )
    statuses = []
    for number in range(20 * PROBES.burst):
        line.request("GET", "/readyz", headers={"X-Forwarded-For": f"198.51.100.{number % 250}"})
        answer = line.getresponse()
        answer.read()
        statuses.append(answer.status)
        if answer.status == 429:
            break
    line.close()
    assert {*statuses} == {200, 429}
    with urllib.request.urlopen(ready_url(server)) as probe:  # noqa: S310 - our own server
        assert probe.status == 200


async def test_a_match_is_played_through_the_proxy(site: Site) -> None:
    async with asyncio.timeout(4 * WAIT_S), await connect(site.url) as connection:
        options: dict[str, object] = {"clock": "test"}
        room = await connection.expect(Created, Create, scenario=SCENARIO, options=options)
        async with await Seat.join(connection, match=room.match) as seat:
            await seat.command(AddBot, name="lurker")
            await seat.ready()
            while not isinstance(await anext(seat), Frame):
                continue
            await seat.resign()


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/", "/tv"])
def test_health_and_page_are_passed_on(site: Site, path: str) -> None:
    assert status_of(site, path) == 200


def test_the_name_of_the_site_is_served_and_passed_on(site: Site) -> None:
    assert status_of(site, "/", Host=NAME) == 200


@pytest.mark.parametrize("program", PROXIES)
def test_a_server_that_does_not_know_its_proxy_refuses_the_name(
    program: str, files: Files, tmp_path: Path
) -> None:
    with (
        server_process(tmp_path) as lonely,
        proxy(program, lonely.url, files, tmp_path) as site,
    ):
        assert status_of(site, "/", Host=NAME) == 421
        assert status_of(site, "/readyz", Host=NAME) == 200


@pytest.mark.parametrize("path", ["/metrics", "/nothing", "/page/", "/replay/x.sgr.bak", "//play"])
def test_nothing_else_is(site: Site, path: str) -> None:
    assert status_of(site, path) == 404


async def test_an_address_that_a_client_names_itself_is_not_believed(site: Site) -> None:
    async with asyncio.timeout(WAIT_S), await connect(site.url) as one, await connect(site.url):
        with pytest.raises(LostError):
            await connect(site.url)
        upgrade = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "c2l4dGVlbiBieXRlcyAhIQ==",
            "X-Forwarded-For": "203.0.113.9",
        }
        # Two are all that one address has; by its own word this would be another address.
        told = await asyncio.to_thread(lambda: status_of(site, "/play", **upgrade))
        assert told == 429
        await one.expect(Pong, Ping)
