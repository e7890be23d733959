"""A rematch at a terminal: asked for after the end, waited for, and played by the same person."""

import asyncio
import contextlib
import os
import pty
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.commandlines import PATIENCE_S, SOURCES, sunglare
from builders.players import SCENARIO
from builders.servers import running_app
from builders.terminals import typed
from builders.wires import WAIT_S, met
from sunglare_client.link.connection import connect
from sunglare_client.link.patience import Patience
from sunglare_client.link.seat import Seat
from sunglare_client.terminal.rematching import ASKED, WAITING, rematch_of
from sunglare_client.terminal.screen import CTRL_D
from sunglare_client.terminal.shared_lines import SharedLines
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Create, Created, Frame, Info, MatchInfo


async def slowly(*lines: str) -> AsyncIterator[str]:
    """Yield the lines, and nothing more for as long as anybody waits."""
    for line in lines:
        yield line
    await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def parted(
    tmp_path: Path, patience: Patience | None = None
) -> AsyncIterator[tuple[Seat, Seat]]:
    """Yield the two seats of a match that is over."""
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        host = await stack.enter_async_context(met(app.url))
        made = await host.expect(Created, Create, scenario=SCENARIO, options={"clock": "test"})
        seats = [
            await Seat.join(await connect(app.url), match=made.match, patience=patience)
            for _ in "ab"
        ]
        for seat in seats:
            stack.push_async_callback(seat.close)
        async with asyncio.timeout(WAIT_S):
            for seat in seats:
                await seat.ready()
            assert (await anext(frames_of(seats[0]))).seq == 1
            await seats[0].resign()
            for seat in seats:
                assert [post async for post in seat]
        yield seats[0], seats[1]


async def frames_of(seat: Seat) -> AsyncIterator[Frame]:
    """Yield the frames of a seat."""
    async for post in seat:
        if isinstance(post, Frame):
            yield post


async def test_both_who_ask_sit_in_the_same_match_with_the_sides_changed(tmp_path: Path) -> None:
    said: list[str] = []
    async with parted(tmp_path) as (first, second), asyncio.timeout(WAIT_S):
        found = await asyncio.gather(
            rematch_of(first, slowly("what?", "rematch"), said.extend),
            rematch_of(second, slowly("re"), lambda _: None),
        )
        assert [seat is not None and seat.side for seat in found] == ["B", "A"]
        assert len({seat.match for seat in found if seat is not None} - {first.match}) == 1
        for seat in found:
            assert seat is not None
            await seat.close()
    assert said == [ASKED, ASKED, WAITING]


@pytest.mark.parametrize("answer", [("quit",), ("no",), ("n",), (CTRL_D,), ()])
async def test_whoever_wants_none_leaves_at_once(tmp_path: Path, answer: tuple[str, ...]) -> None:
    async with parted(tmp_path) as (first, _), asyncio.timeout(WAIT_S):
        assert await rematch_of(first, typed(*answer), lambda _: None) is None


async def test_whoever_waits_for_the_others_may_leave(tmp_path: Path) -> None:
    said: list[str] = []
    async with parted(tmp_path) as (first, _), asyncio.timeout(WAIT_S):
        assert await rematch_of(first, slowly("rematch", "hm", "quit"), said.extend) is None
    assert said == [ASKED, WAITING, WAITING]


async def test_before_and_while_one_waits_the_match_may_be_read_on(tmp_path: Path) -> None:
    said: list[str] = []

    def read(line: str) -> bool:
        said.append(line)
        return line == "goals"

    typed_on = slowly("goals", "hm", "rematch", "goals", "hm", "quit")
    async with parted(tmp_path) as (first, _), asyncio.timeout(WAIT_S):
        assert await rematch_of(first, typed_on, said.extend, read) is None
    assert said == [ASKED, "goals", "hm", ASKED, WAITING, "goals", "hm", WAITING]


async def test_chat_after_the_end_is_heard_once_also_where_the_line_is_cut(tmp_path: Path) -> None:
    heard: list[str] = []
    async with parted(tmp_path) as (first, second), asyncio.timeout(WAIT_S):
        await second.chat("gg")
        first.following.tell_chat(lambda news: heard.append(news.text))
        await first.rematch()
        await first.connection.close()
        await first.chat("gg")
        await second.chat("how did you see me?")
        while len(heard) < 3:  # noqa: ASYNC110 - what comes by itself
            await asyncio.sleep(0.01)
    assert heard == ["gg", "gg", "how did you see me?"]


async def asked(first: Seat, second: Seat) -> None:
    """Wait until the second seat has heard that the first one wishes a rematch."""
    heard = asyncio.Event()
    second.following.tell(lambda news: heard.set() if news.side == first.side else None)
    await heard.wait()


async def test_whoever_waits_comes_back_when_the_line_is_cut(tmp_path: Path) -> None:
    async with parted(tmp_path) as (first, second), asyncio.timeout(WAIT_S):
        waiting = asyncio.create_task(rematch_of(first, slowly("rematch"), lambda _: None))
        await asked(first, second)
        await first.connection.close()
        found = await rematch_of(second, slowly("rematch"), lambda _: None), await waiting
        assert [seat is not None and seat.side for seat in found] == ["A", "B"]
        assert len({seat.match for seat in found if seat is not None}) == 1
        for seat in found:
            assert seat is not None
            await seat.close()


