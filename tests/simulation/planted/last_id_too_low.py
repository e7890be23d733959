"""Whoever comes back is told a last command that lies before the last one that was taken."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.replies import Resumed
from sunglare_server.net.match_talk import MatchTalk

_resumed = MatchTalk._resumed  # noqa: SLF001 - a bug sits inside the product


def _too_low(*arguments: object) -> Resumed:
    resumed = _resumed(*arguments)  # type: ignore[arg-type] # what the product gives
    return replace(resumed, last_id=max(0, resumed.last_id - 1))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchTalk, "_resumed", _too_low)
