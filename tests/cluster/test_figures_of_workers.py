"""The figures of workers that share their matches: what was taken over or lost, and beats."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.engines import Engines
from builders.fakeserver import until
from builders.manyworkers import Fleet, fleet
from builders.players import started
from builders.runners import runners_of
from builders.scrapes import Figures, flat
from sunglare_server.app import App
from sunglare_server.ops.metrics.server_metrics import server_figures

pytestmark = pytest.mark.needs_nats

TAKEN_OVER = "sunglare_takeovers_total"
FENCED = "sunglare_fenced_total"


@pytest.fixture
async def two(node: Engines, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Give a test two workers and a gateway."""
    async with fleet(node, tmp_path, "w1", "w2") as made:
        yield made


async def shown(app: App) -> Figures:
    return flat(tuple(await server_figures(app.operator.site)))


async def test_a_worker_counts_what_it_takes_over_and_hears_its_own_beats(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    owner = two.owner(players[0].match)
    for app in two.workers.values():
        now = await shown(app)
        assert (now[TAKEN_OVER], now[FENCED]) == (0, 0)
        assert 0 <= now["sunglare_heartbeat_age_seconds"] < app.settings.lease_ms / 1000
        assert now["sunglare_gaps_total"] == 0
    await two.leave(owner)
    (other,) = two.workers.values()
    await until(lambda: players[0].match in runners_of(other.lobby.matches))
    now = await shown(other)
    assert (now[TAKEN_OVER], now[FENCED]) == (1, 0)
    assert "sunglare_journal_queue" in now


async def test_an_owner_that_another_one_fences_counts_it(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    app = two.workers[two.owner(players[0].match)]
    runners_of(app.lobby.matches)[players[0].match].fence("another one has written")
    assert (await shown(app))[FENCED] == 1
