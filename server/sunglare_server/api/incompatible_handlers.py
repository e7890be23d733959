"""What a session answers of a match that is not loaded: one of other rules, or a damaged one."""

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
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import feed_delay
from sunglare_server.match.record import RecordError
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.incompatible_matches import IncompatibleMatch

Said = tuple[ServerMessage, list[EncodedMessage]]
"""An answer and what follows it."""


async def watched(lobby: Lobby, room: Room, message: Watch) -> Said | Rejected:
    """Return the answer to `watch` with what is archived of the feed, from its last frame on."""
    found = await _found(lobby, room)
    if isinstance(found, Rejected):
        return found
    incompatible, card = found
    given = await incompatible.shown(content_of(message.feed), message.have)
    if isinstance(given, Rejected):
        return given
    if card is None:
        return incompatible.refusal
    delay = feed_delay(room.options, message.feed) or NO_DELAY
    answer = Watching(
        id=message.id,
        match=room.match,
        feed=message.feed,
        card=card,
        delay_turns=delay.turns,
        delay_s=delay.seconds,
    )
    return answer, given[1]


async def resumed(
    lobby: Lobby, command: int, seat: tuple[Room, Side, str | None], have: int
) -> Said | Rejected:
    """Return the answer to `resume` with what is archived of the seat, or with the end alone.

    `seat` is a room, the side that is taken in it, and the next ticket, if there is one.
    """
    room, side, ticket = seat
    found = await _found(lobby, room)
    if isinstance(found, Rejected):
        return found
    incompatible, card = found
    given = await incompatible.shown_to_seat(audience_of(side), have)
    if isinstance(given, Rejected):
        return given
    if card is None:
        return incompatible.refusal
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
        card=card,
        classes=incompatible.classes(side),
    )
    return answer, encoded_messages


async def card_of_bygone(lobby: Lobby, room: Room) -> ScenarioCard | Rejected:
    """Return the card of a match that is not loaded, or why there is none."""
    found = await _found(lobby, room)
    if isinstance(found, Rejected):
        return found
    incompatible, card = found
    return incompatible.refusal if card is None else card


async def _found(
    lobby: Lobby, room: Room
) -> tuple[IncompatibleMatch, ScenarioCard | None] | Rejected:
    try:
        incompatible = await lobby.matches.incompatible_match_of(room)
    except (JournalError, RecordError):
        incompatible = None
    if incompatible is None:
        return Rejected(code=Code.MATCH_FAULT)
    return incompatible, incompatible.card


def _seq_of(encoded_message: EncodedMessage) -> int:
    """Return the number of an encoded message in its audience's sequence; 0 if it has none."""
    message = encoded_message.message
    return message.seq if isinstance(message, Frame | News | Over) else 0
