"""The simulation's parts on a stock event loop: its disk, its verdict, its scenario, its bugs.

`make simulate` runs the same scenario on a simulated loop, with more that goes wrong.
"""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from builders.servers import running_app
from builders.wires import WAIT_S
from simulation.diary import Diary, Evidence, Heard, Link, Play
from simulation.disk import Disk, FullError, GoneError, Log, entries_of
from simulation.judge import verdict
from simulation.matchplan import TWO
from simulation.player import Player
from simulation.scenario import Run
from simulation.world import SERVER, PlainLoop, PlainWorld
from sunglare_client.link.connection import Connection, connect
from sunglare_protocol.messages import (
    Accepted,
    Chat,
    Create,
    Created,
    Frame,
    GiveOrders,
    Join,
    News,
    NewsKind,
    Ping,
    Pong,
    Ready,
    ResumeKind,
    Seated,
)
from sunglare_server.match.record import Record
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step

PLANTED = sorted(
    path.stem
    for path in (Path(__file__).parent / "planted").glob("*.py")
    if path.stem != "__init__"
)
NAMES = ("ann", "ben")
QUIET = 7
"""A seed whose match is ended by a resignation after some turns."""


@contextmanager
def real_sockets() -> Iterator[tuple[asyncio.Runner, PlainLoop]]:
    """Give a stock loop that knows what listens on it, and what runs it."""
    with asyncio.Runner(loop_factory=PlainLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, PlainLoop)
        yield runner, loop


def played(seed: int, *, with_faults: bool) -> Evidence:
    """Run a seed over real sockets."""
    with real_sockets() as (runner, loop):
        return runner.run(Run(PlainWorld(loop), seed).played(with_faults=with_faults))


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """Return a run in which nothing went wrong."""
    return played(QUIET, with_faults=False)


# The disk


async def written(disk: Disk, *entries: bytes) -> None:
    log = Log(disk)
    for entry in entries:
        await log.append(entry)


async def test_what_was_synced_outlives_a_loss_of_power() -> None:
    disk = Disk(Random(1))
    await written(disk, b"one", b"")
    disk.lose_power()
    assert entries_of(disk) == [b"one", b""]


@given(length=st.integers(0, 30), seed=st.integers(0, 1000))
def test_of_what_was_not_synced_no_part_of_an_entry_is_read(length: int, seed: int) -> None:
    disk = Disk(Random(seed))
    asyncio.run(written(disk, b"one"))
    whole = disk.content()
    disk.write(whole[:length])
    disk.lose_power()
    log = Log(disk)
    assert log.entries in ([b"one"], [b"one", b"one"])
    assert disk.content() == whole * len(log.entries)


async def test_a_process_that_has_ended_writes_nothing_more() -> None:
    disk = Disk(Random(1))
    log = Log(disk)
    await log.append(b"one")
    disk.end_life()
    with pytest.raises(GoneError):
        await log.append(b"two")
    assert entries_of(disk) == [b"one"]


async def test_a_disk_that_refuses_a_write_takes_the_next_one() -> None:
    disk = Disk(Random(1))
    log = Log(disk)
    disk.refuse(1)
    with pytest.raises(FullError):
        await log.append(b"one", may_refuse=True)
    await log.append(b"two", may_refuse=True)
    assert entries_of(disk) == [b"two"]


# The verdict


def test_a_run_without_faults_is_in_order(evidence: Evidence) -> None:
    assert verdict(evidence) == []
    (play,) = evidence.plays
    assert len(play.records) > 10
    assert all(diary.over is not None and diary.accepted for diary in play.diaries)


def with_play(evidence: Evidence, change: Callable[[Play], Play]) -> Evidence:
    """Return the evidence with its match changed."""
    return replace(evidence, plays=tuple(map(change, evidence.plays)))


def with_diary(evidence: Evidence, change: Callable[[Diary], Diary]) -> Evidence:
    """Return the evidence with the first diary changed."""
    return with_play(
        evidence, lambda play: replace(play, diaries=(change(play.diaries[0]), *play.diaries[1:]))
    )


def with_posts(evidence: Evidence, change: Callable[[list[Heard]], list[Heard]]) -> Evidence:
    """Return the evidence with other posts on the first connection of the first diary."""

    def told(diary: Diary) -> Diary:
        link = diary.links[0]
        return replace(diary, links=[replace(link, heard=change(list(link.heard)))])

    return with_diary(evidence, told)


