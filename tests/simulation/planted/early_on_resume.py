"""Whoever comes back gets what still waits for its beat."""

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages.replies import ResumeKind
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.match_handle import MatchHandle

_FAR_MS = 1 << 60


@in_place_of(MatchHandle, "following")
def plant(
    real: Real[tuple[ResumeKind, list[EncodedMessage]]],
    handle: MatchHandle,
    audience: Audience,
    have: int | None,
) -> tuple[ResumeKind, list[EncodedMessage]]:
    runner = handle._runner  # noqa: SLF001 - a bug sits inside the product
    runner.feeds[audience].release(_FAR_MS, runner.state)
    return real(handle, audience, have)
