"""The ears of a gateway's line: one for each feed, and none holds the line that is gone."""

import gc
import itertools
import weakref
from pathlib import Path

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_server.base.histograms import LineFigures
from sunglare_server.transport.messages import ClientContext
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.worker.publisher import Publisher
from sunglare_server.worker.remote_line import RemoteConnection

MATCH = MatchId("a" * 26)


def far_line(folder: Path) -> RemoteConnection:
    """Return a line of a gateway."""
    hub = SocketServer(folder / "w")
    context, posts = (
        ClientContext("g1", 1, 7, Form.PACKED),
        Publisher(hub, lambda _: 1, lambda *_: True),
    )
    return RemoteConnection(context, posts, "w1", itertools.count(1), LineFigures())


async def test_a_feed_has_the_same_ear_for_as_long_as_somebody_has_it(tmp_path: Path) -> None:
    line = far_line(tmp_path)
    subscriber = line.subscriber(MATCH, PUBLIC)
    assert line.subscriber(MATCH, PUBLIC) is subscriber
    assert line.subscriber(MatchId("b" * 26), PUBLIC) is not subscriber


async def test_a_line_that_has_ended_leaves_memory_without_a_look_for_garbage(
    tmp_path: Path,
) -> None:
    line = far_line(tmp_path)
    gone = weakref.ref(line)
    gc.disable()
    try:
        subscriber = line.subscriber(MATCH, PUBLIC)
        del line
        assert gone() is not None
        del subscriber
        assert gone() is None
    finally:
        gc.enable()