async def test_whose_line_was_cut_since_the_end_comes_back_to_ask(tmp_path: Path) -> None:
    async with parted(tmp_path) as (first, second), asyncio.timeout(WAIT_S):
        await first.connection.close()
        found = await asyncio.gather(
            *(rematch_of(seat, slowly("rematch"), lambda _: None) for seat in (first, second))
        )
        assert [seat is not None and seat.side for seat in found] == ["B", "A"]
        for seat in found:
            assert seat is not None
            await seat.close()


async def test_a_line_that_stays_cut_ends_the_wait_with_a_sentence(tmp_path: Path) -> None:
    said: list[str] = []
    async with parted(tmp_path, Patience(give_up_after_s=0)) as (first, second):
        async with asyncio.timeout(WAIT_S):
            waiting = asyncio.create_task(rematch_of(first, slowly("rematch"), said.extend))
            await asked(first, second)
            await first.connection.close()
            assert await waiting is None
    assert "lost" in said[-1]


async def test_who_waits_is_shown_what_the_others_wish_and_takes_the_wish_back_by_leaving(
    tmp_path: Path,
) -> None:
    said: list[str] = []
    async with parted(tmp_path) as (first, second), asyncio.timeout(WAIT_S):
        await second.rematch()
        await second.rematch(on=False)
        assert await rematch_of(first, slowly("rematch", "quit"), said.extend) is None
        info = await second.connection.expect(MatchInfo, Info, match=first.match)
        assert (info.rematch, info.next) == ((), None)
    assert said[:2] == [ASKED, WAITING]
    assert said[2:] == ["* B wants a rematch", "* B wants no rematch any more"]


async def test_lines_that_nobody_waited_for_any_more_are_there_for_the_next_reader() -> None:
    async def lines() -> AsyncIterator[str]:
        await gate.wait()
        yield "one"
        yield "two"

    gate = asyncio.Event()
    kept = SharedLines(lines())
    first = asyncio.ensure_future(anext(kept))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    gate.set()
    async with asyncio.timeout(WAIT_S):
        assert [line async for line in kept] == ["one", "two"]
        assert await anext(kept, "over") == "over"


class Typist:
    """A person at a terminal: the client with its keyboard, and what it shows."""

    def __init__(self, process: asyncio.subprocess.Process, keyboard: int) -> None:
        """Keep both."""
        self._process = process
        self._keyboard = keyboard
        self.shown = ""

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        os.write(self._keyboard, f"{line}\n".encode())

    async def reads(self, text: str) -> str:
        """Wait until the text is shown anew, and return the line in which it is."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while line := (await self._process.stdout.readline()).decode():
                self.shown += line
                if text in line:
                    return line.strip()
        raise AssertionError(f"{text!r} was not shown:\n{self.shown}")

    async def ends(self) -> int:
        """Wait for the end and return the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            self.shown += (await self._process.communicate())[0].decode()
        assert self._process.returncode is not None
        return self._process.returncode


@contextlib.asynccontextmanager
async def person(home: Path, *words: str) -> AsyncIterator[Typist]:
    """Yield a person whose client has a keyboard; the process is ended with the block."""
    keyboard, keys = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sunglare_client", *words),
        env={**os.environ, "PYTHONPATH": SOURCES, "SUNGLARE_HOME": str(home)},
        stdin=keys,
        stdout=asyncio.subprocess.PIPE,
    )
    os.close(keys)
    try:
        yield Typist(process, keyboard)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(keyboard)


async def test_a_person_plays_a_rematch_in_the_same_terminal(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        words = ("play", "--new", SCENARIO, "--clock", "test", "--plain", "--side", "A")
        async with person(tmp_path, *words, "--url", app.url) as anna:
            match = MatchId((await anna.reads("match ")).removeprefix("match "))
            await anna.reads("you are side A")
            async with await Seat.join(await connect(app.url), match=match) as boris:
                await boris.ready()
                await anna.reads("your orders, please")
                anna.type("rematch")
                assert "when the match is over" in await anna.reads("E-VERB")
                anna.type("resign yes")
                await anna.reads(ASKED)
                assert [post async for post in boris]
                anna.type("rematch")
                await anna.reads(WAITING)
                again = await boris.take_up_rematch()
                await anna.reads("you are side B")
                await again.ready()
                await anna.reads("your orders, please")
                await again.resign()
                await anna.reads(ASKED)
                anna.type("quit")
                assert await anna.ends() == 0
                await again.close()


async def test_a_script_leaves_at_the_end_without_being_asked(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as host:
        made = await host.expect(Created, Create, scenario=SCENARIO, options={"clock": "test"})
        async with await Seat.join(await connect(app.url), match=made.match) as boris:
            await boris.ready()
            words = ("play", "--match", made.match, "--url", app.url)
            done = await sunglare(*words, home=tmp_path, typed="resign yes\nrematch\n")
    assert done.code == 0, done.err
    assert "THE END" in done.out
    assert ASKED not in done.out
