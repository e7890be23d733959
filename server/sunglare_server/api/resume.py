"""Coming back to a seat: whose it is, what it receives, and what follows on what was seen."""

from typing import NamedTuple, final

from sunglare_protocol.ids import Audience, MatchId, Side, audience_of
from sunglare_protocol.messages.commands import Join, Resume
from sunglare_protocol.messages.replies import Resumed, ResumeKind, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.api.responses import card_of
from sunglare_server.lobby.feedgrants import BOUND
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.ports.cards import class_cards
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.match_handle import SeatStanding


@final
class Claim(NamedTuple):
    """A seat that an account may take again, and the next ticket, if one could be given."""

    room: Room
    side: Side
    ticket: str | None


async def claimed(service: MatchService, message: Resume, account: str) -> Claim | Rejected:
    """Return the seat that is asked for: by a ticket, or as the caller's own.

    A match that there is not, and one in which the caller has no seat, are refused alike. An
    account with other eyes in the match gets no seat by a ticket, and no account that of one that
    is banned.
    """
    room = await service.find(message.match)
    if message.ticket is not None:
        claim = await _by_ticket(service, room, message.match, message.ticket)
        # The ticket stays good: it lasts until the next one is used, which was given to no client.
        barred = _barred(service, claim, account) if isinstance(claim, Claim) else None
        return barred or claim
    if isinstance(room, Rejected) and room.code is Code.MATCH_FAULT:
        return room
    seat = None if isinstance(room, Rejected) else room.held_by(account)
    if isinstance(room, Rejected) or seat is None:
        return Rejected(code=Code.SEAT_NONE, at="$.match")
    return Claim(room, seat.side, await service.tickets.give(room, seat.side))


def _barred(service: MatchService, claim: Claim, account: str) -> Rejected | None:
    """Return why `account` may not have a seat that its ticket gives it; None if it may."""
    if service.grants.bars(claim.room, account):
        return BOUND
    seat = claim.room.seat_at(claim.side)
    # Else a banned account would play on as another.
    return None if seat is None else service.policy.banned(seat.account)


async def _by_ticket(
    service: MatchService, room: Room | Rejected, match: MatchId, ticket: str
) -> Claim | Rejected:
    if isinstance(room, Rejected) and room.code is not Code.MATCH_FAULT:
        return Rejected(code=Code.TICKET_BAD, at="$.ticket")
    is_over = isinstance(room, Room) and room.state is RoomState.OVER
    used = await service.tickets.use(match, ticket, is_over=is_over)
    if isinstance(used, Rejected):
        return used
    return room if isinstance(room, Rejected) else Claim(room, *used)


async def rejoined(
    service: MatchService, room: Room, message: Join, account: str
) -> Claim | Rejected | None:
    """Return the seat that the caller has in a match that has started; None for a stranger."""
    seat = None if room.state is RoomState.LOBBY else room.held_by(account)
    if seat is None:
        return None
    if message.side not in (None, seat.side):
        return Rejected(code=Code.SEAT_TAKEN, at="$.side")
    return Claim(room, seat.side, await service.tickets.give(room, seat.side))


async def told_to_spectator(
    service: MatchService, room: Room, feed: Audience, account: str
) -> list[EncodedMessage]:
    """Return what was said since the end, and of a rematch, for who comes to watch a match."""
    said = await service.post_match_chat.told(room.match, feed)
    had_seat = room.seat_of(account) is not None
    rematch = await service.rematches.told(room.match, is_seated=had_seat)
    return [EncodedMessage(news) for news in (*said, *rematch)]


async def told_at_seat(service: MatchService, match: MatchId, side: Side) -> list[EncodedMessage]:
    """Return the news outside its sequence for a seat that joins a match."""
    room = service.room(match)
    grants = [] if room is None else await service.grants.told(room)
    said = await service.post_match_chat.told(match, audience_of(side))
    rematch = await service.rematches.told(match, is_seated=True)
    starting = service.starting.told(match)
    return [EncodedMessage(news) for news in (*starting, *grants, *said, *rematch)]


def resumed(
    service: MatchService, command: int, claim: Claim, have: int
) -> tuple[Resumed, list[EncodedMessage]]:
    """Return the answer to who takes a seat again, and the messages that follow it."""
    room, side, ticket = claim
    handle = service.handle(room.match)
    kind, missed = ResumeKind.EXACT, list[EncodedMessage]()
    if handle is not None:
        kind, missed = handle.returning(audience_of(side), have)
    if handle is not None and kind is ResumeKind.EXACT:
        # Behind a keyframe it stands anyway.
        missed = [*missed, *handle.still(audience_of(side))]
    standing = SeatStanding() if handle is None else handle.seat(side)
    answer = Resumed(
        id=command,
        match=room.match,
        side=side,
        ticket=ticket,
        kind=kind,
        card=card_of(service, room),
        classes=class_cards(service.scenario_of(room), side),
        **standing._asdict(),
    )
    return answer, missed
