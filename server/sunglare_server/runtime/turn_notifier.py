"""Of which window the seats of a match know last; says when another one waits for some of them."""

from collections.abc import Callable
from typing import final

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.match.state import MatchState

NotifyTurn = Callable[[MatchId, tuple[Side, ...]], None]
"""Called when a match waits for these sides."""


def nobody(match: MatchId, sides: tuple[Side, ...]) -> None:
    """Notify no side."""
    del match, sides


@final
class TurnNotifier:
    """Notifies once for each window that is shown, if a match is by correspondence."""

    def __init__(self, match: MatchId, notify_turn: NotifyTurn) -> None:
        """Begin before the first window."""
        self._match = match
        self._notify_turn = notify_turn
        self._window: str | None = None

    def begin_with(self, state: MatchState) -> None:
        """Go on with a match that was loaded.

        Its window notifies no side, or this would reveal that a client has come for the match.
        """
        self._window = state.standing.window

    def note(self, told: MatchState | None) -> None:
        """Notify the sides it waits for if the newest state that is shown has another window."""
        if told is None or told.is_over or told.options.clock != "correspondence":
            return
        if told.standing.window != self._window:
            self._window = told.standing.window
            if told.awaited:
                self._notify_turn(self._match, told.awaited)
