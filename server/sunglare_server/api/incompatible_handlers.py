"""Answers of a session about a match that is not loaded: one of other rules, or a damaged one."""

from sunglare_protocol.ids import Side, audience_of, content_of
from sunglare_protocol.messages.commands import Watch
from sunglare_protocol.messages.replies import (
    Frame,
    News,
    Over,
    Resumed,
    ScenarioCard,
    ServerMessage,
    Watching,
)
from sunglare_protocol.refusals import Rejected
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import feed_delay
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.encoded_message import EncodedMessage

Said = tuple[ServerMessage, list[EncodedMessage]]
"""An answer and what follows it."""


async def watched(service: MatchService, room: Room, message: Watch) -> Said | Rejected:
    """Return the answer to `watch` with what is archived of the feed, from its last frame on."""
    found = await service.incompatible(room)
    if isinstance(found, Rejected):
        return found
    given = await found.shown(content_of(message.feed), message.have)
    if isinstance(given, Rejected):
        return given
    if found.card is None:
        return found.refusal
    delay = feed_delay(room.options, message.feed) or NO_DELAY
    answer = Watching(
        id=message.id,
        match=room.match,
        feed=message.feed,
        card=found.card,
        delay_turns=delay.turns,
        delay_s=delay.seconds,
    )
    return answer, given[1]


async def resumed(
    service: MatchService, command: int, seat: tuple[Room, Side, str | None], have: int
) -> Said | Rejected:
    """Return the answer to `resume` with what is archived of the seat, or with the end alone.

    `seat` is a room, the side that is taken in it, and the next ticket, if there is one.
    """
    room, side, ticket = seat
    found = await service.incompatible(room)
    if isinstance(found, Rejected):
        return found
    given = await found.shown_to_seat(audience_of(side), have)
    if isinstance(given, Rejected):
        return given
    if found.card is None:
        return found.refusal
    kind, encoded_messages = given
    answer = Resumed(
        id=command,
        match=room.match,
        side=side,
        ticket=ticket,
        kind=kind,
        since_ms=0,
        last_id=0,
        seq=max((_seq_of(encoded_message) for encoded_message in encoded_messages), default=have),
        card=found.card,
        classes=found.classes(side),
    )
    return answer, encoded_messages


async def card_of_incompatible(service: MatchService, room: Room) -> ScenarioCard | Rejected:
    """Return the card of a match that is not loaded, or why there is none."""
    found = await service.incompatible(room)
    if isinstance(found, Rejected):
        return found
    return found.refusal if found.card is None else found.card


def _seq_of(encoded_message: EncodedMessage) -> int:
    """Return the number of an encoded message in its audience's sequence; 0 if it has none."""
    message = encoded_message.message
    return message.seq if isinstance(message, Frame | News | Over) else 0
