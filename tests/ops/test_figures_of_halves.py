"""The figures of a worker and its gateway: each shows what it has, and nothing counts twice."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from builders.halfprocesses import GatewayProcess, WorkerProcess
from builders.players import play_on, started
from builders.prometheuses import port_in
from builders.scrapes import Figures, figures, figures_once
from builders.wires import met
from sunglare_protocol.messages import Chat, Hello, Resume, ResumeKind
from sunglare_protocol.refusals import Code

SUPERSEDED = 'sunglare_connections_closed_total{why="superseded"}'


class Whole(NamedTuple):
    """Both processes."""

    worker: WorkerProcess
    gateway: GatewayProcess

    @property
    def url(self) -> str:
        """Return where one plays."""
        return self.gateway.url

    async def shown(self) -> tuple[Figures, Figures]:
        """Return the figures of the worker and of the gateway."""
        ports = [port_in(process.said()) for process in self]
        return await figures(ports[0]), await figures(ports[1])


@pytest.fixture
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """Run a worker and a gateway that show figures."""
    folder = tmp_path_factory.mktemp("halves")
    worker = WorkerProcess(folder, "W1", "--metrics", "0")
    gateway = GatewayProcess(folder, "G1", worker.socket, "--metrics", "0")
    try:
        worker.start()
        gateway.start()
        yield Whole(worker, gateway)
    finally:
        gateway.end()
        worker.end()


def refusals(shown: Figures, code: Code) -> float:
    return shown.get(f'sunglare_refusals_total{{code="{code.value}"}}', 0)


async def test_a_refusal_counts_once_whichever_of_them_has_given_it(whole: Whole) -> None:
    async with met(whole.url) as anna, met(whole.url) as boris:
        assert await anna.code(Resume, match="a" * 26, ticket="x" * 43) is Code.TICKET_BAD
        assert await anna.code(Hello, v=1) is Code.HELLO_AGAIN
        left, _ = await started([anna, boris])
        await left.accepted(Chat, text="one")
        assert await left.code(Chat, text="two", id=1) is Code.MESSAGE_STALE
        both = await whole.shown()
    for code in (Code.TICKET_BAD, Code.HELLO_AGAIN, Code.MESSAGE_STALE):
        assert sum(refusals(one, code) for one in both) == 1


async def test_a_gateway_shows_its_lines_and_a_superseded_one_by_the_same_word(
    whole: Whole,
) -> None:
    async with met(whole.url) as anna, met(whole.url) as boris:
        left, _ = await started([anna, boris])
        async with met(whole.url, token=anna.token) as again:
            await (await left.resume(again)).frame()
            await anna.wait_closed()
            assert anna.ending == (4001, "superseded")
            # Its worker is known once it was heard of, and a line has ended once it is closed.
            port = port_in(whole.gateway.said())
            gateway = await figures_once(
                port, lambda now: now["sunglare_workers"] == now[SUPERSEDED] == 1
            )
            worker, _ = await whole.shown()
    assert gateway["sunglare_linked"] == 1
    assert gateway["sunglare_stalled_matches"] == 0
    assert worker['sunglare_matches{state="running"}'] == 1
    assert not any(name.startswith("sunglare_matches") for name in gateway)


async def test_a_gateway_shows_that_no_worker_answers(whole: Whole) -> None:
    async with met(whole.url) as anna, met(whole.url) as boris:
        await started([anna, boris])
        port = port_in(whole.gateway.said())
        await figures_once(port, lambda now: any("heartbeat_age" in name for name in now))
        whole.worker.kill()
        now = await figures_once(port, lambda now: not now["sunglare_workers"])
    # For how long it has been silent is shown all the same.
    assert now['sunglare_heartbeat_age_seconds{worker="W1"}'] > 0
    assert now["sunglare_linked"] == 0
    assert now["sunglare_stalled_matches"] == 1


async def test_what_a_gateway_asks_for_is_no_return_of_anybody(whole: Whole) -> None:
    async with met(whole.url) as anna, met(whole.url) as boris:
        left, right = await started([anna, boris])
        await play_on([left, right], 1)
        worker, _ = await whole.shown()
        assert [
            worker[f'sunglare_returns_total{{kind="{kind.value}"}}'] for kind in ResumeKind
        ] == [0, 0]
        async with met(whole.url, token=anna.token) as again:
            await (await left.resume(again)).frame()
            worker, _ = await whole.shown()
    assert worker['sunglare_returns_total{kind="exact"}'] == 1
