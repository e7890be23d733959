"""Whoever comes back and has lost his place is shown the truth in place of his own view."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import OMNI
from sunglare_server.host.feed import Feed
from sunglare_server.host.parcel import Parcel
from sunglare_server.match.frames import keyframe


def _keyframe(self: Feed) -> list[Parcel]:
    if self.released is None:
        return []
    behind = self.released.seqs[OMNI] - self.released.seqs[self.audience]
    made = keyframe(self.match, self.released, OMNI, self._head)
    return [Parcel(replace(post, seq=post.seq - behind)) for post in made]


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Feed, "keyframe", _keyframe)
