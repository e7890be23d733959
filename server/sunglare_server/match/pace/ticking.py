"""Charges windows to the clocks of all seats, from the opening of a window to its close.

Source: clock model of our own. Pure functions of the state and the times of the records.
"""

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import NewsKind
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.clock.attendance import shifted
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.clock.presets import RESTART_MS, release_ms
from sunglare_server.match.clock.seats import (
    SeatClock,
    charged,
    locked,
    refilled,
    rewound,
    shown_banks,
    unlocked,
)
from sunglare_server.match.record import OrdersGiven
from sunglare_server.match.state import MatchState, NewsPost, Stepped


def clock_with_orders(
    state: MatchState, side: Side, given: OrdersGiven, at_ms: int, lag_ms: int
) -> SeatClock:
    """Return the clock of a seat that gives orders at `at_ms`: it locks, or thinks on.

    A lock is granted `lag_ms` for its line.
    """
    clock = state.clocks[side]
    if given.lock:
        return locked(clock, state.elapsed_ms(at_ms), lag_ms)
    return unlocked(clock)


def opened(state: MatchState, standing: Standing, closed_ms: int) -> MatchState:
    """Return the state with the window of `standing` open, the one before it paid for.

    It opens with the nominal release of the frames that announce it.
    """
    opens_ms = release_ms(state.preset, closed_ms, state.options.allowance_beats)
    clocks = {side: _after_window(state, side, closed_ms) for side in state.clocks}
    shown = state.shown_banks
    if standing.turn != state.standing.turn and state.preset.bank_ms:
        clocks = {side: refilled(clock, state.preset) for side, clock in clocks.items()}
        shown = shown_banks(clocks)
    return replace(
        state,
        standing=standing,
        opened_ms=opens_ms,
        stopped_ms=0,
        runs_from_ms=0,
        rests_until_ms=0,
        moved_ms=opens_ms,
        told_ms=opens_ms,
        staged={},
        clocks=clocks,
        shown_banks=shown,
    )


def _after_window(state: MatchState, side: Side, closed_ms: int) -> SeatClock:
    clock = state.clocks[side]
    if state.has_say(side) and not state.is_timed:
        used_ms = clock.thought_ms
        if used_ms is None:
            used_ms = min(state.allowed_ms(side), state.elapsed_ms(closed_ms))
        clock = charged(state.clock_until(side, closed_ms), used_ms, state.free_ms(side))
    return rewound(clock)


def slipped(state: MatchState, by_ms: int) -> MatchState:
    """Return the state whose window opens later and closes later: no side loses time."""
    opens_ms = state.opened_ms + by_ms
    return replace(
        state,
        opened_ms=opens_ms,
        moved_ms=max(state.moved_ms, opens_ms),
        told_ms=state.told_ms + by_ms,
    )


def restarted(state: MatchState, at_ms: int, outage_ms: int) -> Stepped:
    """Return what the return of the server at `at_ms` changes, which was away for `outage_ms`.

    Nothing begins again: the open window, a pause or wait, and the graces of those who are away
    are put off by the outage and `RESTART_MS`, in which no side's time runs. Sides that had locked
    stay locked. All learn why their time has changed.
    """
    by_ms = outage_ms + RESTART_MS
    since_ms = at_ms - outage_ms if state.still_ms is None else state.still_ms
    stood_ms = max(since_ms, state.runs_from_ms, state.opened_ms)
    rests_ms, table, halt = state.rests_until_ms, state.table, state.halt
    later = replace(
        state,
        stopped_ms=state.stopped_ms + by_ms,
        runs_from_ms=stood_ms + by_ms,
        rests_until_ms=rests_ms + by_ms if rests_ms > since_ms else rests_ms,
        told_ms=max(state.told_ms, at_ms),
        clocks={side: state.clock_until(side, since_ms) for side in state.clocks},
        attendance={side: shifted(seat, by_ms) for side, seat in state.attendance.items()},
    )
    if table.paused_ms is not None:
        later = replace(later, table=replace(table, paused_ms=table.paused_ms + by_ms))
    if halt is not None:
        later = replace(later, halt=replace(halt, since_ms=halt.since_ms + by_ms))
    told = NewsPost(kind=NewsKind.CLOCK, text="restarted", moves_clock=True)
    return Stepped(later, posts=(told,))


def readiness_told(before: MatchState, after: MatchState, side: Side) -> tuple[NewsPost, ...]:
    """Return the news that `side` has locked, or thinks on, if the match publishes it.

    Never in a SCAN slot of one side, nor while the match stands still.
    """
    chosen = after.options.readiness
    readiness = after.preset.readiness if chosen == "auto" else chosen
    if readiness == "hidden" or before.awaits(side) == after.awaits(side):
        return ()
    if after.standing.slot_side is not None or after.still_ms is not None:
        return ()
    if readiness == "named":
        text = "not ready" if after.awaits(side) else "ready"
        return (NewsPost(kind=NewsKind.CLOCK, text=text, side=side),)
    asked = [asked_side for asked_side in after.standing.sides if after.has_say(asked_side)]
    text = f"{len(asked) - len(after.awaited)} of {len(asked)} ready"
    return (NewsPost(kind=NewsKind.CLOCK, text=text),)


def moved_ms(before: MatchState, after: MatchState, at_ms: int) -> int:
    """Return when it was last decided whom the open window waits for: now, if a record did."""
    is_same = before.standing.window == after.standing.window
    if not is_same or after.standing.phase is Phase.OVER or before.awaited == after.awaited:
        return after.moved_ms
    return max(at_ms, after.opened_ms)
