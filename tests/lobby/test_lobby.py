"""The lobby by itself: who may open, find, join and leave what, and what is kept of it."""

import asyncio
import hashlib
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.lobbies import (
    GUEST,
    HOST,
    OTHER,
    SCENARIO,
    Wall,
    heard,
    listening,
    opened,
    ready_at,
    sat,
)
from builders.runners import runners_of
from builders.servers import running_app
from builders.truths import A, B
from sunglare_protocol.ids import OMNI, MatchId
from sunglare_protocol.messages import Bye
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.seals import pledge
from sunglare_server.app import App
from sunglare_server.lobby.joining import UNREVEALED_MOST
from sunglare_server.ports.rooms import FeedGrant, Room, RoomSeat
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import HOST_GONE_MS, Opener

NOWHERE = MatchId("a" * 26)
ENTROPY = b"x" * 32
LATE = Rejected(code=Code.MATCH_STARTED)


# Opening and finding.


async def test_a_room_is_what_was_wished_for_and_its_secrets_are_its_own(app: App) -> None:
    one, two = [await opened(app.lobby) for _ in range(2)]
    assert (one.scenario, one.sides, one.host, one.title) == (SCENARIO, (A, B), HOST, "A duel")
    assert (one.code, one.seats) == (None, ())
    assert one.match != two.match
    assert one.server_seed != two.server_seed
    assert len(one.server_seed) == 32
    secret = await opened(app.lobby, private=True)
    assert secret.code is not None
    assert len(secret.code) == len("abcde-fghij")
    assert app.lobby.rooms == {room.match: room for room in (one, two, secret)}


@pytest.mark.parametrize(
    ("scenario", "wish", "title", "code", "at"),
    [
        ("nowhere", {}, "", Code.SCENARIO_UNKNOWN, "$.scenario"),
        (SCENARIO, {}, "a\u202eb", Code.TEXT_UNFIT, "$.title"),
        (SCENARIO, {}, "x" * 500, Code.TEXT_UNFIT, "$.title"),
    ],
)
async def test_a_room_that_cannot_be_is_refused_by_what_is_wrong(
    app: App, scenario: str, wish: dict[str, str], title: str, code: Code, at: str
) -> None:
    refused = await app.lobby.create(Opener(HOST), scenario, dict(wish), title, private=False)
    assert isinstance(refused, Rejected)
    assert (refused.code, refused.at) == (code, at)
    assert refused.choices == (
        tuple(app.lobby.matches.library.scenarios) if at == "$.scenario" else ()
    )
    assert app.lobby.rooms == {}


async def test_a_room_needs_no_title(app: App) -> None:
    room = await app.lobby.create(Opener(HOST), SCENARIO, {}, "", private=False)
    assert isinstance(room, Room)
    assert room.title == ""


async def test_a_wish_comes_before_what_the_scenario_says(app: App) -> None:
    known = app.lobby.matches.library.scenarios[SCENARIO]
    data = replace(known.data, options={"clock": "standard", "pad_frames": "yes"})
    app.lobby.matches.library.scenarios[SCENARIO] = replace(known, data=data)
    options = (await opened(app.lobby, clock="blitz")).options
    assert (options.clock, options.pad_frames) == ("blitz", "yes")


async def test_a_server_that_drains_opens_nothing(app: App) -> None:
    app.lobby.policy.is_draining = True
    refused = await app.lobby.create(Opener(HOST), SCENARIO, {}, "", private=False)
    assert refused == Rejected(code=Code.SERVER_CLOSING)


async def test_an_address_holds_no_more_rooms_than_it_may(tmp_path: Path) -> None:
    async with running_app(tmp_path, rooms_per_address=1) as app:
        found = [
            await app.lobby.create(Opener(person, "10.0.0.1"), SCENARIO, {}, "", private=False)
            for person in (HOST, GUEST)
        ]
        assert isinstance(found[0], Room)
        assert found[1] == Rejected(code=Code.ADDRESS_MATCHES)
        await app.lobby.opener.close(found[0])
        again = await app.lobby.create(Opener(GUEST, "10.0.0.1"), SCENARIO, {}, "", private=False)
        assert isinstance(again, Room)


