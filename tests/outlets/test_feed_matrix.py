"""Every feed by every relation at every time: open or closed, and what comes where it is open."""

import itertools
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from builders.wires import met
from outlets.feedmatrix import CLOCKS, FEEDS, OPEN, RELATIONS, TIMES, is_open
from outlets.feedstage import FeedStage, staged
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import OMNI, Audience, content_of
from sunglare_protocol.messages import Frame, Ping, Pong, Refused, ServerMessage, Watch, Watching
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView

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


async def told(running: FeedStage, relation: str, feed: Audience) -> list[ServerMessage]:
    """Return all that comes of watching a feed over a connection of its own."""
    async with met(running.app.url, token=running.talkers[relation].token) as line:
        start = len(line.messages)
        await line.ask(Watch, match=running.match, feed=feed)
        await line.expect(Pong, Ping)
        return [came for came in line.messages[start:] if not isinstance(came, Pong)]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("feed", FEEDS)
async def test_a_feed_is_open_to_whom_it_is_and_gives_what_its_audience_is_sent(
    stage: tuple[str, FeedStage], feed: Audience
) -> None:
    time, running = stage
    faults = {}
    for relation in RELATIONS:
        came = await told(running, relation, feed)
        try:
            if is_open(running.kind, time, feed, relation):
                await _check_open(running, feed, came)
            else:
                _check_closed(came)
        except AssertionError as fault:
            faults[relation] = str(fault)
    assert not faults


def _check_closed(came: list[ServerMessage]) -> None:
    """Check that a feed is refused, and nothing of it comes."""
    [refused] = came
    assert isinstance(refused, Refused)
    assert (refused.code, refused.at, refused.choices) == (Code.FEED_CLOSED, "$.feed", ())


async def _check_open(running: FeedStage, feed: Audience, came: list[ServerMessage]) -> None:
    """Check that the frames of a feed come, once there are any, and are its audience's."""
    assert isinstance(came[0], Watching)
    frames = [message for message in came if isinstance(message, Frame)]
    assert bool(frames) is running.has_started
    if running.has_started:
        sent = await running.place.sent(content_of(feed))
        for frame in frames:
            _check(running, feed, frame, set(sent.values()))


def _check(running: FeedStage, feed: Audience, frame: Frame, sent: set[bytes]) -> None:
    """Check that a frame is one of its audience, and of the truth none from ahead."""
    content, state = content_of(feed), running.place.state
    data = encode_server(frame, Form.PACKED)
    is_late = feed == OMNI and not state.is_over
    assert data in sent or (not is_late and data == running.place.frame(content, frame.seq))
    assert isinstance(frame.view, TruthView) is (content == OMNI)
    if not isinstance(frame.view, TruthView):
        assert frame.view.audience == feed
    assert not is_late or frame.turn < state.standing.turn


def test_the_table_has_every_feed_and_relation() -> None:
    assert set(OPEN) == set(CLOCKS)
    assert all(tuple(feeds) == FEEDS for feeds in OPEN.values())
    relations = {one for feeds in OPEN.values() for open_to in feeds.values() for one in open_to}
    assert relations == set(RELATIONS)
