"""Bans and mutes, as the operator orders and sees them.

Theory of operation. A banned account is not let in: `hello` is refused, with the end and the
reason of the ban. Its open connections are closed at once. Their seats in rooms that still wait go
to others; in a match that runs the seat stays theirs, and goes on by its clock like one whose line
is down, until the match is over or the ban is lifted: a ban is no resignation, which only `kick`
orders. Meanwhile no other account may take such a seat by its ticket.
"""

import contextlib
from typing import final

from sunglare_protocol.messages.replies import Bye, RoomState
from sunglare_protocol.text import clean
from sunglare_server.gateway.session import POLICY
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ops.control.answers import SanctionRow
from sunglare_server.ops.control.requests import Ban, Mute, RequestError
from sunglare_server.ops.moderation.account_lookup import account_called, counted
from sunglare_server.ports.lease import ElsewhereError
from sunglare_server.ports.networks import NetworkError, lies_in, network_of
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.sanctions import REASON_MOST, Sanction, SanctionKind

LASTS_MOST_S = 36_500 * 86_400
"""OWN: the longest time that a sanction with an end may have: a century."""

_DONE = {
    (SanctionKind.BAN, True): "is banned",
    (SanctionKind.BAN, False): "may come back",
    (SanctionKind.MUTE, True): "is muted",
    (SanctionKind.MUTE, False): "is heard again",
}


@final
class Sanctioning:
    """Bans and mutes for one server."""

    def __init__(self, lobby: Lobby) -> None:
        """Keep them where the `lobby` looks them up."""
        self._lobby = lobby
        self._policy = lobby.policy
        self._accounts = lobby.accounts
        self._rooms = lobby.rooms
        self._subscriptions = lobby.matches.subscriptions

    async def perform(self, request: Ban | Mute) -> str:
        """Do what is asked and say what was done; raise `RequestError` if that can't be."""
        kind = SanctionKind.BAN if isinstance(request, Ban) else SanctionKind.MUTE
        whom, named = await self._whom(request)
        if not request.on:
            changed = await self._policy.lift(kind, whom)
            return f"{named} {_DONE[kind, False]}{'' if changed else ', as before'}"
        changed = await self._policy.keep(
            kind, whom, reason_of(request.reason), _lasts_ms(request)
        )
        done = f"{named} {_DONE[kind, True]}{'' if changed else ', as before'}"
        return f"{done}; {await self._shut_out(whom)}" if kind is SanctionKind.BAN else done

    async def rows(self) -> tuple[SanctionRow, ...]:
        """Return a row for each ban and mute that has not ended."""
        holding = self._policy.holding
        accounts = tuple([one.whom for one in holding if one.is_of_account])
        names = await self._accounts.names(accounts)
        return tuple([_row(one, names.get(one.whom)) for one in holding])

    async def shut_out_again(self, sanctions: tuple[Sanction, ...]) -> str:
        """End the connections of those whose bans hold again; return how many in words."""
        now = [one for one in self._policy.holding if one in sanctions]
        words = [await self._shut_out(one.whom) for one in now if one.kind is SanctionKind.BAN]
        ended = sum(int(word.partition(" ")[0]) for word in words)
        return f"{counted(ended, 'connection')} ended"

    async def _whom(self, request: Ban | Mute) -> tuple[str, str]:
        """Return whom a sanction concerns, as it is kept and as it is named."""
        match (request.name, request.address):
            case (str(name), None):
                return await account_called(self._lobby, name), name
            case (None, str(address)):
                try:
                    found = str(network_of(address))
                except NetworkError as error:
                    raise RequestError(str(error)) from error
                return found, found
            case _:
                raise RequestError("name either an account or, by `--address`, an address")

    async def _shut_out(self, whom: str) -> str:
        """End the connections of a banned account, and free what it keeps from others."""
        refusal = self._policy.banned(whom)
        if refusal is None:
            raise RequestError("it was lifted again in the same moment")
        bye = Bye(code=refusal.code, text=refusal.text)
        presence = self._lobby.presence
        if "/" in whom:
            ended = presence.turn_out_from(lambda at: whom in lies_in(at), bye, POLICY)
            return f"{counted(ended, 'connection')} ended"
        ended = presence.lines_of(whom)
        for room in tuple(self._rooms.values()):
            # An owner that has taken one of them meanwhile sees to its seats.
            with contextlib.suppress(ElsewhereError):
                await self._leave(room, whom, bye)
        presence.turn_out(whom, bye, POLICY)
        return f"{counted(ended, 'connection')} ended"

    async def _leave(self, room: Room, account: str, bye: Bye) -> None:
        """Take an account out of a room that waits; no one speaks for its seat in a match."""
        seat = room.seat_of(account)
        if room.state is RoomState.LOBBY and (seat is not None or room.host == account):
            await self._lobby.leave(room.match, account)
        elif seat is not None:
            # Who sits there by a ticket may be another account.
            self._subscriptions.dismiss(room.match, seat.side, bye, POLICY)


def reason_of(text: str) -> str:
    """Return a reason as it is kept; raise `RequestError` if it is none."""
    if not text:
        return ""
    reason = clean(text, REASON_MOST)
    if reason is None:
        raise RequestError(f"a reason is one line of 1 to {REASON_MOST} plain characters")
    return reason


def _lasts_ms(request: Ban | Mute) -> int | None:
    if request.lasts_s is None:
        return None
    if not 1 <= request.lasts_s <= LASTS_MOST_S:
        raise RequestError(f"it lasts from a second to a century, not {request.lasts_s} s")
    return request.lasts_s * 1000


def _row(one: Sanction, name: str | None) -> SanctionRow:
    return SanctionRow(
        kind=one.kind.value,
        whom=one.whom if name is None else name,
        account=one.whom if one.is_of_account else None,
        since_ms=one.since_ms,
        until_ms=one.until_ms,
        reason=one.reason,
    )
