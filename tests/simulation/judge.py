"""The verdict on a run: what must hold whatever went wrong, against the fold of its records."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, final

from simulation.diary import Diary, Evidence, Heard, Link
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.messages import Over, Result, ResumeKind
from sunglare_server.match.clocks import RESTART_MS
from sunglare_server.match.frames import Posted, keyframe, posted
from sunglare_server.match.record import Record, RecordError, WindowDue, chain, unpacked
from sunglare_server.match.state import FramePost, MatchState
from sunglare_server.match.step import step

SOON_S = 0.002
"""How much earlier a post may come: the clocks of servers show whole milliseconds."""


@final
class Folded(NamedTuple):
    """A record with the states around it, and which life of the server wrote it.

    `began_ms` is what the clock of the match showed when that life began.
    """

    record: Record
    before: MatchState | None
    after: MatchState
    head: str
    posts: dict[Audience, tuple[Posted, ...]]
    release_s: float
    began_ms: int
    lives: int


def verdict(evidence: Evidence) -> list[str]:
    """Return what is wrong with a run, a line each; nothing if it is as it must be."""
    found = list(evidence.logged)
    found += [line for diary in evidence.diaries for line in diary.complaints]
    if evidence.is_stuck:
        found.append(f"the match was not over after {evidence.took_s:.0f} s")
    try:
        folded = tuple(_folded(evidence))
    except RecordError as fault:
        return [*found, str(fault)]
    for diary in evidence.diaries:
        found += _lost_or_doubled(diary, folded)
        found += _wrongly_told(diary, folded)
    found += _two_ends(evidence)
    found += _closed_early(folded)
    return found


def _clocks(evidence: Evidence) -> list[tuple[float, int]]:
    """Return when each life of the server began, in s, and what the match's clock showed."""
    times, before = [0], b""
    for number, blob in enumerate(evidence.records, 1):
        times.append(unpacked(blob, number, before).t)
        before = blob
    # A match's clock goes on at its last record, if the server's was set back.
    return [(life.began_s, max(life.began_ms, times[life.records])) for life in evidence.lives]


def _release_s(clocks: list[tuple[float, int]], release_ms: int) -> float:
    """Return when the first of these lives comes to a time: sooner if its clock is ahead."""
    return min(began_s + max(0, release_ms - began_ms) / 1000 for began_s, began_ms in clocks)


def _folded(evidence: Evidence) -> Iterator[Folded]:
    state: MatchState | None = None
    before = b""
    clocks = _clocks(evidence)
    for number, blob in enumerate(evidence.records, 1):
        record = unpacked(blob, number, before)
        stepped = step(state, record)
        head, after = chain(blob).hex(), stepped.state
        lives = sum(life.records < number for life in evidence.lives)
        shows = any(isinstance(post, FramePost) for post in stepped.posts)
        release_ms = after.opened_ms if shows else record.t
        yield Folded(
            record=record,
            before=state,
            after=after,
            head=head,
            posts={
                audience: posted(evidence.match, stepped, audience, head)
                for audience in after.seqs
            },
            release_s=_release_s(clocks[lives - 1 :], release_ms),
            began_ms=clocks[lives - 1][1],
            lives=lives,
        )
        state, before = after, blob


def _lost_or_doubled(diary: Diary, folded: tuple[Folded, ...]) -> Iterator[str]:
    """Find acknowledged commands that the record has not, and any that it has twice."""
    stored = Counter(each.record.c or 0 for each in folded if each.record.s == diary.side)
    for command in dict.fromkeys(diary.accepted):
        if stored[command] == 0:
            yield f"{diary.name}: command {command} was acknowledged and is lost"
    for command, times in stored.items():
        if times > 1:
            yield f"{diary.name}: command {command} was applied {times} times"


def _wrongly_told(diary: Diary, folded: tuple[Folded, ...]) -> Iterator[str]:
    """Find what a seat was told that is not the records' fold, or not in order, or too early."""
    audience = audience_of(diary.side)
    told = {post.seq: (each, post) for each in folded for post in each.posts[audience]}
    for link in diary.links:
        for fault in _of_a_link(link, audience, told, folded):
            yield f"{diary.name}: {fault}"


def _of_a_link(
    link: Link,
    audience: Audience,
    told: dict[int, tuple[Folded, Posted]],
    folded: tuple[Folded, ...],
) -> Iterator[str]:
    expected = None if link.kind is ResumeKind.RESET else link.have + 1
    for heard in link.heard:
        seq = heard.post.seq
        if expected is not None and seq != expected:
            yield f"post {seq} came where {expected} was due, after {link.have}"
        if seq not in told:
            yield f"post {seq} is in no record"
            return
        each, post = told[seq]
        is_first = expected is None
        if not (_same(heard, post) or (is_first and _is_keyframe(heard, audience, folded))):
            yield f"post {seq} is not what the record says"
        if heard.at_s < each.release_s - SOON_S:
            early_s = each.release_s - heard.at_s
            yield f"post {seq} came {early_s:.3f} s before its release"
        expected = seq + 1


def _same(heard: Heard, post: Posted) -> bool:
    return encode_server(heard.post, Form.PACKED) == encode_server(post, Form.PACKED)


def _is_keyframe(heard: Heard, audience: Audience, folded: tuple[Folded, ...]) -> bool:
    """Return whether a post is the whole view after some record that told the audience of it."""
    for each in folded:
        if not each.posts[audience] or each.after.seqs[audience] - heard.post.seq not in (0, 1):
            continue
        made = keyframe(heard.post.match, each.after, audience, each.head)
        if any(_same(heard, post) for post in made):
            return True
    return False


def _two_ends(evidence: Evidence) -> Iterator[str]:
    ends = [diary.over for diary in evidence.diaries if diary.over is not None]
    if any(_end(end) != _end(ends[0]) for end in ends):
        yield f"the sides were told different ends: {ends}"


def _end(over: Over) -> tuple[str, str, Result]:
    return over.head, over.seed, over.result


def _closed_early(folded: tuple[Folded, ...]) -> Iterator[str]:
    """Find windows that were open while the server was away and closed too soon after it.

    Whatever was left of their time, nobody's runs in the first 20 s after a restart.
    """
    opened_in = 0
    for each in folded:
        state = each.before
        is_late = state is not None and state.due_ms == state.closes_ms
        if isinstance(each.record.b, WindowDue) and state is not None and is_late:
            lasted_ms = each.record.t - each.began_ms
            if each.lives > opened_in and lasted_ms < RESTART_MS:
                window = state.standing.window
                yield f"window {window} closed {lasted_ms} ms after a restart"
        if state is None or state.standing.window != each.after.standing.window:
            opened_in = each.lives
