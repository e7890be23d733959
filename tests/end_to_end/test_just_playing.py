"""`sunglare play` without another word: against a bot, wherever there is a server for that."""

import asyncio
import socket
from pathlib import Path

import pytest

from builders.servers import server_process
from builders.terminals import Paper
from sunglare_client.commands import playing
from sunglare_client.commands.arguments import command_line
from sunglare_client.commands.playing import LOCAL_BOT, choose_opponent
from sunglare_client.link.connecting import is_listening
from sunglare_client.terminal.screen import Screen


async def chosen(*words: str) -> tuple[bool, list[str] | None, str]:
    """Return whether a private server is started, which bots are seated, and what was said."""
    options, paper = command_line().parse_args(["play", *words]), Paper()
    await choose_opponent(options, Screen(paper))
    return options.local, options.bot, paper.getvalue()


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say nothing and end the call."""
    await reader.read()
    writer.close()


async def test_an_address_is_called_where_somebody_listens_and_only_there() -> None:
    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        assert await is_listening(f"ws://127.0.0.1:{port}/play")
    assert not await is_listening(f"ws://127.0.0.1:{port}/play")


async def test_where_no_server_listens_a_private_one_is_played_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setattr(playing, "URL", f"ws://127.0.0.1:{port}/play")
    is_local, bots, said = await chosen()
    assert (is_local, bots) == (True, None)
    assert "There is no server here" in said


async def test_where_one_listens_its_bot_is_the_opponent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with server_process(tmp_path) as server:
        monkeypatch.setattr(playing, "URL", server.url)
        is_local, bots, said = await chosen()
    assert (is_local, bots) == (False, [LOCAL_BOT])
    assert server.url in said


@pytest.mark.parametrize(
    "words",
    [
        ("--match", "abc"),
        ("--code", "abc"),
        ("--new", "shadow-of-ceres"),
        ("--bot", "hunter"),
        ("--local",),
    ],
    ids=lambda words: words[0],
)
async def test_whoever_says_what_to_play_is_taken_at_their_word(words: tuple[str, ...]) -> None:
    before = command_line().parse_args(["play", *words])
    is_local, bots, said = await chosen(*words)
    assert (is_local, bots, said) == (before.local, before.bot, "")
