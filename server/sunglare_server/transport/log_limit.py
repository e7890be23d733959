"""A bound on log lines: a hostile peer fills no log, and the lines that it causes stay readable.

Theory of operation. Lines are counted by peer and in windows of a second. The first line in a
later window brings out what the earlier one left out, a line for each peer that counts among its
own of the new window: so no peer ever causes more than its share.
"""

from typing import Final, final

import structlog

from sunglare_server.base.clock import Clock

WINDOW_MS: Final = 1_000
"""How long lines are counted together."""


@final
class LogLimit:
    """Lets each peer cause so many log lines a second."""

    def __init__(self, clock: Clock, most: int) -> None:
        """Let `most` lines through, at least two: one may say how many were left out."""
        self._clock = clock
        self._most = most
        self._began_ms = clock.now_ms()
        self._lines: dict[str, int] = {}
        self._log = structlog.get_logger()

    def takes(self, peer: str) -> bool:
        """Count a line that a peer causes; return whether it may be written."""
        self.settle()
        self._lines[peer] = self._lines.get(peer, 0) + 1
        return self._lines[peer] <= self._most

    def settle(self) -> None:
        """Say what was left out, once the window of these lines is over."""
        if (now_ms := self._clock.now_ms()) - self._began_ms < WINDOW_MS:
            return
        crowded = {peer: lines for peer, lines in self._lines.items() if lines > self._most}
        self._began_ms, self._lines = now_ms, dict.fromkeys(crowded, 1)
        for peer, lines in crowded.items():
            self._log.warning("log_lines_left_out", gateway=peer, lines=lines - self._most)
