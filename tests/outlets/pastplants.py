"""Faults planted in what is made of the past of a match that is played on."""

from collections.abc import Awaitable

import msgspec

from builders.plants import Real, in_place_of
from outlets.past import then
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages.replies import FrameView, MatchLine
from sunglare_server.api import responses as answers
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState
from sunglare_server.ports.rooms import Room

_OTHERS = {"A": Audience("B"), "B": Audience("A")}


@in_place_of(answers, "_line_of")
async def ship_in_the_line(
    real: Real[Awaitable[MatchLine]], service: MatchService, room: Room, *given: object
) -> MatchLine:
    """Call a match that is played on by the name of a ship that is in it."""
    line = await real(service, room, *given)
    if room.past is None:
        return line
    ship = next(iter(then(room.past).truth.ships.values()))
    return msgspec.structs.replace(line, title=ship.name)


@in_place_of(frames, "_view")
def view_of_the_old_seat(
    real: Real[FrameView], state: MatchState, audience: Audience
) -> FrameView:
    """Show an account what it saw in its old seat, in which it sat on the other side."""
    return real(state, _OTHERS.get(audience, audience))
