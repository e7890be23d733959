"""What windows cost: the clocks of all seats from the opening of a window to its close.

Source: clock model of our own. Pure functions of the state and the times of the records.
"""

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.ladder import Phase
from sunglare_protocol.replies import NewsKind
from sunglare_server.match.clocks import RESTART_MS, release_ms
from sunglare_server.match.phases import Standing
from sunglare_server.match.seatclocks import (
    SeatClock,
    away,
    charged,
    locked,
    refilled,
    rewound,
    shown_banks,
    unlocked,
)
from sunglare_server.match.state import MatchState, NewsPost, Stepped


def with_lock(state: MatchState, side: Side, at_ms: int, lag_ms: int) -> MatchState:
    """Return the state in which `side` has locked at `at_ms`, granted `lag_ms` for its line."""
    clock = locked(state.clocks[side], state.elapsed_ms(at_ms), lag_ms)
    return replace(state, clocks={**state.clocks, side: clock})


def without_lock(state: MatchState, side: Side) -> MatchState:
    """Return the state in which `side` thinks on."""
    return replace(state, clocks={**state.clocks, side: unlocked(state.clocks[side])})


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
        extra_ms=0,
        runs_from_ms=0,
        moved_ms=opens_ms,
        told_ms=opens_ms,
        staged={},
        clocks=clocks,
        shown_banks=shown,
    )


def _after_window(state: MatchState, side: Side, closed_ms: int) -> SeatClock:
    clock = state.clocks[side]
    if state.has_say(side) and not state.is_timed:
        most_ms = min(state.allowed_ms(side), state.elapsed_ms(closed_ms))
        used_ms = most_ms if clock.thought_ms is None else clock.thought_ms
        gone_ms = state.attendance[side].gone_ms
        if state.preset.grace_for_bank and gone_ms is not None:
            since_ms = state.beyond_base_ms(side, gone_ms)
            clock = away(clock, state.beyond_base_ms(side, closed_ms) - since_ms)
        clock = charged(clock, used_ms, state.free_ms(side))
    return rewound(clock)


def slipped(state: MatchState, by_ms: int) -> MatchState:
    """Return the state whose window opens later and closes later: nobody loses time."""
    opens_ms = state.opened_ms + by_ms
    return replace(
        state,
        opened_ms=opens_ms,
        moved_ms=max(state.moved_ms, opens_ms),
        told_ms=state.told_ms + by_ms,
    )


def restarted(state: MatchState, at_ms: int) -> Stepped:
    """Return what the return of the server at `at_ms` comes to.

    The open window starts anew with `RESTART_MS` more than its base, and those who have locked
    it keep what they had thought; all are told why their time has changed.
    """
    opens_ms = max(state.opened_ms, at_ms)
    anew = replace(
        state,
        opened_ms=opens_ms,
        stopped_ms=0,
        runs_from_ms=0,
        extra_ms=RESTART_MS,
        told_ms=opens_ms,
    )
    if state.table.paused_ms is not None:
        anew = replace(anew, table=replace(state.table, paused_ms=opens_ms))
    if state.halt is not None:
        anew = replace(anew, halt=replace(state.halt, since_ms=opens_ms))
    # Whoever was away has the whole grace of this drop again: nobody could come back.
    seats = {
        side: seat if seat.gone_ms is None else replace(seat, gone_ms=at_ms)
        for side, seat in state.attendance.items()
    }
    anew = replace(anew, attendance=seats)
    told = NewsPost(kind=NewsKind.CLOCK, text="restarted", moves_clock=True)
    return Stepped(anew, posts=(told,))


def readiness_told(before: MatchState, after: MatchState, side: Side) -> tuple[NewsPost, ...]:
    """Return the news that `side` has locked, or thinks on, if the match tells it.

    Never in a SCAN slot of one side, nor while the match stands still.
    """
    chosen = after.options.readiness
    readiness = after.preset.readiness if chosen == "auto" else chosen
    is_same = before.awaits(side) == after.awaits(side)
    is_slot = after.standing.slot_side is not None
    if readiness == "hidden" or is_same or is_slot or after.still_ms is not None:
        return ()
    if readiness == "named":
        text = "not ready" if after.awaits(side) else "ready"
        return (NewsPost(kind=NewsKind.CLOCK, text=text, side=side),)
    asked = [each for each in after.standing.sides if after.has_say(each)]
    text = f"{len(asked) - len(after.awaited)} of {len(asked)} ready"
    return (NewsPost(kind=NewsKind.CLOCK, text=text),)


def noted_moves(before: MatchState, after: MatchState, at_ms: int) -> MatchState:
    """Return `after` with the time noted if a record decided anew whom its window waits for."""
    is_same = before.standing.window == after.standing.window
    if not is_same or before.awaited == after.awaited or after.standing.phase is Phase.OVER:
        return after
    return replace(after, moved_ms=max(at_ms, after.opened_ms))
