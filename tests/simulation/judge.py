"""The verdict on a run: what must hold whatever went wrong, against the fold of its records."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from simulation.clockjudge import charges, wrong_clocks
from simulation.diary import Diary, Evidence, Heard, Link, Play, Watch
from simulation.folding import Folded, folded
from simulation.secondact import wrongly_begun
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.messages import (
    AskPause,
    Chat,
    ClientMessage,
    Frame,
    GiveOrders,
    Over,
    Resign,
    Result,
    ResumeKind,
)
from sunglare_server.match.frames import Posted, keyframe
from sunglare_server.match.record import (
    Body,
    ChatSaid,
    OrdersGiven,
    Owned,
    PauseAsked,
    RecordError,
    Resigned,
)
from sunglare_server.ports.rooms import PostMatchLine

SOON_S = 0.002
"""How much earlier a post may come: the clocks of servers show whole milliseconds."""

ALONE_S = 10 * 60 + 30
"""After so many seconds at the latest a room that nobody joined is closed."""


def verdict(evidence: Evidence) -> list[str]:
    """Return what is wrong with a run, a line each; nothing if it is as it must be."""
    found = list(evidence.logged)
    found += [
        line for play in evidence.plays for diary in play.diaries for line in diary.complaints
    ]
    found += [f"after {evidence.took_s:.0f} s not over: {name}" for name in evidence.stuck]
    if evidence.lonely_s is not None and evidence.lonely_s > ALONE_S:
        found.append(f"a room that nobody joined was there after {evidence.lonely_s:.0f} s")
    for play in evidence.plays:
        try:
            found += _of_a_match(evidence, play, tuple(folded(evidence, play)))
        except RecordError as fault:
            found.append(str(fault))
    return found


def _of_a_match(evidence: Evidence, play: Play, records: tuple[Folded, ...]) -> Iterator[str]:
    evidence.reached["banks charged"] += charges(play, records)
    restarts = [isinstance(record.record.b, Owned) for record in records]
    evidence.reached["restarts"] += sum(restarts)
    if play.origin is not None:
        evidence.reached["played on"] += 1
        evidence.reached["restarts of those played on"] += sum(restarts)
    for diary in play.diaries:
        yield from lost_or_doubled(diary, records, play.chat)
        yield from _wrongly_told(diary, records)
    for watch in play.watches:
        yield from _wrongly_shown(evidence, watch, records)
    yield from two_ends(play)
    yield from wrongly_begun(evidence, play)
    yield from wrong_clocks(evidence, play, records)
    yield from (
        f"record {record.record.n}: {line}" for record in records for line in record.broken
    )


def lost_or_doubled(
    diary: Diary, records: tuple[Folded, ...], chat: tuple[PostMatchLine, ...]
) -> Iterator[str]:
    """Find acknowledged commands that the record has not, or otherwise, and any it has twice.

    What was said after the end is no record, but a line of the room's `chat`.
    """
    own = [record.record for record in records if record.record.s == diary.side]
    stored = Counter(record.c or 0 for record in own)
    contents = {record.c: record.b for record in own}
    later = {line.command: line.text for line in chat if line.side == diary.side}
    for message in diary.accepted:
        if isinstance(message, Chat) and later.get(message.id) == message.text:
            continue
        if not stored[message.id]:
            yield f"{diary.name}: command {message.id} was acknowledged and is lost"
        elif contents[message.id] != _body(message):
            yield f"{diary.name}: command {message.id} is stored as another one"
    for command, times in stored.items():
        if times > 1:
            yield f"{diary.name}: command {command} was applied {times} times"


def _body(message: ClientMessage) -> Body:
    """Return what the record must hold of a command."""
    match message:
        case GiveOrders():
            return OrdersGiven(
                window=message.window, rev=message.rev, orders=message.orders, lock=message.lock
            )
        case Chat():
            return ChatSaid(text=message.text)
        case AskPause():
            return PauseAsked(on=message.on)
        case Resign():
            return Resigned()
        case _:
            raise TypeError(f"no player gives such a command: {message}")


def told_to(records: tuple[Folded, ...], audience: Audience) -> dict[int, tuple[Folded, Posted]]:
    return {post.seq: (record, post) for record in records for post in record.posts[audience]}


def _wrongly_told(diary: Diary, records: tuple[Folded, ...]) -> Iterator[str]:
    """Find what a seat was told that is not the records' fold, or not in order, or too early."""
    audience = audience_of(diary.side)
    told = told_to(records, audience)
    dues = {seq: step.release_s() for seq, (step, _) in told.items()}
    for link in diary.links:
        for fault in faults_of_a_link(link, audience, told, dues, records):
            yield f"{diary.name}: {fault}"


