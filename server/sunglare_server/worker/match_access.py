"""The right of a gateway's line to know a match, where its owner is not the one that answers."""

from sunglare_protocol.codec import Form, decode_client
from sunglare_protocol.errors import DecodeError
from sunglare_protocol.messages import ClientMessage
from sunglare_protocol.messages.commands import FetchRecord, Resume
from sunglare_protocol.refusals import Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_access import about_none, code_in, match_in
from sunglare_server.api.responses import lines_of
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.rooms.access import has_code, opens
from sunglare_server.transport.messages import ClientRequest, MatchStatus, MatchStatusQuery
from sunglare_server.transport.transport import TransportError


def message_of(asked: ClientRequest) -> ClientMessage:
    """Return the client's message that a gateway passes on; TransportError if it is none."""
    try:
        return decode_client(asked.message, Form.PACKED)
    except DecodeError as error:
        raise TransportError(f"no client message at {error.at}: {error.why}") from None


async def as_known(lobby: Lobby, message: ClientMessage, caller: Caller | None) -> ClientMessage:
    """Return a message, or the same about no match: about another worker's that is not for it.

    Else a stranger could distinguish a private match whose owner is away from an unknown one. A
    line that knows it by a ticket is known to its owner, which is asked first.
    """
    match = match_in(message)
    if match is None or caller is None or not await lobby.peer_rooms.has(match):
        return message
    room = await lobby.peer_rooms.look(match)
    if room is None or opens(room, caller.account, code_in(message)):
        return message
    ticket = message.ticket if isinstance(message, Resume) else None
    is_hidden = ticket is None or not await lobby.tickets.leads_to(match, ticket)
    return about_none(message) if is_hidden else message


async def is_record_shown(lobby: Lobby, message: ClientMessage) -> bool:
    """Return whether a message asks for a record that takes no seat: a match's that is over.

    A private match takes its code as well.
    """
    if not isinstance(message, FetchRecord):
        return False
    room = await lobby.registry.find(message.match)
    if isinstance(room, Rejected) or not await lobby.matches.is_over(room):
        return False
    return room.code is None or has_code(room, message.code or "")


async def glimpsed(lobby: Lobby, asked: MatchStatusQuery) -> MatchStatus:
    """Return how a match of this worker stands in a list, for an account that may know it."""
    room = lobby.rooms.get(asked.match)
    if room is None or not lobby.is_open_to(room, asked.account, None):
        return MatchStatus()
    lines = await lines_of(lobby.match_service, (room,), asked.account)
    return MatchStatus(lines[asked.match])
