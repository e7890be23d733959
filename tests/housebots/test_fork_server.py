"""House bots in forked processes: what each is given, what it costs, and how it ends."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.commandlines import SOURCES
from builders.forkserver import FORKABLE
from builders.players import created
from builders.processes import cpu_s_of
from builders.servers import ServerProcess, running_app, server_process
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import AddBot, RoomState
from sunglare_server.app import App
from sunglare_server.housebots import fork_server
from sunglare_server.housebots.fork_server import PROGRAM, BotForkServer, ForkedBot

ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": SOURCES}

SPY = (
    FORKABLE
    + """
import json, os, random, sys

from sunglare_client import bots as shipped, fork_server
from sunglare_client.bots import BOTS, RandomLegal


class Spy(RandomLegal):
    name = "spy"

    def on_start(self, match):
        found = {
            "side": match.side,
            "own": {k: v for k, v in os.environ.items() if k.startswith("SUNGLARE_")},
            "marker": getattr(shipped, "MARKER", None),
            "random": random.random(),
            "files": [os.readlink(f"/proc/self/fd/{n}") for n in (0, 1)],
            "inherited": [n for n in os.listdir("/proc/self/fd") if int(n) == PARENTS_OWN],
        }
        shipped.MARKER = match.side
        print(json.dumps(found), file=sys.stderr)

    def gives_up(self, view):
        return True


BOTS["spy"] = Spy
PARENTS_OWN = os.open(os.devnull, os.O_RDONLY)
os.dup2(PARENTS_OWN, PARENTS_OWN := 200)
sys.exit(fork_server.main())
"""
)
"""A fork server with one more bot, which tells what it finds in its process, and resigns."""


@asynccontextmanager
async def forking(program: tuple[str, ...] = PROGRAM) -> AsyncIterator[BotForkServer]:
    """Give a fork server of this program, and end it."""
    server = BotForkServer(program, ENVIRONMENT)
    try:
        yield server
    finally:
        async with asyncio.timeout(20):
            await server.close()


def spying(folder: Path) -> tuple[str, ...]:
    """Return the program of a fork server that has the spy among its bots."""
    program = folder / "spying.py"
    program.write_text(SPY, encoding="utf-8")
    return (sys.executable, str(program))


async def ended(bot: ForkedBot) -> tuple[int | None, str]:
    """Return the exit code of a bot, and what it wrote to standard error."""
    async with asyncio.timeout(60):
        _, said = await bot.communicate()
    return bot.returncode, said.decode()


async def until(is_so: Callable[[], bool] | Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so in another process."""
    async with asyncio.timeout(60):
        while True:
            answer = is_so()
            if answer if isinstance(answer, bool) else await answer:
                return
            await asyncio.sleep(0.02)


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that have not ended."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(word) for word in text.split()]


def descendants(pid: int) -> list[int]:
    """Return those and all that they have started."""
    found = children(pid)
    return found + [each for child in found for each in descendants(child)]


def is_alive(pid: int) -> bool:
    """Return whether a process runs, and does not only wait to be waited for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except FileNotFoundError:
        return False
    return state.split()[0] not in "ZX"


def copied_kib(pid: int) -> int:
    """Return how many KiB of memory a process shares with no other one."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    fields = dict(line.split()[:2] for line in lines[1:])
    return int(fields["Private_Dirty:"])


def told_outside(pid: int, what: str) -> bytes:
    """Return what any process of the same user can read of one."""
    return Path(f"/proc/{pid}/{what}").read_bytes()


def has_in_memory(pid: int, text: str) -> bool:
    """Return whether a process has a text anywhere in the memory that it can write to."""
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="ascii", errors="replace")
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in maps.splitlines():
            place, rights = line.split()[:2]
            start, end = (int(word, 16) for word in place.split("-"))
            if "rw" in rights:
                memory.seek(start)
                if text.encode() in (memory.read(end - start) or b""):
                    return True
    return False


async def waiting_bots(host: Talker, *names: str) -> list[MatchId]:
    """Seat each of these house bots in a match of its own, where it waits for the other side."""
    matches = []
    for name in names:
        match = await created(host)
        await host.accepted(AddBot, match=match, name=name)
        matches.append(match)
    for match in matches:
        await until_ready(host, match)
    return matches