def early(heard: list[Heard]) -> list[Heard]:
    return [came._replace(at_s=came.at_s - 5.0) for came in heard]


def forged(heard: list[Heard]) -> list[Heard]:
    last = heard[-1]
    return [*heard[:-1], last._replace(post=changed(last.post, match="another"))]


def unknown(heard: list[Heard]) -> list[Heard]:
    last = heard[-1]
    return [*heard, last._replace(post=changed(last.post, seq=last.post.seq + 1))]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda heard: [*heard[:2], *heard[3:]], "was due"),
        (lambda heard: [heard[0], *heard], "was due"),
        (lambda heard: [heard[1], heard[0], *heard[2:]], "was due"),
        (early, "before its release"),
        (forged, "not what the record says"),
        (unknown, "in no record"),
    ],
    ids=["a gap", "a post twice", "another order", "early", "forged", "unknown"],
)
def test_a_post_that_is_not_the_records_is_found(
    evidence: Evidence, change: Callable[[list[Heard]], list[Heard]], says: str
) -> None:
    found = verdict(with_posts(evidence, change))
    assert any(says in line for line in found), found


def test_a_lost_command_is_found(evidence: Evidence) -> None:
    def promised(diary: Diary) -> Diary:
        word = Chat(id=10_000, match=diary.match, text="a word")
        return replace(diary, accepted=[*diary.accepted, word])

    (line,) = verdict(with_diary(evidence, promised))
    assert "command 10000 was acknowledged and is lost" in line


def test_a_command_that_is_stored_as_another_is_found(evidence: Evidence) -> None:
    def changed_mind(diary: Diary) -> Diary:
        first, *rest = diary.accepted
        assert isinstance(first, GiveOrders)
        return replace(diary, accepted=[changed(first, rev=first.rev + 100), *rest])

    (line,) = verdict(with_diary(evidence, changed_mind))
    assert "is stored as another one" in line


def longer(heard: list[Heard]) -> list[Heard]:
    return [
        came._replace(post=changed(came.post, closes_ms=1))
        if isinstance(came.post, Frame)
        else came
        for came in heard
    ]


def richer(heard: list[Heard]) -> list[Heard]:
    return [
        came._replace(post=changed(came.post, bank_ms=1)) if isinstance(came.post, Frame) else came
        for came in heard
    ]


@pytest.mark.parametrize(
    ("change", "says"), [(longer, "told that it closes in 1 ms"), (richer, "told a bank of 1 ms")]
)
def test_a_clock_that_is_told_wrongly_is_found(
    evidence: Evidence, change: Callable[[list[Heard]], list[Heard]], says: str
) -> None:
    assert any(says in line for line in verdict(with_posts(evidence, change)))


def test_a_room_that_nobody_joined_and_that_stays_is_found(evidence: Evidence) -> None:
    assert verdict(replace(evidence, lonely_s=600.0)) == []
    (line,) = verdict(replace(evidence, lonely_s=700.0))
    assert "nobody joined" in line


def test_another_end_is_found(evidence: Evidence) -> None:
    def ended(diary: Diary) -> Diary:
        assert diary.over is not None
        return replace(diary, over=changed(diary.over, head="00"))

    assert any("different ends" in line for line in verdict(with_diary(evidence, ended)))


def test_a_keyframe_need_not_follow_on_what_was_seen(evidence: Evidence) -> None:
    def come_back(diary: Diary) -> Diary:
        heard = diary.links[0].heard[-1:]
        return replace(diary, links=[*diary.links, Link(1_000, ResumeKind.RESET, heard)])

    assert verdict(with_diary(evidence, come_back)) == []


def test_a_match_that_does_not_end_and_a_fault_of_the_server_are_found(evidence: Evidence) -> None:
    found = verdict(replace(evidence, stuck=("ann",), logged=("the rules failed",)))
    assert len(found) == 2


