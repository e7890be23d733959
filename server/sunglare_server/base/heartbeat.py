"""Signs of life: when the server was last there, and what a restart makes of its absence.

Source: clock model of our own, restarts. The outage runs from the last sign that is stored, a
record of any match or a mark; a match of its own may have been quiet for days.
"""

from typing import NamedTuple, final

from sunglare_server.base.clock import MatchClock
from sunglare_server.match.clock.presets import RESTART_MS
from sunglare_server.match.pace.absence import next_tick
from sunglare_server.match.state import MatchState

MARK_MS = 10_000
"""How often the server marks that it is there, while matches run."""


def latest_ms(*times: int | None) -> int | None:
    """Return the latest of the times that are known."""
    return max((time_ms for time_ms in times if time_ms is not None), default=None)


@final
class Outage(NamedTuple):
    """The server was away from `since_ms` to `back_ms`, and one match was or was not parked."""

    since_ms: int
    back_ms: int
    was_parked: bool


def lost_ms(state: MatchState, outage: Outage | None, clock: MatchClock) -> int:
    """Return by how much an outage puts a match off, 0 if it has lost nothing.

    One that was in memory is put off for as long as it was not served. A parked one has lost
    nothing, unless something of it was due in the outage or soon after it. `clock` is the match's.
    """
    if state.is_over or outage is None:
        return 0
    # What was lost is never nothing: those who come back have their time for it.
    if not outage.was_parked:
        return max(1, clock.now_ms() - outage.since_ms)
    tick = next_tick(state)
    times = [state.due_ms, None if tick is None else tick[0]]
    due = [time_ms for time_ms in times if time_ms is not None]
    if due and min(due) - clock.ahead_ms < outage.back_ms + RESTART_MS:
        return max(1, outage.back_ms - outage.since_ms)
    return 0
