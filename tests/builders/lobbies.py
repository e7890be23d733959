"""Rooms of a lobby that is asked directly: opened, sat in, listened to."""

import asyncio
from typing import final

from msgspec.structs import replace

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, MatchId, Side
from sunglare_protocol.messages import Bye, News
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.encoded_message import EncodedMessage

SCENARIO = "shadow-of-ceres"
HOST, GUEST, OTHER = "host", "guest", "other"


@final
class Wall:
    """A sink that keeps the news that come, and how it was ended, let go of or superseded."""

    def __init__(self) -> None:
        self.forms = (Form.PACKED,)
        self.told: list[tuple[str | None, str]] = []
        self.ended: list[tuple[Code, int]] = []
        self.is_superseded = False
        self.is_let_go_of = False

    def put(self, encoded_message: EncodedMessage) -> None:
        """Keep news."""
        assert isinstance(encoded_message.message, News)
        self.told.append((encoded_message.message.side, encoded_message.message.text))

    def let_go(self) -> None:
        """Keep that no more of a feed comes."""
        self.is_let_go_of = True

    def supersede(self) -> None:
        """Keep that another connection has the seat."""
        self.is_superseded = True

    def dismiss(self, bye: Bye, code: int) -> None:
        """Keep why and with which code."""
        self.ended.append((Code(bye.code), code))


async def opened(lobby: Lobby, *, private: bool = False, **options: str) -> Room:
    """Open a room of the host."""
    room = await lobby.create(Opener(HOST), SCENARIO, dict(options), "A duel", private=private)
    assert isinstance(room, Room)
    return room


async def sat(lobby: Lobby, match: MatchId, account: str, **fields: str | None) -> RoomSeat:
    """Take a seat."""
    side, pledged = fields.get("side"), fields.get("pledged")
    joined = await lobby.join(match, account, None if side is None else Side(side), pledged)
    assert not isinstance(joined, Rejected)
    return joined[0]


async def ready_at(
    lobby: Lobby, match: MatchId, *accounts: str, pledged: str | None = None
) -> None:
    """Take a seat for each of these accounts and say that it is ready."""
    for account in accounts:
        await sat(lobby, match, account, pledged=pledged)
        assert await lobby.set_ready(match, account, None, on=True) is None


async def ended(lobby: Lobby) -> Room:
    """Return the room of a match of host and guest that is over."""
    room = await opened(lobby)
    for account in (HOST, GUEST):
        await sat(lobby, room.match, account)
    over = replace(lobby.rooms[room.match], state=RoomState.OVER, ended_ms=1_000_000)
    await lobby.registry.keep(over)
    return over


def listening(lobby: Lobby, match: MatchId) -> Wall:
    """Return a sink that hears what is told in a room."""
    wall = Wall()
    lobby.matches.subscriptions.watch(match, PUBLIC, wall, OTHER)
    return wall


async def heard(wall: Wall) -> list[tuple[str | None, str]]:
    """Return what a spectator has been told, who is served when the loop has had its turn."""
    await asyncio.sleep(0)
    return wall.told


async def accounts(lobby: Lobby, *names: str) -> list[str]:
    """Return the people who said hello by these names."""
    callers = [await lobby.accounts.hello(None, name) for name in names]
    return [caller.account for caller in callers if not isinstance(caller, Rejected)]