def _wrongly_shown(evidence: Evidence, watch: Watch, records: tuple[Folded, ...]) -> Iterator[str]:
    """Find the same of a spectator, from whom everything is held back for the delay."""
    told = told_to(records, watch.feed)
    dues = {seq: _delayed_s(watch, step, records) for seq, (step, _) in told.items()}
    for link in watch.links:
        evidence.reached[f"posts to {watch.feed}"] += len(link.heard)
        for fault in faults_of_a_link(link, watch.feed, told, dues, records):
            yield f"{watch.name}, who watches {watch.feed}: {fault}"


def _delayed_s(watch: Watch, step: Folded, records: tuple[Folded, ...]) -> float:
    """Return when a post may be shown: after the turns and the time of the delay, or the end."""
    turn = step.after.standing.turn + watch.delay_turns
    shown = [later.release_s() for later in records if later.after.standing.turn >= turn]
    ends = [later.release_s() for later in records if later.after.is_over]
    waits = [max(step.release_s(watch.delay_ms), shown[0])] if shown else []
    return min([*waits, *(max(step.release_s(), end) for end in ends[:1])], default=float("inf"))


def faults_of_a_link(
    link: Link,
    audience: Audience,
    told: dict[int, tuple[Folded, Posted]],
    dues: dict[int, float],
    records: tuple[Folded, ...],
) -> Iterator[str]:
    expected = None if link.kind is ResumeKind.RESET else link.have + 1
    for heard in link.heard:
        seq = heard.post.seq
        if expected is not None and seq != expected:
            yield f"post {seq} came where {expected} was due, after {link.have}"
        if seq not in told:
            yield f"post {seq} is in no record"
            return
        _, post = told[seq]
        is_first = expected is None
        if not (_same(heard, post) or (is_first and _is_keyframe(heard, audience, records))):
            yield f"post {seq} is not what the record says"
        if heard.at_s < dues[seq] - SOON_S:
            yield f"post {seq} came {dues[seq] - heard.at_s:.3f} s before its release"
        expected = seq + 1


def _same(heard: Heard, post: Posted) -> bool:
    return _bare(heard.post) == _bare(post)


def _bare(post: Posted) -> bytes:
    # A frame that is told as a change of another one comes without its own padding.
    if isinstance(post, Frame):
        post = msgspec.structs.replace(post, pad="")
    return encode_server(post, Form.PACKED)


def _is_keyframe(heard: Heard, audience: Audience, records: tuple[Folded, ...]) -> bool:
    """Return whether a post is the whole view after some record that told the audience of it."""
    for record in records:
        if not record.posts[audience] or record.after.seqs[audience] - heard.post.seq not in (
            0,
            1,
        ):
            continue
        made = keyframe(heard.post.match, record.after, audience, record.head)
        if any(_same(heard, post) for post in made):
            return True
    return False


def two_ends(play: Play) -> Iterator[str]:
    ends = [diary.over for diary in play.diaries if diary.over is not None]
    if any(_end(end) != _end(ends[0]) for end in ends):
        yield f"the sides were told different ends: {ends}"


def _end(over: Over) -> tuple[str, str, Result]:
    return over.head, over.seed, over.result