async def test_a_room_is_found_by_its_id_or_by_its_code_and_by_nothing_else(app: App) -> None:
    lobby = app.lobby
    shown, secret = await opened(lobby), await opened(lobby, private=True)
    assert await lobby.registry.find(shown.match) == shown
    assert await lobby.registry.find(None, secret.code) == secret
    assert secret.code is not None
    for code in ("", None, secret.code[:-1], secret.code + "a", shown.match):
        at = "$.match" if code is None else "$.code"
        assert await lobby.registry.find(None, code) == Rejected(code=Code.MATCH_UNKNOWN, at=at)
    assert await lobby.registry.find(NOWHERE) == Rejected(code=Code.MATCH_UNKNOWN, at="$.match")
    # Beside an id the code is not looked at.
    assert isinstance(await lobby.registry.find(NOWHERE, secret.code), Rejected)
    assert await lobby.registry.find(shown.match, "wrong") == shown


# Seats.


async def test_the_first_free_seat_is_taken_unless_one_is_named(app: App) -> None:
    room = await opened(app.lobby)
    wall = listening(app.lobby, room.match)
    assert (await sat(app.lobby, room.match, GUEST, side="B", pledged="00")).side == B
    refused = await app.lobby.join(room.match, GUEST, None, None)
    assert refused == Rejected(code=Code.SEAT_YOURS, choices=(room.match,))
    refused = await app.lobby.join(room.match, OTHER, B, None)
    assert refused == Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=(A,))
    assert (await sat(app.lobby, room.match, HOST)).side == A
    refused = await app.lobby.join(room.match, OTHER, None, None)
    assert refused == Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=())
    seats = app.lobby.rooms[room.match].seats
    assert [(seat.account, seat.pledge) for seat in seats] == [(HOST, None), (GUEST, "00")]
    assert (await heard(wall)) == [("B", "joined"), ("A", "joined")]


async def test_a_seat_and_its_first_ticket_are_stored_in_one_commit(app: App) -> None:
    room = await opened(app.lobby)
    database = app.storage.database
    assert database is not None
    before = database.commits
    # Whoever joins comes when the database has done with the commit before.
    await asyncio.sleep(0.01)
    joined = await app.lobby.join(room.match, GUEST, B, None)
    assert not isinstance(joined, Rejected)
    seat, ticket = joined
    assert database.commits == before + 1
    used = await app.lobby.tickets.use(room.match, ticket, is_over=False)
    assert not isinstance(used, Rejected)
    assert used[0] == B
    assert app.lobby.rooms[room.match].seat_at(B) == seat


