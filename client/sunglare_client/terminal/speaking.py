"""The terminal for who hears it: sentences in an order that stays, and no map."""

from collections.abc import Iterable
from typing import final

from sunglare_client.command import Preview, ShowMap, ShowSurface
from sunglare_client.terminal.screen import Screen
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.aloud import aloud
from sunglare_client.text.lists.ground import draw_tokens
from sunglare_client.verbs.sensing import preview_lines

NO_MAP = "no map is drawn; contacts and ships say where things are, look S1 says how they bear"
"""What is said to who asks for the map."""

NO_TOKENS = "nothing is held on the ground"
"""What is said to who asks for a surface map with nothing on it."""


@final
class SpokenScreen(Screen):
    """A stream of whole sentences, one a line, none of them broken."""

    def show(self, lines: Iterable[str]) -> None:
        """Write the lines as sentences."""
        for sentence in map(aloud, lines):
            if sentence:
                super().tell(sentence)

    def tell(self, line: str) -> None:
        """Write a line as it is: what a person may copy is no sentence."""
        super().tell(line)


@final
class SpokenTurnSession(TurnSession):
    """A session that draws nothing: own pieces first, then the others."""

    def board_lines(self, screen: object) -> list[str]:
        """Return own pieces and contacts."""
        del screen
        return [*self.own_lines(), *self.contact_lines()]

    def preview(self, asked: Preview, screen: object) -> list[str]:
        """Return what a scan would find."""
        del screen
        self._asked = asked.scan
        return preview_lines(self.view, asked.scan, self.plan)

    def show(self, asked: ShowMap | ShowSurface, screen: object) -> list[str]:
        """Say where to ask instead of a map; of a surface say what stands on it."""
        del screen
        if isinstance(asked, ShowMap):
            return [NO_MAP]
        return draw_tokens(self.view) or [NO_TOKENS]
