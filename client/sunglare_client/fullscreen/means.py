"""What a match is played with on the full screen."""

from collections.abc import AsyncIterator
from typing import final

from sunglare_client.fullscreen.playing import Playing
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.terminal.face import Face
from sunglare_client.terminal.plain import Terminal

LEAVE = "* The match is over. MapLook around as long as you like; Enter leaves."
"""What is said at the end."""


@final
class FullMeans:
    """A stage, and the lines that are typed on it."""

    def __init__(self, stage: Stage) -> None:
        """Keep the stage."""
        self.face: Face = stage
        self.lines: AsyncIterator[str] = stage.lines()
        self._stage = stage

    def show(self, terminal: Terminal, title: str) -> None:
        """Show the match that this terminal plays."""
        self._stage.scene = Playing(terminal, title)
        self._stage.draw()

    async def linger(self) -> None:
        """Wait for a line, unless the screen is gone."""
        self._stage.show([LEAVE])
        await anext(self.lines, None)
