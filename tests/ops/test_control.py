"""The control socket: who can open it, what it takes, and what it does with nonsense."""

import asyncio
import contextlib
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.operators import socket_of
from builders.servers import running_app
from sunglare_server.app import App
from sunglare_server.config import Settings, control_path
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.control_socket import CALLERS_MOST, Control
from sunglare_server.ops.control.requests import REQUEST_BYTES, Request, RequestError, read_request
from sunglare_server.transport.unix_socket import PATH_BYTES_MOST, SocketError

WAIT_S = 90.0


async def echo(request: Request) -> Answer:
    """Say what was asked."""
    return Answer(done=type(request).__name__)


@contextlib.asynccontextmanager
async def control(path: Path) -> AsyncIterator[Control]:
    """Serve a control socket that says what it was asked."""
    made = Control(path, echo)
    await made.listen()
    try:
        yield made
    finally:
        await made.close()


async def said(path: Path, *lines: bytes) -> list[dict[str, str]]:
    """Send lines and return the answers until the other end closes, or there is one for each."""
    async with asyncio.timeout(WAIT_S):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"".join(lines))
        answers: list[dict[str, str]] = []
        while len(answers) < len(lines) and (line := await reader.readline()):
            answers.append(msgspec.json.decode(line, type=dict[str, str]))
        writer.close()
    return answers


async def test_only_the_owner_can_open_the_socket(tmp_path: Path) -> None:
    async with control(tmp_path / "s"):
        mode = (tmp_path / "s").stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600


async def test_whoever_has_ended_the_server_hears_so(tmp_path: Path) -> None:
    is_asked, is_let = asyncio.Event(), asyncio.Event()

    async def noted(request: Request) -> Answer:
        is_asked.set()
        await is_let.wait()
        return await echo(request)

    made = Control(tmp_path / "s", noted)
    await made.listen()
    answer = asyncio.create_task(said(tmp_path / "s", b'{"do":"status"}\n'))
    silent = asyncio.create_task(said(tmp_path / "s", b""))
    await is_asked.wait()
    ending = asyncio.create_task(made.close())
    await asyncio.sleep(0)
    is_let.set()
    assert await answer == [{"done": "StatusAsked"}]
    await ending
    assert await silent == []


async def test_every_line_gets_one_answer_in_order(tmp_path: Path) -> None:
    async with control(tmp_path / "s"):
        lines = [b'{"do":"status"}\n', b"nonsense\n", b'{"do":"pause","match":"x"}\n']
        answers = await said(tmp_path / "s", *lines)
    assert [answer.get("done") for answer in answers] == ["StatusAsked", None, "Pause"]
    assert answers[1]["error"].startswith("no request of the control socket, such as ")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\n", "truncated"),
        (b"[]\n", "Expected `object`"),
        (b'{"do":"explode"}\n', "Invalid value 'explode'"),
        (b"{}\n", "missing required field `do`"),
        (b'{"do":"say"}\n', "missing required field `text`"),
        (b'{"do":"say","text":3}\n', "Expected `str`, got `int` - at `$.text`"),
        (b'{"do":"status","all":true}\n', "unknown field `all`"),
        (b'{"do":"say","text":"\xff"}\n', "can't decode byte 0xff"),
        (b"[" * 5000 + b"\n", "Expected `object`"),
    ],
)
async def test_a_bad_request_is_told_what_is_wrong(tmp_path: Path, line: bytes, why: str) -> None:
    async with control(tmp_path / "s"):
        (answer,) = await said(tmp_path / "s", line)
        assert why in answer["error"]
        assert await said(tmp_path / "s", b'{"do":"status"}\n') == [{"done": "StatusAsked"}]


@given(st.binary(max_size=200))
def test_no_line_does_more_than_be_refused(line: bytes) -> None:
    with contextlib.suppress(RequestError):
        assert isinstance(read_request(line), Request)


async def test_a_request_that_is_too_long_ends_the_connection(tmp_path: Path) -> None:
    async with control(tmp_path / "s"):
        (answer,) = await said(tmp_path / "s", b"x" * (REQUEST_BYTES + 2))
        assert answer["error"] == "a request has at most 16384 bytes and ends with a line feed"
        assert await said(tmp_path / "s", b'{"do":"status"}\n') == [{"done": "StatusAsked"}]


async def test_callers_who_only_hold_the_line_keep_no_more_than_their_places(
    tmp_path: Path,
) -> None:
    async with control(tmp_path / "s"):
        idle = [await asyncio.open_unix_connection(tmp_path / "s") for _ in range(CALLERS_MOST)]
        (answer,) = await said(tmp_path / "s", b"\n")
        assert answer["error"] == "too many callers at once; come again"
        for _, writer in idle:
            writer.close()
            await writer.wait_closed()
        async with asyncio.timeout(WAIT_S):
            # The places are free once the server has noticed, which is soon.
            while "error" in (await said(tmp_path / "s", b'{"do":"status"}\n'))[0]:
                pass


async def test_a_fault_in_what_is_asked_is_answered_without_its_text(tmp_path: Path) -> None:
    async def fails(_: Request) -> Answer:
        raise ValueError("a secret")

    made = Control(tmp_path / "s", fails)
    await made.listen()
    (answer,) = await said(tmp_path / "s", b'{"do":"status"}\n')
    await made.close()
    assert answer == {"error": "the server failed at this; its log says how"}


async def test_the_socket_of_a_killed_server_is_replaced_and_goes_with_the_server(
    tmp_path: Path,
) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "s"))
    left.close()
    async with control(tmp_path / "s"):
        assert await said(tmp_path / "s", b'{"do":"status"}\n') == [{"done": "StatusAsked"}]
    assert not (tmp_path / "s").exists()


async def test_the_socket_of_another_server_is_left_alone(tmp_path: Path) -> None:
    async with control(tmp_path / "s"):
        with pytest.raises(SocketError, match="another server answers there"):
            await Control(tmp_path / "s", echo).listen()
        assert await said(tmp_path / "s", b'{"do":"status"}\n') == [{"done": "StatusAsked"}]


async def test_a_file_in_the_place_of_the_socket_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("mine")
    with pytest.raises(SocketError, match="a file of this name that is no socket"):
        await Control(tmp_path / "s", echo).listen()
    assert (tmp_path / "s").read_text() == "mine"


async def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(SocketError, match=r"nowhere/s: No such file or directory"):
        await Control(tmp_path / "nowhere" / "s", echo).listen()


async def test_a_name_that_is_too_long_for_a_socket_is_told(tmp_path: Path) -> None:
    path = tmp_path / ("x" * PATH_BYTES_MOST)
    with pytest.raises(SocketError, match="at most 103 bytes; name another"):
        await Control(path, echo).listen()


@pytest.mark.parametrize(
    ("control", "expected"),
    [("auto", Path("/x/games.db.ctl")), ("off", None), ("/run/s.sock", Path("/run/s.sock"))],
)
def test_the_socket_stands_beside_the_database_unless_told_otherwise(
    control: str, expected: Path | None
) -> None:
    assert control_path(control, Path("/x/games.db")) == expected


async def test_a_server_without_a_control_socket_has_none(tmp_path: Path) -> None:
    app = App(Settings(port=0, journal=tmp_path / "journal.db", bots=(), control="off"))
    await app.start()
    await app.stop()
    assert sorted(os.listdir(tmp_path)) == ["journal.db", "journal.db.lock"]


async def test_a_database_with_a_long_name_is_served_without_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("y" * PATH_BYTES_MOST)
    folder.mkdir()
    async with running_app(folder):
        assert not socket_of(folder).exists()
