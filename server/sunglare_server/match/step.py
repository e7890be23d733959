"""`step`: the one function by which a match goes on, pure and synchronous.

Theory of operation. A match is a list of records: what was accepted of its seats, of the clock and
of the operator, numbered and chained. Its state is the fold of `step` over them, and nothing else
is: a running server, a restart, `verify`, an arena and the second of two worlds all reach the same
state because they take the same steps. So nothing here may look at a clock, at a random number or
at the order of a set; times stand in the records, dice follow from the seed and a key.

A step does not judge. Whether a command may be given was decided before its record was made, from
the view that its sender was shown (`host/batch`); what contradicts hidden facts is settled where
it is resolved. What a step does refuse is a record that has no place in this match, which only a
damaged journal holds, and then it raises.

The first record opens the match: at turn 1 (`turn/start`), or at a turn of another match, whose
records it holds and which are folded by this same function (`past`).

Most records change little: orders are staged, a lock is noted, a line is down. One kind makes the
match go on: a window is due. Then all that was staged is resolved in the order of the turn
(`turn/sequence`), every event is applied and learned as it happens (`turn/flow`), the next window
opens, and every audience gets a frame. `Stepped` carries the new state, the events, what is to be
posted, and every die that was looked up, for the trailer. Making a frame is no part of a step: it
is a function of the state after it and of who looks (`frames`).

Whatever the kind of record, `_noted` does the rest in one place: when a seat last moved, what a
command was answered, should it be repeated, and how far each audience's sequence has come.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Audience, Side, WindowId
from sunglare_protocol.messages.replies import Ending, NewsKind
from sunglare_server.match import past
from sunglare_server.match.clock.attendance import submitted
from sunglare_server.match.pace.absence import (
    attended,
    counted,
    halt_ended,
    halted,
    lapsed,
    line_changed,
    not_waited_for,
)
from sunglare_server.match.pace.ending import ended, over, without_seat
from sunglare_server.match.pace.pausing import held, paused, unpaused
from sunglare_server.match.pace.ticking import (
    clock_with_orders,
    moved_ms,
    opened,
    readiness_told,
    restarted,
    slipped,
)
from sunglare_server.match.record import (
    Adjourned,
    ChatSaid,
    Closed,
    DrawOffered,
    HaltEnded,
    Lapsed,
    LineChanged,
    Muted,
    Opened,
    OrdersGiven,
    Owned,
    PauseAsked,
    PauseEnded,
    PlayedOn,
    Record,
    RecordError,
    Resigned,
    Restarted,
    Slipped,
    WindowDue,
)
from sunglare_server.match.state import (
    ANSWERS_KEPT,
    FramePost,
    MatchState,
    NewsPost,
    OverPost,
    Post,
    Staged,
    Stepped,
    Taken,
)
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.sequence import ending_of, next_standing, resolve_window
from sunglare_server.match.turn.start import start

_replace = msgspec.structs.replace


def step(state: MatchState | None, record: Record) -> Stepped:
    """Return what `record` turns `state` into; None and an opening record start a match.

    Raise `RecordError` for a record that has no place here, which only a damaged journal has.
    """
    if state is None and isinstance(record.b, PlayedOn):
        return past.begun(record.b, record.t, step)
    if state is None and isinstance(record.b, Opened):
        return start(record.b, record.t)
    if state is None or isinstance(record.b, Opened):
        raise RecordError(record.n, "a match is opened once, by its first record")
    if not _has_place(state, record):
        raise RecordError(record.n, "it has no place in this match")
    return _noted(state, _stepped(state, record), record)


def _has_place(state: MatchState, record: Record) -> bool:
    """Return whether a record may follow: one that is over has owners until it is closed."""
    is_owned = isinstance(record.b, Owned)
    return not state.is_closed and (is_owned or state.is_over == isinstance(record.b, Closed))


def _stepped(state: MatchState, record: Record) -> Stepped:
    match record.b:
        case OrdersGiven() as given:
            return _stage(state, _side(record), given, record)
        case WindowDue() | Slipped() | Restarted() | Owned() | PauseEnded():
            return _of_the_clock(state, record)
        case LineChanged() | Lapsed() | HaltEnded():
            return _of_the_clock(state, record)
        case ChatSaid() | Muted() | PauseAsked() | DrawOffered() | Resigned():
            return _at_table(state, record)
        case Adjourned():
            return over(state, Ending.ADJOURNED, ())
        case Closed() | Opened():
            return Stepped(_replace(state, is_closed=True))
        case _:
            assert_never(record.b)


def _of_the_clock(state: MatchState, record: Record) -> Stepped:
    match record.b:
        case WindowDue(window=window):
            return _close_window(state, record, window)
        case Slipped(window=window, by_ms=by_ms):
            return _slip(state, record, window, by_ms)
        case Restarted(outage_ms=outage_ms):
            return restarted(state, record.t, outage_ms)
        case Owned(outage_ms=outage_ms):
            is_same = outage_ms == 0 or state.is_over
            return Stepped(state) if is_same else restarted(state, record.t, outage_ms)
        case LineChanged() as changed:
            return line_changed(state, changed, record.t)
        case Lapsed(side=side):
            return lapsed(state, side, record.t)
        case HaltEnded():
            return halt_ended(state, record.t)
        case _:
            return halted(unpaused(state, record.t), record.t)


def _side(record: Record) -> Side:
    if record.s is None:
        raise RecordError(record.n, "a command without a seat")
    return record.s


def _stage(state: MatchState, side: Side, given: OrdersGiven, record: Record) -> Stepped:
    clock = clock_with_orders(state, side, given, record.t, record.lag)
    taken = _replace(
        state,
        staged={**state.staged, side: Staged(given.rev, given.orders, given.lock)},
        clocks={**state.clocks, side: clock},
        attendance={**state.attendance, side: submitted(state.attendance[side])},
    )
    stepped = attended(taken, side, record.t)
    return _replace(stepped, posts=(*stepped.posts, *readiness_told(state, taken, side)))


def _close_window(state: MatchState, record: Record, window: WindowId) -> Stepped:
    if window != state.standing.window:
        raise RecordError(record.n, "it closes a window that is not open")
    flow = Flow(state)
    resolve_window(flow)
    ending = ending_of(flow)
    standing = next_standing(flow)
    after = opened(flow.finished(), standing, record.t)
    if ending is None:
        after, news = counted(state, after)
        return Stepped(after, tuple(flow.events), (FramePost(), *news), tuple(flow.rolls))
    done = ended(after, ending)
    return Stepped(done, tuple(flow.events), (FramePost(), OverPost()), tuple(flow.rolls))


def _slip(state: MatchState, record: Record, window: WindowId, by_ms: int) -> Stepped:
    if window != state.standing.window:
        raise RecordError(record.n, "it puts off a window that is not open")
    return Stepped(slipped(state, by_ms))


def _at_table(state: MatchState, record: Record) -> Stepped:
    if record.s is None and isinstance(record.b, PauseAsked):
        return held(state, record.t) if record.b.on else unpaused(state, record.t)
    side = _side(record)
    match record.b:
        case ChatSaid(text=text):
            deaf = state.table.deaf_to(side)
            return Stepped(
                state, posts=(NewsPost(kind=NewsKind.CHAT, text=text, side=side, deaf=deaf),)
            )
        case Muted():
            return Stepped(_muted(state, side, record.b))
        case PauseAsked(on=on):
            return _pause(state, side, on=on, at_ms=record.t)
        case DrawOffered(on=on):
            return _draw(state, side, on=on)
        case _:
            return without_seat(state, side, Ending.RESIGNED, "resigned")


def _muted(state: MatchState, side: Side, body: Muted) -> MatchState:
    others = tuple(other for other in state.table.muted.get(side, ()) if other != body.whom)
    unheard = (*others, body.whom) if body.on else others
    table = _replace(state.table, muted={**state.table.muted, side: unheard})
    return _replace(state, table=table)


def _pause(state: MatchState, side: Side, *, on: bool, at_ms: int) -> Stepped:
    if state.table.is_frozen:
        return Stepped(state)
    if not on and state.halt is not None:
        return not_waited_for(state, side, at_ms)
    return halted(paused(state, side, on=on, at_ms=at_ms), at_ms)


def _draw(state: MatchState, side: Side, *, on: bool) -> Stepped:
    # Draw offers are sealed: no side learns of one until all have made it.
    kept = tuple(other for other in state.table.draws if other != side)
    draws = (*kept, side) if on else kept
    offered = _replace(state, table=_replace(state.table, draws=draws))
    if all(seat in draws for seat in state.seats_left):
        return over(offered, Ending.DRAW, (NewsPost(kind=NewsKind.DRAW, text="agreed"),))
    return Stepped(offered)


def _noted(before: MatchState, stepped: Stepped, record: Record) -> Stepped:
    """Return `stepped` with what every record may change noted: locks, answer and sequences."""
    state = stepped.state
    noted = _replace(
        state,
        moved_ms=moved_ms(before, state, record.t),
        taken=_taken(state, record),
        seqs=_seqs(before, stepped.posts),
    )
    return _replace(stepped, state=noted)


def _taken(state: MatchState, record: Record) -> dict[Side, tuple[Taken, ...]]:
    """Return the remembered commands with that of `record`, for a repetition of its id."""
    if record.s is None or record.c is None:
        return state.taken
    given = record.b
    if isinstance(given, OrdersGiven):
        taken = Taken(record.c, given.window, given.rev)
    else:
        taken = Taken(record.c)
    earlier = state.taken.get(record.s, ())
    return {**state.taken, record.s: (*earlier, taken)[-ANSWERS_KEPT:]}


def _seqs(before: MatchState, posts: tuple[Post, ...]) -> dict[Audience, int]:
    """Return how much each audience was sent, `posts` counted in its own sequence."""
    seqs = before.seqs
    for post in posts:
        deaf = post.deaf if isinstance(post, NewsPost) else ()
        seqs = {audience: seq + (audience not in deaf) for audience, seq in seqs.items()}
    return seqs
