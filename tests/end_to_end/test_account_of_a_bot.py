"""A bot that is run under a name keeps its account, and gets its seats back after a crash."""

import asyncio
import contextlib
import os
import stat
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import final

import pytest

from builders.commandlines import client_process, sunglare
from builders.players import OPTIONS, SCENARIO, Player, created, seated
from builders.servers import running_app, server_process
from builders.wires import WAIT_S, met
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots import RandomLegal
from sunglare_client.commands.bot_program import BotRun, instances, run_bot
from sunglare_client.errors import BotError, RefusedError
from sunglare_client.link import identity
from sunglare_client.link.botaccount import InUseError, bot_account
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import (
    Create,
    Created,
    Listing,
    ListMatches,
    Matches,
    MatchLine,
    News,
    Over,
    Ready,
    Resign,
    Resume,
    Resumed,
    RoomState,
)
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_server.app import App

NAME = "night-watch"


@final
class Thoughtful(Bot):
    """Never answers the window it is asked, so that its match goes on until it is cut short."""

    def __init__(self, seed: int = 0) -> None:
        """Note whether it has been asked."""
        super().__init__(seed)
        self.asked = asyncio.Event()

    async def on_window(self, view: View, advice: Advice) -> Iterable[Order]:  # noqa: ARG002
        """Say that it was asked, and think for ever."""
        self.asked.set()
        await asyncio.Event().wait()
        return ()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the tokens of this process in a folder of their own, and let nobody tell it any."""
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SUNGLARE_TOKEN", raising=False)
    return tmp_path / "home"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """Run a server."""
    async with running_app(tmp_path) as app:
        yield app


async def lines_of_bot(app: App) -> tuple[MatchLine, ...]:
    """Return the matches of the account under `NAME`, as the server lists them."""
    async with met(app.url, token=identity.load(app.url, NAME)) as talker:
        return (await talker.expect(Matches, ListMatches, which=Listing.MINE)).mine


@contextlib.asynccontextmanager
async def rivals(app: App, count: int, **fields: object) -> AsyncIterator[list[Player]]:
    """Open so many matches, and in each take a seat that is ready; each has a line of its own."""
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for _ in range(count):
            talker = await stack.enter_async_context(met(app.url))
            players.append(await seated(talker, await created(talker, **fields)))
            await players[-1].accepted(Ready)
        yield players


def wish(app: App, **fields: object) -> BotRun:
    """Return a run under `NAME`, unless the fields say otherwise."""
    return BotRun(**{"url": app.url, "name": NAME, **fields})  # type: ignore[arg-type]


async def leave_amid(run: BotRun) -> None:
    """Have a bot take a seat, and be cut short when it is first asked for orders."""
    bot = Thoughtful()
    playing = asyncio.create_task(run_bot(instances(bot, 0), run))
    await asyncio.wait_for(bot.asked.wait(), WAIT_S)
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing


async def finished(app: App, run: BotRun, *players: Player) -> tuple[Over, ...]:
    """Have a bot play what `run` says against players who resign once it is there."""
    playing = asyncio.create_task(run_bot(instances(RandomLegal, 1), run))
    for player in players:
        await player.frame()
        async with asyncio.timeout(WAIT_S):
            while not is_held_beside(app, player):  # noqa: ASYNC110 - nobody is told
                await asyncio.sleep(0.01)
        await player.resign()
    return await asyncio.wait_for(playing, WAIT_S)


def is_held_beside(app: App, player: Player) -> bool:
    """Return whether a line holds the seat of the other side."""
    other = Side("B" if player.side == "A" else "A")
    return app.lobby.matches.subscriptions.is_held(player.match, other)


async def test_a_bot_plays_one_match_after_the_other_under_its_name(app: App) -> None:
    async with rivals(app, 2) as players:
        for player in players:
            await finished(app, wish(app, match=player.match), player)
    lines = await lines_of_bot(app)
    assert {line.match for line in lines} == {player.match for player in players}
    assert {line.state for line in lines} == {RoomState.OVER}


async def test_its_token_is_kept_for_it_alone_and_apart_from_the_persons(app: App) -> None:
    async with rivals(app, 1) as [player]:
        await finished(app, wish(app, match=player.match), player)
    assert stat.S_IMODE(identity.path(app.url, NAME).stat().st_mode) == identity.PRIVATE
    assert identity.load(app.url) is None


async def test_without_a_match_a_new_instance_plays_on_in_every_seat_that_was_left(
    app: App,
) -> None:
    async with rivals(app, 2) as players:
        for player in players:
            await leave_amid(wish(app, match=player.match))
        assert [line.awaits_bot for line in await lines_of_bot(app)] == [True, True]
        ends = await finished(app, wish(app), *players)
    assert [end.result.winner is not None for end in ends] == [True, True]
    assert not any(line.awaits_bot for line in await lines_of_bot(app))


async def test_with_a_match_only_that_seat_is_taken_again(app: App) -> None:
    async with rivals(app, 2) as players:
        for player in players:
            await leave_amid(wish(app, match=player.match))
        await finished(app, wish(app, match=players[0].match), players[0])
        assert [line.match for line in await lines_of_bot(app) if line.awaits_bot] == [
            players[1].match
        ]


async def test_a_seat_whose_line_stands_is_left_to_it(app: App) -> None:
    async with rivals(app, 2) as players:
        for player in players:
            await leave_amid(wish(app, match=player.match))
        async with met(app.url, token=identity.load(app.url, NAME), bot=True) as talker:
            held = await talker.expect(Resumed, Resume, match=players[0].match)
            ends = await finished(app, wish(app), players[1])
            assert [end.match for end in ends] == [players[1].match]
            await talker.accepted(Resign, match=held.match)


async def test_the_seat_of_a_person_is_taken_only_if_its_match_is_named(app: App) -> None:
    async with rivals(app, 1) as [player]:
        async with met(app.url, NAME) as person:
            identity.save(app.url, person.token, NAME)
            await (await seated(person, player.match)).accepted(Ready)
            await player.frame()
        with pytest.raises(BotError, match=f"no seat on {app.url} waits for a bot called {NAME}"):
            await run_bot(instances(RandomLegal, 1), wish(app))
        assert len(await finished(app, wish(app, match=player.match), player)) == 1


async def test_a_bot_that_died_before_the_start_comes_back_by_the_code_with_other_entropy(
    app: App,
) -> None:
    async with met(app.url) as talker:
        room = await talker.expect(
            Created, Create, scenario=SCENARIO, options=OPTIONS, private=True
        )
        player = await seated(talker, room.match)
        run = wish(app, code=room.code)
        waiting = asyncio.create_task(run_bot(instances(RandomLegal, 1), run))
        await talker.wait_for(lambda said: isinstance(said, News) and said.text == "ready")
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting
        again = asyncio.create_task(finished(app, run, player))
        await talker.wait_for(
            lambda said: isinstance(said, News) and said.text == "ready", len(talker.messages)
        )
        await player.accepted(Ready)
        [end] = await again
        assert end.match == room.match


async def test_a_second_process_is_told_who_has_the_name_and_throws_nobody_out(
    app: App,
) -> None:
    sentence = rf"process {os.getpid()} plays as {NAME} on {app.url} already; end it first"
    async with rivals(app, 1) as [player]:
        first = run_bot(instances(RandomLegal, 1), wish(app, match=player.match))
        playing = asyncio.create_task(first)
        # It plays until the other side resigns.
        await player.frame()
        with pytest.raises(InUseError, match=sentence):
            await run_bot(instances(RandomLegal, 1), wish(app))
        await player.resign()
        assert len(await asyncio.wait_for(playing, WAIT_S)) == 1


async def test_where_nothing_can_be_written_that_is_reported_and_a_guest_plays(
    app: App, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home.write_text("a file, and no folder")  # noqa: ASYNC240 - nothing else runs yet
    for _ in range(2):
        async with rivals(app, 1) as [player]:
            await finished(app, wish(app, match=player.match), player)
    assert "cannot be written" in caplog.text
    assert "a guest plays" in caplog.text


async def test_a_token_that_can_be_read_plays_where_nothing_can_be_written(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    async with rivals(app, 1) as [player]:
        await finished(app, wish(app, match=player.match), player)
    lock = identity.lock_path(app.url, NAME)
    lock.unlink()
    lock.mkdir()
    async with rivals(app, 1) as [player]:
        await finished(app, wish(app, match=player.match), player)
    assert f"{NAME} plays" in caplog.text
    assert len(await lines_of_bot(app)) == 2


async def test_a_token_of_the_environment_comes_first_and_nothing_is_kept(
    app: App, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with met(app.url, NAME) as talker:
        monkeypatch.setenv("SUNGLARE_TOKEN", talker.token)
    for name in (NAME, None):
        async with rivals(app, 1) as [player]:
            await finished(app, wish(app, match=player.match, name=name), player)
    assert not home.exists()  # noqa: ASYNC240 - nothing else runs any more


async def test_a_bot_that_is_killed_amid_a_match_plays_it_to_its_end(tmp_path: Path) -> None:
    words = ("bot", "run", "random", "--name", NAME, "--url")
    with server_process(tmp_path) as server:
        async with met(server.url) as talker:
            player = await seated(talker, await created(talker))
            dying = await client_process(
                *words, server.url, "--match", player.match, home=tmp_path
            )
            await player.accepted(Ready)
            await player.frame()
            second = await sunglare(*words, server.url, home=tmp_path)
            assert (second.code, second.out) == (1, "")
            assert f"process {dying.pid} plays as {NAME}" in second.err
            dying.kill()
            await dying.wait()
            again = asyncio.create_task(sunglare(*words, server.url, home=tmp_path))
            for _ in range(3):  # no window closes without orders of both
                window = player.newest.window
                if player.is_asked:
                    await player.ordered()
                await player.frame(beside=window)
            await player.resign()
            done = await again
            assert (done.code, done.err) == (0, "")
            assert "wins" in done.out


def test_the_lock_of_an_account_ends_with_its_use() -> None:
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            stack.enter_context(bot_account("ws://127.0.0.1:1", NAME, None))
            with pytest.raises(InUseError):
                stack.enter_context(bot_account("ws://127.0.0.1:1", NAME, None))
    with bot_account("ws://127.0.0.1:1", NAME, None), bot_account("ws://127.0.0.1:1", "b", None):
        pass


async def test_a_name_that_somebody_else_has_is_refused(app: App) -> None:
    async with met(app.url, NAME), rivals(app, 1) as [player]:
        with pytest.raises(RefusedError) as refused:
            await run_bot(instances(RandomLegal, 1), wish(app, match=player.match))
    assert refused.value.code is Code.NAME_TAKEN
