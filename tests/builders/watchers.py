"""A match with watchers: a host who does not play, two players, and what watchers are sent."""

from builders.players import Player, created, seated
from builders.venues import Venue
from builders.wires import Talker
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import Frame, GrantFeed, News, Over, Watch, Watching

Options = dict[str, str | int]
OPEN: Options = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 0, "omni_delay_s": 0}
DELAYED: Options = {**OPEN, "omni_delay_turns": 1}


async def show(venue: Venue, options: Options) -> tuple[Talker, list[Player]]:
    """Return the host of a match, who does not play, and the two who will."""
    host, anna, boris = await venue.some(3)
    match = await created(host, options=options)
    return host, [await seated(anna, match), await seated(boris, match)]


async def watch(talker: Talker, match: MatchId, feed: Audience, **fields: int) -> Watching:
    """Follow a feed, which must be open."""
    return await talker.expect(Watching, Watch, match=match, feed=feed, **fields)


def frames(talker: Talker) -> list[Frame]:
    """Return the frames that came."""
    return talker.every(Frame)


async def reached(talker: Talker, seq: int) -> None:
    """Wait for the message of this number."""
    await talker.wait_for(lambda message: isinstance(message, Frame | Over) and message.seq >= seq)


def truths(talker: Talker) -> list[str]:
    """Return what news told of the truth feed."""
    news = talker.every(News)
    return [told.text for told in news if "truth" in told.text]


def name_of(talker: Talker) -> str:
    """Return what an account goes by."""
    assert talker.welcome is not None
    return talker.welcome.name


async def lets_see(player: Player, talker: Talker) -> None:
    """Let an account see what a player sees, and watch it."""
    feed = Audience(player.side)
    await player.talker.accepted(GrantFeed, match=player.match, name=name_of(talker), feed=feed)
    told = await watch(talker, player.match, feed)
    assert (told.feed, told.delay_turns, told.delay_s) == (feed, 0, 0)
