"""Rated matches in the lobby of a server whose clock the test moves, played without sockets."""

import asyncio
import functools
import itertools
from collections.abc import Callable

from builders.fakeclock import FakeClock
from builders.lobbies import HOST, SCENARIO, ready_at
from builders.runners import runners_of
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.refusals import Rejected
from sunglare_server.app import App
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.record import Body, DrawOffered, OrdersGiven, Resigned
from sunglare_server.match.state import MatchState, Taken
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.quotas import Opener
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.match_handle import MatchHandle

WAIT_S = 30.0

_numbers = itertools.count(1)


async def rated_room(app: App, scenario: str = SCENARIO, clock: str = "standard") -> Room:
    """Open a rated room of the host."""
    room = await app.lobby.create(
        Opener(HOST), scenario, {"clock": clock}, "", private=False, rated=True
    )
    assert isinstance(room, Room), room
    return room


async def rated_match(
    app: App, clock: FakeClock, *accounts: str, scenario: str = SCENARIO
) -> MatchId:
    """Have accounts begin a rated match, a side each in their order."""
    room = await rated_room(app, scenario)
    await ready_at(app.lobby, room.match, *accounts)
    await until(app, clock, lambda: app.lobby.matches.handle(room.match) is not None)
    for side in room.sides:
        # As if somebody were connected to each seat.
        runners_of(app.lobby.matches)[room.match].seat_connections.came(side)
    return room.match


async def to_turn_2(app: App, clock: FakeClock, match: MatchId) -> None:
    """Play the first turn of a match: all sides lock each window, without orders."""
    while (state := _state(app, match)).standing.turn < 2:
        for side in state.standing.sides:
            if state.awaits(side):
                body = OrdersGiven(
                    window=state.standing.window, rev=next(_numbers), orders=(), lock=True
                )
                await commanded(app, clock, match, side, body)
        window = state.standing.window
        await until(app, clock, functools.partial(_has_left, app, match, window))


def _has_left(app: App, match: MatchId, window: str) -> bool:
    return _state(app, match).standing.window != window


async def commanded(
    app: App, clock: FakeClock, match: MatchId, side: str | None, body: Body
) -> None:
    """Have a seat, or without one the operator, command something, which is taken."""
    seat = None if side is None else Side(side)
    number = None if side is None else next(_numbers)
    answered: asyncio.Future[Taken | Rejected] = asyncio.get_running_loop().create_future()
    _front(app, match).command(Pending(seat, number, body, answered.set_result))
    await until(app, clock, answered.done)
    assert isinstance(answered.result(), Taken), answered.result()


async def resigned(app: App, clock: FakeClock, match: MatchId, side: str) -> None:
    """Have a seat give up."""
    await commanded(app, clock, match, side, Resigned())


async def drawn(app: App, clock: FakeClock, match: MatchId, *sides: str) -> None:
    """Have all seats agree to a draw."""
    for side in sides:
        await commanded(app, clock, match, side, DrawOffered(on=True))


async def noted_over(app: App, clock: FakeClock, match: MatchId) -> None:
    """Wait until the room of a match is kept as one that is over."""
    await until(app, clock, lambda: match not in app.lobby.rooms)


async def until(app: App, clock: FakeClock, is_so: Callable[[], bool]) -> None:
    """Let time go by until something is so."""
    async with asyncio.timeout(WAIT_S):
        while not is_so():
            await clock.run_for(BEAT_MS)
            for _ in range(2):
                # The clock must not run away from the disk, that would be a stall: what is read
                # comes after what is being written.
                await asyncio.sleep(0)
                await app.storage.journal.last(MatchId("none"))


def _front(app: App, match: MatchId) -> MatchHandle:
    handle = app.lobby.matches.handle(match)
    assert handle is not None
    return handle


def _state(app: App, match: MatchId) -> MatchState:
    return runners_of(app.lobby.matches)[match].state
