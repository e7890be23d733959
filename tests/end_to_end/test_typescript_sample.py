"""The sample bot in TypeScript: its types are checked, and it plays whole matches over sockets."""

import asyncio
import contextlib
import fcntl
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from builders.processes import port_of
from builders.proxies import Proxy, proxied
from builders.servers import ServerProcess
from builders.tcplines import TcpProxy, tcp_proxied
from sunglare_protocol.messages import Resumed, ResumeKind

SAMPLE = Path(__file__).parents[2] / "client" / "samples" / "typescript"
PATIENCE_S = 200
SCENARIO = "shadow-of-ceres"

CUTS = (25, 34, 43)
"""After how many messages of the server the line is cut; the match begins after about ten."""

pytestmark = pytest.mark.needs_sample


async def ran(*words: str | Path) -> tuple[int | None, str, str]:
    """Run a program of Node and return its exit code and what it wrote."""
    node = shutil.which("node")
    assert node is not None
    process = await asyncio.create_subprocess_exec(
        *(node, *words),
        cwd=SAMPLE,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            out, errors = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return process.returncode, out.decode(), errors.decode()


def state_of_the_sample() -> str:
    """Return a hash of all that a compilation follows from, the installed packages included."""
    settings = ("tsconfig.json", "package.json", "node_modules/.package-lock.json")
    files = [*sorted(SAMPLE.glob("*.ts")), *(SAMPLE / name for name in settings)]
    sums = [f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files]
    return hashlib.sha256("\n".join(sums).encode()).hexdigest()[:16]


def compile_into(folder: Path) -> None:
    """Compile the sample, which checks its types; the folder is there whole or not at all."""
    compiler = SAMPLE / "node_modules" / "typescript" / "bin" / "tsc"
    with tempfile.TemporaryDirectory(dir=folder.parent) as unfinished:
        made = Path(unfinished) / "made"
        code, out, errors = asyncio.run(ran(compiler, "--outDir", made))
        assert (code, out, errors) == (0, "", "")
        made.rename(folder)


@pytest.fixture(scope="module")
def program() -> Path:
    """Return the compiled sample: workers and later runs share what one of them has compiled."""
    dist = SAMPLE / "dist"
    dist.mkdir(exist_ok=True)
    folder = dist / state_of_the_sample()
    with (dist / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            compile_into(folder)
    return folder / "bot.js"


async def played(program: Path, url: str) -> dict[str, Any]:
    """Play a whole match against a house bot; return what the sample says of it."""
    match = ("--new", SCENARIO, "--against", "lurker", "--clock", "test")
    code, out, errors = await ran(program, url, *match)
    assert (code, errors) == (0, "")
    told = json.loads(out)
    assert isinstance(told, dict)
    return told


async def cut_after(proxy: Proxy, line: TcpProxy, counts: tuple[int, ...]) -> None:
    """Cut the line whenever so many messages have come from the server in all."""
    for count in counts:
        await proxy.wait_passed(count)
        line.cut()


async def test_the_sample_plays_a_whole_match_and_answers_every_window_that_asks_it(
    program: Path, server: ServerProcess
) -> None:
    told = await played(program, server.url)
    assert told["lost"] == 0
    assert told["result"]["ending"] in ("turns", "last_side")
    # Of the five windows of a turn, one is the other side's slot.
    assert told["accepted"] >= (told["frames"] - 1) * 4 // 5 - 3
    assert told["frames"] > 15


async def test_the_sample_plays_on_after_lines_that_were_lost(
    program: Path, server: ServerProcess
) -> None:
    async with proxied(server.url) as proxy, tcp_proxied(int(port_of(proxy.url))) as line:
        cuts = asyncio.create_task(cut_after(proxy, line, CUTS))
        told = await played(program, f"ws://127.0.0.1:{line.port}/play")
        cuts.cancel()
        await asyncio.gather(cuts, return_exceptions=True)
    resumed = [one for life in proxy.lines for one in life.heard() if isinstance(one, Resumed)]
    assert told["lost"] == len(proxy.lines) - 1 == len(CUTS)
    assert len(resumed) == len(CUTS)
    assert {one.kind for one in resumed} == {ResumeKind.EXACT}
    assert told["result"]["ending"] in ("turns", "last_side")


@pytest.mark.parametrize(
    "words",
    [(), ("ws://127.0.0.1:9",), ("ws://127.0.0.1:9", "--match", "a", "--new", "b")],
    ids=["no address", "no match", "two"],
)
async def test_a_wrong_command_line_is_told_what_is_right(
    program: Path, words: tuple[str, ...]
) -> None:
    code, out, errors = await ran(program, *words)
    assert (code, out) == (2, "")
    assert errors.startswith("usage: node dist/bot.js URL")
