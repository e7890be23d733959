"""Frames, news and the end as one audience gets them: pure functions of the record prefix."""

from sunglare_protocol.codec import padded
from sunglare_protocol.ids import OMNI, Audience, MatchId
from sunglare_protocol.replies import Frame, FrameView, News, Over
from sunglare_server.match import fog, omniscient
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


def frame(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    """Return the frame of `audience` in this state."""
    view = _view(state, audience)
    made = Frame(
        match=match,
        seq=seq,
        turn=view.stage.turn,
        window=view.stage.window,
        closes_ms=0 if state.is_over else state.closes_ms - state.opened_ms,
        bank_ms=0,
        view=view,
        notices=state.intel[audience].told,
    )
    return padded(made) if _is_padded(state) else made


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
        case NewsPost(kind=kind, text=text, side=side):
            return News(match=match, seq=seq, kind=kind, side=side, text=text)
        case OverPost():
            return _over(match, state, seq, head)


def _view(state: MatchState, audience: Audience) -> FrameView:
    intel = state.intel[audience]
    if audience == OMNI:
        return omniscient.truth_view(state.truth, state.standing, intel.record, state.board)
    return fog.view(intel, state.standing, state.board)


def _over(match: MatchId, state: MatchState, seq: int, head: str) -> Over:
    if state.result is None:
        raise ValueError("the match is not over")
    return Over(match=match, seq=seq, result=state.result, seed=state.server_seed.hex(), head=head)


def _is_padded(state: MatchState) -> bool:
    wish = state.options.pad_frames
    return wish == "yes" or (wish == "auto" and state.preset.rated)
