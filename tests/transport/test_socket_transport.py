"""The Unix socket between a worker and its gateways: bad bytes, slow readers, its file."""

import asyncio
import contextlib
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from builders.fakeclock import FakeClock
from builders.transports import WAIT_S, Heard, echo, until
from sunglare_server.base.clock import SystemClock
from sunglare_server.transport import socket_client, socket_frames, socket_server
from sunglare_server.transport.socket_client import SocketClient
from sunglare_server.transport.socket_frames import FRAME_BYTES, Ask, Subscribe, framed, matches
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.transport import TransportError
from sunglare_server.transport.unix_socket import PATH_BYTES_MOST, SocketError

Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]

BAD_TEXT = b"\x92\xa6Answer\xa1\xff"
"""A message in which a text is no text."""

DEEP = b"\x91" * 5_000
"""A list in a list in a list, deeper than anybody reads."""


POST = b"x" * 50_000

MOST = 1_000_000
"""So much may wait for a gateway where a test says so."""

SYSTEM_BYTES = 2_000_000
"""OWN: more than a system keeps for a Unix socket, and than a reader reads ahead."""


def raw(body: bytes) -> bytes:
    """Return bytes as a frame, be they one or not."""
    return len(body).to_bytes(4) + body


def bad_texts() -> list[bytes]:
    """Return whole frames of every kind in which a text has a byte that no text has."""
    whole = [
        framed(Subscribe(1, "subject")),
        framed(Ask(1, "subject", b"")),
        framed(socket_frames.Publish("subject", b"")),
        framed(socket_frames.Post(1, "subject", b"")),
    ]
    return [one.replace(b"subject", b"subje\xff\xff") for one in whole]


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[SocketServer]:
    """Give a test a hub that serves `echo`, at the file `worker`."""
    made = SocketServer(tmp_path / "worker")
    await made.open()
    await made.serve("echo", echo)
    try:
        yield made
    finally:
        await made.close()


@contextlib.asynccontextmanager
async def line_to(path: Path) -> AsyncIterator[Pair]:
    """Open a plain line to a hub, as a gateway that says what a test wants."""
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def gateway(path: Path) -> AsyncIterator[SocketClient]:
    """Open a gateway's end, which is connected."""
    made = SocketClient(path, SystemClock())
    made.open()
    try:
        await until(lambda: made.is_up)
        yield made
    finally:
        await made.close()


@pytest.mark.parametrize(
    "bytes_",
    [
        raw(b""),
        raw(b"\xc1"),
        raw(b"\x93\xa7Unheard\x01\x02"),
        raw(DEEP),
        (FRAME_BYTES + 1).to_bytes(4),
        b"\xff\xff\xff\xff",
        *bad_texts(),
        framed(socket_frames.Ready(1)),
    ],
    ids=["empty", "no kind", "unknown", "deep", "long", "longest", *"abcd", "of a worker"],
)
async def test_a_gateway_that_says_what_is_no_frame_is_cut_off_with_one_line_in_the_log(
    hub: SocketServer, tmp_path: Path, bytes_: bytes
) -> None:
    async with gateway(tmp_path / "worker") as other, asyncio.timeout(WAIT_S):
        with capture_logs() as logs:
            async with line_to(tmp_path / "worker") as (reader, writer):
                writer.write(bytes_)
                assert await reader.read() == b""
                await until(lambda: bool(logs))
        assert [line["event"] for line in logs] == ["gateway_connection_lost"]
        assert other.is_up
        assert await other.request("echo", b"still there", WAIT_S) == b"echo still there"
    assert hub.is_up


@given(body=st.binary(max_size=60) | st.sampled_from(bad_texts()).map(lambda whole: whole[4:]))
@example(DEEP[:60])
def test_bytes_are_a_frame_or_are_refused_as_none(body: bytes) -> None:
    for read in (socket_frames.of_gateway, socket_frames.of_worker):
        with contextlib.suppress(TransportError):
            read(body)


@pytest.mark.parametrize(
    "bytes_",
    [raw(b"\xc1"), raw(DEEP), *bad_texts()],
    ids=["no kind", "deep", *"abcd"],
)
async def test_a_worker_that_says_what_is_no_frame_is_left_and_asked_again(
    tmp_path: Path, bytes_: bytes
) -> None:
    met = 0

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal met
        met += 1
        writer.write(bytes_)
        await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(meet, tmp_path / "worker")
    made = SocketClient(tmp_path / "worker", SystemClock())
    with capture_logs() as logs:
        made.open()
        await until(lambda: met >= 2)
        await made.close()
    server.close()
    assert {line["event"] for line in logs} == {"worker_connection_lost"}


