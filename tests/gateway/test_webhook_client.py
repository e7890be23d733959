"""What a webhook is sent, over a real line: always the same, to nobody but the one meant."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from builders.certificates import OPENSSL, Files, made
from builders.hooks import HOST, TAKEN, Hook
from sunglare_server.accounts.webhookurl import Target, target_of
from sunglare_server.gateway import webhook_client
from sunglare_server.gateway.webhook_client import BODY, WebhookClient, request_of

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl makes the certificate")

TARGET = Target(HOST, 8443, "/anna?k=1")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return made(tmp_path_factory.mktemp("tls"), f"DNS:{HOST}")


@pytest.fixture
async def hook(files: Files) -> AsyncIterator[Hook]:
    async with Hook(files).listening() as hook:
        yield hook


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return where connections were tried, of which none comes about."""
    found: list[object] = []

    async def connect(*where: object, **_: object) -> None:
        found.append(where)
        raise OSError("nobody is there")

    monkeypatch.setattr(asyncio, "open_connection", connect)
    return found


def poster(files: Files, *addresses: str, fails: bool = False) -> WebhookClient:
    """Return what posts where every name means these addresses, of which it looks at none less."""

    def resolve(_: Target) -> list[str]:
        if fails:
            raise OSError("no such name")
        return list(addresses)

    return WebhookClient(resolve=resolve, trust=files.trusting)


async def test_a_target_is_sent_one_request_with_nothing_of_a_match(hook: Hook) -> None:
    assert await hook(TARGET)
    assert hook.requests == [
        b"POST /anna?k=1 HTTP/1.1\r\n"
        b"Host: hooks.example.org:" + str(hook.port).encode() + b"\r\n"
        b"User-Agent: sunglare-server\r\n"
        b"Content-Type: application/json\r\n"
        b"Content-Length: 18\r\n"
        b"Connection: close\r\n"
        b"\r\n"
        b'{"your_turn":true}'
    ]


def test_the_usual_port_is_not_named() -> None:
    target = target_of("https://hooks.example.org/")
    assert target is not None
    assert b"Host: hooks.example.org\r\n" in request_of(target)
    assert request_of(target).endswith(BODY)


@pytest.mark.parametrize(
    ("answer", "is_taken"),
    [
        (TAKEN, True),
        (b"HTTP/1.0 200\r\n\r\n", True),
        (b"HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1/\r\n\r\n", False),
        (b"HTTP/1.1 307 Moved\r\nLocation: https://hooks.example.org/again\r\n\r\n", False),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", False),
        (b"HTTP/1.1 2000\r\n\r\n", False),
        (b"hello\r\n", False),
        (b"", False),
        (b"HTTP/1.1 200" + b"x" * 100_000, False),
        (b"\x00" * 5_000_000, False),
    ],
)
async def test_only_a_word_of_success_counts_and_no_redirect_is_followed(
    hook: Hook, answer: bytes, is_taken: bool
) -> None:
    hook.answer = answer
    assert await hook(TARGET) is is_taken
    assert hook.connections == 1


async def test_a_target_that_does_not_answer_is_given_up(
    hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_client, "BOUND_S", 0.3)
    hook.answer = None
    assert not await hook(TARGET)


@pytest.mark.parametrize(
    "addresses",
    [(), ("127.0.0.1",), ("::1",), ("10.0.0.1",), ("93.184.216.34", "127.0.0.1")],
    ids=str,
)
async def test_a_name_that_means_anything_that_is_not_public_is_not_connected_to(
    files: Files, addresses: tuple[str, ...], tried: list[object]
) -> None:
    post = poster(files, *addresses)
    assert not await post(TARGET)
    assert tried == []
    post.close()


async def test_a_name_that_means_public_addresses_alone_is_connected_to_by_the_first(
    files: Files, tried: list[object]
) -> None:
    post = poster(files, "93.184.216.34", "1.1.1.1")
    assert not await post(TARGET)
    assert tried == [("93.184.216.34", 8443)]
    post.close()


async def test_a_name_that_means_nothing_is_no_fault_of_ours(files: Files) -> None:
    post = poster(files, fails=True)
    assert not await post(TARGET)
    post.close()


async def test_who_shows_the_certificate_of_another_name_is_told_nothing(hook: Hook) -> None:
    assert not await hook(TARGET._replace(host="other.example.org"))
    assert hook.requests == []


async def test_who_shows_a_certificate_that_nobody_vouches_for_is_told_nothing(
    hook: Hook,
) -> None:
    post = WebhookClient(resolve=lambda _: ["127.0.0.1"], may_be=lambda _: True)
    assert not await post(TARGET._replace(port=hook.port))
    assert hook.requests == []
    post.close()


async def test_who_does_not_encrypt_is_told_nothing(files: Files) -> None:
    heard = bytearray()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.extend(await reader.read(10_000))
        writer.write(TAKEN)
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    post = WebhookClient(
        resolve=lambda _: ["127.0.0.1"], trust=files.trusting, may_be=lambda _: True
    )
    assert not await post(TARGET._replace(port=server.sockets[0].getsockname()[1]))
    assert b"POST" not in heard
    server.close()
    post.close()


async def test_the_names_of_this_machine_are_resolved_as_it_does() -> None:
    addresses = webhook_client.resolved(Target("localhost", 443, "/"))
    assert "127.0.0.1" in addresses
    post = WebhookClient()
    assert not await post(Target("localhost", 443, "/"))
    post.close()