async def until_ready(host: Talker, match: MatchId) -> None:
    """Wait until one seat of a match is taken by a player who is ready."""

    async def is_ready() -> bool:
        return any(seat.ready for seat in (await host.info(match)).line.seats)

    await until(is_ready)


async def until_over(host: Talker, match: MatchId) -> None:
    """Wait until a match is over."""

    async def is_over() -> bool:
        return (await host.info(match)).line.state is RoomState.OVER

    await until(is_over)


def pid_of(app: App) -> int:
    """Return the process of a server's fork server."""
    pid = app.bots.fork_server_pid
    assert pid is not None
    return pid


def from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the tests' own fork server start what comes now from nothing."""
    monkeypatch.setenv("PYTHONFORKSERVER", "of the product alone")


async def test_two_bots_play_a_match_to_its_end_and_share_nothing(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as host, forking(spying(tmp_path)) as fs:
        found = []
        for _ in range(2):
            match = await created(host)
            bots = [
                await fs.start(
                    ("spy", "--url", app.url, "--match", match, "--side", side),
                    {"SUNGLARE_ENTROPY": side.lower() * 64},
                )
                for side in "AB"
            ]
            for code, said in [await ended(bot) for bot in bots]:
                assert code == 0, said
                found.append(json.loads(said))
            await until_over(host, match)
    assert [each["side"] for each in found] == ["A", "B", "A", "B"]
    assert [each["own"] for each in found] == [
        {"SUNGLARE_ENTROPY": letter * 64} for letter in ("a", "b", "a", "b")
    ]
    assert [each["marker"] for each in found] == [None] * 4
    assert len({each["random"] for each in found}) == 4
    assert [each["files"] for each in found] == [["/dev/null", "/dev/null"]] * 4
    assert [each["inherited"] for each in found] == [[]] * 4


async def test_exit_code_and_standard_error_are_those_of_the_command() -> None:
    async with forking() as server:
        code, said = await ended(await server.start(("nobody",), {}))
    assert code == 2
    assert "argument name: invalid choice: 'nobody'" in said


async def test_no_fork_server_runs_before_the_first_bot_is_asked_for(tmp_path: Path) -> None:
    async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as host:
        assert app.bots.fork_server_pid is None
        await waiting_bots(host, "random")
        assert is_alive(pid_of(app))


async def test_at_a_fork_the_fork_server_has_one_thread_and_no_socket_but_its_line(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as host:
        await waiting_bots(host, "random", "random")
        server = pid_of(app)
        assert len(os.listdir(f"/proc/{server}/task")) == 1
        files = [os.readlink(f"/proc/{server}/fd/{n}") for n in os.listdir(f"/proc/{server}/fd")]
        assert sum(file.startswith("socket:") for file in files) == 1
        assert not [file for file in files if "eventpoll" in file]
        assert len(children(server)) == 2


async def test_no_setting_and_no_credential_can_be_read_from_outside_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_nothing(monkeypatch)
    monkeypatch.setenv("SUNGLARE_SEED", "the dice of every match")
    async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as host:
        await waiting_bots(host, "random")
        for process in (pid_of(app), *children(pid_of(app))):
            environment = told_outside(process, "environ")
            assert b"PATH=" in environment
            assert b"SUNGLARE_" not in environment
            assert b"--match" not in told_outside(process, "cmdline")


async def test_a_bot_and_its_fork_server_have_nothing_of_another_match_in_memory(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path, bots=("random",)) as app, met(app.url) as host:
        matches = await waiting_bots(host, "random", "random", "random")
        server = pid_of(app)
        assert [has_in_memory(server, match) for match in matches] == [False] * 3
        known = [[has_in_memory(bot, match) for match in matches] for bot in children(server)]
    assert sorted(known) == [[False, False, True], [False, True, False], [True, False, False]]


async def test_a_bot_that_is_killed_fails_alone_and_frees_its_seat(tmp_path: Path) -> None:
    async with running_app(tmp_path, bots=("random", "lurker")) as app, met(app.url) as host:
        lost, other = await waiting_bots(host, "random", "lurker")
        first, second = children(pid_of(app))
        with capture_logs() as logs:
            os.kill(first, signal.SIGKILL)
            await until(lambda: any(log["event"] == "house_bot_failed" for log in logs))
        failed = next(log for log in logs if log["event"] == "house_bot_failed")
        assert (failed["match"], failed["bot"], failed["exit"]) == (lost, "random", -9)
        assert is_alive(second)
        assert (await host.info(other)).line.seats[0].name == "lurker"


async def test_bots_fail_with_their_fork_server_and_the_next_bot_begins_another(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path, bots=("random", "lurker")) as app, met(app.url) as host:
        await waiting_bots(host, "random", "lurker")
        server = pid_of(app)
        bots = children(server)
        with capture_logs() as logs:
            os.kill(server, signal.SIGKILL)
            await until(lambda: not any(is_alive(bot) for bot in bots))
            await until(lambda: sum(log["event"] == "house_bot_failed" for log in logs) == 2)
            await until(lambda: any(log["event"] == "bot_fork_server_failed" for log in logs))
        ends = [log["exit"] for log in logs if log["event"] == "house_bot_failed"]
        assert ends == [-9, -9]
        assert [log["exit"] for log in logs if log["event"] == "bot_fork_server_failed"] == [-9]
        await waiting_bots(host, "random")
        assert pid_of(app) != server


@pytest.mark.parametrize("halted", ["nothing", "fork server"])
async def test_no_bot_and_no_fork_server_outlives_a_server_that_is_killed(
    halted: str, tmp_path: Path
) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as host:
            match = await created(host)
            await host.accepted(AddBot, match=match, name="random")
            await until_ready(host, match)
        started = descendants(server.pid)
        bots = [pid for pid in started if not children(pid)]
        if halted == "fork server":
            for pid in set(started) - set(bots):
                os.kill(pid, signal.SIGSTOP)
        try:
            killed(server)
            await until(lambda: not any(is_alive(bot) for bot in bots))
        finally:
            for pid in started:
                if is_alive(pid):
                    os.kill(pid, signal.SIGCONT)
        await until(lambda: not any(is_alive(pid) for pid in started))


def killed(server: ServerProcess) -> None:
    """Kill a server alone, and nothing of its process group."""
    os.kill(server.pid, signal.SIGKILL)


async def test_a_fork_server_that_does_not_answer_fails_its_bot_and_holds_up_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fork_server, "ANSWER_S", 0.5)
    program = tmp_path / "silent.py"
    program.write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    async with forking((sys.executable, str(program))) as server:
        bot = await server.start(("random",), {})
        first = server.pid
        assert bot.returncode is None
        assert await ended(bot) == (-signal.SIGKILL, "")
        assert server.pid is None
        other = await server.start(("random",), {})
        assert server.pid not in (None, first)
        assert other.returncode is None


async def test_a_fork_server_that_can_not_start_says_why_and_fails_its_bots(
    tmp_path: Path,
) -> None:
    program = tmp_path / "broken.py"
    program.write_text("raise SystemExit('nothing is installed here')\n", encoding="utf-8")
    with capture_logs() as logs:
        async with forking((sys.executable, str(program))) as server:
            assert await ended(await server.start(("random",), {})) == (-signal.SIGKILL, "")
            await until(lambda: bool(logs))
    said = {"event": "bot_fork_server_failed", "log_level": "error", "exit": 1}
    assert logs == [{**said, "said": "nothing is installed here\n"}]


async def test_a_bot_costs_a_third_of_the_memory_and_cpu_of_one_started_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from_nothing(monkeypatch)
    async with running_app(tmp_path, bots=("hunter", "marshal")) as app, met(app.url) as host:
        await waiting_bots(host, "hunter", "marshal", "hunter")
        forked = children(pid_of(app))
        match = await created(host)
        words = ("bot", "run", "hunter", "--url", app.url, "--match", match)
        alone = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "sunglare_client", *words)
        )
        try:
            await until_ready(host, match)
            memory, cpu_s = copied_kib(alone.pid), cpu_s_of(alone.pid)
            costs = [(copied_kib(bot), cpu_s_of(bot)) for bot in forked]
        finally:
            alone.kill()
            await alone.wait()
    assert len(costs) == 3
    assert max(kib for kib, _ in costs) < memory / 3
    assert max(each for _, each in costs) < cpu_s / 3
