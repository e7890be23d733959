"""Whoever comes back is told a last command that lies before the last one that was taken."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.messages.replies import Resumed
from sunglare_server.api import match_handlers
from sunglare_server.api.resume import Claim
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.runtime.encoded_message import EncodedMessage


@in_place_of(match_handlers, "resumed")
def plant(
    real: Real[tuple[Resumed, list[EncodedMessage]]],
    service: MatchService,
    command: int,
    claim: Claim,
    have: int,
) -> tuple[Resumed, list[EncodedMessage]]:
    resumed, missed = real(service, command, claim, have)
    return replace(resumed, last_id=max(0, resumed.last_id - 1)), missed
