"""Answers to a line that come to nothing, and what was to follow them."""

import itertools
from pathlib import Path

from sunglare_protocol.codec import Form, encode_server
from sunglare_server.api.port import SEAT_TAKEN, SUPERSEDED
from sunglare_server.base.histograms import LineFigures
from sunglare_server.transport.messages import ClientContext, CloseConnection, Push, push_of
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.subjects import line
from sunglare_server.worker.publisher import Publisher
from sunglare_server.worker.remote_line import RemoteConnection


async def test_a_farewell_that_was_to_follow_a_failed_answer_is_said_all_the_same(
    tmp_path: Path,
) -> None:
    hub = SocketServer(tmp_path / "w")
    heard: list[Push] = []
    await hub.subscribe(line("g1"), lambda _, data: heard.append(push_of(data)))
    context, posts = (
        ClientContext("g1", 1, 7, Form.PACKED),
        Publisher(hub, lambda _: 1, lambda *_: True),
    )
    far = RemoteConnection(context, posts, "w1", itertools.count(1), LineFigures())
    far.begin(0)
    far.supersede()
    assert heard == []
    far.fail()
    farewell = CloseConnection(7, encode_server(SEAT_TAKEN, Form.PACKED), SUPERSEDED)
    assert heard == [farewell]
    far.supersede()
    assert heard == [farewell, farewell]
