"""A match with watchers: a host who does not play, two players, and what watchers are sent."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from builders.players import Player, created, seated
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import Frame, News, Over, Watch, Watching
from sunglare_server.host.clock import FakeClock

Options = dict[str, str | int]
OPEN: Options = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}
DELAYED: Options = {**OPEN, "omni_delay_turns": 1}


@contextlib.asynccontextmanager
async def show(
    folder: Path, options: Options, clock: FakeClock | None = None
) -> AsyncIterator[tuple[str, Talker, list[Player]]]:
    """Run a server with a match whose host does not play; give its address, host and players."""
    async with (
        running_app(folder, clock) as app,
        met(app.url) as host,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        match = await created(host, options=options)
        yield app.url, host, [await seated(anna, match), await seated(boris, match)]


async def watch(talker: Talker, match: MatchId, feed: Audience, **fields: int) -> Watching:
    """Follow a feed, which must be open."""
    return await talker.expect(Watching, Watch, match=match, feed=feed, **fields)


def frames(talker: Talker) -> list[Frame]:
    """Return the frames that came."""
    return [message for message in talker.messages if isinstance(message, Frame)]


async def reached(talker: Talker, seq: int) -> None:
    """Wait for the message of this number."""
    await talker.wait_for(lambda message: isinstance(message, Frame | Over) and message.seq >= seq)


def truths(talker: Talker) -> list[str]:
    """Return what news told of the truth feed."""
    news = [message for message in talker.messages if isinstance(message, News)]
    return [told.text for told in news if "truth" in told.text]


def name_of(talker: Talker) -> str:
    """Return what an account goes by."""
    assert talker.welcome is not None
    return talker.welcome.name
