"""Every feed by every relation at every time: open or closed, and what comes where it is open."""

import itertools
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from outlets.feedchecks import check_feed
from outlets.feedmatrix import CLOCKS, FEEDS, OPEN, RELATIONS, TIMES
from outlets.feedstage import FeedStage, staged
from sunglare_protocol.ids import Audience

STAGES = list(itertools.product(CLOCKS, TIMES))


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=STAGES, ids=[" ".join(one) for one in STAGES]
)
async def stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[str, FeedStage]]:
    kind, time = request.param
    async with staged(tmp_path_factory.mktemp("feeds"), kind, time) as running:
        yield time, running


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("feed", FEEDS)
async def test_a_feed_is_open_to_whom_it_is_and_gives_what_its_audience_is_sent(
    stage: tuple[str, FeedStage], feed: Audience
) -> None:
    time, running = stage
    await check_feed(running, time, feed)


def test_the_table_has_every_feed_and_relation() -> None:
    assert set(OPEN) == set(CLOCKS)
    assert all(tuple(feeds) == FEEDS for feeds in OPEN.values())
    relations = {one for feeds in OPEN.values() for open_to in feeds.values() for one in open_to}
    assert relations == set(RELATIONS)
