"""Whoever comes back gets what still waits for its beat."""

import pytest

from sunglare_protocol.ids import Audience
from sunglare_protocol.replies import ResumeKind
from sunglare_server.host.parcel import Parcel
from sunglare_server.host.runner import Runner
from sunglare_server.net import match_talk

_from = match_talk._from  # noqa: SLF001 - a bug sits inside the product
_FAR_MS = 1 << 60


def _all_from(
    runner: Runner, audience: Audience, have: int | None
) -> tuple[ResumeKind, list[Parcel]]:
    runner.feeds[audience].release(_FAR_MS, runner.state)
    return _from(runner, audience, have)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(match_talk, "_from", _all_from)
