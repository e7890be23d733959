"""The log's line of a connection that has ended: whose it was and why it ended, and no secret."""

import asyncio
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from builders.players import started
from builders.servers import running_app
from builders.wires import WAIT_S, met
from sunglare_protocol.messages import Chat, Ping, Pong, Resign, Resume, Resumed

Lines = list[MutableMapping[str, Any]]

WORDS = "a word between us"


def ended(lines: Lines) -> Lines:
    return [line for line in lines if line["event"] == "connection_ended"]


async def told(lines: Lines, many: int) -> Lines:
    """Wait until so many connections have ended, and return their lines."""
    async with asyncio.timeout(WAIT_S):
        while len(ended(lines)) < many:  # noqa: ASYNC110 - a log tells nobody
            await asyncio.sleep(0.01)
    return ended(lines)


async def test_each_connection_has_one_line_with_its_seats_and_nothing_said(
    tmp_path: Path,
) -> None:
    with capture_logs() as lines:
        async with running_app(tmp_path) as app:
            async with met(app.url, "Ann") as ann, met(app.url, "Bob") as bob:
                players = await started([ann, bob])
                await ann.accepted(Chat, match=players[0].match, text=WORDS)
                await ann.accepted(Resign, match=players[0].match)
                await players[1].over()
            found = await told(lines, 2)
            accounts = [account for account, _ in await app.storage.store.every_name()]
    seats = sorted(seat for line in found for seat in line["seats"])
    assert seats == [f"{players[0].match}/A", f"{players[0].match}/B"]
    assert len({line["mark"] for line in found}) == 2
    assert len(accounts) == 2
    for line in found:
        assert (line["sent_mib"], line["taken_mib"]) == (1, 1)
        assert (line["code"], line["why"]) == (1000, "the peer")
        assert "address" not in line
    secrets = [ann.token, bob.token, *(player.ticket for player in players), WORDS, "Ann", "Bob"]
    secrets += accounts
    assert not [secret for secret in secrets if secret in str(found)]


async def test_whoever_never_said_hello_has_no_mark(tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with running_app(tmp_path, handshake_s=1) as app:
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(app.url))
            writer.write(UPGRADE)
            async with asyncio.timeout(WAIT_S):
                await reader.read()
            (line,) = await told(lines, 1)
            writer.close()
    assert (line["mark"], line["seats"], line["why"]) == (None, [], "no hello")


UPGRADE = (
    b"GET /play HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2l4dGVlbiBieXRlcyAhIQ==\r\n\r\n"
)


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2].partition("/")[0])


async def test_a_seat_that_another_connection_takes_is_told_as_that(tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with running_app(tmp_path) as app, met(app.url) as ann, met(app.url) as bob:
            players = await started([ann, bob])
            async with met(app.url, token=ann.token) as again:
                await again.expect(Resumed, Resume, match=players[0].match)
                (line,) = await told(lines, 1)
                assert (line["code"], line["why"]) == (4001, "superseded")


@pytest.mark.parametrize(("wish", "lines_told"), [("off", 0), ("on", 1), ("addresses", 1)])
async def test_the_operator_says_whether_there_is_a_line_and_whether_it_has_the_address(
    tmp_path: Path, wish: str, lines_told: int
) -> None:
    with capture_logs() as lines:
        async with running_app(tmp_path, access_log=wish) as app:
            async with met(app.url) as ann:
                await ann.expect(Pong, Ping)
            found = await told(lines, lines_told)
        found = ended(lines)
    assert len(found) == lines_told
    assert all(("127.0.0.1" in str(line)) == (wish == "addresses") for line in found)