def test_a_count_below_nought_in_the_truth_is_found(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overdrawn(state: MatchState | None, record: Record) -> Stepped:
        stepped = step(state, record)
        truth = changed(stepped.state.truth, points={"A": -1, "B": 0})
        return changed(stepped, state=changed(stepped.state, truth=truth))

    monkeypatch.setattr("simulation.folding.step", overdrawn)
    assert "record 1: truth.points[A] is -1" in verdict(evidence)


def test_a_damaged_record_is_found(evidence: Evidence) -> None:
    def damaged(play: Play) -> Play:
        return replace(play, records=(*play.records[:3], *play.records[4:]))

    assert any("record 4" in line for line in verdict(with_play(evidence, damaged)))


# The world of real sockets


class Silent(asyncio.Protocol):
    """Says nothing to whoever dials."""


async def reset_after(rounds: int, world: PlainWorld, loop: PlainLoop, *, in_order: bool) -> None:
    """Kill a server so many rounds of the loop after somebody dialled, who is to be told."""

    async def listen() -> None:
        await loop.create_server(Silent, SERVER, 0)

    await world.spawn(SERVER, listen())
    listening = loop.listening[0].server
    assert isinstance(listening, asyncio.Server)
    with socket.socket() as client:
        client.connect(listening.sockets[0].getsockname())
        client.setblocking(False)
        for _ in range(rounds):
            await asyncio.sleep(0)
        if in_order:
            listening.close()
            await asyncio.sleep(0.01)
        world.kill(SERVER)
        with suppress(ConnectionResetError):
            assert await asyncio.wait_for(loop.sock_recv(client, 1), WAIT_S) == b""


@pytest.mark.parametrize("in_order", [False, True], ids=["killed", "told to end"])
@pytest.mark.parametrize("rounds", range(6))
def test_whoever_dials_a_server_that_ends_is_told_at_once(rounds: int, *, in_order: bool) -> None:
    with real_sockets() as (runner, loop):
        runner.run(reset_after(rounds, PlainWorld(loop), loop, in_order=in_order))


# The scenario


async def heard(connection: Connection, is_meant: Callable[[object], bool]) -> None:
    """Return once a post came that is meant."""
    async for post in connection.feed:
        if is_meant(post):
            return


async def broken_off(run: Run, loop: PlainLoop) -> int:
    """Break a run off once its server listens; return at which port."""
    playing = asyncio.ensure_future(run.played(with_faults=False))
    while not (loop.listening and loop.listening[0].server):  # noqa: ASYNC110 - looked at from outside
        await asyncio.sleep(0)
    listening = loop.listening[0].server
    assert isinstance(listening, asyncio.Server)
    playing.cancel()
    port = int(listening.sockets[0].getsockname()[1])
    await asyncio.wait([playing])
    return port


async def late(world: PlainWorld, folder: Path) -> Diary:
    """Let a player who resigns at once look only after a word was said; return his diary."""
    async with running_app(folder) as app:
        ann, ben = [await connect(app.url, name=name) for name in NAMES]
        match = (await ann.expect(Created, Create, scenario=TWO, options={"clock": "test"})).match
        seats = [await line.expect(Seated, Join, match=match) for line in (ann, ben)]
        for line in (ann, ben):
            await line.expect(Accepted, Ready, match=match)
        await heard(ben, lambda post: isinstance(post, Frame))
        await ben.expect(Accepted, Chat, match=match, text="a word")
        await heard(ben, lambda post: isinstance(post, News) and post.kind is NewsKind.CHAT)
        # What comes after them over the same line says that they have come.
        await ann.expect(Pong, Ping)
        diary = Diary(NAMES[0], match, seats[0].side, ann.welcome.token, seats[0].ticket)
        await Player(world, diary, Random(1), resigns=1).go_on(ann)
        await ben.close()
    return diary


def test_a_player_answers_a_window_also_when_news_have_come_after_its_frame(
    tmp_path: Path,
) -> None:
    with real_sockets() as (runner, loop):
        diary = runner.run(asyncio.wait_for(late(PlainWorld(loop), tmp_path), WAIT_S))
    posts = [type(came.post) for came in diary.links[0].heard]
    assert posts[:2] == [Frame, News]
    assert diary.over is not None


def test_a_run_that_is_broken_off_leaves_nothing_that_listens() -> None:
    with real_sockets() as (runner, loop):
        port = runner.run(broken_off(Run(PlainWorld(loop), QUIET), loop))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((SERVER, port))


def test_over_real_sockets_a_match_outlives_the_lives_of_its_server() -> None:
    evidence = played(10, with_faults=True)
    assert verdict(evidence) == []
    assert len(evidence.lives) > 1


@pytest.mark.parametrize("name", PLANTED)
def test_every_bug_can_be_planted_and_taken_out_again(name: str) -> None:
    plant = import_module(f"simulation.planted.{name}").plant
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)


def test_over_real_sockets_a_planted_bug_is_found() -> None:
    plant = import_module("simulation.planted.no_deduplication").plant
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        assert verdict(played(QUIET, with_faults=False))
