"""The room opener: notices of rooms that open or close, and what a match needs for it."""

from random import Random
from typing import NamedTuple, final

import pytest
from msgspec.structs import replace

from builders.leases import MemoryLease, Register
from builders.lobbies import HOST, SCENARIO
from builders.matchservers import MatchServer
from builders.openlimits import ROOMY
from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_protocol.ids import MatchId
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.base.library import Library
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import Opener, RoomLimits
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.terms import Terms, new_room, terms_of

HOME = "192.0.2.1"


@final
class Workplace(NamedTuple):
    """An opener, its rooms and matches, and what a listener was told of them."""

    opener: RoomOpener
    rooms: RoomRegistry
    house: MatchServer
    told: list[tuple[MatchId, bool]]

    async def opened(self) -> Room:
        """Open a room of the host."""
        room = await self.opener.create(Opener(HOST, HOME), SCENARIO, {}, "A duel", private=False)
        assert isinstance(room, Room)
        return room


async def workplace(register: Register) -> Workplace:
    """Return an opener without rooms, at a server that owns matches by `register`."""
    house = MatchServer(MemoryLease(register))
    store = (await disk_storage(Disk(Random(0)))).store
    limits = RoomLimits(ROOMY)
    rooms = RoomRegistry(store, house.journal, house.clock, limits, lambda _: False)
    told: list[tuple[MatchId, bool]] = []
    rooms.on_served = lambda match, is_ours: told.append((match, is_ours))
    policy = ModerationPolicy(house.clock)
    opener = RoomOpener(rooms, house.matches, policy, SeededEntropy(b"opener"))
    return Workplace(opener, rooms, house, told)


def made(library: Library) -> Room:
    """Return a room made on `library` that is not open yet."""
    terms = terms_of(library, SCENARIO, {}, "A duel", None, rated=False)
    assert isinstance(terms, Terms)
    sides = library.scenarios[SCENARIO].sides
    return new_room(terms, sides, HOST, None, SeededEntropy(b"room"))


async def test_a_room_that_opens_is_owned_kept_and_said_to_be_served() -> None:
    register = Register()
    place = await workplace(register)
    room = await place.opened()
    assert list(register.owners) == [room.match]
    assert place.rooms.own == {room.match: room}
    assert place.told == [(room.match, True)]


async def test_a_room_that_closes_is_owned_no_more_and_said_to_be_served_no_more() -> None:
    register = Register()
    place = await workplace(register)
    room = await place.opened()
    await place.opener.close(room)
    assert register.owners == {}
    assert place.rooms.own == {}
    assert place.told == [(room.match, True), (room.match, False)]


async def test_a_match_that_another_server_owns_is_not_opened() -> None:
    register = Register()
    place, other = await workplace(register), MemoryLease(register)
    library = place.house.library
    room = made(library)
    await other.claim(room.match)
    with pytest.raises(StoreError):
        await place.opener.open(room, Opener(HOST, HOME), library)
    assert place.rooms.own == {}
    assert place.told == []


async def test_a_room_made_on_an_older_library_starts_on_that() -> None:
    place = await workplace(Register())
    before = place.house.library
    room = made(before)
    after = replace(before, data_hash="newer")
    place.house.matches.libraries.renew(after)
    await place.opener.open(room, Opener(HOST, HOME), before)
    assert place.house.matches.libraries.of(room.match) is before
    assert place.opener.matches.library is after
