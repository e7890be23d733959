"""`step`: the one function by which a match goes on, pure and synchronous.

Replay, recovery, verification and arenas are folds of it over a match's records.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Audience, Side, WindowId, audience_of
from sunglare_protocol.ladder import Phase
from sunglare_protocol.replies import Ending, NewsKind
from sunglare_server.match.clocks import release_ms
from sunglare_server.match.flow import Flow
from sunglare_server.match.phases import Standing
from sunglare_server.match.record import (
    Adjourned,
    ChatSaid,
    Closed,
    DrawOffered,
    Muted,
    Opened,
    OrdersGiven,
    PauseAsked,
    PauseEnded,
    Record,
    RecordError,
    Resigned,
    Slipped,
    WindowDue,
)
from sunglare_server.match.resolve.scoring import result, survivors
from sunglare_server.match.start import start
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
from sunglare_server.match.windows import ending_of, next_standing, resolve_window

_replace = msgspec.structs.replace


def step(state: MatchState | None, record: Record) -> Stepped:
    """Return what `record` turns `state` into; None and an opening record start a match.

    Raise `RecordError` for a record that has no place here, which only a damaged journal has.
    """
    if state is None and isinstance(record.b, Opened):
        return start(record.b, record.t)
    if state is None or isinstance(record.b, Opened):
        raise RecordError(record.n, "a match is opened once, by its first record")
    if state.is_closed or state.is_over != isinstance(record.b, Closed):
        raise RecordError(record.n, "it has no place in this match")
    return _noted(state, _stepped(state, record), record)


def _stepped(state: MatchState, record: Record) -> Stepped:
    match record.b:
        case OrdersGiven() as given:
            return _stage(state, _side(record), given)
        case WindowDue(window=window):
            return _close_window(state, record, window)
        case ChatSaid() | Muted() | PauseAsked() | DrawOffered() | Resigned():
            return _at_table(state, record)
        case PauseEnded():
            return _unpause(state, record.t)
        case Slipped(window=window, by_ms=by_ms):
            return _slip(state, record, window, by_ms)
        case Adjourned():
            return _over(state, Ending.ADJOURNED, ())
        case Closed() | Opened():
            return Stepped(_replace(state, is_closed=True))
        case _:
            assert_never(record.b)


def _side(record: Record) -> Side:
    if record.s is None:
        raise RecordError(record.n, "a command without a seat")
    return record.s


def _stage(state: MatchState, side: Side, given: OrdersGiven) -> Stepped:
    staged = Staged(given.rev, given.orders, given.lock)
    return Stepped(_replace(state, staged={**state.staged, side: staged}))


def _close_window(state: MatchState, record: Record, window: WindowId) -> Stepped:
    if window != state.standing.window:
        raise RecordError(record.n, "it closes a window that is not open")
    flow = Flow(state)
    resolve_window(flow)
    ending = ending_of(flow)
    standing = next_standing(flow)
    after = _opened(flow.finished(), standing, record.t)
    if ending is None:
        return Stepped(after, tuple(flow.events), (FramePost(),), tuple(flow.rolls))
    over = _ended(after, ending)
    return Stepped(over, tuple(flow.events), (FramePost(), OverPost()), tuple(flow.rolls))


def _opened(state: MatchState, standing: Standing, closed_ms: int) -> MatchState:
    # The next window opens with the nominal release of the frames that announce it.
    opens = release_ms(state.preset, closed_ms, state.options.allowance_beats)
    closes = opens + state.preset.base_ms(standing.phase)
    return _replace(
        state,
        standing=standing,
        opened_ms=opens,
        closes_ms=closes,
        staged={},
        locked_ms=None,
    )


def _slip(state: MatchState, record: Record, window: WindowId, by_ms: int) -> Stepped:
    # Nobody loses time to a late release: the window opens later and closes later.
    if window != state.standing.window:
        raise RecordError(record.n, "it puts off a window that is not open")
    opens, closes = state.opened_ms + by_ms, state.closes_ms + by_ms
    return Stepped(_replace(state, opened_ms=opens, closes_ms=closes))


def _at_table(state: MatchState, record: Record) -> Stepped:
    if record.s is None and isinstance(record.b, PauseAsked):
        return _hold(state, record.t) if record.b.on else _unpause(state, record.t)
    side = _side(record)
    match record.b:
        case ChatSaid(text=text):
            muted = state.table.muted.items()
            deaf = tuple(audience_of(each) for each, unheard in muted if side in unheard)
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
            return _resign(state, side)


def _muted(state: MatchState, side: Side, body: Muted) -> MatchState:
    others = tuple(each for each in state.table.muted.get(side, ()) if each != body.whom)
    unheard = (*others, body.whom) if body.on else others
    table = _replace(state.table, muted={**state.table.muted, side: unheard})
    return _replace(state, table=table)


def _pause(state: MatchState, side: Side, *, on: bool, at_ms: int) -> Stepped:
    # A pause needs every seat that is left; any of them ends it, but not the operator's.
    if state.table.is_held:
        return Stepped(state)
    if not on:
        return _unpause(state, at_ms)
    table = state.table
    asking = tuple(each for each in state.seats_left if each == side or each in table.pauses)
    agreed = asking == state.seats_left and table.paused_ms is None
    paused = at_ms if agreed else table.paused_ms
    asked = _replace(state, table=_replace(table, pauses=asking, paused_ms=paused))
    text = "paused" if agreed else "asked"
    return Stepped(asked, posts=(NewsPost(kind=NewsKind.PAUSE, text=text, side=side),))


def _hold(state: MatchState, at_ms: int) -> Stepped:
    # The operator's pause is nobody's: without those who asked for it, no seat can end it.
    since_ms = at_ms if state.table.paused_ms is None else state.table.paused_ms
    held = _replace(state, table=_replace(state.table, pauses=(), paused_ms=since_ms))
    if state.table.is_held:
        return Stepped(held)
    return Stepped(held, posts=(NewsPost(kind=NewsKind.PAUSE, text="paused"),))


def _unpause(state: MatchState, at_ms: int) -> Stepped:
    # The window's time goes on where it stood.
    paused_ms = state.table.paused_ms
    ended = _replace(state, table=_replace(state.table, pauses=(), paused_ms=None))
    if paused_ms is None:
        return Stepped(ended)
    later = _replace(ended, closes_ms=state.closes_ms + at_ms - paused_ms)
    return Stepped(later, posts=(NewsPost(kind=NewsKind.PAUSE, text="over"),))


def _draw(state: MatchState, side: Side, *, on: bool) -> Stepped:
    # Draw offers are sealed: nobody hears of one until all have made it.
    kept = tuple(each for each in state.table.draws if each != side)
    draws = (*kept, side) if on else kept
    offered = _replace(state, table=_replace(state.table, draws=draws))
    if all(each in draws for each in state.seats_left):
        return _over(offered, Ending.DRAW, (NewsPost(kind=NewsKind.DRAW, text="agreed"),))
    return Stepped(offered)


def _resign(state: MatchState, side: Side) -> Stepped:
    resigned = (*state.table.resigned, side)
    gone = _replace(state, table=_replace(state.table, resigned=resigned))
    news = NewsPost(kind=NewsKind.SEAT, text="resigned", side=side)
    if len(gone.seats_left) <= 1:
        return _over(gone, Ending.RESIGNED, (news,))
    # Those who are left may have agreed on a draw without the one that has gone; a pause they
    # ask for again.
    if all(each in gone.table.draws for each in gone.seats_left):
        return _over(gone, Ending.DRAW, (news, NewsPost(kind=NewsKind.DRAW, text="agreed")))
    return Stepped(gone, posts=(news,))


def _over(state: MatchState, ending: Ending, posts: tuple[Post, ...]) -> Stepped:
    flow = Flow(state)
    flow.run(survivors(flow.truth, state.scenario))
    over = _ended(flow.finished(), ending)
    return Stepped(over, tuple(flow.events), (*posts, OverPost()), tuple(flow.rolls))


def _ended(state: MatchState, ending: Ending) -> MatchState:
    standing = _replace(state.standing, phase=Phase.OVER)
    left = state.seats_left or state.standing.sides
    final = result(state.truth, ending, left)
    return _replace(state, standing=standing, result=final, staged={})


def _noted(before: MatchState, stepped: Stepped, record: Record) -> Stepped:
    """Return `stepped` with what every record may change noted: lock, answer and sequences."""
    state = stepped.state
    noted = _replace(
        state,
        locked_ms=_locked_ms(state, record.t),
        taken=_taken(state, record),
        seqs=_seqs(before, stepped.posts),
    )
    return Stepped(noted, stepped.events, stepped.posts, stepped.rolls)


def _locked_ms(state: MatchState, at_ms: int) -> int | None:
    """Return when the last seat locked, which is now if it was not before."""
    if not state.all_locked:
        return None
    return max(at_ms, state.opened_ms) if state.locked_ms is None else state.locked_ms


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
