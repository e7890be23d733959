"""The outbox of a line: whoever is behind is asked for nothing more until that is sent."""

from pathlib import Path

from builders.servers import running_app
from builders.wires import Talker, met
from gateway.test_what_is_gone import held, no_look_for_garbage
from sunglare_protocol.messages import Pong
from sunglare_server.gateway.outbox import MESSAGES_MOST, Outbox


async def test_more_is_taken_from_a_line_once_what_waited_for_it_is_sent(tmp_path: Path) -> None:
    with no_look_for_garbage():
        async with running_app(tmp_path) as app, met(app.url) as talker:
            await more_is_taken(talker)


async def more_is_taken(talker: Talker) -> None:
    """Fill the outbox of a line, the only one made of late, and let it be sent."""
    [outbox] = [thing for thing in held() if type(thing) is Outbox]
    for number in range(MESSAGES_MOST + 2):
        outbox.say(Pong(id=1_000 + number, time_ms=0))
    assert outbox.is_behind
    assert await outbox.drained()
    assert not outbox.is_behind
    await talker.ping()
    assert sum(isinstance(message, Pong) for message in talker.messages) == MESSAGES_MOST + 3
