"""A real cluster whose engines are killed: what it says of itself is what it can store."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, final

import pytest

from builders.machineprocesses import Machines, machines
from builders.players import started
from builders.prometheuses import port_in
from builders.scrapes import figures
from builders.wires import dialled, met
from page.asking import asked
from sunglare_protocol.messages import PROTOCOL_VERSION, Hello, Refused, Welcome
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.commands import operate

pytestmark = [pytest.mark.needs_nats, pytest.mark.slow]

WAIT_S = 120.0
"""OWN: so long a test waits for what comes within 15 s on a machine that is not busy."""

HELLO_S = 10.0
"""OWN: the same for an answer to hello, which takes less than a second there."""

READY = (200, b"ready\n")
UNREADY = (503, b"not ready: nothing can be stored\n")

Capsys = pytest.CaptureFixture[str]


class Typed(NamedTuple):
    """What came of `status`: its exit code, and what it printed."""

    code: int
    out: str


@final
class Site:
    """A cluster of a worker and a gateway, with what its operator sees."""

    def __init__(self, whole: Machines, control: Path, capsys: Capsys) -> None:
        """Look at `whole`, whose worker has its control socket at `control`."""
        self.nodes = whole.engines.nodes
        self.url = whole.gateways[0].url
        self._worker = whole.workers[0]
        self._control = control
        self._capsys = capsys

    async def readiness(self) -> tuple[int, bytes]:
        """Return what the gateway says at `/readyz`."""
        answer = await asked(self.url, "/readyz")
        return answer.status, answer.body

    async def status(self) -> Typed:
        """Type `status` for the worker."""
        self._capsys.readouterr()
        words = ["status", "--control", str(self._control)]
        code = await asyncio.to_thread(operate, words)
        return Typed(code, self._capsys.readouterr().out)

    async def figure(self, name: str) -> float | None:
        """Return a figure of the worker."""
        return (await figures(port_in(self._worker.said()))).get(f"sunglare_{name}")

    async def hello(self) -> Code | None:
        """Say hello as a newcomer; return why they are not let in, None if they are."""
        async with dialled(self.url) as talker, asyncio.timeout(HELLO_S):
            answer = await talker.ask(Hello, v=PROTOCOL_VERSION)
        assert isinstance(answer, Refused | Welcome), answer
        return Code(answer.code) if isinstance(answer, Refused) else None

    async def becomes(self, answer: tuple[int, bytes]) -> float:
        """Wait for an answer at `/readyz`; return after how many seconds it came."""
        began_s = time.monotonic()
        async with asyncio.timeout(WAIT_S):
            while await self.readiness() != answer:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
        return time.monotonic() - began_s

    async def shows(self, words: str) -> Typed:
        """Wait until `status` has these words."""
        async with asyncio.timeout(WAIT_S):
            while words not in (told := await self.status()).out:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.2)
        return told

    async def stores_nothing(self) -> None:
        """Check that everything says so."""
        assert await self.hello() is Code.SERVER_JOURNAL
        told = await self.status()
        assert (told.code, "server      cannot store" in told.out) == (1, True), told
        assert "NOT STORED" in told.out
        assert await self.figure("storing") == 0

    async def is_well(self) -> None:
        """Check that everything says so, once every stream has its leader again."""
        async with asyncio.timeout(WAIT_S):
            while await self.hello() is not None:
                continue
        await self.becomes(READY)
        assert (await self.status()).code == 0
        assert await self.figure("storing") == 1


@contextmanager
def site(folder: Path, capsys: Capsys) -> Iterator[Site]:
    """Run a cluster of three engines, a worker and a gateway."""
    control = folder / "w1.ctl"
    with machines(folder, "--control", str(control), "--metrics", "0", sizes=(1, 1)) as whole:
        yield Site(whole, control, capsys)


async def test_a_cluster_that_can_store_nothing_says_so_until_it_can_again(
    tmp_path: Path, capsys: Capsys, record_property: Callable[[str, object], None]
) -> None:
    with site(tmp_path, capsys) as whole:
        await whole.becomes(READY)
        async with met(whole.url) as anna, met(whole.url) as boris:
            left, right = await started([anna, boris])
            for node in whole.nodes[1:]:
                node.kill()
            ordered = asyncio.create_task(left.ordered())
            # Before it is known as well: no newcomer waits for a store that does not answer.
            assert await whole.hello() is Code.SERVER_JOURNAL
            took_s = await whole.becomes(UNREADY)
            await whole.stores_nothing()
            whole.nodes[1].start()
            back_s = await whole.becomes(READY)
            await whole.is_well()
            await ordered
            await left.resign()
            await right.over()
        record_property("table", f"not ready after {took_s:.1f} s, ready after {back_s:.1f} s")


async def test_so_does_one_in_which_nothing_is_played(
    tmp_path: Path, capsys: Capsys, record_property: Callable[[str, object], None]
) -> None:
    with site(tmp_path, capsys) as whole:
        await whole.becomes(READY)
        # Worker and gateway are connected to the first one.
        for node in whole.nodes[:2]:
            node.kill()
        took_s = await whole.becomes(UNREADY)
        await whole.stores_nothing()
        whole.nodes[1].start()
        await whole.becomes(READY)
        await whole.is_well()
        record_property("table", f"not ready after {took_s:.1f} s")


async def test_one_engine_of_three_that_is_away_is_shown_while_all_is_stored(
    tmp_path: Path, capsys: Capsys
) -> None:
    with site(tmp_path, capsys) as whole:
        await whole.shows("engines     3 of 3\n")
        assert (await whole.figure("engines"), await whole.figure("engines_away")) == (3, 0)
        whole.nodes[2].kill()
        await whole.shows("engines     2 of 3, AWAY OR BEHIND: n2\n")
        assert (await whole.figure("engines"), await whole.figure("engines_away")) == (3, 1)
        await whole.becomes(READY)
        await whole.is_well()
        whole.nodes[2].start()
        await whole.shows("engines     3 of 3\n")
        assert await whole.figure("engines_away") == 0
