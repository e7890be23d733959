"""Notices that matter most to a side, by their kind: what has befallen its own pieces."""

from typing import Final

from sunglare_client.text.story import notice_lines
from sunglare_protocol import notices
from sunglare_protocol.messages import Frame

LOSSES: Final = (notices.OwnDestroyed, notices.OwnEscaped, notices.OwnKilled)
"""Notices that an own piece is lost."""

FOUND_OUT: Final = (
    notices.OwnTracked,
    notices.OwnFound,
    notices.OwnUncovered,
    notices.OwnDetected,
)
"""Notices that an own piece is found."""

FOREMOST: Final = (*LOSSES, *FOUND_OUT, notices.OwnSystemLost)
"""The kinds that come first, the weightiest before all others."""


def foremost_lines(frame: Frame) -> list[str]:
    """Return those of the lines on a window that matter most, the weightiest kind first."""
    found = [notice for notice in frame.notices if isinstance(notice, FOREMOST)]
    found.sort(key=lambda notice: FOREMOST.index(type(notice)))
    return [f"  {line}" for notice in found for line in notice_lines(notice, frame.view.board)]
