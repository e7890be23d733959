"""Pauses: asked for by all seats, ended by any, and how the clock runs on after one.

Source: clock model of our own, pauses. While the match stands still no window closes.
"""

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import NewsKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.attendance import shifted
from sunglare_server.match.state import MatchState, NewsPost, Stepped


def refused_pause(state: MatchState, side: Side, *, on: bool) -> Rejected | None:
    """Return why `side` may not ask for a pause; a side that agrees to one may always."""
    most, table = state.preset.pauses, state.table
    if not on or most is None or table.pauses or table.asked.get(side, 0) < most:
        return None
    return Rejected(code=Code.PAUSE_SPENT, at="$.on")


def paused(state: MatchState, side: Side, *, on: bool, at_ms: int) -> Stepped:
    """Return what a seat's wish for a pause, or for its end, changes.

    A pause needs every seat that plays on; any of them ends it.
    """
    table = state.table
    if not on:
        return unpaused(state, at_ms)
    asking = tuple(asker for asker in state.playing if asker == side or asker in table.pauses)
    agreed = asking == state.playing and state.still_ms is None
    asked = table.asked
    if not table.pauses:
        asked = {**asked, side: asked.get(side, 0) + 1}
    since_ms = at_ms if agreed else table.paused_ms
    after = replace(table, pauses=asking, paused_ms=since_ms, asked=asked)
    text = "paused" if agreed else "asked"
    news = NewsPost(kind=NewsKind.PAUSE, text=text, side=side)
    return Stepped(replace(state, table=after), posts=(news,))


def held(state: MatchState, at_ms: int) -> Stepped:
    """Return the operator's pause: without anybody who asked for it, no seat can end it."""
    still_ms = at_ms if state.still_ms is None else state.still_ms
    table = replace(state.table, pauses=(), paused_ms=still_ms)
    after = Stepped(replace(state, table=table, halt=None))
    if state.table.is_frozen:
        return after
    return replace(after, posts=(NewsPost(kind=NewsKind.PAUSE, text="paused"),))


def unpaused(state: MatchState, at_ms: int) -> Stepped:
    """Return the end of a pause, or of the wish for one; the window's time goes on."""
    ended = replace(state, table=replace(state.table, pauses=()))
    if state.table.paused_ms is None:
        return Stepped(ended)
    return run_on(ended, at_ms, "over")


def run_on(state: MatchState, at_ms: int, word: str) -> Stepped:
    """Return the state whose time goes on where it stood, after a count-down.

    The grace of those who are away has stood still as well; what they were away before is counted.
    All learn when the window closes.
    """
    still_ms = at_ms if state.still_ms is None else state.still_ms
    runs_ms = max(at_ms + state.preset.countdown_ms, state.opened_ms)
    # What stands still before the window has opened costs nothing of its time.
    stood_ms = max(still_ms, state.runs_from_ms, state.opened_ms)
    seats = {side: shifted(seat, runs_ms - still_ms) for side, seat in state.attendance.items()}
    going = replace(
        state,
        table=replace(state.table, paused_ms=None),
        halt=None,
        stopped_ms=state.stopped_ms + runs_ms - stood_ms,
        runs_from_ms=runs_ms,
        rests_until_ms=runs_ms,
        # Sent after the frame that announces the window, which may still wait for its beat.
        told_ms=max(state.told_ms, at_ms),
        clocks={side: state.clock_until(side, still_ms) for side in state.clocks},
        attendance=seats,
    )
    return Stepped(going, posts=(NewsPost(kind=NewsKind.PAUSE, text=word, moves_clock=True),))
