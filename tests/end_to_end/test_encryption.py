"""TLS by files: clients that trust the certificate play, others don't, house bots need none."""

import asyncio
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.certificates import OPENSSL, Files, made
from builders.players import SCENARIO
from builders.servers import ServerProcess, server_process
from builders.venues import Venue
from builders.wires import WAIT_S
from sunglare_client import LostError, Seat, connect
from sunglare_protocol.messages import AddBot, Create, Created, Frame, Ping, Pong
from sunglare_server.__main__ import main
from sunglare_server.app import App
from sunglare_server.config import Settings
from sunglare_server.gateway.encryption import CertificateError, encryption

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl makes the certificate")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Make a certificate for this machine that signs itself."""
    return made(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def server(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server with this certificate, for which one connection of an address is enough."""
    flags = ("--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    few = ("--connections-per-address", "1", "--message-rate", "20", "--bots", "lurker")
    with server_process(tmp_path_factory.mktemp("server"), *flags, *few) as running:
        yield running


@pytest.fixture
def trusting(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients trust the certificate, as an operator's players would."""
    monkeypatch.setenv("SSL_CERT_FILE", str(files.certificate))


@pytest.mark.usefixtures("trusting")
async def test_a_match_with_a_house_bot_is_played_over_an_encrypted_line(
    server: ServerProcess,
) -> None:
    assert server.url.startswith("wss://127.0.0.1:")
    async with asyncio.timeout(4 * WAIT_S), await connect(server.url) as connection:
        options: dict[str, object] = {"clock": "test"}
        room = await connection.expect(Created, Create, scenario=SCENARIO, options=options)
        async with await Seat.join(connection, match=room.match) as seat:
            # The bot is no second connection of this address, for which there would be no room.
            await seat.command(AddBot, name="lurker")
            await seat.ready()
            # News of the room and of the pledges come first.
            while not isinstance(await anext(seat), Frame):
                continue
            await seat.resign()


async def test_a_client_that_does_not_trust_the_certificate_says_so(server: ServerProcess) -> None:
    with pytest.raises(LostError, match="CERTIFICATE_VERIFY_FAILED"):
        await connect(server.url)


async def test_what_is_not_encrypted_is_not_answered(server: ServerProcess) -> None:
    with pytest.raises(LostError):
        await connect(server.url.replace("wss://", "ws://"))


@pytest.mark.usefixtures("trusting")
async def test_a_key_may_be_in_the_file_of_its_certificate(
    files: Files, venue: Venue, tmp_path: Path
) -> None:
    both = tmp_path / "both.pem"
    both.write_text(files.certificate.read_text() + files.key.read_text())
    app = await venue.open(tls_cert=both)
    async with await connect(app.url) as connection:
        await connection.expect(Pong, Ping)


def test_certificates_that_are_none_are_refused_with_their_names(
    files: Files, tmp_path: Path
) -> None:
    junk = tmp_path / "junk.pem"
    junk.write_text("junk")
    for pair in (Files(junk, files.key), Files(files.certificate, junk)):
        with pytest.raises(CertificateError, match=r"junk\.pem.*no PEM certificate with its key"):
            encryption(*pair)
    with pytest.raises(CertificateError, match=r"absent\.pem: No such file"):
        encryption(tmp_path / "absent.pem", None)
    assert encryption(None, None) is None


async def test_a_certificate_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    journal, absent = tmp_path / "journal.db", tmp_path / "absent.pem"
    app = App(Settings(port=0, journal=journal, bots=(), tls_cert=absent))
    with pytest.raises(CertificateError, match="No such file"):
        await app.start()
    await app.storage.journal.close()


def test_a_key_without_a_certificate_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--tls-key", "key.pem"])
    assert ended.value.code == 2
    assert "--tls-key: it needs --tls-cert" in capsys.readouterr().err


async def test_the_socket_of_the_house_bots_is_the_servers_users_alone_and_goes_with_it(
    tmp_path: Path,
) -> None:
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=("lurker",)))
    await app.start()
    path = app.bots.url.removeprefix("unix://")
    folder = os.path.dirname(path)
    try:
        assert stat.S_ISSOCK(os.stat(path).st_mode)
        assert os.stat(folder).st_mode & 0o777 == 0o700
        async with await connect(app.bots.url) as connection:
            await connection.expect(Pong, Ping)
    finally:
        await app.stop()
    assert os.path.basename(folder) not in os.listdir(os.path.dirname(folder))


async def test_house_bots_come_where_the_temporary_directory_has_too_long_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (long := tmp_path / ("x" * 100)).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=("lurker",)))
    with capture_logs() as logs:
        await app.start()
    try:
        assert [line["to"] for line in logs if line["event"] == "house_bot_socket_moved"] == [
            "/tmp"  # noqa: S108 - where it says that the socket lies
        ]
        async with await connect(app.bots.url) as connection:
            await connection.expect(Pong, Ping)
    finally:
        await app.stop()
    assert os.listdir(long) == []
    folder = os.path.dirname(app.bots.url.removeprefix("unix://"))
    assert os.path.basename(folder) not in os.listdir(os.path.dirname(folder))
