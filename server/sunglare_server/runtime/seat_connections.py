"""Seats of a match with a connection, as the host sees it; the records say it later.

Connections come and go while a batch is on its way, and a seat that is taken over loses one and
gains one at once: what counts is how things stand when the next batch is made.
"""

from collections.abc import Callable
from typing import final
from weakref import WeakMethod

from sunglare_protocol.ids import Side
from sunglare_server.match.record import LineChanged
from sunglare_server.match.state import MatchState


@final
class SeatConnections:
    """The seats of one match without a connection; a new match has none."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """Begin with a connection to every seat; call the method `wake` when one comes or goes."""
        # A match and its seat connections would hold each other else, and all that the match holds
        # would wait for a collector that seldom looks at what is old.
        self._wake = WeakMethod(wake)
        self._gone: dict[Side, bool] = {}
        self._not_before_ms = 0

    def hold_until(self, at_ms: int) -> None:
        """Report no line as down before `at_ms`: after a restart all have to come back first."""
        self._not_before_ms = at_ms

    def came(self, side: Side) -> None:
        """Note that a seat has a connection."""
        self._gone.pop(side, None)
        self._call()

    def went(self, side: Side, *, deliberate: bool) -> None:
        """Note that a seat has no connection any more; `deliberate`: the peer hung up."""
        self._gone[side] = deliberate
        self._call()

    def changes(self, state: MatchState, now_ms: int) -> list[LineChanged]:
        """Return what `state` does not know yet, nothing for a clock that looks at no lines."""
        if state.is_over or state.preset.drop_ms is None:
            return []
        return [
            LineChanged(
                side=side,
                up=side not in self._gone,
                deliberate=self._gone.get(side, False),
            )
            for side in state.seats_left
            if self._differs(state, side) and not (side in self._gone and self._holds(now_ms))
        ]

    def wake_ms(self, now_ms: int) -> int | None:
        """Return when a line that is down may be reported that may not be now."""
        return self._not_before_ms if self._gone and self._holds(now_ms) else None

    def _call(self) -> None:
        if (wake := self._wake()) is not None:
            wake()

    def _holds(self, now_ms: int) -> bool:
        return now_ms < self._not_before_ms

    def _differs(self, state: MatchState, side: Side) -> bool:
        return (state.attendance[side].gone_ms is not None) != (side in self._gone)
