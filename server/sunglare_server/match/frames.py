"""Frames, news and the end as one audience gets them: pure functions of the record prefix."""

from sunglare_protocol.codec import padded
from sunglare_protocol.ids import OMNI, Audience, MatchId, Side
from sunglare_protocol.messages.replies import Frame, FrameView, News, NewsKind, Over
from sunglare_server.match.fog import view as fog
from sunglare_server.match.omniscient import omniscient
from sunglare_server.match.state import FramePost, MatchState, NewsPost, OverPost, Stepped

Posted = Frame | News | Over
"""What goes out in an audience's sequence."""


def posted(match: MatchId, stepped: Stepped, audience: Audience, head: str) -> tuple[Posted, ...]:
    """Return what a step gives out to `audience`; `head` is the hash of the step's record."""
    if not stepped.posts:
        return ()
    heard = [
        post
        for post in stepped.posts
        if not isinstance(post, NewsPost) or audience not in post.deaf
    ]
    first = stepped.state.seqs[audience] - len(heard) + 1
    return tuple(
        [
            _posted(match, stepped.state, post, audience, first + index, head)
            for index, post in enumerate(heard)
        ]
    )


def keyframe(
    match: MatchId, state: MatchState, audience: Audience, head: str
) -> tuple[Posted, ...]:
    """Return the whole present view of `audience`, numbered as the last thing it was sent.

    Of a match that is over the end follows with that number, and the view has the one before.
    """
    seq = state.seqs[audience]
    if not state.is_over:
        return (frame(match, state, audience, seq),)
    return (frame(match, state, audience, seq - 1), _over(match, state, seq, head))


def still(match: MatchId, state: MatchState) -> tuple[News, ...]:
    """Return why a match stands still, and which sides ask for that, in news without a number.

    They are for a connection that comes back: no frame says it.
    """
    told: list[tuple[str, Side | None]] = []
    if state.halt is not None and state.halt.side is not None:
        told.append(("absent", state.halt.side))
    if state.table.paused_ms is not None:
        told.append(("paused", None))
    else:
        told += [("asked", side) for side in state.table.pauses]
    return tuple(
        News(match=match, seq=0, kind=NewsKind.PAUSE, side=side, text=text)
        for text, side in ([] if state.is_over else told)
    )


def frame(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    """Return the frame of `audience` in this state."""
    view = _view(state, audience)
    made = Frame(
        match=match,
        seq=seq,
        turn=view.stage.turn,
        window=view.stage.window,
        closes_ms=_closes_ms(state, audience),
        bank_ms=_bank_ms(state, audience),
        view=view,
        notices=state.intel[audience].told,
        latest_ms=_latest_ms(state) if state.preset.bank_ms else None,
        banks=state.shown_banks,
    )
    return padded(made) if is_padded(state) else made


def _posted(
    match: MatchId,
    state: MatchState,
    post: FramePost | NewsPost | OverPost,
    audience: Audience,
    seq: int,
    head: str,
) -> Posted:
    match post:
        case FramePost():
            return frame(match, state, audience, seq)
        case NewsPost():
            return _news(match, state, post, audience, seq)
        case OverPost():
            return _over(match, state, seq, head)


def _news(match: MatchId, state: MatchState, post: NewsPost, audience: Audience, seq: int) -> News:
    closes_ms = _closes_ms(state, audience) if post.moves_clock else None
    return News(
        match=match, seq=seq, kind=post.kind, side=post.side, text=post.text, closes_ms=closes_ms
    )


def _closes_ms(state: MatchState, audience: Audience) -> int:
    """Return how long after its frame the window closes: a seat's own deadline, exactly.

    All others see what is common to all: nothing in it moves when a seat locks.
    """
    side = _side(state, audience)
    if state.is_over or side is None or not state.has_say(side):
        return _latest_ms(state)
    return _from_told_ms(state, state.allowed_ms(side))


def _latest_ms(state: MatchState) -> int:
    return 0 if state.is_over else _from_told_ms(state, state.latest_ms)


def _from_told_ms(state: MatchState, thinking_ms: int) -> int:
    return state.opened_ms + state.stopped_ms + thinking_ms - state.told_ms


def _bank_ms(state: MatchState, audience: Audience) -> int:
    side = _side(state, audience)
    return 0 if side is None else state.clocks[side].bank_ms


def _side(state: MatchState, audience: Audience) -> Side | None:
    side = Side(audience)
    return side if side in state.clocks else None


def _view(state: MatchState, audience: Audience) -> FrameView:
    intel = state.intel[audience]
    if audience == OMNI:
        return omniscient.truth_view(state.truth, state.standing, intel.record, state.board)
    return fog.view(intel, state.standing, state.board)


def _over(match: MatchId, state: MatchState, seq: int, head: str) -> Over:
    if state.result is None:
        raise ValueError("the match is not over")
    return Over(match=match, seq=seq, result=state.result, seed=state.server_seed.hex(), head=head)


def is_padded(state: MatchState) -> bool:
    """Return whether frames are filled up, so that their lengths reveal less to a listener."""
    wish = state.options.pad_frames
    return wish == "yes" or (wish == "auto" and state.preset.on_beat)
