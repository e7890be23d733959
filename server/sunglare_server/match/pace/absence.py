"""Consequences of absent seats: warnings, forfeits, the autopilot, a match that waits.

Source: clock model of our own, the ladder of missed windows and disconnects. Others learn of an
absence when a window closes, and not before, unless the match ends or waits for it.
"""

from msgspec.structs import replace

from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.messages.replies import Ending, NewsKind
from sunglare_server.match.clock.attendance import (
    ABSENT_AT,
    Attendance,
    Step,
    came,
    missed,
    went,
)
from sunglare_server.match.pace.ending import over, without_seat
from sunglare_server.match.pace.pausing import run_on
from sunglare_server.match.record import Body, HaltEnded, Lapsed, LineChanged, PauseEnded
from sunglare_server.match.state import Halt, MatchState, NewsPost, Stepped

HALT_MOST_MS = 10 * 60_000
"""So long a match waits for seats that are absent."""


def policy(state: MatchState) -> str:
    """Return the policy for a seat that is absent: forfeit, autopilot or pause."""
    chosen = state.options.afk
    return state.preset.absent if chosen == "auto" else chosen


def next_tick(state: MatchState) -> tuple[int, Body] | None:
    """Return what time alone brings next other than the close of the window, and when.

    That is the end of a pause or of a wait, or that a seat has been absent for too long.
    """
    if state.is_over:
        return None
    if state.halt is not None:
        return state.halt.since_ms + HALT_MOST_MS, HaltEnded()
    if state.table.paused_ms is not None:
        most_ms = None if state.table.is_frozen else state.preset.pause_ms
        return None if most_ms is None else (state.table.paused_ms + most_ms, PauseEnded())
    times = {side: _lapses_ms(state, side) for side in state.playing}
    lapses = [(at_ms, side) for side, at_ms in times.items() if at_ms is not None]
    return None if not lapses else (min(lapses)[0], Lapsed(side=min(lapses)[1]))


def _lapses_ms(state: MatchState, side: Side) -> int | None:
    seat = state.attendance[side]
    if seat.on_autopilot:
        return None
    return state.opened_ms if seat.missed >= ABSENT_AT else seat.back_by_ms


def attended(state: MatchState, side: Side, at_ms: int) -> Stepped:
    """Return what it changes that `side` plays: a match that waited for it goes on."""
    if state.halt is not None and state.halt.side in (None, side):
        return run_on(state, at_ms, "over")
    return Stepped(state)


def line_changed(state: MatchState, changed: LineChanged, at_ms: int) -> Stepped:
    """Return what a line changes that is down or stands again."""
    side, seat = changed.side, state.attendance[changed.side]
    if not changed.up:
        gone = went(seat, state.preset, at_ms, deliberate=changed.deliberate)
        return halted(Stepped(_with_seat(state, side, gone)), at_ms)
    halt = state.halt
    is_back = halt is not None and halt.side == side and seat.missed < ABSENT_AT
    goes_on = is_back or (halt is not None and halt.side is None)
    stepped = run_on(state, at_ms, "over") if goes_on else Stepped(state)
    back, seat = stepped.state, stepped.state.attendance[side]
    back = replace(back, clocks={**back.clocks, side: back.clock_until(side, at_ms)})
    return replace(stepped, state=_with_seat(back, side, came(seat, at_ms)))


def lapsed(state: MatchState, side: Side, at_ms: int) -> Stepped:
    """Return the step for a seat that has been absent for as long as it may be."""
    match policy(state):
        case "forfeit":
            return _forfeited(state, side, at_ms)
        case "pause":
            news = NewsPost(kind=NewsKind.PAUSE, text="absent", side=side)
            return Stepped(replace(state, halt=Halt(at_ms, side)), posts=(news,))
        case _:
            return halted(Stepped(_on_autopilot(state, side)), at_ms)


def not_waited_for(state: MatchState, side: Side, at_ms: int) -> Stepped:
    """Return what it changes that `side` ends the wait for another: that one's autopilot."""
    if state.halt is None or state.halt.side in (None, side):
        return Stepped(state)
    return halt_ended(state, at_ms)


def halt_ended(state: MatchState, at_ms: int) -> Stepped:
    """Return the result of a wait that was in vain: with all absent the match is adjourned."""
    side = None if state.halt is None else state.halt.side
    if side is None:
        return over(state, Ending.ADJOURNED, ())
    return halted(run_on(_on_autopilot(state, side), at_ms, "over"), at_ms)


def halted(stepped: Stepped, at_ms: int) -> Stepped:
    """Return the step, with the match standing still if it leaves no player there."""
    state = stepped.state
    is_still = state.is_over or state.still_ms is not None
    if is_still or any(_is_here(state.attendance[side]) for side in state.playing):
        return stepped
    return replace(stepped, state=replace(state, halt=Halt(at_ms)))


def _is_here(seat: Attendance) -> bool:
    # A seat that misses windows is dealt with by itself; here it counts if any can play at all.
    return seat.gone_ms is None and not seat.on_autopilot


def _forfeited(state: MatchState, side: Side, at_ms: int) -> Stepped:
    others = [other for other in state.playing if other != side]
    if not any(state.attendance[other].is_here for other in others):
        # Never two losses: the seat that stayed away first must not win by it.
        return over(state, Ending.ADJOURNED, ())
    ending = Ending.NO_GAME if state.standing.turn == 1 else Ending.FORFEIT
    return halted(without_seat(state, side, ending, "forfeit"), at_ms)


def _on_autopilot(state: MatchState, side: Side) -> MatchState:
    seat = replace(state.attendance[side], on_autopilot=True, missed=0)
    return _with_seat(state, side, seat)


def _with_seat(state: MatchState, side: Side, seat: Attendance) -> MatchState:
    return replace(state, attendance={**state.attendance, side: seat})


def counted(before: MatchState, after: MatchState) -> tuple[MatchState, tuple[NewsPost, ...]]:
    """Return the state after the close of a window with what was missed in it, and the news.

    Each seat learns of its own misses alone; all learn who is away, on the autopilot or back.
    """
    seats = dict(after.attendance)
    posts: list[NewsPost] = []
    for side in _missing(before):
        seats[side], step = missed(seats[side])
        if step is not None:
            posts.append(_to_one(after, side, step))
    for side, seat in seats.items():
        if seat.whereabouts is not seat.told and side in after.seats_left:
            word = seat.whereabouts.value
            posts.append(NewsPost(kind=NewsKind.SEAT, text=word, side=side))
            seats[side] = replace(seat, told=seat.whereabouts)
    return replace(after, attendance=seats), tuple(posts)


def _missing(state: MatchState) -> list[Side]:
    """Return the seats that give no orders in the window that closes, though they could."""
    if not state.preset.counts_misses:
        return []
    seats = state.attendance
    return [
        side
        for side in seats
        if state.has_say(side)
        and side not in state.staged
        and seats[side].gone_ms is None
        and not seats[side].on_autopilot
    ]


def _to_one(state: MatchState, side: Side, step: Step) -> NewsPost:
    deaf: tuple[Audience, ...] = tuple(
        audience for audience in state.intel if audience != audience_of(side)
    )
    return NewsPost(kind=NewsKind.CLOCK, text=step.value, side=side, deaf=deaf)
