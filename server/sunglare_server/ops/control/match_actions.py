"""Actions of the operator on matches in play, their rooms and their seats."""

import asyncio
import contextlib
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Bye, NewsKind, RoomState
from sunglare_protocol.refusals import SENTENCES, Code, Rejected
from sunglare_protocol.text import CHAT_MOST, clean
from sunglare_server.gateway.session import POLICY
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.match.record import Adjourned, Body, PauseAsked, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.ops.control.overview import state_of
from sunglare_server.ops.control.requests import (
    Adjourn,
    ForeignError,
    GrantCaster,
    Kick,
    Pause,
    RequestError,
    RevokeCaster,
    Say,
)
from sunglare_server.ops.moderation.account_lookup import account_called, counted
from sunglare_server.ops.repair.quarantine_requests import Quarantining
from sunglare_server.ports.lease import ElsewhereError
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.match_handle import MatchHandle

PREFIX = "operator: "
"""How every word of the operator to the seats begins, so that it is taken for nothing else."""

ANSWER_S = 10.0
"""How long a match may take to store what the operator orders."""

_KICKED = Bye(code=Code.OPERATOR_KICKED, text=SENTENCES[Code.OPERATOR_KICKED])


@final
class MatchActions:
    """Acts on the matches of one server; each action says in words what was done."""

    def __init__(self, lobby: Lobby, quarantining: Quarantining) -> None:
        """Act on matches of `lobby`; `quarantining` has those that can't go on."""
        self._lobby = lobby
        self._rooms = lobby.registry
        self._past = lobby.past
        self._peer_rooms = lobby.peer_rooms
        self._matches = lobby.matches
        self._subscriptions = lobby.matches.subscriptions
        self._quarantining = quarantining

    async def say(self, request: Say) -> str:
        """Send a text to the seats of one match, or of all."""
        text = clean(request.text, CHAT_MOST - len(PREFIX))
        if text is None:
            most = CHAT_MOST - len(PREFIX)
            raise RequestError(f"the text is one line of 1 to {most} plain characters")
        room = None if request.match is None else await self.room(request.match)
        own = self._rooms.own
        told = [room] if room is not None else [*own.values()]
        heard = [one_room for one_room in told if self._tell(one_room, text)]
        return f"told {counted(len(heard), 'match', 'matches')}"

    def _tell(self, room: Room, text: str) -> bool:
        """Send a text to the seats or the waiting room of a match; return whether it goes on."""
        handle = self._matches.handle(room.match)
        if room.state is RoomState.LOBBY:
            self._subscriptions.tell_room(room.match, None, f"{PREFIX}{text}", NewsKind.SERVER)
        elif handle is not None:
            handle.tell_seats(f"{PREFIX}{text}")
        return state_of(room, handle) != "over"

    async def pause(self, request: Pause) -> str:
        """Pause a match, or let it go on."""
        on = request.on
        room, handle = await self._running(request.match)
        if (handle.pause == "held") is on:
            raise RequestError(
                f"{room.match} is {'paused already' if on else 'not paused by you'}"
            )
        await self._decree(handle, None, PauseAsked(on=on))
        self._tell(room, "the match is paused" if on else "the match goes on")
        return f"{room.match} {'is paused' if on else 'goes on'}"

    async def adjourn(self, request: Adjourn) -> str:
        """End a match without a winner, one in quarantine as well."""
        room = await self.room(request.match)
        if self._quarantining.holds(room):
            return await self._end_of_quarantine(room)
        room, handle = await self._running(request.match)
        await self._decree(handle, None, Adjourned())
        return f"{room.match} is adjourned, without a winner"

    async def _end_of_quarantine(self, room: Room) -> str:
        handle = await self._quarantining.loaded_anew(room)
        if handle is None:
            return await self._quarantining.end(room)
        try:
            await self._decree(handle, None, Adjourned())
        except RequestError:
            if not handle.is_faulty:
                raise
            # What was due by now has met the bug again before this.
            return await self._quarantining.end(room)
        return f"{room.match} is adjourned, without a winner"

    async def kick(self, request: Kick) -> str:
        """Clear all seats of an account, or one seat of a match."""
        if request.name is not None and request.match is None and request.side is None:
            return await self._kick_account(request.name)
        if request.name is None and request.match is not None and request.side is not None:
            return await self._kick_seat(await self.room(request.match), request.side)
        raise RequestError("kick takes either an account's name, or both a match and a side")

    async def _kick_account(self, name: str) -> str:
        account = await account_called(self._lobby, name)
        seats = 0
        own = self._rooms.own
        for room in tuple(own.values()):
            # An owner that has taken one of them meanwhile sees to its seats.
            with contextlib.suppress(ElsewhereError):
                seats += await self._clear_of(room, account)
        self._lobby.presence.turn_out(account, _KICKED, POLICY)
        return f"{name}: {counted(seats, 'seat')} cleared, all connections ended"

    async def _clear_of(self, room: Room, account: str) -> int:
        """Take an account's seat in a match, and its room; return how many seats it had there."""
        seat = room.seat_of(account)
        cleared = seat is not None and await self._clear(room, seat)
        if room.host == account and room.state is RoomState.LOBBY:
            await self._lobby.leave(room.match, account)
        return int(cleared)

    async def _kick_seat(self, room: Room, side: Side) -> str:
        seat = room.seat_at(side)
        if seat is None:
            taken = ", ".join(there.side for there in room.seats) or "none"
            raise RequestError(f"no player has side {side} in {room.match}; taken sides: {taken}")
        if not await self._clear(room, seat):
            state = state_of(room, self._matches.handle(room.match))
            raise RequestError(f"{room.match} is {state}: there is no player to remove")
        return f"{room.match}: the seat {side} is cleared"

    async def _clear(self, room: Room, seat: RoomSeat) -> bool:
        """Take a seat from its account for good; return whether there was anything to take."""
        handle = await self._matches.handle_of(room)
        if room.state is RoomState.LOBBY:
            if await self._lobby.leave(room.match, seat.account) is not None:
                raise RequestError(f"{room.match} is just starting; try again")
        elif handle is None or state_of(room, handle) == "over":
            return False
        elif handle.plays(seat.side):
            await self._lobby.tickets.end(room.match, seat.side)
            await self._rooms.keep(room.with_seat(replace(seat, is_lost=True)))
            self._tell(room, f"{seat.side} was removed and gives up")
            await self._decree(handle, seat.side, Resigned())
        self._subscriptions.dismiss(room.match, seat.side, _KICKED, POLICY)
        return True

    async def grant(self, request: GrantCaster | RevokeCaster) -> str:
        """Let an account see the truth of a match, or take that back."""
        account, room = (
            await account_called(self._lobby, request.name),
            await self.room(request.match),
        )
        on = isinstance(request, GrantCaster)
        refused = await self._lobby.grants.decree(room.match, account, on=on)
        if refused is not None:
            raise RequestError(f"{room.match}: {refused.text}")
        sees = "sees the truth at once" if on else "sees the truth no more"
        return f"{room.match}: {request.name} {sees}; all seats are informed"

    async def _decree(self, handle: MatchHandle, side: Side | None, body: Body) -> None:
        """Have a match store what the operator orders; raise `RequestError` if it does not."""
        answered: asyncio.Future[Taken | Rejected] = asyncio.get_running_loop().create_future()
        handle.command(Pending(side, None, body, answered.set_result))
        done, _ = await asyncio.wait([answered], timeout=ANSWER_S)
        if not done:
            raise RequestError(f"{handle.match} has not stored it in time; look at its state")
        if isinstance(given := answered.result(), Rejected):
            raise RequestError(f"{handle.match}: {given.text}")

    async def _running(self, match: str) -> tuple[Room, MatchHandle]:
        room = await self.room(match)
        handle = await self._matches.handle_of(room)
        state = state_of(room, handle)
        if handle is None or state in ("waiting", "over"):
            raise RequestError(f"{room.match} is {state}, not running")
        return room, handle

    async def room(self, match: str) -> Room:
        """Return the room whose id is `match` or alone begins with it."""
        near = await self._past.called(match) if match else ()
        if len(near) == 1 and await self._peer_rooms.has(near[0]):
            raise ForeignError(near[0])
        found = await self._rooms.find(near[0]) if len(near) == 1 else None
        if not isinstance(found, Room):
            many = "2 matches or more" if len(near) > 1 else "0 matches"
            why = f"{many} have an id that begins with {match!r}"
            raise RequestError(f"{why}; `sunglare-server matches --over` lists them")
        return found
