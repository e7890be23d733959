"""Ends a match: counts the points of survivors, and sends the result and all that goes out."""

from msgspec.structs import replace

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Ending, NewsKind
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.resolve.scoring import result, survivors
from sunglare_server.match.state import MatchState, NewsPost, OverPost, Post, Stepped
from sunglare_server.match.turn.flow import Flow


def over(state: MatchState, ending: Ending, posts: tuple[Post, ...]) -> Stepped:
    """Return the end of a match outside the close of a window; `posts` go out before it."""
    flow = Flow(state)
    flow.run(survivors(flow.truth, state.scenario))
    after = ended(flow.finished(), ending)
    return Stepped(after, tuple(flow.events), (*posts, OverPost()), tuple(flow.rolls))


def ended(state: MatchState, ending: Ending) -> MatchState:
    """Return the state of a match that is over."""
    standing = replace(state.standing, phase=Phase.OVER)
    left = state.seats_left or state.standing.sides
    final = result(state.truth, ending, left)
    return replace(state, standing=standing, result=final, staged={}, halt=None)


def without_seat(state: MatchState, side: Side, ending: Ending, word: str) -> Stepped:
    """Return what it changes that a seat plays no more: with one that plays on it is the end."""
    resigned = (*state.table.resigned, side)
    gone = replace(state, table=replace(state.table, resigned=resigned))
    news = NewsPost(kind=NewsKind.SEAT, text=word, side=side)
    if len(gone.playing) <= 1:
        return over(gone, ending, (news,))
    # Those who are left may have agreed on a draw without the one that has gone; a pause they
    # ask for again.
    if all(seat in gone.table.draws for seat in gone.seats_left):
        return over(gone, Ending.DRAW, (news, NewsPost(kind=NewsKind.DRAW, text="agreed")))
    return Stepped(gone, posts=(news,))
