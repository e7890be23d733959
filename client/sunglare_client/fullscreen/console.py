"""The console of a match on the full screen."""

from collections.abc import AsyncIterator
from typing import final

from sunglare_client.fullscreen.playing import Playing
from sunglare_client.fullscreen.stage import Stage
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.plain import Terminal
from sunglare_client.terminal.shared_lines import SharedLines


@final
class FullConsole:
    """A stage, and the lines that are typed on it."""

    def __init__(self, stage: Stage) -> None:
        """Keep the stage."""
        self.display: Display = stage
        self.lines: AsyncIterator[str] = SharedLines(stage.lines())
        self.shown: Terminal | None = None
        self._stage = stage

    def show(self, terminal: Terminal, title: str) -> None:
        """Show the match that this terminal plays."""
        self.shown = terminal
        self._stage.scene = Playing(terminal, title)
        self._stage.draw()