async def test_a_gateway_that_reads_nothing_is_cut_off_and_holds_nobody_up(
    hub: SocketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_server, "WAITING_MOST", MOST)
    heard = Heard()
    async with gateway(tmp_path / "worker") as other, asyncio.timeout(WAIT_S):
        await other.subscribe("view.m.A", heard.take)
        async with line_to(tmp_path / "worker") as (deaf, writer):
            writer.write(framed(Subscribe(1, "view.m.A")))
            assert await socket_frames.next_frame(deaf) is not None
            # Its peer stops to read: what its system takes is all that leaves.
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            for number in range(1, 101):
                hub.publish("view.m.A", POST)
                assert len(await heard.so_many(number)) == number
            writer.transport.resume_reading()  # type: ignore[attr-defined]
            got = await _rest_of(deaf)
            assert got <= MOST + 2 * len(POST) + SYSTEM_BYTES
        assert await other.request("echo", b"", WAIT_S)


async def test_a_gateway_that_was_cut_off_for_its_slowness_comes_back(
    hub: SocketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_server, "WAITING_MOST", MOST)
    heard, told = Heard(), list[bool]()
    async with gateway(tmp_path / "worker") as slow, asyncio.timeout(WAIT_S):
        slow.when_changed(told.append)
        await slow.subscribe("view.m.A", heard.take)
        # In one turn of the loop, in which the gateway, which is in this process, reads nothing.
        for _ in range(100):
            hub.publish("view.m.A", POST)
        await until(lambda: told == [False, True])
        # By its answer the subscriptions before it hold.
        await slow.request("echo", b"", WAIT_S)
        hub.publish("view.m.A", b"after")
        await until(lambda: ("view.m.A", b"after") in heard.posts)


async def test_a_worker_that_is_not_there_is_tried_again_and_again_until_it_is(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    made = SocketClient(tmp_path / "worker", clock)
    made.open()
    for wait_ms in (*socket_client.AGAIN_MS, socket_client.AGAIN_MS[-1]):
        await until(lambda: clock.next_due_ms() is not None)
        assert clock.next_due_ms() == clock.now_ms() + wait_ms
        clock.advance(wait_ms)
    hub = SocketServer(tmp_path / "worker")
    await until(lambda: clock.next_due_ms() is not None)
    await hub.open()
    clock.advance(socket_client.AGAIN_MS[-1])
    await until(lambda: made.is_up)
    await made.close()
    await hub.close()


async def test_the_end_of_a_worker_fails_what_is_asked_of_it_at_once(
    hub: SocketServer, tmp_path: Path
) -> None:
    begun = asyncio.Event()

    async def never(_: str, __: bytes) -> bytes:
        begun.set()
        await asyncio.Event().wait()
        return b""

    await hub.serve("never", never)
    async with gateway(tmp_path / "worker") as made, asyncio.timeout(WAIT_S):
        asking = asyncio.ensure_future(made.request("never", b"", 10 * WAIT_S))
        await begun.wait()
        await hub.close()
        with pytest.raises(TransportError, match="lost"):
            await asking
        assert not (tmp_path / "worker").exists()


@pytest.mark.usefixtures("hub")
async def test_a_workers_socket_is_its_owners_alone(tmp_path: Path) -> None:
    mode = (tmp_path / "worker").stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


@pytest.mark.usefixtures("hub")
async def test_a_socket_at_which_another_worker_answers_is_not_taken_from_it(
    tmp_path: Path,
) -> None:
    with pytest.raises(SocketError, match="another server answers there"):
        await SocketServer(tmp_path / "worker").open()
    async with gateway(tmp_path / "worker") as made:
        assert await made.request("echo", b"", WAIT_S) == b"echo "


async def test_the_socket_of_a_worker_that_was_killed_is_taken(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(tmp_path / "worker"))
    left.close()
    hub = SocketServer(tmp_path / "worker")
    await hub.open()
    assert stat.S_IMODE((tmp_path / "worker").stat().st_mode) == 0o600
    await hub.close()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("file", "no socket"),
        ("folder", "no socket"),
        ("none/worker", "No such file or directory"),
        ("x" * PATH_BYTES_MOST, f"at most {PATH_BYTES_MOST} bytes"),
    ],
    ids=["a file", "a folder", "no folder", "a long name"],
)
async def test_a_worker_says_why_its_socket_cannot_be_opened_and_leaves_all_as_it_was(
    tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    with pytest.raises(SocketError, match=why) as raised:
        await SocketServer(tmp_path / name).open()
    assert raised.value.path == tmp_path / name
    assert str(tmp_path / name) in str(raised.value)
    assert (tmp_path / "file").read_text() == "kept"
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@pytest.mark.parametrize(
    ("pattern", "subject", "is_of_it"),
    [
        ("a.b", "a.b", True),
        ("a.*", "a.b", True),
        ("*.b", "a.b", True),
        ("*", "a.b", False),
        ("a.*", "a.b.c", False),
        ("a.*.c", "a.b.c", True),
        ("a.>", "a.b.c", True),
        ("a.>", "a", False),
        ("a.b", "a.*", False),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_a_pattern_has_as_many_words_as_its_subjects(
    pattern: str, subject: str, is_of_it: bool
) -> None:
    assert matches(pattern, subject) is is_of_it


async def _rest_of(reader: asyncio.StreamReader) -> int:
    """Return how many bytes come until the line is cut off."""
    got = 0
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(1_000_000):
            got += len(data)
    return got
