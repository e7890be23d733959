"""A match in which much can be granted, asked of its lobby directly: who is in it, and what is."""

from typing import NamedTuple

from msgspec.structs import replace

from builders.fakeserver import until
from builders.lobbies import accounts, opened, sat
from builders.runners import runners_of
from builders.truths import A, B
from builders.watchers import Options
from sunglare_protocol.ids import Audience, MatchId, audience_of
from sunglare_protocol.refusals import Rejected
from sunglare_server.app import App
from sunglare_server.lobby.feedgrants import CLOSED, feeds_of
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ports.rooms import Room

EYES, OTHER_EYES = audience_of(A), audience_of(B)
LATE: Options = {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 3, "omni_delay_s": 0}
RATED: Options = {"clock": "standard", "caster": "yes"}
HERE, THERE = "192.0.2.1", "192.0.2.2"


class Scene(NamedTuple):
    """A match in which Anna sits at A and Boris at B; Host opened it, Carl and Dora look on."""

    lobby: Lobby
    match: MatchId
    host: str
    anna: str
    boris: str
    carl: str
    dora: str

    @property
    def room(self) -> Room:
        """Return the room as it is now."""
        return self.lobby.rooms[self.match]

    async def grant(self, by: str, feed: Audience, name: str = "Carl") -> Rejected | None:
        """Grant a feed."""
        return await self.lobby.grants.grant(self.match, by, name, feed)

    async def revoke(self, by: str, feed: Audience, name: str = "Carl") -> Rejected | None:
        """Take a grant back."""
        return await self.lobby.grants.revoke(self.match, by, name, feed)

    async def decree(self, account: str, *, on: bool = True) -> Rejected | None:
        """Let the operator grant the feed without delay."""
        return await self.lobby.grants.decree(self.match, account, on=on)

    async def watch(self, account: str, feed: Audience) -> Rejected | None:
        """Have an account begin to watch a feed, from nowhere near a seat."""
        return await self.lobby.grants.watched(self.match, feed, account, None)

    async def open_to(self, account: str, place: str | None = None) -> set[Audience]:
        """Return the feeds that an account may watch."""
        feeds = feeds_of(self.room)
        refusals = {
            feed: await self.lobby.grants.refusal(self.match, feed, account, place)
            for feed in feeds
        }
        assert set(refusals.values()) <= {None, CLOSED}
        return {feed for feed, refusal in refusals.items() if refusal is None}

    async def start(self) -> None:
        """Start the match."""
        for account in (self.anna, self.boris):
            await self.lobby.set_ready(self.match, account, None, on=True)
        await until(lambda: self.match in runners_of(self.lobby.matches))


async def scene(app: App, options: Options, *, seated: bool = True) -> Scene:
    """Open a match with these options."""
    names = ("Hostess", "Anna", "Boris", "Carl", "Dora")
    host, anna, boris, carl, dora = await accounts(app.lobby, *names)
    room = await opened(app.lobby, **options)  # type: ignore[arg-type]
    await app.lobby.registry.keep(replace(room, host=host))
    if seated:
        for account in (anna, boris):
            await sat(app.lobby, room.match, account)
    return Scene(app.lobby, room.match, host, anna, boris, carl, dora)
