"""The operator: does what is asked over the control socket, and says in words what was done."""

import asyncio
import contextlib
from typing import assert_never, final

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Bye, NewsKind, RoomState
from sunglare_protocol.refusals import SENTENCES, Code, Rejected
from sunglare_protocol.text import CHAT_MOST, clean
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.gateway.session import POLICY
from sunglare_server.match.record import Adjourned, Body, PauseAsked, Resigned
from sunglare_server.match.state import Taken
from sunglare_server.ops.backup.backup import back_up, prune
from sunglare_server.ops.backup.match_transfer import bring_in, dump
from sunglare_server.ops.backup.record_archive import archive
from sunglare_server.ops.control.audit import AuditRecorder
from sunglare_server.ops.control.draining import Draining
from sunglare_server.ops.control.overview import Installation, rows, state_of, status
from sunglare_server.ops.control.request import RequestError
from sunglare_server.ops.control.request_handler import reloaded
from sunglare_server.ops.control.requests import (
    Adjourn,
    Answer,
    ArchiveRecords,
    Backup,
    Drain,
    DumpMatch,
    FoldRatings,
    ForeignError,
    GrantCaster,
    ImportMatch,
    Kick,
    MatchesAsked,
    Pause,
    Prune,
    Reload,
    RenewSeals,
    ReportsAsked,
    Request,
    RevokeCaster,
    Say,
    StatusAsked,
)
from sunglare_server.ops.moderation.account_lookup import account_called, counted
from sunglare_server.ops.moderation.moderation import Steward
from sunglare_server.ops.moderation.moderation_requests import Orderly
from sunglare_server.ops.moderation.reports import Complaints
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
class Operator:
    """Does what the operator asks of one server; `drained` is set when the server shall end."""

    def __init__(self, site: Installation) -> None:
        """Work on the parts of `site`."""
        self._draining = Draining(site)
        self.drained = self._draining.ended
        self.site = site
        self._lobby = site.lobby
        self._rooms = site.lobby.registry
        self._past = site.lobby.past
        self._peer_rooms = site.lobby.peer_rooms
        self._matches = site.lobby.matches
        self._subscriptions = site.lobby.matches.subscriptions
        self._audit = AuditRecorder(site.audit_log, site.clock)
        self._quarantining = Quarantining(site)
        self._steward = Steward(site, self._audit, self._quarantining)
        self._copying = asyncio.Lock()
        self._archiving = asyncio.Lock()

    async def perform(self, request: Request) -> Answer:
        """Do what is asked, and note who asked it; raise `RequestError` if that can't be."""
        return await self._audit.noted(request, self._tried)

    async def _tried(self, request: Request) -> Answer:
        try:
            return await self._performed(request)
        except ElsewhereError as error:
            raise ForeignError(error.match) from error
        except MediumError as error:
            raise RequestError(f"{self._medium} refused: {error}") from error

    @property
    def _medium(self) -> str:
        return self.site.medium if self.site.database is None else "the database"

    async def _performed(self, request: Request) -> Answer:
        if isinstance(request, Orderly):
            return await self._steward.perform(request)
        match request:
            case StatusAsked():
                return Answer(standing=await status(self.site))
            case MatchesAsked(over=over, quarantined=quarantined):
                found = await rows(self.site, over=over)
                found = await self._quarantining.rows(found) if quarantined else found
                return Answer(matches=found)
            case ReportsAsked():
                return await self._reports(request)
            case Reload():
                return Answer(done=await reloaded(self.site.reload))
            case RenewSeals(wish=wish):
                return Answer(done=await self._renew_seals(wish))
            case (
                Backup() | Prune() | ArchiveRecords() | DumpMatch() | ImportMatch() | FoldRatings()
            ):
                return await self._of_storage(request)
            case _:
                return Answer(done=await self._ordered(request))

    async def _of_storage(
        self,
        request: Backup | Prune | ArchiveRecords | DumpMatch | ImportMatch | FoldRatings,
    ) -> Answer:
        """Do what concerns all that is kept, or a match as it is kept."""
        match request:
            case Backup(path=path):
                return Answer(done=await self._back_up(path))
            case Prune(days=days, dry=dry, archived=archived):
                return Answer(done=await prune(self.site, days, dry=dry, archived=archived))
            case ArchiveRecords(path=path):
                return await self._archive(path)
            case DumpMatch(match=match, path=path):
                return Answer(done=await dump(self.site, await self._room(match), path))
            case ImportMatch(path=path):
                return Answer(done=await bring_in(self.site, path))
            case FoldRatings():
                count = await self._lobby.ladder.ratings.rebuild()
                return Answer(done=f"folded {counted(count, 'result')} of rated matches")
            case _:
                assert_never(request)

    async def _ordered(
        self,
        request: Say | Kick | GrantCaster | RevokeCaster | Pause | Adjourn | Drain,
    ) -> str:
        match request:
            case Say():
                return await self._say(request)
            case Kick():
                return await self._kick(request)
            case GrantCaster() | RevokeCaster():
                return await self._grant(request)
            case Pause(match=match, on=on):
                return await self._pause(match, on=on)
            case Adjourn(match=match):
                return await self._adjourn(match)
            case Drain():
                return self._draining.order(request)
            case _:
                assert_never(request)

    async def close(self) -> None:
        """Wait for no match any more."""
        self._draining.close()

    async def _renew_seals(self, wish: str) -> str:
        if self.site.rpc_server is None:
            raise RequestError("this server has no gateways, so no line of one is sealed")
        await self.site.rpc_server.replace_key(wish)
        return "lines are sealed with another key; the one before is good until the next time"

    async def _back_up(self, path: str) -> str:
        if self._copying.locked():
            raise RequestError("another backup is being made; come again when it is done")
        async with self._copying:
            return await back_up(self.site, path)

    async def _archive(self, path: str) -> Answer:
        if self._archiving.locked():
            raise RequestError("another archive is being made; come again when it is done")
        async with self._archiving:
            done = await archive(self.site, path)
        words = f"{path}: {counted(done.made, 'file')} made"
        # Where nothing can be made another request would make no more.
        left = done.left if done.made else 0
        words += f", {counted(left, 'match', 'matches')} left" if left else ""
        return Answer(done=words, left=left, missing=done.failed)

    async def _reports(self, request: ReportsAsked) -> Answer:
        complaints = Complaints(self._lobby, self.site.journal)
        match (request.done, request.drop):
            case (None, None):
                now_ms = self.site.clock.now_ms()
                rows = await complaints.rows(now_ms, done=request.all)
                return Answer(reports=rows, set_aside=self.site.aside_of("reports"))
            case (str(match), None):
                return Answer(done=await complaints.done(await self._room(match)))
            case (None, str(match)):
                room = await self._room(match)
            case _:
                raise RequestError("reports takes either --done or --drop")
        await self._lobby.reports.drop(room)
        return Answer(done=f"{room.match}: its reports are deleted")

    async def _say(self, request: Say) -> str:
        text = clean(request.text, CHAT_MOST - len(PREFIX))
        if text is None:
            most = CHAT_MOST - len(PREFIX)
            raise RequestError(f"the text is one line of 1 to {most} plain characters")
        room = None if request.match is None else await self._room(request.match)
        own = self._rooms.own
        told = [room] if room is not None else [*own.values()]
        heard = [one_room for one_room in told if self._tell(one_room, text)]
        return f"told {counted(len(heard), 'match', 'matches')}"

    def _tell(self, room: Room, text: str) -> bool:
        """Tell the seats of a match, or whoever waits in its room; return whether it goes on."""
        handle = self._matches.handle(room.match)
        if room.state is RoomState.LOBBY:
            self._subscriptions.tell_room(room.match, None, f"{PREFIX}{text}", NewsKind.SERVER)
        elif handle is not None:
            handle.tell_seats(f"{PREFIX}{text}")
        return state_of(room, handle) != "over"

    async def _pause(self, match: str, *, on: bool) -> str:
        room, handle = await self._running(match)
        if (handle.pause == "held") is on:
            raise RequestError(
                f"{room.match} is {'paused already' if on else 'not paused by you'}"
            )
        await self._decree(handle, None, PauseAsked(on=on))
        self._tell(room, "the match is paused" if on else "the match goes on")
        return f"{room.match} {'is paused' if on else 'goes on'}"

    async def _adjourn(self, match: str) -> str:
        room = await self._room(match)
        if self._quarantining.holds(room):
            return await self._end_of_quarantine(room)
        room, handle = await self._running(match)
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

    async def _kick(self, request: Kick) -> str:
        if request.name is not None and request.match is None and request.side is None:
            return await self._kick_account(request.name)
        if request.name is None and request.match is not None and request.side is not None:
            return await self._kick_seat(await self._room(request.match), request.side)
        raise RequestError("kick takes either an account's name, or both a match and a side")

    async def _kick_account(self, name: str) -> str:
        account = await account_called(self._lobby, name)
        seats = 0
        own = self._rooms.own
        for room in tuple(own.values()):
            # Whoever has taken one of them meanwhile sees to its seats.
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
            raise RequestError(f"nobody sits at {side} in {room.match}; taken are: {taken}")
        if not await self._clear(room, seat):
            state = state_of(room, self._matches.handle(room.match))
            raise RequestError(f"{room.match} is {state}: nobody is to be removed")
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

    async def _grant(self, request: GrantCaster | RevokeCaster) -> str:
        account, room = (
            await account_called(self._lobby, request.name),
            await self._room(request.match),
        )
        on = isinstance(request, GrantCaster)
        refused = await self._lobby.grants.decree(room.match, account, on=on)
        if refused is not None:
            raise RequestError(f"{room.match}: {refused.text}")
        sees = "sees the truth at once" if on else "sees the truth no more"
        return f"{room.match}: {request.name} {sees}; all seats are told"

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
        room = await self._room(match)
        handle = await self._matches.handle_of(room)
        state = state_of(room, handle)
        if handle is None or state in ("waiting", "over"):
            raise RequestError(f"{room.match} is {state}, not running")
        return room, handle

    async def _room(self, match: str) -> Room:
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
