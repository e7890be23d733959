"""A seat that another process takes up: it knows, shows and keeps what the first one ordered."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from builders.players import Player, created, seated
from builders.runners import runners_of
from builders.servers import running_app
from builders.terminals import screen
from builders.venues import Venue
from builders.wires import WAIT_S, met
from sunglare_client.link.connection import connect
from sunglare_client.link.seat import Seat
from sunglare_client.terminal.plain import Terminal
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Order
from sunglare_server.app import App


async def typed(*lines: str) -> AsyncIterator[str]:
    """Type lines one after the other, as soon as each is read."""
    for line in lines:
        yield line
        await asyncio.sleep(0)


async def at_terminal(seat: Seat, *lines: str) -> str:
    """Type lines in a terminal, leave it, and return what it showed."""
    shown, paper = screen()
    async with asyncio.timeout(WAIT_S), seat:
        await Terminal(seat, typed(*lines, "quit yes"), shown).run()
    return paper.getvalue()


def held(app: App, player: Player) -> tuple[int, bool, tuple[Order, ...]]:
    """Return rev, lock and orders that the server holds of A."""
    staged = runners_of(app.lobby.matches)[player.match].state.staged[Side("A")]
    return staged.rev, staged.locked, staged.orders


def told_orders(text: str) -> list[str]:
    """Return what the last `orders` of a terminal showed, the clock left out."""
    _, _, last = text.rpartition("orders given:\n")
    return [line for line in last.splitlines() if line.startswith("  ")]


async def test_a_second_process_shows_keeps_and_sends_what_the_first_one_ordered(
    venue: Venue,
) -> None:
    clock = await venue.still()
    boris = await venue.one("boris")
    match = await created(boris)
    other = await seated(boris, match, "B")
    connection = await connect(venue.app.url, name="anna")
    token = connection.welcome.token
    seat = await Seat.join(connection, match=match, side=Side("A"))
    await seat.ready()
    await boris.ready(match)
    await other.frame()
    first = await at_terminal(seat, "sensors S1 out; sensors S2 out", "orders")
    before = held(venue.app, other)
    assert (before[1], len(before[2])) == (False, 2)
    clock.advance(20_000)
    # Neither ticket nor memory: the account alone.
    seat = await Seat.resume(await connect(venue.app.url, token=token), match)
    second = await at_terminal(seat, "orders")
    assert held(venue.app, other) == before
    assert told_orders(second) == told_orders(first) != []
    assert "The window closes in 40 s." in second
    seat = await Seat.resume(await connect(venue.app.url, token=token), match)
    await at_terminal(seat, "ready!")
    rev, is_locked, orders = held(venue.app, other)
    assert (rev > before[0], is_locked, orders) == (True, True, before[2])
    seat = await Seat.resume(await connect(venue.app.url, token=token), match)
    fourth = await at_terminal(seat, "face S1 S")
    assert "you are ready; unready takes that back" in fourth
    assert "E-PHASE" in fourth
    assert held(venue.app, other) == (rev, True, before[2])


async def begun(seat: Seat) -> Frame:
    """Return the first frame of a seat."""
    async for post in seat:
        if isinstance(post, Frame):
            return post
    raise AssertionError("the match ended without a frame")


async def test_seats_of_the_library_take_up_their_rematch_over_the_same_connections(
    tmp_path: Path,
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        host = await stack.enter_async_context(met(app.url))
        match = await created(host)
        lines = [await connect(app.url) for _ in "ab"]
        seats = [await Seat.join(line, match=match) for line in lines]
        for seat in seats:
            await seat.ready()
        async with asyncio.timeout(WAIT_S):
            assert [(await begun(seat)).seq for seat in seats] == [1, 1]
            await seats[0].resign()
            for seat in seats:
                assert [post async for post in seat]
            again = await asyncio.gather(*(seat.take_up_rematch() for seat in seats))
            assert [seat.side for seat in seats] == ["A", "B"]
            assert [seat.side for seat in again] == ["B", "A"]
            for seat in again:
                stack.push_async_callback(seat.close)
                await seat.ready()
            frames = [await begun(seat) for seat in again]
        assert len({seat.match for seat in again} | {match}) == 2
        assert [frame.seq for frame in frames] == [1, 1]
        assert app.admission.inside == 3
