"""The outbox of a line: whoever is behind is asked for nothing more until that is sent."""

import gc
from pathlib import Path

from builders.servers import running_app
from builders.wires import met
from sunglare_protocol.messages import Pong
from sunglare_server.gateway.outbox import MESSAGES_MOST, Outbox


async def test_more_is_taken_from_a_line_once_what_waited_for_it_is_sent(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as talker:
        gc.collect()  # those of lines that have ended go
        [outbox] = [thing for thing in gc.get_objects() if type(thing) is Outbox]
        for number in range(MESSAGES_MOST + 2):
            outbox.say(Pong(id=1_000 + number, time_ms=0))
        assert outbox.is_behind
        assert await outbox.drained()
        assert not outbox.is_behind
        await talker.ping()
    assert sum(isinstance(message, Pong) for message in talker.messages) == MESSAGES_MOST + 3
