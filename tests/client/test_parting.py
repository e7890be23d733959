"""What the terminal says and leaves behind at parting, and how it comes back after a cut."""

import asyncio
import os
import signal
from pathlib import Path

from builders.commandlines import PATIENCE_S, client_process, sunglare
from builders.terminals import CARD, MATCH, A, frame, over, view
from client.test_cli_server import answers, scripted_server, serving
from sunglare_client.__main__ import LOST
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    Bye,
    ClientMessage,
    GiveOrders,
    Info,
    News,
    NewsKind,
    Ready,
    Refused,
    Resume,
    Resumed,
    ResumeKind,
    ServerMessage,
    Watch,
    Watching,
)
from sunglare_protocol.refusals import Code

CUT = "* the line is cut; trying to come back ..."
BACK = "* the line stands again"


async def test_a_local_match_needs_no_server_leaves_its_record_and_says_how_it_is_checked(
    tmp_path: Path,
) -> None:
    async with scripted_server(tmp_path) as path:
        done = await sunglare("play", "--local", home=tmp_path, path=path)
    assert done.code == 0, done.err
    assert "S1 Kite" in done.out
    assert "THE END" in done.out
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".token")]
    file = tmp_path / "records" / f"{MATCH}.sgr"
    assert file.read_bytes() == b"abcde"
    last = done.out.splitlines()[-1]
    assert str(file) in last
    assert last.endswith(f"sunglare verify {file}")


async def test_the_log_of_a_local_match_is_checked_with_its_record(tmp_path: Path) -> None:
    async with scripted_server(tmp_path) as path:
        done = await sunglare("play", "--local", "--keep-log", "my.log", home=tmp_path, path=path)
    assert done.out.splitlines()[-1].endswith(f"{MATCH}.sgr --mine my.log")


async def test_a_match_elsewhere_leaves_no_record_here(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        await sunglare("play", "--url", url, home=tmp_path, typed="ready\n")
    assert not (tmp_path / "records").exists()


async def test_who_is_banned_between_two_requests_is_told_why_and_no_way_back(
    tmp_path: Path,
) -> None:
    def bans(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, Ready):
            return answers(message)
        code = Code.OPERATOR_BANNED
        text = "You are not let in. The reason: spam"
        return (Refused(id=message.id, code=code, text=text), Bye(code=code, text=text))

    async with serving(bans) as (url, _):
        done = await sunglare("play", "--url", url, home=tmp_path)
    assert done.code == LOST
    assert "The reason: spam" in done.err
    assert "come back with" not in done.out
    assert done.out.splitlines()[-1] == "The match goes on by its clock, without you."


async def test_who_quits_is_told_how_to_come_back(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        done = await sunglare("play", "--url", url, home=tmp_path, typed="quit yes\n")
    assert done.code == 0
    way = f"come back with: sunglare play --url {url} --match {MATCH}"
    assert done.out.splitlines()[-1].endswith(way)
    assert done.out.count("come back with") == 1


async def test_who_leaves_a_local_match_is_told_that_it_is_over(tmp_path: Path) -> None:
    async with scripted_server(tmp_path) as path:
        done = await sunglare("play", "--local", home=tmp_path, path=path, typed="quit yes\n")
    assert "nothing to come back to" in done.out.splitlines()[-1]
    assert not (tmp_path / "records").exists()


async def test_who_plays_to_the_end_is_told_no_way_back(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        done = await sunglare("play", "--url", url, home=tmp_path, typed="ready\n")
    assert "THE END" in done.out
    assert "come back" not in done.out


async def test_who_interrupts_is_told_how_to_come_back(tmp_path: Path) -> None:
    async with serving(answers) as (url, _):
        process = await client_process("play", "--url", url, home=tmp_path)
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            await process.stdout.readuntil(b"your orders, please")
            process.send_signal(signal.SIGINT)
            out, err = await process.communicate()
    assert process.returncode == 130
    way = f"come back with: sunglare play --url {url} --match {MATCH}"
    assert out.decode().splitlines()[-1].endswith(way)
    assert err == b"sunglare: interrupted\n"


async def test_a_cut_line_is_said_at_once_and_so_is_the_next_one(tmp_path: Path) -> None:
    def returning(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, Resume):
            return answers(message)
        assert message.have == 1
        taken = Resumed(
            id=message.id,
            match=MATCH,
            side=A,
            ticket="next",
            kind=ResumeKind.EXACT,
            since_ms=0,
            last_id=9,
            card=CARD,
        )
        return (taken, over(2))

    def cuts(heard: list[ClientMessage]) -> bool:
        return isinstance(heard[-1], GiveOrders)

    async with serving(returning, cuts) as (url, _):
        done = await sunglare("play", "--url", url, home=tmp_path, typed="turn S1 +1\n")
    assert done.code == 0, done.err
    assert done.out.count(CUT) == done.out.count(BACK) == 1
    assert done.out.index(CUT) < done.out.index(BACK) < done.out.index("THE END")


def watched(message: ClientMessage) -> tuple[ServerMessage, ...]:
    """Answer who watches: with two posts at first, with the rest to whoever has them."""
    if not isinstance(message, Watch):
        return answers(message)
    told = Watching(id=message.id, match=MATCH, feed=message.feed, card=CARD)
    news = News(match=MatchId(MATCH), seq=2, kind=NewsKind.CHAT, text="hello")
    first = (frame(1, view()), news)
    rest = (news, frame(3, view(turn=5)), over(4))
    return (told, *(first if message.have is None else rest))


async def test_a_watcher_comes_back_after_a_cut_and_sees_everything_once(tmp_path: Path) -> None:
    def cuts(heard: list[ClientMessage]) -> bool:
        # The names of the seats are asked for after the feed, and only once.
        return isinstance(heard[-1], Info)

    async with serving(watched, cuts) as (url, heard):
        done = await sunglare("watch", MATCH, "--url", url, home=tmp_path)
    assert done.code == 0, done.err
    assert [message.have for message in heard if isinstance(message, Watch)] == [None, 2]
    for words in (CUT, BACK, "hello", "-- turn 4 of 20", "-- turn 5 of 20", "THE END"):
        assert done.out.count(words) == 1, words
    assert done.out.index(CUT) < done.out.index(BACK) < done.out.index("-- turn 5")
