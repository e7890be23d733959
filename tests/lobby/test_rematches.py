"""Wishes for a rematch as the store has them: one room, whoever is cut off or comes between."""

import pytest
from msgspec.structs import replace

from builders.lobbies import GUEST, HOST, OTHER, ended
from builders.truths import A, B
from builders.venues import Venue
from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.app import App
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.lobby.rematches import TRIES, Wished
from sunglare_server.match.record import HASH_BYTES
from sunglare_server.ports.rooms import HASHED, RematchWish, packed_room, unpacked_room
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.finished_rooms import StoredRoom
from sunglare_server.rooms.quotas import Opener

NAMED = MatchId("n" * 26)


async def stored(lobby: Lobby, match: MatchId) -> StoredRoom:
    """Return the room of a match that is over, as it is stored."""
    found = await lobby.past.found(match)
    assert isinstance(found, StoredRoom)
    return found


async def wishes(lobby: Lobby, match: MatchId, *accounts: str) -> None:
    """Wish a rematch for each of these accounts."""
    for account in accounts:
        assert isinstance(await lobby.rematches.wish(match, Opener(account)), Wished)


async def test_a_wish_stands_in_the_store_and_not_in_memory(app: App) -> None:
    old = await ended(app.lobby)
    await wishes(app.lobby, old.match, HOST)
    assert (await stored(app.lobby, old.match)).room.wishes == (RematchWish(side=A, account=HOST),)
    assert app.lobby.rooms == {}


async def test_a_match_that_was_named_and_not_opened_is_opened_by_its_name(app: App) -> None:
    lobby = app.lobby
    old = await ended(lobby)
    await wishes(lobby, old.match, HOST)
    was = await stored(lobby, old.match)
    both = was.room.with_wish(RematchWish(side=B, account=GUEST))
    assert await lobby.past.amend(was, replace(both, rematch=NAMED)) is not None
    await wishes(lobby, old.match, HOST)
    assert list(lobby.rooms) == [NAMED]
    kept = (await stored(lobby, old.match)).room
    assert (kept.rematch, kept.wishes) == (NAMED, ())


async def test_a_wish_taken_back_calls_off_a_match_that_was_named_and_not_opened(
    app: App,
) -> None:
    lobby = app.lobby
    old = await ended(lobby)
    await wishes(lobby, old.match, HOST)
    was = await stored(lobby, old.match)
    both = was.room.with_wish(RematchWish(side=B, account=GUEST))
    assert await lobby.past.amend(was, replace(both, rematch=NAMED)) is not None
    await lobby.rematches.wish(old.match, Opener(GUEST), on=False)
    await wishes(lobby, old.match, HOST)
    assert lobby.rooms == {}
    assert (await stored(lobby, old.match)).room.wishing == (A,)


async def test_a_refused_room_leaves_the_wishes_of_the_others(app: App) -> None:
    lobby = app.lobby
    old = await ended(lobby)
    await wishes(lobby, old.match, HOST)
    lobby.policy.is_draining = True
    closing = Rejected(code=Code.SERVER_CLOSING)
    assert await lobby.rematches.wish(old.match, Opener(GUEST)) == closing
    kept = (await stored(lobby, old.match)).room
    assert (kept.wishing, kept.rematch) == ((A,), None)
    lobby.policy.is_draining = False
    await wishes(lobby, old.match, GUEST)
    [again] = lobby.rooms.values()
    assert [(seat.side, seat.account) for seat in again.seats] == [(A, GUEST), (B, HOST)]


async def test_a_room_that_another_server_changes_meanwhile_is_read_anew(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, store = app.lobby, app.storage.store
    old = await ended(lobby)
    amend, others = store.amend_room, [RematchWish(side=B, account=GUEST)]

    async def late(match: MatchId, blob: bytes, was: bytes) -> bool:
        if others:
            changed = packed_room(unpacked_room(was, match).with_wish(others.pop()))
            assert await amend(match, changed, was)
        return await amend(match, blob, was)

    monkeypatch.setattr(store, "amend_room", late)
    await wishes(lobby, old.match, HOST)
    [again] = lobby.rooms
    assert (await stored(lobby, old.match)).room.rematch == again


async def test_a_room_that_is_another_one_each_time_is_given_up(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby, store = app.lobby, app.storage.store
    old = await ended(lobby)
    tried: list[MatchId] = []

    async def too_late(match: MatchId, _: bytes, __: bytes) -> bool:
        tried.append(match)
        return False

    monkeypatch.setattr(store, "amend_room", too_late)
    with pytest.raises(StoreError):
        await lobby.rematches.wish(old.match, Opener(HOST))
    assert tried == [old.match] * TRIES


async def test_a_match_whose_end_is_not_stored_takes_no_wish(app: App) -> None:
    lobby = app.lobby
    old = await ended(lobby)
    lobby.rooms[old.match] = old
    with pytest.raises(StoreError, match="not stored yet"):
        await lobby.rematches.wish(old.match, Opener(HOST))


async def test_a_room_of_an_earlier_version_has_no_wishes(app: App) -> None:
    old = await ended(app.lobby)
    body = packed_room(old)[len(HASHED) + HASH_BYTES :]
    names = b"\xa6wishes\x90", b"\xa7rematch\xc0"
    assert all(body.count(name) == 1 for name in names)
    for name in names:
        body = body.replace(name, b"")
    count = int.from_bytes(body[1:3], "big")
    assert body[0] == 0xDE
    early = body[:1] + (count - len(names)).to_bytes(2, "big") + body[3:]
    assert unpacked_room(early, old.match) == old


async def test_the_wishes_of_a_match_go_with_it(venue: Venue) -> None:
    app = await venue.open()
    old = await ended(app.lobby)
    await wishes(app.lobby, old.match, HOST)
    await app.storage.store.drop_room(old.match)
    unknown = Rejected(code=Code.MATCH_UNKNOWN, at="$.match")
    assert await app.lobby.rematches.wish(old.match, Opener(GUEST)) == unknown
    assert await app.lobby.rematches.told(old.match, is_seated=True) == ()
    assert await app.lobby.rematches.wish(old.match, Opener(OTHER)) == unknown
