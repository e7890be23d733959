"""What the engine's answers mean: done, refused, or not known yet; and lines that fail."""

import asyncio
from typing import Any

import nats.errors
import nats.js.errors
import pytest

from builders.engines import Engines
from builders.tcplines import tcp_proxied
from sunglare_server.cluster.client.connection import (
    Connection,
    EngineError,
    EngineRefusedError,
    EngineSilentError,
    told_in_our_words,
    told_of,
)

LONG_S = 60.0


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        (10158, 400, EngineSilentError),
        (10164, 400, EngineSilentError),
        (10008, 503, EngineSilentError),
        (10009, 500, EngineSilentError),
        (0, 503, EngineSilentError),
        (10071, 400, EngineRefusedError),
        (10077, 503, EngineRefusedError),
        (10023, 503, EngineRefusedError),
        (10047, 500, EngineRefusedError),
        (10054, 400, EngineRefusedError),
    ],
    ids=[
        "the same message is being stored",
        "the message before it is being stored",
        "the engine is away for a moment",
        "who is asked leads no more",
        "the service is away",
        "another message is the last one",
        "the disk or the stream is full",
        "there is no room",
        "the account is full",
        "it is too large",
    ],
)
def test_only_what_is_sure_is_a_refusal(code: int, status: int, kind: type[EngineError]) -> None:
    assert type(told_of("why", code, status)) is kind


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (nats.errors.TimeoutError(), EngineSilentError),
        (nats.errors.NoRespondersError(), EngineSilentError),
        (nats.js.errors.NoStreamResponseError(), EngineSilentError),
        (nats.js.errors.ServiceUnavailableError(), EngineSilentError),
        (nats.errors.OutboundBufferLimitError(), EngineSilentError),
        (nats.errors.ConnectionReconnectingError(), EngineSilentError),
        (nats.errors.ConnectionClosedError(), EngineSilentError),
        (ConnectionResetError(), EngineSilentError),
        (nats.errors.MaxPayloadError(), EngineRefusedError),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_fault_of_the_line_tells_nothing_of_what_was_asked(
    fault: Exception, kind: type[EngineError]
) -> None:
    with pytest.raises(EngineError) as caught, told_in_our_words():
        raise fault
    assert type(caught.value) is kind


async def test_no_engine_at_all_is_said_with_its_place_and_no_password() -> None:
    with pytest.raises(EngineError, match=r"no engine at 127\.0\.0\.1:1: ") as caught:
        await Connection.open(("nats://worker:secret@127.0.0.1:1",), "a test", within_s=0.3)
    assert "secret" not in caught.value.why


async def test_no_secret_goes_in_clear_to_an_engine_whose_address_is_tls() -> None:
    told = bytearray()

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"server_id": "plain", "version": "2.10.27", "max_payload": 1024}\r\n')
        told.extend(await reader.read())
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        url = f"tls://worker:secret@127.0.0.1:{port}"
        with pytest.raises(EngineError, match=r"does not encrypt, and its address is tls://"):
            await Connection.open((url,), "a test", within_s=1.0)
    assert bytes(told) == b""


@pytest.mark.needs_nats
async def test_what_the_engine_says_before_it_goes_ends_no_connection(node: Engines) -> None:
    told: list[bool] = []
    stands = asyncio.Event()

    def tell(is_up: bool) -> None:
        told.append(is_up)
        if is_up:
            stands.set()

    connection = await Connection.open(node.urls, "a test")
    connection.when_changed(tell)
    # The engine answers a word that it does not know with an error, and closes the line.
    client: Any = connection.client
    await client._send_command(b"NONSENSE\r\n")  # noqa: SLF001 - nobody says it otherwise
    await client._flush_pending()  # noqa: SLF001 - the same
    async with asyncio.timeout(LONG_S):
        await stands.wait()
    assert told == [False, True]
    assert connection.is_up
    await connection.close()
    assert not connection.is_up


@pytest.mark.needs_nats
async def test_a_request_under_way_fails_when_its_line_is_cut(node: Engines) -> None:
    async with tcp_proxied(node.nodes[0].port) as proxy, asyncio.timeout(LONG_S):
        connection = await Connection.open((proxy.url,), "a test")
        proxy.is_deaf = True
        request = asyncio.create_task(connection.request("$JS.API.INFO", b"", wait_s=10 * LONG_S))
        await asyncio.sleep(0)
        proxy.cut()
        with pytest.raises(nats.errors.Error):
            await request
        await connection.close()
