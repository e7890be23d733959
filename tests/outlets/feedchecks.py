"""What comes of watching a feed, held against whom it is open to; see `feedmatrix`."""

from builders.wires import met
from outlets.feedmatrix import RELATIONS, is_open
from outlets.feedstage import FeedStage
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import OMNI, Audience, content_of
from sunglare_protocol.messages import Frame, Ping, Pong, Refused, ServerMessage, Watch, Watching
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView


async def check_feed(running: FeedStage, time: str, feed: Audience) -> None:
    """Watch a feed in each relation; raise `AssertionError` where other things come than due."""
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
    assert not faults, f"{feed} of a match that is {time}, {running.kind}: {faults}"


async def told(running: FeedStage, relation: str, feed: Audience) -> list[ServerMessage]:
    """Return all that comes of watching a feed over a connection of its own."""
    async with met(running.app.url, token=running.talkers[relation].token) as line:
        start = len(line.messages)
        await line.ask(Watch, match=running.match, feed=feed)
        await line.expect(Pong, Ping)
        return [came for came in line.messages[start:] if not isinstance(came, Pong)]


def _check_closed(came: list[ServerMessage]) -> None:
    """Check that a feed is refused, and nothing of it comes."""
    assert len(came) == 1
    refused = came[0]
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