async def test_a_seat_that_cannot_be_stored_is_refused_and_is_no_fault_of_the_server(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await opened(app.lobby)

    async def refuse(*_: object) -> None:
        raise StoreError("no room on the disk")

    monkeypatch.setattr(app.storage.store, "give_ticket", refuse)
    with capture_logs() as lines, pytest.raises(StoreError):
        await app.lobby.join(room.match, GUEST, B, None)
    await asyncio.sleep(0)
    assert lines == []


async def test_who_kept_a_pledge_to_himself_twice_is_barred_and_once_is_not(app: App) -> None:
    room = await opened(app.lobby)
    assert UNREVEALED_MOST == 2
    await app.lobby.registry.keep(replace(room, unrevealed=(GUEST, OTHER, GUEST)))
    refused = await app.lobby.join(room.match, GUEST, None, None)
    assert refused == Rejected(code=Code.SEAT_BARRED)
    await sat(app.lobby, room.match, OTHER)


async def test_who_takes_a_seat_sees_the_truth_no_more_nor_may(app: App) -> None:
    room = await opened(app.lobby)
    guest, other = (FeedGrant(account=account, feed=OMNI) for account in (GUEST, OTHER))
    await app.lobby.registry.keep(replace(room, grants=(guest, other)))
    walls = {account: Wall() for account in (GUEST, OTHER)}
    subscriptions = app.lobby.matches.subscriptions
    for account, wall in walls.items():
        subscriptions.watch(room.match, OMNI, wall, account)
    await sat(app.lobby, room.match, GUEST)
    assert app.lobby.rooms[room.match].grants == (other,)
    held = {
        account: subscriptions.watches(room.match, OMNI, wall) for account, wall in walls.items()
    }
    assert held == {GUEST: False, OTHER: True}


async def test_readiness_is_said_and_taken_back_by_who_sits_there(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    wall = listening(lobby, room.match)
    await sat(lobby, room.match, GUEST)
    assert await lobby.set_ready(room.match, OTHER, None, on=True) == Rejected(code=Code.SEAT_NONE)
    for on in (True, False):
        assert await lobby.set_ready(room.match, GUEST, None, on=on) is None
        assert lobby.rooms[room.match].seats[0].is_ready == on
    assert (await heard(wall)) == [("A", "joined"), ("A", "ready"), ("A", "not ready")]


async def test_a_new_pledge_forgets_the_entropy_of_the_one_before(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    await sat(lobby, room.match, GUEST, pledged=pledge(ENTROPY))
    wrong = Rejected(code=Code.SEAT_PLEDGE, at="$.entropy")
    for text in ("", "zz", (b"y" * 32).hex()):
        assert await lobby.reveal(room.match, GUEST, text) == wrong
    refused = await lobby.reveal(room.match, OTHER, ENTROPY.hex())
    assert refused == Rejected(code=Code.SEAT_NONE)
    assert await lobby.reveal(room.match, GUEST, ENTROPY.hex()) is None
    assert lobby.rooms[room.match].seats[0].entropy == ENTROPY
    await lobby.set_ready(room.match, GUEST, None, on=True)
    assert lobby.rooms[room.match].seats[0].entropy == ENTROPY
    other = hashlib.sha256(b"other").hexdigest()
    await lobby.set_ready(room.match, GUEST, other, on=True)
    seat = lobby.rooms[room.match].seats[0]
    assert (seat.pledge, seat.entropy, seat.is_ready) == (other, b"", True)


async def test_while_the_seats_are_asked_to_reveal_nothing_is_exchanged(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    await ready_at(lobby, room.match, HOST, GUEST, pledged=pledge(ENTROPY))
    assert lobby.starting.is_under_way(room.match)
    assert await lobby.leave(room.match, GUEST) == LATE
    assert await lobby.set_ready(room.match, GUEST, "00", on=True) == LATE
    assert await lobby.set_ready(room.match, GUEST, None, on=False) == LATE
    assert await lobby.set_ready(room.match, GUEST, None, on=True) is None
    assert len(lobby.rooms[room.match].seats) == 2
    assert lobby.maintenance.stale() == []


async def test_a_match_begins_once_the_last_entropy_has_come(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    await ready_at(lobby, room.match, HOST, GUEST, pledged=pledge(ENTROPY))
    for account in (HOST, GUEST):
        assert room.match not in runners_of(lobby.matches)
        assert await lobby.reveal(room.match, account, ENTROPY.hex()) is None
    await until(lambda: room.match in runners_of(lobby.matches))


async def test_a_guest_leaves_a_seat_and_a_host_without_one_the_room(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    wall = listening(lobby, room.match)
    await sat(lobby, room.match, GUEST)
    await sat(lobby, room.match, HOST)
    ticket = await lobby.tickets.issue(room.match, A)
    assert await lobby.leave(room.match, OTHER) == Rejected(code=Code.SEAT_NONE)
    assert await lobby.leave(room.match, GUEST) is None
    used = await lobby.tickets.use(room.match, ticket, is_over=False)
    assert isinstance(used, Rejected)
    assert await lobby.leave(room.match, HOST) is None
    assert lobby.rooms[room.match].seats == ()
    assert await lobby.leave(room.match, HOST) is None
    assert lobby.rooms == {}
    assert not lobby.match_service.goes_on(room.match)
    assert (await heard(wall))[2:] == [("A", "left"), ("B", "left"), (None, "closed")]
    assert lobby.matches.subscriptions.count(room.match) == 0
    assert isinstance(await lobby.leave(room.match, HOST), Rejected)


# People.


async def test_a_room_counts_from_when_the_last_line_of_its_host_went(app: App) -> None:
    lobby, room = app.lobby, await opened(app.lobby)
    clock = app.lobby._clock  # noqa: SLF001 - the test tells its time
    assert isinstance(clock, FakeClock)
    await sat(lobby, room.match, GUEST)
    lines = [Wall(), Wall()]
    for wall in lines:
        lobby.presence.came(HOST, wall.dismiss)
    # Whoever is on the server's own machine comes from no place that tells accounts apart.
    assert lobby.presence.places_of(HOST) == ()
    lobby.presence.went(HOST, lines[0].dismiss)
    assert lobby.rooms[room.match].gone_ms is None
    gone_ms = clock.now_ms()
    lobby.presence.went(HOST, lines[1].dismiss)
    assert lobby.rooms[room.match].gone_ms == gone_ms
    clock.advance(5)
    lobby.presence.came(OTHER, lines[0].dismiss)
    assert lobby.rooms[room.match].gone_ms == gone_ms
    lobby.presence.went(OTHER, lines[0].dismiss)
    assert lobby.rooms[room.match].gone_ms == gone_ms
    lobby.presence.came(HOST, lines[0].dismiss)
    assert lobby.rooms[room.match].gone_ms is None
    lobby.presence.went(HOST, lines[0].dismiss)
    clock.advance(HOST_GONE_MS - 1)
    assert lobby.maintenance.stale() == []
    clock.advance(1)
    assert [stale.match for stale in lobby.maintenance.stale()] == [room.match]
    assert lobby.presence._present == {}  # noqa: SLF001 - or memory grows with all who came


async def test_every_line_of_a_person_is_ended_and_no_other(app: App) -> None:
    walls = {account: [Wall(), Wall()] for account in (GUEST, OTHER)}
    for account, lines in walls.items():
        for wall in lines:
            app.lobby.presence.came(account, wall.dismiss)
    app.lobby.presence.turn_out(GUEST, Bye(code=Code.SERVER_CLOSING, text="so"), 1000)
    app.lobby.presence.turn_out("nobody", Bye(code=Code.SERVER_CLOSING, text="so"), 1000)
    assert [wall.ended for wall in walls[GUEST]] == [[(Code.SERVER_CLOSING, 1000)]] * 2
    assert [wall.ended for wall in walls[OTHER]] == [[], []]


async def test_a_room_that_waits_is_not_forgotten(app: App) -> None:
    room = await opened(app.lobby)
    assert app.lobby.match_service.goes_on(room.match)
    assert not app.lobby.forget(room.match)
    assert app.lobby.rooms[room.match] == room


async def test_what_is_kept_is_there_after_a_restart(tmp_path: Path) -> None:
    clock = FakeClock(1_000_000)
    async with running_app(tmp_path, clock) as app:
        room = await opened(app.lobby, private=True)
        await sat(app.lobby, room.match, GUEST)
        kept = app.lobby.rooms[room.match]
    async with running_app(tmp_path, clock) as app:
        found = app.lobby.rooms[room.match]
        assert replace(found, gone_ms=None) == kept
        # Nobody was kept waiting by the outage in a match that had not begun.
        assert app.lobby.matches._outages == {}  # noqa: SLF001 - told when it is loaded again
        assert await app.lobby.registry.find(None, kept.code) == found
        await app.lobby.leave(room.match, GUEST)
        await app.lobby.opener.close(app.lobby.rooms[room.match])
    async with running_app(tmp_path, clock) as app:
        assert app.lobby.rooms == {}


async def test_a_seat_that_is_kept_for_a_house_bot_is_taken_by_it_alone(app: App) -> None:
    room = await opened(app.lobby)
    kept = RoomSeat(side=B, account="engine", bot="lurker", has_come=False)
    await app.lobby.registry.keep(room.with_seat(kept))
    refused = await app.lobby.join(room.match, "engine", A, None)
    assert refused == Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=(B,))
    refused = await app.lobby.join(room.match, GUEST, B, None)
    assert refused == Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=(A,))
    seat = await sat(app.lobby, room.match, "engine")
    assert (seat.side, seat.bot, seat.has_come) == (B, "lurker", True)
    assert (await sat(app.lobby, room.match, GUEST)).bot is None


async def test_nobody_joins_a_match_that_there_is_not(app: App) -> None:
    unknown = Rejected(code=Code.MATCH_UNKNOWN, at="$.match")
    assert await app.lobby.join(NOWHERE, GUEST, None, None) == unknown
    assert await app.lobby.set_ready(NOWHERE, GUEST, None, on=True) == unknown
    assert await app.lobby.reveal(NOWHERE, GUEST, "00") == unknown
    assert await app.lobby.leave(NOWHERE, GUEST) == unknown
    assert await app.lobby.rematches.wish(NOWHERE, Opener(GUEST)) == unknown
    assert not app.lobby.match_service.goes_on(NOWHERE)


async def test_a_room_that_another_server_has_taken_meanwhile_is_begun_by_that_one(
    app: App,
) -> None:
    app.lobby.starting.begin_if_ready(NOWHERE)
    assert not app.lobby.starting.is_under_way(NOWHERE)


async def test_a_start_that_is_called_off_before_its_first_step_can_be_begun_again(
    app: App,
) -> None:
    lobby = app.lobby
    room = await opened(lobby)
    for side, account in ((A, HOST), (B, GUEST)):
        seat = RoomSeat(side=side, account=account, is_ready=True)
        await lobby.registry.keep(lobby.rooms[room.match].with_seat(seat))
    lobby.starting.begin_if_ready(room.match)
    lobby.starting.call_off(room.match)
    assert not lobby.starting.is_under_way(room.match)
    lobby.starting.begin_if_ready(room.match)
    await until(lambda: lobby.matches.handle(room.match) is not None)
