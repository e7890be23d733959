"""Whoever comes back gets what still waits for its beat."""

import pytest

from sunglare_protocol.ids import Audience
from sunglare_protocol.replies import ResumeKind
from sunglare_server.host.parcel import Parcel
from sunglare_server.host.runner import Runner
from sunglare_server.net import match_talk, returning

_following = returning.following
_FAR_MS = 1 << 60


def _all_that_follows(
    runner: Runner, audience: Audience, have: int | None
) -> tuple[ResumeKind, list[Parcel]]:
    runner.feeds[audience].release(_FAR_MS, runner.state)
    return _following(runner, audience, have)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    for module in (match_talk, returning):
        patch.setattr(module, "following", _all_that_follows)
