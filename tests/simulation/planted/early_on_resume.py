"""Whoever comes back gets what still waits for its beat."""

import pytest

from sunglare_protocol.ids import Audience
from sunglare_protocol.messages.replies import ResumeKind
from sunglare_server.host.front import Front
from sunglare_server.host.parcel import Parcel

_following = Front.following
_FAR_MS = 1 << 60


def _all_that_follows(
    front: Front, audience: Audience, have: int | None
) -> tuple[ResumeKind, list[Parcel]]:
    runner = front._runner  # noqa: SLF001 - a bug sits inside the product
    runner.feeds[audience].release(_FAR_MS, runner.state)
    return _following(front, audience, have)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Front, "following", _all_that_follows)
