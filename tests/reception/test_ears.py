"""The ears of a gateway's line: one for each feed, and none holds the line that is gone."""

import gc
import itertools
import weakref
from pathlib import Path

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_server.base.histograms import LineFigures
from sunglare_server.transport.messages import Card
from sunglare_server.transport.socket_server import SocketHub
from sunglare_server.worker.publisher import Posts
from sunglare_server.worker.remote_line import FarLine

MATCH = MatchId("a" * 26)


def far_line(folder: Path) -> FarLine:
    """Return a line of a gateway."""
    hub = SocketHub(folder / "w")
    card, posts = Card("g1", 1, 7, Form.PACKED), Posts(hub, lambda _: 1, lambda *_: True)
    return FarLine(card, posts, "w1", itertools.count(1), LineFigures())


async def test_a_feed_has_the_same_ear_for_as_long_as_somebody_has_it(tmp_path: Path) -> None:
    line = far_line(tmp_path)
    ear = line.ear(MATCH, PUBLIC)
    assert line.ear(MATCH, PUBLIC) is ear
    assert line.ear(MatchId("b" * 26), PUBLIC) is not ear


async def test_a_line_that_has_ended_leaves_memory_without_a_look_for_garbage(
    tmp_path: Path,
) -> None:
    line = far_line(tmp_path)
    gone = weakref.ref(line)
    gc.disable()
    try:
        ear = line.ear(MATCH, PUBLIC)
        del line
        assert gone() is not None
        del ear
        assert gone() is None
    finally:
        gc.enable()
